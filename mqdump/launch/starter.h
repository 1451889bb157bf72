/* starter.h - job data in the process that started it */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_STARTER_H
#define MQ_STARTER_H

#include "find/acquire.h"
#include "mqdump/launch/listen.h"
#include "mqdump/sample/reading.h"
#include "target/target.h"

/* Reads what TARGET, process PID, knows of its job (acquire.h); mq_absent, too,
 * if it knows it by numbers that are other ones here, as in a container.  The
 * processes that it lists are its to name if they are of its user.  Those that
 * OPEN has, which may be null, are stopped and are not opened again.  Warnings
 * leave the reading incomplete.
 */
enum mq_result mq_starter_acquire(struct mq_target *target, int pid,
                                  const struct mq_listening *open,
                                  const struct mq_read_options *,
                                  struct mq_reading *, struct mq_error *,
                                  struct mq_acquired *acquired);

#endif
