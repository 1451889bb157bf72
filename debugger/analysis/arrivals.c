/* arrivals.c - arrival of members at collective operations
 *
 * Ranks that count their collective operations have come to one as soon as they
 * have entered as many on its communicator; of others only the call that they
 * are in is known.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "analysis/arrivals.h"

#include "analysis/current_collective.h"
#include "analysis/thread_activity.h"

bool mq_is_in_collective(const struct mq_waits *waits, uint32_t process,
                         uint32_t collective)
{
    return waits->of[process].collective != MQ_NO_COLLECTIVE
           && mq_match_number(waits->table->match, process,
                              waits->of[process].collective) == collective;
}

bool mq_present_get(const struct mq_waits *waits, uint32_t process, size_t i,
                    struct mq_present *present)
{
    const struct mq_process *it = &waits->table->job->processes[process];
    uint32_t collective = waits->of[process].collective;
    bool is_call = collective != MQ_NO_COLLECTIVE;
    const struct mq_communicator *communicator;

    if (i >= (is_call ? 1 : it->joined_count))
        return false;
    *present = (struct mq_present){ .process = process };
    present->joined = is_call ? NULL : &it->joined[i];
    present->communicator = is_call ? collective : it->joined[i].communicator;
    communicator = &it->communicators[present->communicator];
    present->number = mq_match_number(waits->table->match, process,
                                      present->communicator);
    present->entered = !is_call ? it->joined[i].entered
                       : communicator->agreed_id != 0 ? communicator->entered
                       : 0;
    return true;
}

const char *mq_present_call(const struct mq_job *job,
                            const struct mq_present *it)
{
    return it->past != NULL ? it->past->call
           : it->joined != NULL ? it->joined->began
                                : job->processes[it->process].call;
}

bool mq_present_root(const struct mq_job *job, const struct mq_present *it,
                     int64_t *root)
{
    if (it->joined == NULL && it->past == NULL)
        return mq_call_argument(&job->processes[it->process], "root", root);
    *root = it->past != NULL ? it->past->root : it->joined->root;
    return true;
}

uint64_t mq_collectives_entered(const struct mq_waits *waits, uint32_t process,
                                uint32_t number)
{
    const struct mq_process *it = &waits->table->job->processes[process];

    for (size_t c = 0; c < it->communicator_count; c++)
        if (it->communicators[c].agreed_id != 0
            && mq_match_number(waits->table->match, process, c) == number)
            return it->communicators[c].entered;
    return 0;
}

const struct mq_collective *mq_collective_find(const struct mq_waits *waits,
                                               uint32_t process,
                                               uint32_t number,
                                               uint64_t entered)
{
    const struct mq_process *it = &waits->table->job->processes[process];

    for (size_t i = it->past_count; i-- > 0;)
        if (it->past[i].entered == entered
            && it->communicators[it->past[i].communicator].agreed_id != 0
            && mq_match_number(waits->table->match, process,
                               it->past[i].communicator) == number)
            return &it->past[i];
    return NULL;
}

/* Whether two of one number cannot be the same operation. */
static bool differs(const struct mq_collective *left,
                    const struct mq_collective *right)
{
    if (left->call == NULL || right->call == NULL
        || mq_call_is_persistent(left->call)
        || mq_call_is_persistent(right->call))
        return false;
    return !mq_call_is_same(mq_call_name(left->call),
                            mq_call_name(right->call))
           || (left->root != right->root && left->root >= 0
               && right->root >= 0)
           || (left->signature != right->signature && left->signature != 0
               && right->signature != 0);
}

/* Roots of inter-communicators are in one of the groups only. */
static bool is_same_joined(const struct mq_pending_collective *left,
                           const struct mq_pending_collective *right)
{
    return right != NULL && mq_call_is_same(left->began, right->began)
           && (left->root == right->root || left->root < 0 || right->root < 0);
}

/* Whether one that a process waits for is at the place where another one waits
 * for that of GROUP.
 */
static bool is_its_one(const struct mq_pending_collective *it,
                       const struct mq_waits_group *group)
{
    if (mq_call_is_persistent(it->began)
        || (group->joined != NULL
            && mq_call_is_persistent(group->joined->began)))
        return is_same_joined(it, group->joined);
    return it->entered == group->entered;
}

/* The nonblocking operation that a process waits for and that is its one of the
 * group's number; null: none is known.
 */
static const struct mq_pending_collective *
joined_by(const struct mq_waits *waits, uint32_t process,
          const struct mq_waits_group *group)
{
    const struct mq_process *it = &waits->table->job->processes[process];

    for (size_t i = 0; i < it->joined_count; i++)
        if (is_its_one(&it->joined[i], group)
            && mq_match_number(waits->table->match, process,
                               it->joined[i].communicator) == group->collective)
            return &it->joined[i];
    return NULL;
}

bool mq_is_before_mpi(const struct mq_process *process)
{
    return process->presence == mq_present && process->communicator_count == 0
           && process->call != NULL && mq_is_no_call(process->call)
           && !mq_is_exiting(process);
}

bool mq_has_come(const struct mq_waits *waits, uint32_t process,
                 const struct mq_waits_group *group)
{
    bool is_in = mq_is_in_collective(waits, process, group->collective);
    const struct mq_collective *past = group->past.call == NULL ? NULL
        : mq_collective_find(waits, process, group->collective, group->entered);
    const struct mq_process *it = &waits->table->job->processes[process];
    const struct mq_pending_collective *joined;
    uint64_t entered;

    if (group->collective == MQ_OF_GROUP)
        return it->call != NULL
               && mq_call_is_same(mq_call_name(it->call), group->past.call);
    if (group->collective == MQ_END)
        return it->presence != mq_present || mq_is_exiting(it)
               || (waits->table->calls[process] == mq_wait_ending
                   && !mq_is_called_back(it));
    if (group->collective > MQ_END)
        return it->presence == mq_present && !mq_is_before_mpi(it);
    if (past != NULL && differs(past, &group->past))
        return false;
    if (is_in && waits->of[process].collective_id == group->collective_id)
        return true;
    if (group->entered == 0)
        return is_in;
    joined = joined_by(waits, process, group);
    if (joined != NULL)
        return is_same_joined(joined, group->joined);
    entered = mq_collectives_entered(waits, process, group->collective);
    return is_in ? entered > group->entered : entered >= group->entered;
}

bool mq_next_awaited(const struct mq_waits *waits,
                     const struct mq_waits_group *group, size_t *place,
                     uint32_t *node)
{
    while (mq_next_member(waits, group, place, node))
        if (*node == mq_unknown_node ? group->group != NULL
            : group->collective == 0 || !mq_has_come(waits, *node, group))
            return true;
    return false;
}
