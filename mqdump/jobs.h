/* jobs.h - MPI jobs of this user on this host */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_JOBS_H
#define MQ_JOBS_H

#include <stddef.h>

#include "base/error.h"
#include "mqdump/cli/output.h"

/* The process that started the only job of this user on this host: mq_absent if
 * there are none or several, whose number is *COUNT.
 */
enum mq_result mq_jobs_only(struct mq_error *, int *starter, size_t *count);

/* Lists them on stdout: what runs, on how many ranks, since when, and how many
 * of them wait in MPI, for which each is looked at once.
 */
enum mq_exit mq_jobs_list(const struct mq_settings *);

#endif
