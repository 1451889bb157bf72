/* halt.h - stopping all threads of a process
 *
 * By the tracing of the kernel: no signal is sent, nothing is written, a
 * process that a signal has stopped stays so, and should this program end, all
 * go on by themselves.
 *
 * Method: every thread is seized and asked to stop before the first is waited
 * for, so that many processes are halted at one moment: mq_halt_ask of each of
 * them, then mq_halt_wait.  A process whose threads may begin others meanwhile
 * is asked again until it has no thread that was not asked.  One that does not
 * stop in time is resumed, and blocks nobody.  A thread in state D would let
 * all others of its process wait for it: none is asked as long as there is one,
 * and where that shows later they are resumed at once, and asked again.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_HALT_H
#define MQ_HALT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "direct/restart.h"

/* A thread that was asked to stop. */
struct mq_halted_thread {
    pid_t id;
    enum { mq_halt_asked, mq_halt_stopped, mq_halt_ended } state;
    int signal;                 /* that it was about to get: it still does */
    struct mq_restart restart;
};

/* All zero: nothing is halted.  One writer: the thread that asked. */
struct mq_halt {
    int pid;
    struct mq_halted_thread *threads;   /* the main thread is the first */
    size_t count, room;
    bool was_stopped;           /* by a signal, before; known once it waited */
    int in_kernel;              /* a thread in state D, for which the others do
                                   not wait; 0: none was */
};

/* Asks all threads of process PID of this host to stop, now or, if one of them
 * is in state D, while it is waited for.  The error says what forbids it.
 */
enum mq_result mq_halt_ask(struct mq_halt *, int pid, struct mq_error *);

/* Waits until they have stopped, for SECONDS at most.  mq_absent: the process
 * has ended; mq_failed: it cannot be stopped.  After these all go on, what does
 * not stop when this program ends.
 */
enum mq_result mq_halt_wait(struct mq_halt *, double seconds,
                            struct mq_error *);

/* Whether they have, or do in so many SECONDS, or there is nothing to wait for.
 */
bool mq_halt_has_stopped(struct mq_halt *, double seconds);

/* Resumes all, each with its signal.  What does not stop even now is kept: it
 * is resumed at the next time, or when this program ends.
 */
void mq_halt_end(struct mq_halt *);
void mq_halt_deinit(struct mq_halt *);

#endif
