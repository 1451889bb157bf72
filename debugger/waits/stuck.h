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

#include "waits/graph.h"

enum mq_prospect {
    mq_seems_to_go_on = 1,      /* released if what is unknown is false */
    mq_can_go_on = 2            /* released if what is unknown is true */
};

struct mq_prospects {
    uint8_t *nodes;             /* by node: enum mq_prospect */
    mq_reasons *releasing;      /* by node that is possibly stuck: the reasons
                                   for what is unknown of itself, if they alone
                                   release it.  Were all of these settled, all
                                   that are possibly stuck would be for
                                   certain */
};

/* PROSPECTS is to be destroyed by the caller. */
enum mq_result mq_stuck_find(const struct mq_waits *, struct mq_error *,
                             struct mq_prospects *prospects);
void mq_prospects_destroy(struct mq_prospects *prospects);

#endif
