/* atoms.c - builder for the atoms of the wait-for graph */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/atoms.h"

#include "analysis/arrivals.h"
#include "analysis/current_collective.h"
#include "analysis/guess.h"
#include "analysis/thread_activity.h"
#include "base/array.h"

const struct mq_process *mq_self(const struct mq_builder *b)
{
    return &b->job->processes[b->self];
}

void mq_doubt(struct mq_builder *b, enum mq_reason reason)
{
    b->waiter->doubts |= mq_because(reason);
}

enum mq_wait mq_self_call(const struct mq_builder *b)
{
    return (enum mq_wait)b->table->calls[b->self];
}

enum mq_reason mq_reason_of_wait(const struct mq_builder *b)
{
    if (mq_waits_past_mpi(mq_self(b)))
        return mq_reason_call_not_followed;
    switch (mq_self_call(b)) {
    case mq_wait_window:
        return mq_reason_window_unknown;
    case mq_wait_any_rank:
    case mq_wait_connection:
    case mq_wait_unseen:
        return mq_reason_call_not_followed;
    default:
        return mq_reason_wait_unknown;
    }
}

/* ---- Nodes ------------------------------------------------------------ */

uint32_t mq_rank_node(const struct mq_builder *b, int64_t rank)
{
    return mq_waits_node(mq_rank_process(b->table->ranks, rank));
}

static void add_absent(struct mq_waits_group *group,
                       struct mq_process_ref member, size_t many)
{
    for (; many > 0 && group->absent_count <= mq_most_absent; many--) {
        if (group->absent_count < mq_most_absent)
            group->absent[group->absent_count] = member;
        group->absent_count++;
    }
}

/* Notes the members that have not come to the collective operation of a group,
 * or whether all have come in vain.
 */
static void find_absent(const struct mq_builder *b,
                        struct mq_waits_group *group)
{
    size_t first = 0, next = 0;
    uint32_t node;

    while (group->absent_count <= mq_most_absent
           && mq_next_member(b->made, group, &next, &node)) {
        if (node == mq_unknown_node || !mq_has_come(b->made, node, group))
            add_absent(group, mq_waits_process(b->made, node), next - first);
        first = next;
    }
    group->is_misfit = group->absent_count == 0 && group->entered > 0
                       && mq_is_misfit(b->made, group);
}

bool mq_is_same_group(const struct mq_waits_group *left,
                      const struct mq_waits_group *right)
{
    return left->group == right->group && left->upto == right->upto
           && left->collective == right->collective
           && left->is_loose == right->is_loose
           && left->collective_id == right->collective_id
           && left->entered == right->entered
           && left->past.call == right->past.call
           && left->past.root == right->past.root
           && left->past.signature == right->past.signature
           && (left->joined == NULL) == (right->joined == NULL)
           && (left->joined == NULL
               || (left->joined->began == right->joined->began
                   && left->joined->root == right->joined->root));
}

/* Groups with one hash have keys in a row. */
enum mq_result mq_group_node(struct mq_builder *b,
                             const struct mq_waits_group *group,
                             struct mq_error *error, uint32_t *node)
{
    struct mq_waits *made = b->made;
    struct mq_key key = {
        (uintptr_t)group->group ^ group->entered * 0x9e3779b97f4a7c15u,
        (uint64_t)group->collective_id << 32 | group->collective
    };
    uint32_t *index;

    for (;; key.b++) {
        if (mq_map_add(&b->groups, key, (uint32_t)made->group_count, error,
                       &index) != mq_ok)
            return mq_failed;
        *node = (uint32_t)b->job->process_count + *index;
        if (*index == made->group_count)
            break;
        if (mq_is_same_group(&made->groups[*index], group))
            return mq_ok;
    }
    if (mq_array_reserve(&made->groups, sizeof *made->groups,
                         made->group_count + 1, &b->group_room,
                         "analysing receives from any source", error) != mq_ok)
        return mq_failed;
    made->groups[made->group_count] = *group;
    if (group->collective != 0)
        find_absent(b, &made->groups[made->group_count]);
    made->group_count++;
    return mq_ok;
}

/* Any rank of the job. */
static enum mq_result anyone_node(struct mq_builder *b, struct mq_error *error,
                                  uint32_t *node)
{
    const struct mq_waits_group anyone = { .lacks_ranks = b->not_given != 0 };

    return mq_group_node(b, &anyone, error, node);
}

enum mq_result mq_peer_node(struct mq_builder *b,
                            const struct mq_operation_ref *ref,
                            struct mq_error *error, uint32_t *node)
{
    const struct mq_operation *op = mq_operation_ref_operation(b->job, ref);
    const struct mq_group *group =
        mq_operation_ref_communicator(b->job, ref)->group;

    if (op->desired_global >= 0)
        *node = mq_rank_node(b, op->desired_global);
    else if (mq_operation_is_any((enum mq_queue_class)ref->queue, op)
             && group != NULL)
        return mq_group_node(b, &(struct mq_waits_group){ .group = group },
                             error, node);
    else
        return anyone_node(b, error, node);
    return mq_ok;
}

/* ---- Atoms ------------------------------------------------------------ */

enum mq_result mq_add_need(struct mq_builder *b,
                           const struct mq_operation_ref *ref,
                           uint32_t node, enum mq_value value,
                           struct mq_error *error)
{
    struct mq_need need = { *ref, node, (uint8_t)value, false, false,
                            false };

    return mq_array_add(&b->needs, sizeof *b->needs, &b->count,
                        &b->room, &need, "building the wait-for graph", error);
}

bool mq_has_needs(const struct mq_builder *b)
{
    return b->count > b->first;
}

enum mq_result mq_add_unknown(struct mq_builder *b, struct mq_error *error)
{
    struct mq_operation_ref ref = { b->self, 0, 0, mq_need_call };
    uint32_t collective = b->waiter->collective, node;
    struct mq_waits_group members = { 0 };
    struct mq_guess guess;

    b->waiter->condition |= mq_condition_open;
    if (mq_guess_peer(mq_self(b), &guess)
        && mq_rank_node(b, guess.peer) != mq_unknown_node) {
        mq_doubt(b, mq_reason_argument_doubtful);
        if (mq_add_need(b, &ref, mq_rank_node(b, guess.peer), mq_value_missing,
                        error) != mq_ok)
            return mq_failed;
        b->needs[b->count - 1].is_guessed = true;
        return mq_ok;
    }
    mq_doubt(b, mq_reason_of_wait(b));
    if (collective != MQ_NO_COLLECTIVE) {
        ref.communicator = collective;
        members.group = mq_self(b)->communicators[collective].group;
    }
    if ((members.group == NULL ? anyone_node(b, error, &node)
                               : mq_group_node(b, &members, error, &node))
        != mq_ok
        || mq_add_need(b, &ref, node, mq_value_missing, error) != mq_ok)
        return mq_failed;
    b->needs[b->count - 1].is_open = true;
    return mq_ok;
}

/* Where no other rank waits it is not that they wait for each other. */
enum mq_result mq_add_others(struct mq_builder *b, struct mq_error *error)
{
    struct mq_operation_ref ref = { b->self, 0, 0, mq_need_call };
    uint32_t node;

    if (b->blocked < 2)
        return mq_add_unknown(b, error);
    mq_doubt(b, mq_reason_of_wait(b));
    return anyone_node(b, error, &node) != mq_ok ? mq_failed
           : mq_add_need(b, &ref, node, mq_value_missing, error);
}
