/* leash.h - tracing of a job's starter, and of ranks beside it
 *
 * They are held by the kernel's means (direct/held.h).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_LEASH_H
#define MQ_LEASH_H

#include "direct/held.h"
#include "mqdump/read/mark.h"

/* A process that was let go where it spoke, and stays there. */
struct mq_spinner {
    struct mq_target *memory;
    struct mq_code_change change;
};

/* All zero: nobody. */
struct mq_leash {
    struct mq_guard guard;      /* the first member */
    struct mq_marker *marker;   /* whose undo process has breakpoints */
    struct mq_holder *holder;
    struct mq_target *starter;  /* null: there is none */
    size_t count, room;
    struct mq_spinner *spinners;
};

/* Stops process OWNER, the starter; what it executes is followed.  MARKER
 * outlives the leash.
 */
enum mq_result mq_leash_open(struct mq_leash *, const struct mq_owner *,
                             struct mq_marker *, struct mq_error *);

/* Lets go of all; targets that were added have been destroyed before. */
void mq_leash_close(struct mq_leash *);

/* Stops a rank, too. */
enum mq_result mq_leash_add(struct mq_leash *, const struct mq_owner *,
                            struct mq_error *, struct mq_target **target);

/* Lets all run for SECONDS at most, or any time if negative, until one of them
 * does something: a process that has entered a function has called
 * MPIR_Breakpoint or MPI2DD_breakpoint.
 */
enum mq_result mq_leash_run(struct mq_leash *, int seconds, struct mq_error *,
                            struct mq_held_event *event);

/* Lets go of TARGET; one that speaks stays where it is. */
enum mq_result mq_leash_let_go(struct mq_leash *, struct mq_target *target,
                               struct mq_error *);

/* What is left goes on, and the starter may take so many SECONDS to end. */
void mq_leash_finish(struct mq_leash *, int seconds);

#endif
