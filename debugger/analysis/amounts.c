/* amounts.c - collective operations with mismatched amounts of data */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/arrivals.h"

#include "analysis/stay.h"
#include "mpi/call.h"

/* Whether a process is in the operation of a group, or waits for it. */
static bool is_inside(const struct mq_waits *waits, uint32_t process,
                      const struct mq_waits_group *group)
{
    struct mq_present it;

    for (size_t i = 0; mq_present_get(waits, process, i, &it); i++)
        if (it.number == group->collective && it.entered == group->entered)
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
                  const struct mq_waits_group *group)
{
    const struct mq_collective *first = NULL;
    uint64_t given = 0, taken = 0;
    size_t place = 0;
    uint32_t p;

    while (mq_next_member(waits, group, &place, &p)) {
        const struct mq_process *process;
        const struct mq_collective *past;

        if (p == mq_unknown_node)
            return false;
        process = &waits->table->job->processes[p];
        past = mq_collective_find(waits, p, group->collective, group->entered);
        if (past == NULL || !is_known(process, past)
            || (is_inside(waits, p, group) && !mq_is_overdue(process)))
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
