/* window.c - atoms of calls on windows
 *
 * Where ranks note their locks and epochs, the first line that applies is the
 * answer:
 *
 *   evidence                                          atoms
 *   MPI_Win_lock and kin, or a call under a lock      each of these, missing
 *     that may have to be asked for yet: others have
 *     locks in its way, and have completed
 *     operations under them
 *   one other alone has, which waits for none at that that one, missing
 *     target, and the target takes in what comes
 *   others have                                       each, missing, and
 *                                                       lock_not_proven
 *   none has, or the call waits for operations        the target, missing, and
 *                                                       target_progress
 *   MPI_Win_start, MPI_Win_complete: targets have     each of these, missing
 *     posted less often than the rank has started
 *   MPI_Win_wait, MPI_Win_test: origins have          each of these, missing
 *     completed less often than the rank has posted
 *   all have                                          met
 *   nothing is noted                                  any rank, missing, and
 *                                                       window_unknown
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "analysis/graph.h"

#include <stdlib.h>

#include "analysis/atoms.h"
#include "analysis/current_collective.h"
#include "analysis/stay.h"
#include "base/array.h"

/* Of more, those that are left out are not needed for a proof. */
enum { most_holders = 16, all_members = -1 };

/* ---- What was noted ------------------------------------------------------ */

/* The index of the window that the call of a process is on; false if it is on
 * none, or that is not known.
 */
static bool window_of_call(const struct mq_job *job, uint32_t process,
                           uint32_t *communicator)
{
    const struct mq_process *it = &job->processes[process];
    int64_t id;
    size_t index;

    if (!mq_call_argument(it, "comm", &id)
        || mq_communicator_find(it, (uint64_t)id, &index) != mq_ok
        || !it->communicators[index].is_window
        || it->communicators[index].group == NULL)
        return false;
    *communicator = (uint32_t)index;
    return true;
}

/* The epochs of a process with PEER; null: none. */
static const struct mq_epoch *epoch_with(const struct mq_process *process,
                                         uint32_t communicator, int64_t peer)
{
    for (size_t i = 0; i < process->epoch_count; i++)
        if (process->epochs[i].communicator == communicator
            && process->epochs[i].peer == peer)
            return &process->epochs[i];
    return NULL;
}

/* The index of the window with a number in a process. */
static bool find_window(const struct mq_match_table *table, uint32_t process,
                        uint32_t number, uint32_t *communicator)
{
    const struct mq_process *it = &table->job->processes[process];

    for (uint32_t c = 0; c < it->communicator_count; c++)
        if (it->communicators[c].is_window
            && mq_match_number(table->match, process, c) == number) {
            *communicator = c;
            return true;
        }
    return false;
}

/* ---- Locks --------------------------------------------------------------- */

/* A lock that a rank waits for: at TARGET, or at all members. */
struct wish {
    uint32_t communicator;      /* index in its process */
    int64_t target;
    const struct mq_epoch *own; /* null: it waits for no lock */
};

/* The lock that was granted, or whose call has returned, may not be asked for
 * yet.
 */
static struct wish wish_of(const struct mq_process *process,
                           uint32_t communicator)
{
    struct wish wish = { communicator, all_members, NULL };

    if (!mq_call_argument(process, "rank", &wish.target))
        wish.target = all_members;
    wish.own = epoch_with(process, communicator, wish.target);
    if (wish.own == NULL || wish.own->lock == mq_win_lock_none)
        wish.own = epoch_with(process, communicator, all_members);
    if (wish.own != NULL && (wish.own->lock == mq_win_lock_none
                             || wish.own->grant == mq_grant_proven))
        wish.own = NULL;
    return wish;
}

/* The lock of PEER that keeps a process from the one it waits for, in a call on
 * its window COMMUNICATOR; null: there is none.
 */
static const struct mq_epoch *lock_in_way(const struct mq_match_table *table,
                                          uint32_t process,
                                          uint32_t communicator, uint32_t peer)
{
    const struct mq_process *it = &table->job->processes[peer];
    struct wish wish = wish_of(&table->job->processes[process], communicator);
    const struct mq_epoch *found = NULL;
    uint32_t window;

    if (wish.own == NULL || peer == process
        || !find_window(table, peer,
                        mq_match_number(table->match, process, communicator),
                        &window))
        return NULL;
    for (size_t i = 0; i < it->epoch_count; i++)
        if (it->epochs[i].communicator == window
            && it->epochs[i].lock != mq_win_lock_none
            && it->epochs[i].grant != mq_grant_asked
            && (it->epochs[i].lock == mq_win_lock_exclusive
                || wish.own->lock == mq_win_lock_exclusive)
            && (wish.target < 0 || it->epochs[i].peer < 0
                || it->epochs[i].peer == wish.target)
            && (found == NULL || it->epochs[i].grant > found->grant))
            found = &it->epochs[i];
    return found;
}

