/* sinks.h - root causes: sink components of the wait-for graph
 *
 * The strongly connected components of the wait-for graph without outgoing
 * edges: a rank that does not wait, or ranks that wait for each other.  From a
 * stuck rank only edges to stuck ranks are followed, and from one that is stuck
 * for certain only those to ranks stuck for certain; from one that is not, only
 * edges to ranks that continue.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_SINKS_H
#define MQ_SINKS_H

#include "analysis/findings.h"
#include "analysis/stuck.h"

/* Ends that are none: the rank's waiting was not followed; and all ranks that
 * were not given.
 */
#define MQ_NO_SINK UINT32_MAX
#define MQ_MISSING_SINK (UINT32_MAX - 1)

struct mq_sinks {
    uint32_t count;
    struct mq_chain {
        uint32_t end;           /* one that it has, or that the node is in */
        bool is_followed;       /* to all its ends */
        bool is_sink;            /* a process that is in that end itself, and
                                   stuck, or some chain leads there */
    } *of;                      /* by node */
};

/* PROSPECTS is what mq_stuck_find gives.  In time linear in needs and in the
 * sizes of their groups.
 */
enum mq_result mq_sinks_find(const struct mq_waits *,
                             const struct mq_prospects *prospects,
                             struct mq_error *, struct mq_sinks *sinks);
void mq_sinks_destroy(struct mq_sinks *sinks);

/* ---- causes.c: findings about the root causes --------------------------- */

/* Fills the analysis's causes from its waits, prospects and SINKS. */
enum mq_result mq_causes_list(struct mq_analysis *,
                              const struct mq_sinks *sinks, struct mq_error *);

#endif
