/* interrupt.h - signals by which the user ends mqdump
 *
 * Where processes have to be resumed first, they are only noted: waiting code
 * checks it, and ends in order.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_INTERRUPT_H
#define MQ_INTERRUPT_H

#include <signal.h>
#include <sys/types.h>

enum { mq_interrupt_signals = 3 };      /* SIGINT, SIGTERM and SIGHUP */

/* The signal that came last, or 0.  A handler reaches nothing but globals. */
extern volatile sig_atomic_t mq_interrupted;

/* Notes signals from now on, except those that are ignored, and keeps in BEFORE
 * what would have become of them.
 */
void mq_interrupt_catch(struct sigaction before[mq_interrupt_signals]);

/* Until resumed, signals are held back: for what must be done to its end. */
void mq_interrupt_block(void);
void mq_interrupt_unblock(void);

/* Until allowed again, what stops a job at a terminal waits: those that this
 * process keeps from going on would stay so.
 */
void mq_interrupt_hold_stop(void);
void mq_interrupt_allow_stop(void);

/* The signal that came last, or 0, which has had its effect then. */
int mq_interrupt_take(void);

/* Undoes the catch, and lets a signal that came have its effect. */
void mq_interrupt_restore(const struct sigaction before[mq_interrupt_signals]);

/* From now on the end of CHILD interrupts, too, as SIGCHLD; it is not waited
 * for.
 */
void mq_interrupt_await(pid_t child);

/* In a child, before it executes a program: signals that end programs, SIGPIPE
 * among them, end it, and none is held back.
 */
void mq_interrupt_default(void);

/* The same, but those of the three that were ignored stay so; the creator of
 * the child has blocked them until now.
 */
void mq_interrupt_inherit(void);

#endif
