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
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_RESTART_H
#define MQ_RESTART_H

#include <stdbool.h>
#include <sys/types.h>

/* THREAD, which is halted and not by a signal, is resumed next, with SIGNAL, or
 * 0 for none.  Whether it was in a call that is made again then.
 */
bool mq_restart_call(pid_t thread, int signal);

#endif
