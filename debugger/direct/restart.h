/* restart.h - restart of system calls that a stop has interrupted
 *
 * To stop a thread interrupts the system call that it waits in.  The kernel
 * makes most of them again by itself, but lets some fail with EINTR, such as
 * epoll_wait and sigtimedwait, which no program expects that has no handlers of
 * signals.
 *
 * Method: when the thread is resumed, it is set back in front of the
 * instruction of the call, with its number.  Only calls that have done nothing
 * when they fail so are made again, and none where a signal is about to be
 * handled.
 *
 * On aarch64 the result of a call takes the place of its first argument.  There
 * the kernel is asked for that while the thread still sleeps, and to count how
 * often it returns from the call: never until it has stopped.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_RESTART_H
#define MQ_RESTART_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The call that a thread was in before it was asked to stop. */
struct mq_restart {
    int64_t number;
    uint64_t argument;          /* the first */
    uint64_t behind;            /* its instruction */
    int counter;                /* of returns from it, if IS_COUNTED */
    bool is_counted;
    bool is_known;              /* it is the call that the thread has stopped
                                   in */
};

/* THREAD is asked to stop next, unless it has come to a stop already; and it
 * has stopped, or ended.
 */
void mq_restart_prepare(pid_t thread, struct mq_restart *);
void mq_restart_note(struct mq_restart *);

/* THREAD, which is halted and not by a signal, is resumed next, with SIGNAL, or
 * 0 for none.  Whether it was in a call that is made again then.
 */
bool mq_restart_call(pid_t thread, int signal, const struct mq_restart *);

#endif
