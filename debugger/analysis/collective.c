/* collective.c - atoms of collective operations
 *
 * An operation on a communicator, the one that the rank is in or a nonblocking
 * one that it waits for, needs members that have not come to it.  Where ranks
 * count such operations, their arrivals are known, and MPI defines the
 * participants that it requires:
 *
 *   evidence                                          atoms
 *   a root, one before it or another one that it      that one, missing
 *     cannot do without has not come
 *   all members that have not come are needed         the group, missing
 *   one of them is, or the call did not return for    the group, missing, and
 *     longer than it takes with those present           one_may_suffice
 *   nothing of that is known                          the group, and
 *                                                       participants_unknown
 *   all of the other side of an inter-communicator    those of the own side,
 *     have come, where MPI does not say that they       missing, and
 *     are enough                                        participants_unknown
 *   all have come                                     met
 *   one of several would do, and it is unknown        unknown (wait_unknown)
 *   a message of the operation is missing, and        the group, besides, and
 *     members have not come that may be needed          participants_unknown
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "analysis/atoms.h"

#include <string.h>

#include "analysis/arrivals.h"
#include "analysis/current_collective.h"
#include "analysis/stay.h"
#include "base/map.h"

static bool is_complete(const struct mq_waits_group *group)
{
    return group->collective != 0 && group->absent_count == 0;
}

/* The member with a local rank, if it has not come to the collective operation;
 * else nobody.
 */
static uint32_t absentee(const struct mq_builder *b,
                         const struct mq_waits_group *group, int64_t local)
{
    uint32_t node = mq_rank_node(b, mq_group_global(group->group, local));

    return node != mq_unknown_node && mq_has_come(b->made, node, group)
           ? mq_unknown_node : node;
}

/* The end of the first members below LOCAL that have not come, as many as are
 * named; 0: there is none.  One look at the group does for all its members.
 */
static size_t lower_absentees(struct mq_builder *b,
                              const struct mq_waits_group *group, size_t local)
{
    struct absentees *it = &b->absentees;
    uint32_t process;
    size_t count;

    if (!it->is_set || !mq_is_same_group(&it->group, group))
        *it = (struct absentees){ .is_set = true, .group = *group };
    while (it->count < mq_most_absent && it->next < local
           && mq_next_member(b->made, group, &it->next, &process))
        if (process != mq_unknown_node && !mq_has_come(b->made, process, group))
            it->ends[it->count++] = it->next;
    for (count = it->count; count > 0 && it->ends[count - 1] > local;)
        count--;
    return count > 0 ? it->ends[count - 1] : 0;
}

/* How many of those that have not come a rank needs. */
enum need_of {
    not_known,
    one_of_them,
    each_of_them,
    this_one
};

/* A collective operation that the process is in, or that it began and waits
 * for.
 */
struct operation {
    uint32_t communicator;      /* index in the process */
    uint32_t joined;            /* index in the process's plus 1; 0: none */
    enum mq_participants participants;
    bool has_data;              /* as far as that is known */
    int64_t root;               /* below 0: none, or not known */
    uint64_t entered;
    uint32_t number;            /* its id, as in struct mq_waits; 0 for one that
                                   was begun: ENTERED suffices */
    bool only_if_known;         /* of its participants */
};

/* The ranks that the process needs for sure: *NODE is a process if it is only
 * that one, and GROUP ends before those that it does not need.  The group of an
 * inter-communicator is the remote one; the arguments show less of it.
 */
static enum need_of need_of_operation(struct mq_builder *b,
                                      const struct operation *operation,
                                      struct mq_waits_group *group,
                                      uint32_t *node)
{
    int64_t self =
        mq_self(b)->communicators[operation->communicator].local_rank;
    bool is_intra = mq_group_global(group->group, self) == mq_self(b)->rank;
    enum need_of each = is_intra && operation->has_data ? each_of_them
                                                        : one_of_them;
    bool knows_root = operation->root >= 0
                      && operation->root < (int64_t)group->group->size;
    bool is_root = is_intra && knows_root && operation->root == self;

    switch (operation->participants) {
    case mq_participants_all:
        return each_of_them;
    case mq_participants_data:
        return each;
    case mq_participants_some:
        return one_of_them;
    case mq_participants_at_root:
        return is_root ? each : not_known;
    case mq_participants_root_some:
        return is_root ? one_of_them : not_known;
    case mq_participants_of_root:
        if (knows_root && !is_root)
            *node = absentee(b, group, operation->root);
        break;
    case mq_participants_lower:
        if (each == each_of_them && self > 0)
            group->upto = lower_absentees(b, group, (size_t)self);
        return group->upto > 0 ? each_of_them : not_known;
    default:
        break;
    }
    return *node != mq_unknown_node ? this_one : not_known;
}

/* Whether the process would have completed a collective operation if the
 * members that are in it sufficed.
 */
