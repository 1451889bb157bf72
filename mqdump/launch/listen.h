/* listen.h - events that the ranks of a launched job report
 *
 * Any rank may abort, or change the job in the way of the MPI-2 draft, and
 * calls MPIR_Breakpoint or MPI2DD_breakpoint then.  It stops there if it is
 * held beside the starter (starter_trace.h).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_LISTEN_H
#define MQ_LISTEN_H

#include "find/proctable.h"
#include "mqdump/launch/starter_trace.h"
#include "mqdump/sample/reading.h"

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
