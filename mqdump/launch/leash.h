/* leash.h - a job's starter, and ranks beside it, run until one of them speaks
 *
 * The kernel holds them (direct/held.h) or, where a build or the user wants
 * that, a gdb does.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_LEASH_H
#define MQ_LEASH_H

#include "direct/held.h"
#include "gdb/gdb.h"
#include "mqdump/read/mark.h"
#include "mqdump/read/reading.h"

/* A process that was let go where it spoke, and stays there. */
struct mq_spinner {
    struct mq_target *memory;
    struct mq_code_change change;
};

/* All zero: nobody. */
struct mq_leash {
    struct mq_guard guard;      /* the first member */
    struct mq_marker *marker;   /* whose keeper knows of breakpoints */
    struct mq_holder *holder;   /* null: a gdb has them */
    struct mq_target *starter;  /* null: there is none */
    bool has_left;              /* the starter */
    size_t count, room;
    struct mq_spinner *spinners;
};

/* Stops process OWNER, the starter; what it executes is followed.  MARKER
 * outlives the leash.
 */
enum mq_result mq_leash_open(struct mq_leash *, const struct mq_owner *,
                             const struct mq_read_options *,
                             struct mq_marker *, struct mq_error *);

/* Lets go of all; targets that were added have been destroyed before. */
void mq_leash_close(struct mq_leash *);

/* Stops a rank, too. */
enum mq_result mq_leash_add(struct mq_leash *, const struct mq_gdb_subject *,
                            struct mq_error *, struct mq_target **target);

enum mq_leash_event_kind {
    mq_leash_begins,            /* a program has all its libraries now */
    mq_leash_speaks,            /* it has called MPIR_Breakpoint, or
                                   MPI2DD_breakpoint */
    mq_leash_executed,          /* it has executed another program */
    mq_leash_interrupted,       /* or the time is over */
    mq_leash_exited             /* there is no process any more */
};

struct mq_leash_event {
    enum mq_leash_event_kind kind;
    int status;                 /* of a process that exited; -1 if a signal
                                   ended it */
    struct mq_target *target;   /* whose it is; null: a gdb knows */
    struct mq_gdb_event gdbs;
};

/* Whether EVENT is of TARGET. */
bool mq_leash_is_of(const struct mq_leash_event *event,
                    const struct mq_target *target);

/* Lets all run for SECONDS at most, or any time if negative, until one of them
 * does something.  HAS_BEGUN: that the starter begins is no news.
 */
enum mq_result mq_leash_run(struct mq_leash *, bool has_begun, int seconds,
                            struct mq_error *, struct mq_leash_event *event);

/* Asks anew what TARGET is and where it is, after it has run. */
enum mq_result mq_leash_describe(const struct mq_leash *,
                                 struct mq_target *target, struct mq_error *);

/* Lets go of TARGET; without a gdb, one that speaks stays where it is. */
enum mq_result mq_leash_let_go(struct mq_leash *, struct mq_target *target,
                               struct mq_error *);

/* The same for it to be read like any other process.  mq_absent: a gdb has it,
 * and is to read it.
 */
enum mq_result mq_leash_hand_over(struct mq_leash *, struct mq_target *target,
                                  struct mq_error *);

/* What is left goes on, and the starter may take so many SECONDS to end. */
void mq_leash_finish(struct mq_leash *, int seconds);

#endif