static bool has_had_time(const struct mq_builder *b,
                         const struct operation *operation,
                         const struct mq_collective *past)
{
    return past->call != NULL
    && operation->participants != mq_participants_beyond
           && mq_was_counted(mq_self(b))
           && !(b->is_at_file && strncmp(past->call, "MPI_File_", 9) == 0)
           && mq_seconds_of_collective(past) <= mq_self(b)->looked_for;
}

/* Whether an operation on an inter-communicator may need members of its own
 * side, too, as those that make communicators or end one.
 */
static bool may_need_own_side(const struct operation *operation)
{
    return operation->participants == mq_participants_unknown
           || operation->participants == mq_participants_some;
}

/* Makes GROUP the process's own group of an inter-communicator, which is the
 * remote one of any that is beyond: where all of these have come and that was
 * not enough, one of its own side is missing.
 */
static bool find_local_group(const struct mq_builder *b,
                             const struct operation *operation,
                             struct mq_waits_group *group)
{
    const struct mq_process *beyond;
    uint32_t process;
    size_t place = 0;

    if (!mq_is_inter(mq_self(b),
                     &mq_self(b)->communicators[operation->communicator]))
        return false;
    if (!mq_next_member(b->made, group, &place, &process)
        || process == mq_unknown_node)
        return false;
    beyond = &b->job->processes[process];
    for (size_t i = 0; i < beyond->communicator_count; i++) {
        if (mq_match_number(b->table->match, process, i) != group->collective
            || beyond->communicators[i].group == NULL)
            continue;
        group->group = beyond->communicators[i].group;
        group->is_loose = true;
        return true;
    }
    return false;
}

/* A collective operation without listed operations needs the members that are
 * elsewhere.  Where ranks count such operations, their arrivals are known, and
 * the standard defines the participants that it requires.
 */
static enum mq_result add_operation(struct mq_builder *b,
                                    const struct operation *operation,
                                    struct mq_error *error)
{
    struct mq_operation_ref ref = { b->self, operation->communicator,
                                    operation->joined, mq_need_call };
    const struct mq_communicator *communicator =
        &mq_self(b)->communicators[operation->communicator];
    struct mq_waits_group group = { 0 };
    enum need_of need = not_known;
    uint32_t node = mq_unknown_node;
    bool had_time;

    if (communicator->group == NULL)
        return mq_ok;
    group.group = communicator->group;
    group.collective = mq_match_number(b->table->match, b->self,
                                       operation->communicator);
    group.collective_id = operation->number;
    if (operation->joined > 0)
        group.joined = &mq_self(b)->joined[operation->joined - 1];
    if (communicator->agreed_id != 0) {
        const struct mq_collective *past =
            mq_collective_find(b->made, b->self, group.collective,
                               operation->entered);

        group.entered = operation->entered;
        if (past != NULL)
            group.past = *past;
        need = need_of_operation(b, operation, &group, &node);
    }
    if (need == this_one)
        return mq_add_need(b, &ref, node, mq_value_missing, error);
    had_time = has_had_time(b, operation, &group.past);
    if (need == not_known && had_time)
        need = one_of_them;
    if (need == not_known && operation->only_if_known)
        return mq_ok;
    if (need == not_known && !mq_is_proven_by_call(mq_self(b)))
        mq_doubt(b, mq_reason_participants_unknown);
    group.is_loose = need == one_of_them;
    if (mq_group_node(b, &group, error, &node) != mq_ok)
        return mq_failed;
    if (!is_complete(&b->made->groups[node - b->job->process_count]))
        return mq_add_need(b, &ref, node, mq_value_missing, error);
    b->is_held |= b->made->groups[node - b->job->process_count].is_misfit
                  && mq_self(b)->awaiting != mq_awaiting_any
                  && !mq_is_inter(mq_self(b), communicator);
    if ((had_time || may_need_own_side(operation))
        && find_local_group(b, operation, &group)
        && mq_group_node(b, &group, error, &node) != mq_ok)
        return mq_failed;
    if (!is_complete(&b->made->groups[node - b->job->process_count])) {
        if (need != not_known && !had_time)
            mq_doubt(b, mq_reason_participants_unknown);
        return mq_add_need(b, &ref, node, mq_value_missing, error);
    }
    b->has_come |= operation->participants != mq_participants_beyond;
    return mq_ok;
}

enum mq_result mq_add_collective(struct mq_builder *b, struct mq_error *error)
{
    const struct mq_process *process = mq_self(b);
    struct operation operation = {
        .communicator = b->waiter->collective,
        .participants = mq_call_participants(process->call),
        .has_data = mq_collective_has_data(process), .root = -1,
        .number = b->waiter->collective_id
    };

    if (operation.communicator == MQ_NO_COLLECTIVE)
        return mq_ok;
    mq_call_argument(process, "root", &operation.root);
    operation.entered = process->communicators[operation.communicator].entered;
    return add_operation(b, &operation, error);
}

