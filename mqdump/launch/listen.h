/* listen.h - tracing of a launched job, and events that its ranks report
 *
 * Any rank may abort, or change the job in the way of the MPI-2 draft, and
 * calls MPIR_Breakpoint or MPI2DD_breakpoint then.  It stops there if it is
 * held beside the starter.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_LISTEN_H
#define MQ_LISTEN_H

#include "direct/run_control.h"
#include "find/proctable.h"
#include "mqdump/sample/mark.h"
#include "mqdump/sample/reading.h"

/* ---- Tracing, by the kernel's means (direct/run_control.h) --------------- */

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

/* ---- Listening ---------------------------------------------------------- */

/* A rank that is listened to. */
struct mq_listener {
    struct mq_target *target;
    int pid;
};

/* All zero is nobody. */
struct mq_listening {
    struct mq_starter_trace *trace;     /* the caller's */
    size_t count, room;
    struct mq_listener *listeners;
};

/* Has TRACE, whose starter is stopped, stop the ranks of TABLE on this host
 * that may report events and are not listened to yet; they run on with the
 * starter.  Failures are logged.
 */
void mq_listen_add(struct mq_listening *, struct mq_starter_trace *trace,
                   const struct mq_proctable *table,
                   const struct mq_read_options *);

/* The rank that EVENT is of, or null. */
struct mq_listener *mq_listen_of_event(const struct mq_listening *,
                                       const struct mq_run_event *event);

/* The target of process PID, a rank or the starter, or null. */
struct mq_target *mq_listen_target(const struct mq_listening *, int pid);

/* Resumes one; the others move. */
void mq_listen_drop(struct mq_listening *, struct mq_listener *);

/* Resumes all. */
void mq_listen_end(struct mq_listening *);

#endif
