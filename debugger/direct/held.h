/* held.h - run control: stops processes, runs them to a breakpoint
 *
 * For starters of jobs, and ranks that speak for these: their memory and the
 * symbols of their files are read by way of their targets, and where they are
 * if that is asked for.  libmqwatch's symbols, which are named as an MPI's are,
 * count for nothing: a starter has it only to hand it on.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_HELD_H
#define MQ_HELD_H

#include <signal.h>

#include "process/owner.h"
#include "target/code_change.h"
#include "target/target.h"

/* All processes that run together. */
struct mq_holder;

/* GUARD outlives it. */
enum mq_result mq_holder_create(struct mq_guard *guard, struct mq_error *,
                                struct mq_holder **);

/* Lets go of all, and destroys their targets. */
void mq_holder_destroy(struct mq_holder *);

/* Stops a process and adds it.  Its target may be destroyed before the others,
 * which lets it go, as live->let_go does.
 */
enum mq_result mq_holder_add(struct mq_holder *, const struct mq_owner *,
                             struct mq_error *, struct mq_target **target);

/* What ended a run. */
enum mq_held_event_kind {
    mq_held_entered,            /* it is at the beginning of FUNCTION */
    mq_held_executed,           /* it has executed another program */
    mq_held_begins,             /* that has all its libraries now */
    mq_held_interrupted,        /* or the time is over */
    mq_held_exited              /* there is no process any more */
};

struct mq_held_event {
    enum mq_held_event_kind kind;
    struct mq_target *target;   /* of the process that it is about */
    const char *function;
    int status;                 /* of a process that exited; -1 if a signal
                                   ended it */
};

/* Lets all run until one enters one of FUNCTIONS, null after the last, or
 * executes another program, *STOPPER becomes nonzero, or SECONDS have passed
 * (negative: no limit).
 */
enum mq_result mq_holder_run(struct mq_holder *, const char *const *functions,
                             double seconds,
                             const volatile sig_atomic_t *stopper,
                             struct mq_error *, struct mq_held_event *event);

/* Asks what MPI function TARGET is in. */
enum mq_result mq_held_describe(struct mq_target *target, struct mq_error *);

/* Lets go of TARGET, which has entered a function: there it stays, spinning,
 * until CHANGE is undone.
 */
enum mq_result mq_held_spin(struct mq_target *target, struct mq_error *,
                            struct mq_code_change *change);

#endif
