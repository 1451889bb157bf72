/* starter.h - the process that started a job, looked at for what it knows */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_STARTER_H
#define MQ_STARTER_H

#include <signal.h>

#include "acquire/acquire.h"
#include "mqdump/reading.h"
#include "target/target.h"

/* Reads what TARGET, process PID, knows of its job (acquire.h); mq_absent, too,
 * if it knows it by numbers that are other ones here, as in a container.  The
 * processes that it lists are its to name if they are of its user.
 * Warnings leave the reading incomplete.
 */
enum mq_result mq_starter_acquire(struct mq_target *target, int pid,
                                  const struct mq_read_options *,
                                  struct mq_reading *, struct mq_error *,
                                  struct mq_acquired *acquired);

/* Opens a process of this host. */
enum mq_result mq_starter_open(const struct mq_owner *, const struct mq_read_options *,
                               const volatile sig_atomic_t *stopper,
                               struct mq_error *, struct mq_target **target);

#endif
