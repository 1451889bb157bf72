/* pin.h - process ids, pinned against reuse and change of user
 *
 * Process ids from a target are untrusted: an id may be that of another user's
 * process, and is reused when its process has ended.  So a process is pinned
 * when its id becomes known, compared with the process that named it, and
 * checked again before each operation on it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PIN_H
#define MQ_PIN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/* A process of this host and its users.  Plain values, which may be copied. */
struct mq_pin {
    int pid;                    /* 0: nothing is pinned */
    uint64_t start;             /* when it began, in ticks since the system's */
    uid_t real, effective, saved;
};

/* Pins process PID as it is now; mq_absent, with a message, if there is none or
 * it is a thread.
 */
enum mq_result mq_pin_process(int pid, struct mq_error *, struct mq_pin *pin);

/* mq_ok if the process still exists and still has the same users: executing a
 * set-user-ID program changes them.
 */
enum mq_result mq_pin_check(const struct mq_pin *, struct mq_error *);

/* Whether both have the same three user ids. */
bool mq_pin_is_same_user(const struct mq_pin *one, const struct mq_pin *other);

/* Pins process PID, which NAMER has named: mq_absent as above, and mq_failed,
 * with a message that has its user, if it is another user's than NAMER, even if
 * that is root's.  A NAMER that is not pinned is the user of this program, who
 * may name any.
 */
enum mq_result mq_pin_named_process(const struct mq_pin *namer, int pid,
                                    struct mq_error *, struct mq_pin *pin);

/* Whether THREAD is one of the process's. */
bool mq_pin_has_thread(const struct mq_pin *, int thread);

/* Sends a signal to the process, and never to another one with its id. */
enum mq_result mq_pin_signal(const struct mq_pin *, int number,
                             struct mq_error *);

#endif