bool mq_window_need(const struct mq_waits *waits, const struct mq_need *need,
                    uint32_t *peer, const struct mq_epoch **lock)
{
    uint32_t waiter = need->ref.process, window;
    const struct mq_match_table *table = waits->table;

    if (need->ref.queue != mq_need_call
        || mq_call_participants(table->job->processes[waiter].call)
           < mq_participants_holder
        || !window_of_call(table->job, waiter, &window)
        || !mq_is_process(mq_waits_process(waits, need->node), peer))
        return false;
    *lock = lock_in_way(table, waiter, window, *peer);
    return true;
}

/* By window and target; all members come first. */
static uint64_t key_of(uint32_t number, int64_t target)
{
    return (uint64_t)number << 32 | (uint32_t)(target + 1);
}

static int by_key(const void *left, const void *right)
{
    const struct mq_lock_holder *a = left, *b = right;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->process > b->process) - (a->process < b->process);
}

static enum mq_result find_holders(struct mq_builder *b, struct mq_error *error)
{
    b->has_holders = true;
    for (uint32_t p = 0; p < b->job->process_count; p++) {
        const struct mq_process *process = &b->job->processes[p];

        for (size_t i = 0; i < process->epoch_count
             && mq_rank_counts(b->table->ranks, p); i++) {
            const struct mq_epoch *epoch = &process->epochs[i];
            struct mq_lock_holder holder = {
                key_of(mq_match_number(b->table->match, p, epoch->communicator),
                       epoch->peer), p
            };

            if (epoch->lock != mq_win_lock_none
                && epoch->grant != mq_grant_asked
                && mq_array_add(&b->holders, sizeof holder, &b->holder_count,
                                &b->holder_room, &holder,
                                "finding the locks of windows", error)
                   != mq_ok)
                return mq_failed;
        }
    }
    if (b->holder_count > 0)
        qsort(b->holders, b->holder_count, sizeof b->holders[0], by_key);
    return mq_ok;
}

/* Those in the way of a wish that were found. */
struct found {
    size_t count, proven;
    uint32_t processes[most_holders];   /* the proven ones first */
};

static void add_found(struct found *found, uint32_t process, bool is_proven)
{
    for (size_t i = 0; i < found->count; i++)
        if (found->processes[i] == process)
            return;
    if (found->count < most_holders)
        found->processes[found->count++] = process;
    else if (!is_proven || found->proven == most_holders)
        return;
    else
        found->processes[most_holders - 1] = process;
    if (is_proven) {
        uint32_t *last = &found->processes[found->count - 1];
        uint32_t *first = &found->processes[found->proven++];

        *last = *first;
        *first = process;
    }
}

/* Adds those with keys from FIRST to LAST. */
static void add_range(const struct mq_builder *b, const struct wish *wish,
                      uint64_t first, uint64_t last, struct found *found)
{
    size_t i = mq_array_below(b->holders, b->holder_count, sizeof b->holders[0],
                              offsetof(struct mq_lock_holder, key), first);

    for (; i < b->holder_count && b->holders[i].key <= last; i++) {
        uint32_t process = b->holders[i].process;
        const struct mq_epoch *lock = lock_in_way(b->table, b->self,
                                                  wish->communicator, process);

        if (lock != NULL)
            add_found(found, process, lock->grant == mq_grant_proven);
    }
}

/* Whether a process, too, may wait for a lock at TARGET, or for that rank. */
static bool waits_there(const struct mq_builder *b, uint32_t process,
                        uint32_t number, int64_t target)
{
    enum mq_participants participants =
        mq_call_participants(b->job->processes[process].call);
    uint32_t window;
    struct wish its;

    if ((participants != mq_participants_holder
         && participants != mq_participants_target)
        || !window_of_call(b->job, process, &window)
        || mq_match_number(b->table->match, process, window) != number)
        return false;
    its = wish_of(&b->job->processes[process], window);
    return its.target < 0 || its.target == target;
}

/* Whether all members note what they do on a window. */
static bool is_noted_by_all(struct mq_builder *b, uint32_t number,
                            const struct mq_group *group)
{
    const struct mq_waits_group members = { .group = group };
    uint32_t node, window;
    size_t place = 0;

    if (b->noted_window == number)
        return b->is_noted_by_all;
    b->noted_window = number;
    b->is_noted_by_all = true;
    while (mq_next_member(b->made, &members, &place, &node))
        b->is_noted_by_all &= node != mq_unknown_node
                              && find_window(b->table, node, number, &window);
    return b->is_noted_by_all;
}

/* Whether the only one that can have the lock must have it: had nobody, the
 * target would grant it.
 */
static bool must_be_held(struct mq_builder *b, const struct wish *wish,
                         const struct found *found)
{
    const struct mq_group *group =
        mq_self(b)->communicators[wish->communicator].group;
    uint32_t number = mq_match_number(b->table->match, b->self,
                                      wish->communicator);
    uint32_t target = mq_rank_node(b, mq_group_global(group, wish->target));

    return found->count == 1 && target != mq_unknown_node
           && (target == b->self
               || (mq_was_counted(&b->job->processes[target])
                   && mq_call_blocks((enum mq_wait)b->table->calls[target])))
           && !waits_there(b, found->processes[0], number, wish->target)
           && is_noted_by_all(b, number, group);
}

