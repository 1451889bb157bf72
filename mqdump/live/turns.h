/* turns.h - throttles busy ranks while they are read
 *
 * Ranks that poll are always ready to run.  Where they are more than
 * processors, and most of what runs there, little is left to whoever reads
 * them, who would take minutes for seconds.  They are stopped then, for no
 * longer than a look does that, and run for a moment, and so on as long as they
 * are read: in all the job loses about what its reading costs.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_TURNS_H
#define MQ_TURNS_H

#include <stdbool.h>
#include <stddef.h>

#include "direct/halt.h"
#include "mqdump/live/recorder.h"

/* A process that may be stopped. */
struct mq_turn {
    const struct mq_owner *owner;
    struct mq_outcome *outcome;
    struct mq_halt halt;
};

/* All zero: nobody. */
struct mq_turns {
    struct mq_turn *all;
    size_t count, room;
    bool is_readers;            /* whose turn it is: some are stopped */
    double since, until;        /* it began, and lasts; 0: no turn yet */
};

/* Adds a process of this host. */
enum mq_result mq_turns_add(struct mq_turns *, const struct mq_owner *,
                            struct mq_outcome *, struct mq_error *);

/* Changes the turn if it is time for that; gives the milliseconds until it is
 * again.
 */
int mq_turns_pass(struct mq_turns *);

/* All go on. */
void mq_turns_end(struct mq_turns *);
void mq_turns_deinit(struct mq_turns *);

#endif
