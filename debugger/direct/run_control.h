/* run_control.h - run control: stops processes, runs them to a breakpoint
 *
 * For starters of jobs, and ranks that report for these: their memory and the
 * symbols of their files are read through their targets, and their call stacks
 * on request.  The symbols of libmqwatch, which has names of MPI, are ignored:
 * a starter has it only to hand it on.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_RUN_CONTROL_H
#define MQ_RUN_CONTROL_H

#include <signal.h>

#include "process/pin.h"
#include "target/code_patch.h"
#include "target/target.h"

/* All processes that are run together. */
struct mq_run_control;

/* GUARD outlives it. */
enum mq_result mq_run_control_create(struct mq_patch_guard *guard,
                                     struct mq_error *,
                                     struct mq_run_control **);

/* Resumes all, and destroys their targets. */
void mq_run_control_destroy(struct mq_run_control *);

/* Stops a process and adds it.  Its target may be destroyed before the others,
 * which resumes it, as live->resume does.
 */
enum mq_result mq_run_control_add(struct mq_run_control *,
                                  const struct mq_pin *, struct mq_error *,
                                  struct mq_target **target);

/* Events that end a run. */
enum mq_run_event_kind {
    mq_run_entered,             /* it is at the beginning of FUNCTION */
    mq_run_executed,            /* it has executed another program, */
    mq_run_begins,              /* which has loaded all its libraries */
    mq_run_interrupted,         /* or the time is over */
    mq_run_exited               /* the process has ended */
};

struct mq_run_event {
    enum mq_run_event_kind kind;
    struct mq_target *target;   /* of the process that it is about */
    const char *function;
    int status;                 /* of a process that exited; -1 if a signal
                                   ended it */
};

/* Resumes all until one enters one of FUNCTIONS, null after the last, or
 * executes another program, *STOPPER becomes nonzero, or SECONDS have passed
 * (negative: no limit).
 */
enum mq_result mq_run_control_run(struct mq_run_control *,
                                  const char *const *functions, double seconds,
                                  const volatile sig_atomic_t *stopper,
                                  struct mq_error *,
                                  struct mq_run_event *event);

/* Finds the MPI function that TARGET is in. */
enum mq_result mq_run_control_describe(struct mq_target *target,
                                       struct mq_error *);

/* Resumes TARGET, which has entered a function, and has it spin there until
 * PATCH is undone.
 */
enum mq_result mq_run_control_spin(struct mq_target *target, struct mq_error *,
                                   struct mq_code_patch *patch);

#endif
