/* lock_functions.h - functions in which threads wait for others
 *
 * By the one table of them, lock_functions.def.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_LOCK_FUNCTIONS_H
#define MQ_LOCK_FUNCTIONS_H

enum mq_lock {
    mq_lock_none,
    mq_lock_mutex,      /* of POSIX and C */
    mq_lock_section,    /* a spin lock, a critical section and others */
    mq_lock_rwlock,
    mq_lock_condition,
    mq_lock_barrier,
    mq_lock_semaphore,  /* which a signal's handler may post, too */
    mq_lock_thread,     /* until it has ended */
    mq_lock_team        /* at a barrier of OpenMP, until all others of the team
                           have come */
};

/* What a thread waits for in FUNCTION, which may be null. */
enum mq_lock mq_lock_kind(const char *function);

#endif
