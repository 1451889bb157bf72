/* freeze.h - what a process computes waits until gdb comes
 *
 * Ranks that poll leave gdb little of the processors: the more of them there
 * are, the longer it takes to stop each one.  So their threads that run are
 * stopped before, by the tracing of the kernel: no signal is sent, and nothing
 * is written.  A child does that, and its end lets them go at once, whatever
 * they are about: one of them may take long to stop on a machine that is busy,
 * and gdb finds no process that somebody else still has.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_FREEZE_H
#define MQ_FREEZE_H

#include <stddef.h>
#include <sys/types.h>

#include "target/owner.h"

/* Who stops them.  All zero: nobody does. */
struct mq_freeze {
    pid_t holder;               /* a child, which ends with this process */
};

/* Stops the threads of COUNT processes that run, as far as that is permitted and
 * the processes are those that were pinned, for so many SECONDS at most.
 */
void mq_freeze(struct mq_freeze *, const struct mq_owner *processes,
               size_t count, double seconds);

/* Lets them go on; gdb can attach then. */
void mq_thaw(struct mq_freeze *);

#endif
