/* cycles.h - the ranks that can never go on, and those that wait in a cycle
 *
 * A rank is stuck if nothing that can go on is reached from it in the wait-for
 * graph.  The strongly connected parts of the stuck ranks are the cycles.
 */
#ifndef MQ_CYCLES_H
#define MQ_CYCLES_H

#include "analysis/waits.h"

enum mq_rank_state {
    mq_can_go_on,
    mq_in_cycle,
    mq_behind_cycle
};

struct mq_cycles {
    uint32_t count;             /* of cycles */
    uint8_t *states;            /* by process: enum mq_rank_state */
    uint32_t *cycles;          /* by process: the one that it is in, or one
                                   that it waits behind */
    bool *certain;              /* by cycle: its ranks are stuck whatever the
                                   lists do not show */
};

/* In time linear in waits and in the sizes of their groups. */
enum mq_result mq_cycles_find(const struct mq_waits *, struct mq_error *,
                              struct mq_cycles *cycles);
void mq_cycles_destroy(struct mq_cycles *cycles);

#endif
