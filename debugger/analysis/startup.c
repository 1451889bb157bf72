/* startup.c - atoms of calls that are on no communicator
 *
 * All ranks of a world begin MPI together, and all that are connected end it.
 * One that has no communicators and is in no call of MPI has not called
 * MPI_Init.
 *
 *   evidence                                          atoms
 *   MPI_Init: ranks of the world have not called it   all of these, missing
 *   MPI_Comm_spawn: the same of what was spawned      all of these, missing
 *   MPI_Finalize: the same, and nobody waits for      all of these, missing
 *     anything else (a rank there never answers)
 *   an operation of a group, as                       some of these, missing
 *     MPI_Comm_create_from_group: the same
 *   none of these                                     none: what the rank waits
 *                                                       for is not known
 *
 * Libraries may wait for something else in these calls, and need not wait for
 * all ranks: that a rank stays there is never proven (in_init, in_finalize).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "analysis/atoms.h"

#include "analysis/arrivals.h"

void mq_find_ending(struct mq_builder *b)
{
    b->is_ending = true;
    for (size_t p = 0; p < b->job->process_count; p++) {
        enum mq_wait call = (enum mq_wait)b->table->calls[p];

        if (b->job->processes[p].presence == mq_present
            && (call == mq_wait_unknown || mq_call_blocks(call)))
            b->is_ending = false;
    }
}

enum mq_result mq_add_startup(struct mq_builder *b, struct mq_error *error)
{
    const struct mq_process *process = mq_self(b);
    const struct mq_operation_ref ref = { b->self, 0, 0, mq_need_call };
    enum mq_wait call = mq_self_call(b);
    struct mq_waits_group group = { .collective = MQ_BEGIN };
    uint32_t node;

    if (call == mq_wait_ending) {
        if (!b->is_ending || !mq_call_is_same(mq_call_name(process->call),
                                              "MPI_Finalize"))
            return mq_ok;
        group.collective = MQ_END;
    }
    if (call == mq_wait_any_rank) {
        group.collective = MQ_OF_GROUP;
        group.is_loose = true;  /* which ranks are in the group is not known */
    }
    if (call == mq_wait_any_rank
        || mq_call_is_same(mq_call_name(process->call), "MPI_Session_init"))
        group.past.call = mq_call_name(process->call);
    if ((call == mq_wait_starting || call == mq_wait_any_rank)
        && process->communicator_count > 0)
        group.group = process->communicators[0].group;
    if (mq_group_node(b, &group, error, &node) != mq_ok)
        return mq_failed;
    if (b->made->groups[node - b->job->process_count].absent_count == 0)
        return mq_ok;
    mq_doubt(b, call == mq_wait_ending ? mq_reason_in_finalize
                : call == mq_wait_starting ? mq_reason_in_init
                                           : mq_reason_of_wait(b));
    b->waiter->condition |= mq_condition_all;
    return mq_add_need(b, &ref, node, mq_value_missing, error);
}
