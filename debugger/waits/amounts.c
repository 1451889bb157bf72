/* amounts.c - collective operations with mismatched amounts of data */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "waits/amounts.h"

#include "mpi/call.h"
#include "waits/arrivals.h"
#include "waits/current_collective.h"
#include "waits/stay.h"

/* Whether a process is in the operation, or waits for it. */
static bool is_inside(const struct mq_waits *waits, uint32_t process,
                      uint32_t number, uint64_t entered)
{
    const struct mq_process *it = &waits->table->job->processes[process];
    uint32_t collective = waits->collectives[process];

    if (collective != MQ_NO_COLLECTIVE)
        return mq_is_in_collective(waits, process, number)
               && it->communicators[collective].entered == entered;
    for (size_t i = 0; i < it->joined_count; i++)
        if (it->joined[i].entered == entered
            && mq_match_number(waits->table->match, process,
                               it->joined[i].communicator) == number)
            return true;
    return false;
}

/* Whether it is known what a process gives and takes: a member that gives
 * nothing, and is not the root, takes nothing.
 */
static bool is_known(const struct mq_process *process,
                     const struct mq_collective *past)
{
    return (past->given | past->taken) != 0
           || (past->bytes == 0 && past->root >= 0
               && process->communicators[past->communicator].local_rank
                  != past->root);
}

bool mq_is_misfit(const struct mq_waits *waits,
                  const struct mq_group *group, uint32_t number,
                  uint64_t entered)
{
    const struct mq_collective *first = NULL;
    uint64_t given = 0, taken = 0;

    for (size_t i = 0; i < group->size;) {
        const struct mq_process *process;
        const struct mq_collective *past;
        struct mq_process_ref member;
        uint32_t p;

        i += mq_rank_members(waits->table->ranks, group, i, &member);
        if (!mq_is_process(member, &p))
            return false;
        process = &waits->table->job->processes[p];
        past = mq_collective_find(waits, p, number, entered);
        if (past == NULL || !is_known(process, past)
            || (is_inside(waits, p, number, entered)
                && !mq_is_overdue(process)))
            return false;
        first = first == NULL ? past : first;
        if (!mq_call_is_same(mq_call_name(past->call),
                             mq_call_name(first->call))
            || past->root != first->root)
            return false;
        given += past->given;
        taken += past->taken;
    }
    return given != taken;
}
