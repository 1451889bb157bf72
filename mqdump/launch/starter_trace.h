/* starter_trace.h - tracing of a job's starter, and of ranks beside it
 *
 * They are traced by the kernel's means (direct/run_control.h).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_STARTER_TRACE_H
#define MQ_STARTER_TRACE_H

#include "direct/run_control.h"
#include "mqdump/sample/mark.h"

/* A process that was resumed at a breakpoint, where it spins. */
struct mq_spinner {
    struct mq_target *memory;
    struct mq_code_patch patch;
};

/* All zero: none. */
struct mq_starter_trace {
    struct mq_patch_guard guard;  /* the first member */
    struct mq_marker *marker;   /* whose undo process has breakpoints */
    struct mq_run_control *control;
    struct mq_target *starter;  /* null: there is none */
    size_t count, room;
    struct mq_spinner *spinners;
};

/* Stops process PIN, the starter; what it executes is followed.  MARKER
 * outlives the trace.
 */
enum mq_result mq_starter_trace_open(struct mq_starter_trace *,
                                     const struct mq_pin *,
                                     struct mq_marker *, struct mq_error *);

/* Resumes all; targets that were added have been destroyed before. */
void mq_starter_trace_close(struct mq_starter_trace *);

/* Stops a rank, too. */
enum mq_result mq_starter_trace_add(struct mq_starter_trace *,
                                    const struct mq_pin *, struct mq_error *,
                                    struct mq_target **target);

/* Lets all run for SECONDS at most, or any time if negative, until the first
 * event: a process that has entered a function has called MPIR_Breakpoint or
 * MPI2DD_breakpoint.
 */
enum mq_result mq_starter_trace_run(struct mq_starter_trace *, int seconds,
                                    struct mq_error *,
                                    struct mq_run_event *event);

/* Resumes TARGET; at a breakpoint it spins. */
enum mq_result mq_starter_trace_resume(struct mq_starter_trace *,
                                       struct mq_target *target,
                                       struct mq_error *);

/* Resumes the others, and gives the starter so many SECONDS to end. */
void mq_starter_trace_finish(struct mq_starter_trace *, int seconds);

#endif
