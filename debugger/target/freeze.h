/* freeze.h - what a process computes waits until gdb comes
 *
 * Ranks that poll leave gdb little of the processors: the more of them there
 * are, the longer it takes to stop each one.  So their threads that run are
 * stopped before, by the tracing of the kernel: no signal is sent, nothing is
 * written, and should this program end, they go on by themselves.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_FREEZE_H
#define MQ_FREEZE_H

#include <stddef.h>
#include <sys/types.h>

/* The threads that are stopped.  All zero: none are. */
struct mq_freeze {
    pid_t *threads;
    size_t count, room;
};

/* Stops the threads of process PID of this host that run, as far as that is
 * permitted; without memory none.
 */
void mq_freeze(struct mq_freeze *, int pid);

/* Lets them go on; gdb can attach then. */
void mq_thaw(struct mq_freeze *);

#endif
