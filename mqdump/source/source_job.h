/* source_job.h - a whole job, by the process that started it */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_SOURCE_JOB_H
#define MQ_SOURCE_JOB_H

#include "mqdump/read/reading.h"

/* Shows the job of the process whose pid is the first of VALUES: what it says
 * and its ranks.
 */
enum mq_result mq_read_job(char *const *values,
                           const struct mq_read_options *, struct mq_reading *,
                           struct mq_error *);

#endif
