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

/* A process of this host that stands still and is only read, without a gdb where
 * that can tell as much.
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
enum mq_result mq_starter_open(const struct mq_owner *, const struct mq_read_options *,
                               const volatile sig_atomic_t *stopper,
                               struct mq_error *, struct mq_target **target);

/* What the starter of the rank OWNER says of DLLs: the nearest of its ancestors
 * that says something, and is of the same user.  OFFER is all zero if none does,
 * and if the user has named a DLL.
 */
void mq_starter_offer(const struct mq_owner *owner,
                      const struct mq_read_options *,
                      struct mq_dll_offer *offer);

/* Whether one of the ancestors of the rank OWNER, of the same user, may list the
 * ranks of a job.
 */
bool mq_starter_is_above(const struct mq_owner *owner);

/* What tells that a process is the starter of the ranks that are meant. */
struct mq_starter_trait {
    const char *entry;          /* "NAME=VALUE", in its environment; null: what
                                   it lists tells */
    char *const *hosts;         /* it lists a rank on one of these, */
    size_t host_count;
    int pid;                    /* or this process of this host; 0: none */
};

/* The same as mq_starter_offer of a starter with TRAIT among this user's
 * processes here whose program names a DLL.  Of several that name different
 * ones nothing is taken.
 */
void mq_starter_seek(const struct mq_starter_trait *trait,
                     const struct mq_read_options *,
                     struct mq_dll_offer *offer);

#endif
