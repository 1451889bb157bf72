/* cycles.h - the ranks that can never go on, and those that wait in a circle
 *
 * A rank is stuck if nothing that can go on is reached from it in the wait-for
 * graph.  The strongly connected parts of the stuck ranks are the circles.
 */
#ifndef MQ_CYCLES_H
#define MQ_CYCLES_H

#include "analysis/waits.h"

enum mq_rank_state {
    mq_can_go_on,
    mq_in_circle,
    mq_behind_circle
};

struct mq_circles {
    uint32_t count;             /* of circles */
    uint8_t *states;            /* by process: enum mq_rank_state */
    uint32_t *circles;          /* by process: the one that it is in, or one
                                   that it waits behind */
    bool *certain;              /* by circle: its ranks are stuck whatever the
                                   lists do not show */
};

/* In time linear in waits and in the sizes of their groups. */
int mq_circles_find(const struct mq_waits *, struct mq_error *,
                    struct mq_circles *circles);
void mq_circles_destroy(struct mq_circles *circles);

#endif
