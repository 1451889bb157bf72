/* source_processes.h - the source "PID,PID..." */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_SOURCE_PROCESSES_H
#define MQ_SOURCE_PROCESSES_H

#include "mqdump/read/reading.h"

enum mq_result mq_read_processes(char *const *values,
                                 const struct mq_read_options *,
                                 struct mq_reading *, struct mq_error *);

#endif
