/* owner.h - process ids, pinned against reuse and change of user
 *
 * What a process says of others is not to be believed: a number may name
 * anybody's process, and means another one as soon as the first has ended.  So
 * a process is pinned when its number becomes known, compared with the process
 * that named it, and checked again wherever something is done to it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_OWNER_H
#define MQ_OWNER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/* A process of this host and whose it is.  Plain values: a copy is as good. */
struct mq_owner {
    int pid;                    /* 0: nothing is pinned */
    uint64_t start;             /* when it began, in ticks since the system's */
    uid_t real, effective, saved;
};

/* Notes what process PID is now; mq_absent, with a sentence, if there is none
 * or it is a thread.
 */
enum mq_result mq_owner_pin(int pid, struct mq_error *, struct mq_owner *owner);

/* mq_ok if the process is still there, and is still that user's: to execute a
 * program that belongs to another one changes that.
 */
enum mq_result mq_owner_check(const struct mq_owner *, struct mq_error *);

/* Whether both are the same user's in all three ways. */
bool mq_owner_is_same(const struct mq_owner *one, const struct mq_owner *other);

/* Pins process PID, which NAMER has named: mq_absent as above, and mq_failed,
 * with a sentence that says whose it is, if it is not of the same user, root's
 * namer or not.  One that is not pinned, which is to say the user of this
 * program, may name any.
 */
enum mq_result mq_owner_pin_named(const struct mq_owner *namer, int pid,
                                  struct mq_error *, struct mq_owner *owner);

/* Whether THREAD is one of the process's. */
bool mq_owner_has_thread(const struct mq_owner *, int thread);

/* Sends the process a signal, which no other one can get instead. */
enum mq_result mq_owner_signal(const struct mq_owner *, int number,
                               struct mq_error *);

#endif
