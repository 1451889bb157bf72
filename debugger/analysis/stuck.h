/* stuck.h - deadlock detection by release propagation
 *
 * A rank is released if its condition is met: an atom is, or its peer is
 * released; or each of them, where it needs all.  A group for any member is
 * released with one of them.  Release spreads twice, each time in linear time:
 * with all that is unknown false, and with all of it true.  A rank that is not
 * released the first time is possibly stuck; one that is not even released the
 * second time is stuck for certain.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_STUCK_H
#define MQ_STUCK_H

#include "analysis/graph.h"

enum mq_prospect {
    mq_prospect_stuck,          /* never released */
    mq_prospect_possibly_stuck, /* released only if what is unknown is true */
    mq_prospect_free            /* released even if it is false */
};

struct mq_prospects {
    uint8_t *nodes;             /* by node: enum mq_prospect */
};

/* PROSPECTS is to be destroyed by the caller. */
enum mq_result mq_stuck_find(const struct mq_waits *, struct mq_error *,
                             struct mq_prospects *prospects);
void mq_prospects_destroy(struct mq_prospects *prospects);

/* Of a node that is possibly stuck, the reasons for what is unknown of itself,
 * if they alone release it: it is at the border to those that are free, and
 * release enters only there.  By induction over the order of release, nobody
 * would be released if these reasons were settled for all nodes.
 */
mq_reasons mq_releasing(const struct mq_waits *, const struct mq_prospects *,
                        uint32_t node);

#endif