/* Whether the operation that the process is in may need each member of its
 * communicator.
 */
static bool may_need_each(const struct mq_process *process,
                          const struct mq_communicator *communicator)
{
    int64_t root;

    switch (mq_call_participants(process->call)) {
    case mq_participants_all:
    case mq_participants_data:
    case mq_participants_some:
        return true;
    case mq_participants_at_root:
    case mq_participants_root_some:
        return mq_call_argument(process, "root", &root)
               && root == communicator->local_rank
               && !mq_is_inter(process, communicator);
    default:
        return false;
    }
}

enum mq_result mq_add_further(struct mq_builder *b, struct mq_error *error)
{
    const struct mq_process *process = mq_self(b);
    const uint32_t c = b->waiter->collective;
    struct mq_operation_ref ref = { b->self, c, 0, mq_need_call };
    struct mq_waits_group group = { 0 };
    uint32_t node;

    if (process->communicators[c].group == NULL
        || !may_need_each(process, &process->communicators[c]))
        return mq_ok;
    group.group = process->communicators[c].group;
    group.collective = mq_match_number(b->table->match, b->self, c);
    group.collective_id = b->waiter->collective_id;
    if (mq_group_node(b, &group, error, &node) != mq_ok)
        return mq_failed;
    if (is_complete(&b->made->groups[node - b->job->process_count]))
        return mq_ok;
    if (mq_add_need(b, &ref, node, mq_value_unknown, error) != mq_ok)
        return mq_failed;
    b->needs[b->count - 1].is_further = true;
    return mq_ok;
}

static enum mq_result add_one_joined(struct mq_builder *b, uint32_t i,
                                     bool only_if_known,
                                     struct mq_error *error)
{
    const struct mq_process *process = mq_self(b);
    const struct mq_pending_collective *it = &process->joined[i];
    struct operation operation = {
        .communicator = it->communicator, .joined = i + 1,
        .participants = mq_call_pending_participants(it->began),
        .has_data = true, .root = it->root, .entered = it->entered,
        .only_if_known = only_if_known
    };

    return process->communicators[it->communicator].agreed_id == 0 ? mq_ok
           : add_operation(b, &operation, error);
}

static enum mq_result add_those_joined(struct mq_builder *b, bool only_if_known,
                                       struct mq_error *error)
{
    enum mq_result result = mq_ok;

    for (uint32_t i = 0; result == mq_ok && i < mq_self(b)->joined_count; i++)
        result = add_one_joined(b, i, only_if_known, error);
    return result;
}

/* Where one of them is enough, it may be the unknown one, or one that has all
 * it needs.
 */
static enum mq_result add_any_joined(struct mq_builder *b,
                                     struct mq_error *error)
{
    enum mq_result result = mq_ok;

    for (uint32_t i = 0; result == mq_ok && i < mq_self(b)->joined_count; i++) {
        size_t before = b->count;
        bool had_come = b->has_come;

        b->has_come = false;
        result = add_one_joined(b, i, false, error);
        b->is_coming |= b->has_come;
        if (result == mq_ok && !b->has_come && b->count == before)
            result = mq_add_unknown(b, error);
        b->has_come |= had_come;
    }
    return result;
}

/* The nonblocking ones that the call waits for, as for its other requests.  If
 * all must come to their end, and one lacks somebody for sure, what is not
 * known of the others does not matter.
 */
enum mq_result mq_add_pending_collectives(struct mq_builder *b,
                                          struct mq_error *error)
{
    size_t before = b->count;
    enum mq_result result;

    if (mq_self(b)->awaiting == mq_awaiting_any)
        return add_any_joined(b, error);
    result = add_those_joined(b, true, error);

    return result == mq_ok && b->count == before
           ? add_those_joined(b, false, error) : result;
}

enum mq_result mq_number_collectives(struct mq_builder *b,
                                     struct mq_error *error)
{
    struct mq_map collective_ids = { 0 };
    enum mq_result result = mq_ok;

    for (size_t p = 0; p < b->job->process_count && result == mq_ok; p++) {
        const struct mq_process *process = &b->job->processes[p];
        uint32_t collective = b->made->of[p].collective, *number;
        struct mq_key key = { (uintptr_t)mq_call_name(process->call), 0 };
        int64_t root = -1;

        if (collective == MQ_NO_COLLECTIVE
            || process->communicators[collective].agreed_id == 0)
            continue;
        mq_call_argument(process, "root", &root);
        key.b = (uint64_t)root << 40
                ^ process->communicators[collective].entered;
        result = mq_map_add(&collective_ids, key,
                            (uint32_t)collective_ids.count + 1, error, &number);
        if (result == mq_ok)
            b->made->of[p].collective_id = *number;
    }
    mq_map_deinit(&collective_ids);
    return result;
}
