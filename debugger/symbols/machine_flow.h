/* machine_flow.h - data-flow analysis of a function
 *
 * Method: a forward data-flow analysis with a worklist.  A function is followed
 * from its entry with an abstract state; where paths meet, their states are
 * joined, and what follows is analysed again until a fixed point is reached.
 * Behind a jump whose targets are not found in the code or in its tables, all
 * is lost.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MACHINE_FLOW_H
#define MQ_MACHINE_FLOW_H

#include "symbols/machine_state.h"

/* A function, with its parts elsewhere. */
struct mq_function {
    struct mq_decoder *decoder;
    struct mq_code_map *map;
    struct mq_function_part *parts;
    size_t part_count;
    size_t instruction_count;
    bool has_new_joins;         /* where paths may have continued already */
    size_t steps;
    size_t size;                /* bytes of all states */
};

void mq_function_init(struct mq_function *, struct mq_decoder *,
                      struct mq_code_map *);
void mq_function_deinit(struct mq_function *);

/* The call that returns to ADDRESS, and the bias of its code: mq_absent if
 * there is none.
 */
enum mq_result mq_function_call_before(struct mq_function *, uint64_t address,
                                       const struct mq_instruction **call,
                                       uint64_t *bias);

/* The state in front of the instruction at UNTIL, of a function that is entered
 * at ENTRY with the state START: mq_absent if no path is known to lead there,
 * mq_failed if that is not known.  *STATE has been initialised.
 */
enum mq_result mq_function_follow(struct mq_function *,
                                  struct mq_machine_context *, uint64_t entry,
                                  const struct mq_state *start, uint64_t until,
                                  struct mq_state *state);

#endif
