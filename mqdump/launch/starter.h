/* starter.h - the process that started a job, looked at for what it knows */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_STARTER_H
#define MQ_STARTER_H

#include <signal.h>

#include "acquire/acquire.h"
#include "mqdump/launch/listen.h"
#include "mqdump/live/recorder.h"
#include "mqdump/read/reading.h"
#include "target/target.h"

/* Reads what TARGET, process PID, knows of its job (acquire.h); mq_absent, too,
 * if it knows it by numbers that are other ones here, as in a container.  The
 * processes that it lists are its to name if they are of its user.  Those that
 * OPEN has, which may be null, stand still and are not opened again.
 * Warnings leave the reading incomplete.
 */
enum mq_result mq_starter_acquire(struct mq_target *target, int pid,
                                  const struct mq_listening *open,
                                  const struct mq_read_options *,
                                  struct mq_reading *, struct mq_error *,
                                  struct mq_acquired *acquired);

/* A process of this host that stands still and is only read, without a gdb
 * where that can tell as much.
 */
struct mq_starter {
    struct mq_tools tools;
    struct mq_target *target;
};

enum mq_result mq_starter_read(struct mq_starter *, const struct mq_owner *,
                               const struct mq_read_options *,
                               const volatile sig_atomic_t *stopper,
                               struct mq_error *);
void mq_starter_deinit(struct mq_starter *);

/* Opens a process of this host with a gdb, which can have it run. */
enum mq_result mq_starter_open(const struct mq_owner *,
                               const struct mq_read_options *,
                               const volatile sig_atomic_t *stopper,
                               struct mq_error *, struct mq_target **target);

#endif