/* Sets *COUNT to how many holders were added as atoms. */
static enum mq_result add_holders(struct mq_builder *b, const struct wish *wish,
                                  const struct mq_operation_ref *ref,
                                  struct mq_error *error, size_t *count)
{
    uint32_t number = mq_match_number(b->table->match, b->self,
                                      wish->communicator);
    struct found found = { 0 };

    if (!b->has_holders && find_holders(b, error) != mq_ok)
        return mq_failed;
    add_range(b, wish, key_of(number, all_members),
              wish->target < 0 ? key_of(number, INT32_MAX)
                               : key_of(number, all_members), &found);
    if (wish->target >= 0)
        add_range(b, wish, key_of(number, wish->target),
                  key_of(number, wish->target), &found);
    *count = found.proven > 0 ? found.proven : found.count;
    if (found.proven == 0 && found.count > 0 && !must_be_held(b, wish, &found))
        mq_doubt(b, mq_reason_lock_not_proven);
    for (size_t i = 0; i < *count; i++)
        if (mq_add_need(b, ref, found.processes[i], mq_value_missing, error)
            != mq_ok)
            return mq_failed;
    return mq_ok;
}

/* The target, which need not call MPI where the network or shared memory does
 * what is asked of it.
 */
static enum mq_result add_target(struct mq_builder *b, const struct wish *wish,
                                 const struct mq_operation_ref *ref,
                                 struct mq_error *error)
{
    const struct mq_group *group =
        mq_self(b)->communicators[wish->communicator].group;
    uint32_t node = mq_rank_node(b, mq_group_global(group, wish->target));

    mq_doubt(b, mq_reason_target_progress);
    if (node == b->self)        /* it takes in what comes */
        return mq_add_others(b, error);
    if (wish->target < 0
        && mq_group_node(b, &(struct mq_waits_group){ .group = group }, error,
                         &node) != mq_ok)
        return mq_failed;
    if (mq_add_need(b, ref, node, mq_value_missing, error) != mq_ok)
        return mq_failed;
    b->needs[b->count - 1].is_open = wish->target < 0;
    return mq_ok;
}

/* ---- Epochs -------------------------------------------------------------- */

/* Adds the peers of the epochs that the process has begun and not ended, and
 * that have not done their part.
 */
static enum mq_result add_peers(struct mq_builder *b,
                                const struct mq_operation_ref *ref,
                                bool is_access, struct mq_error *error)
{
    const struct mq_process *process = mq_self(b);
    const struct mq_communicator *window =
        &process->communicators[ref->communicator];
    uint32_t number = mq_match_number(b->table->match, b->self,
                                      ref->communicator);

    for (size_t i = 0; i < process->epoch_count; i++) {
        const struct mq_epoch *own = &process->epochs[i], *its = NULL;
        uint32_t node, there;

        if (own->communicator != ref->communicator || own->peer < 0
            || (is_access ? own->started <= own->completed
                          : own->posted <= own->waited))
            continue;
        node = mq_rank_node(b, mq_group_global(window->group, own->peer));
        if (node != mq_unknown_node) {
            if (!find_window(b->table, node, number, &there))
                return mq_absent;
            its = epoch_with(&b->job->processes[node], there,
                             window->local_rank);
        }
        if (its != NULL && (is_access ? its->posted >= own->started
                                      : its->completed >= own->posted))
            continue;
        if (mq_add_need(b, ref, node, mq_value_missing, error) != mq_ok)
            return mq_failed;
    }
    b->has_come |= !mq_has_needs(b);
    return mq_ok;
}

/* Where all targets have posted, MPI_Win_complete waits for its operations. */
static enum mq_result add_part(struct mq_builder *b,
                               const struct mq_operation_ref *ref,
                               struct mq_error *error)
{
    switch (mq_call_participants(mq_self(b)->call)) {
    case mq_participants_exposed:
        return add_peers(b, ref, true, error);
    case mq_participants_accessing:
        return add_peers(b, ref, false, error);
    default: {
        struct wish wish = wish_of(mq_self(b), ref->communicator);
        size_t count = 0;

        if (wish.own != NULL
            && add_holders(b, &wish, ref, error, &count) != mq_ok)
            return mq_failed;
        return count > 0 ? mq_ok : add_target(b, &wish, ref, error);
    }
    }
}

bool mq_is_on_window(const struct mq_builder *b)
{
    return mq_call_participants(mq_self(b)->call) >= mq_participants_holder
           && mq_self(b)->awaiting != mq_awaiting_any;
}

enum mq_result mq_add_window(struct mq_builder *b, struct mq_error *error)
{
    struct mq_operation_ref ref = { b->self, 0, 0, mq_need_call };
    enum mq_result result = mq_absent;

    if (window_of_call(b->job, b->self, &ref.communicator))
        result = add_part(b, &ref, error);
    if (result == mq_absent) {
        b->count = b->first;
        return mq_self_call(b) == mq_wait_polls ? mq_ok
               : mq_add_others(b, error);
    }
    b->is_noted = result == mq_ok;
    b->waiter->condition |= mq_condition_all;
    return result;
}
