/* waits.c - construction of the wait-for graph
 *
 * A rank in a call that blocks is free only by evidence; where there is none,
 * it waits for something unknown.  The table is searched from the top, and the
 * first line that applies is the answer:
 *
 *   evidence                                   the rank
 *   a look differed, or a call returned        is free
 *   it reads or writes a file for MPI          is free
 *   its call did not return for longer than    needs its peers, whatever has
 *     it takes to move what it awaits            arrived for others; or
 *     (overdue)                                  something unknown, if it has
 *                                                no peer left, or awaits what
 *                                                is on no list
 *   a message is being moved to it, or one     is free
 *     that would do is on no list any more
 *   one peer is missing: all that it needs,    needs that peer
 *     or of several the last one that would do
 *   all that it needs is there: a message      is free
 *     and its receive, or all members of the
 *     same collective operation
 *   none of these                              needs something unknown
 *
 * A rank whose dependency is unknown depends on any rank of the job: if any is
 * free, so may it be, and if none is, it is possibly stuck, never for certain.
 * A rank that polls is free as long as its calls return; whether it makes
 * progress is unknown.  If all of them are counted to have been in vain, or
 * each look found it at the same ones, it waits, but not for certain: it may
 * stop polling.  More knowledge adds lines of evidence, and can make something
 * unknown a peer, but never makes a waiting rank free, unless it proves that.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "analysis/atoms.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/current_collective.h"
#include "analysis/stay.h"
#include "analysis/thread_activity.h"
#include "mpi/adapters.h"

/* ---- One rank --------------------------------------------------------- */

/* Whether the process is in a collective operation on a communicator of the
 * program's: of a part of one, on a communicator of the library's own, some
 * members may have left.
 */
static bool is_in_whole_collective(const struct mq_builder *b)
{
    const struct mq_process *process = mq_self(b);
    uint32_t c = b->waiter->collective;

    return mq_self_call(b) == mq_wait_collective && c != MQ_NO_COLLECTIVE
           && !(process->communicators[c].name != NULL
                && mq_adapter_is_hidden(process->communicators[c].name));
}

/* Whether it stays in one that needs all members. */
static bool needs_all(const struct mq_builder *b)
{
    return is_in_whole_collective(b) && mq_collective_needs_all(mq_self(b))
           && mq_is_proven_by_call(mq_self(b));
}

static enum mq_result add_guessed(struct mq_builder *b, struct mq_error *error)
{
    enum mq_wait call = mq_self_call(b);

    if (needs_all(b) && mq_add_collective(b, error) != mq_ok)
        return mq_failed;
    if (mq_has_needs(b))
        return mq_ok;           /* whichever message of it comes next */
    /* Where no queue is known, a missing message proves nothing. */
    b->is_coming |= b->table->doubts[b->self] & mq_message_moves
                    && !mq_is_call_alone(mq_self(b));
    if (mq_add_listed(b, call, error) != mq_ok)
        return mq_failed;
    if ((call != mq_wait_ssend || !mq_has_needs(b))
        && mq_add_unlisted(b, error) != mq_ok)
        return mq_failed;
    if (!mq_has_needs(b))
        return mq_add_collective(b, error);
    return is_in_whole_collective(b) ? mq_add_further(b, error) : mq_ok;
}

/* Whether the process begins or ends MPI. */
static bool is_startup(const struct mq_builder *b)
{
    return mq_self_call(b) == mq_wait_starting
           || mq_self_call(b) == mq_wait_ending;
}

static enum mq_result find_needs(struct mq_builder *b, struct mq_error *error)
{
    const struct mq_process *process = mq_self(b);

    if (process->presence != mq_present || process->movement == mq_stopped
        || mq_signal_handler(process) != NULL)
        return mq_ok;           /* what has come for it, it cannot take in */
    if (is_startup(b))
        return mq_add_startup(b, error);
    if (mq_knows_requests(process))
        return mq_add_awaited(b, error);
    if (mq_is_on_window(b))
        return mq_add_window(b, error);
    if (mq_add_resource(b, error) != mq_ok)
        return mq_failed;
    if (!mq_has_needs(b) && process->awaiting != mq_awaiting_nothing
        && add_guessed(b, error) != mq_ok)
        return mq_failed;
    if (mq_has_needs(b))
        return mq_ok;
    return mq_self_call(b) == mq_wait_connection ? mq_add_connection(b, error)
           : mq_self_call(b) == mq_wait_unseen
             || mq_self_call(b) == mq_wait_any_rank
             ? mq_add_startup(b, error) : mq_ok;
}

/* Whether something is missing: all of what is needed, or a part if all is. */
static bool lacks_something(const struct mq_builder *b)
{
    bool all = b->waiter->condition & mq_condition_all, lacks = false;

    for (size_t i = b->first; i < b->count; i++) {
        bool met = b->needs[i].value == mq_value_met;

        if (met && !all)
            return false;
        lacks |= !met;
    }
    return lacks;
}

/* Whether what is known of messages on the communicator of a need was counted,
 * and not seen in a queue: then it does not speak against what is proven.
 */
static bool is_counted_only(const struct mq_builder *b,
                            const struct mq_need *need)
{
    return need->ref.queue < mq_queue_classes
           && mq_operation_ref_communicator(b->job, &need->ref)->agreed_id != 0;
}

/* The message that seemed to be there is not the one that the process waits
 * for.  A request that is on no list, as of a generalized one, may be that.
 */
static enum mq_result reopen(struct mq_builder *b, struct mq_error *error)
{
    bool is_proof = mq_is_proven_by_call(mq_self(b)), is_there = b->has_come;

    if (mq_unlisted_awaited(mq_self(b)) > 0)
        return mq_add_unknown(b, error);
    for (size_t i = b->first; i < b->count; i++) {
        struct mq_need *need = &b->needs[i];

        if (need->value != mq_value_met)
            continue;
        is_proof &= is_counted_only(b, need) || mq_is_unbuffered_send(b, need);
        is_there = true;
        need->value = mq_value_missing;
    }
    if (!is_proof && is_there)
        mq_doubt(b, mq_reason_has_arrived);
    return mq_has_needs(b) ? mq_ok : mq_add_unknown(b, error);
}

/* The evidence that the process goes on, from the top of the table. */
static enum mq_freedom freedom_of(const struct mq_builder *b, bool lacks)
{
    const struct mq_process *process = mq_self(b);

    if (process->movement == mq_moved)
        return mq_free_moved;
    if (mq_is_at_file(process))
        return mq_free_file;
    if (!lacks && mq_self_call(b) == mq_wait_unseen)
        return mq_free_outside;
    if (mq_is_overdue(process))
        return mq_not_free;
    if (b->is_coming)
        return mq_free_message;
    return !lacks && (b->has_come || mq_has_needs(b)) ? mq_free_met
                                                      : mq_not_free;
}

/* The result for a process in a blocking call, by the table above.
 */
static enum mq_result conclude(struct mq_builder *b, struct mq_error *error)
{
    const struct mq_process *process = mq_self(b);
    bool lacks = lacks_something(b);
    enum mq_freedom freedom = freedom_of(b, lacks);

    if ((!lacks && mq_self_call(b) == mq_wait_unseen)
        || process->call == NULL
        || (mq_is_no_call(process->call) && !mq_waits_for_resource(b)))
        b->waiter->condition |= mq_condition_open;  /* it may move in
                                           one call for ever */
    b->waiter->freedom = (uint8_t)freedom;
    if (freedom != mq_not_free)
        return mq_ok;
    if (b->is_coming)
        mq_doubt(b, mq_reason_message_moving);
    b->waiter->doubts |= is_startup(b) ? 0 : mq_unproven(b);
    if (!lacks && reopen(b, error) != mq_ok)
        return mq_failed;
    if (b->is_held) {           /* whatever else it may wait for */
        b->waiter->doubts = 0;
        b->waiter->proofs |= mq_proof_amounts;
    }
    if (b->waiter->doubts != 0 && mq_is_still(b->job, process)
        && !mq_waits_past_mpi(process)
        && mq_is_in_wrapper(process))   /* which nothing else settles */
        b->waiter->doubts = mq_because(mq_reason_in_wrapper);
    return mq_ok;
}

static enum mq_result look_at(struct mq_builder *b, struct mq_error *error)
{
    const struct mq_process *process = mq_self(b);
    struct mq_waiter *waiter = b->waiter;
    bool moved = process->movement == mq_moved;

    b->is_coming = b->has_come = b->is_held = b->is_noted = false;
    if (find_needs(b, error) != mq_ok)
        return mq_failed;
    waiter->state = (uint8_t)mq_state_find(b);
    switch ((enum mq_rank_state)waiter->state) {
    case mq_rank_waits:
        return conclude(b, error);
    case mq_rank_ending:        /* whatever still comes in */
        waiter->doubts = 0;
        waiter->freedom = moved ? mq_free_moved : mq_not_free;
        waiter->condition = !moved && mq_is_overdue(process)
                            ? mq_condition_open : 0;
        return mq_ok;
    case mq_rank_gone:
        waiter->doubts = moved ? mq_because(mq_reason_ended_moving) : 0;
        waiter->condition = 0;
        return mq_ok;
    case mq_rank_polls:
        waiter->freedom = mq_free_polls;
        waiter->condition |= mq_condition_open;
        return mq_ok;
    case mq_rank_runs:
        waiter->freedom = mq_free_runs;
        if (mq_may_get_nowhere(process))
            waiter->condition |= mq_condition_open;
        return mq_ok;
    default:
        waiter->freedom = mq_free_state;
        return mq_ok;
    }
}

/* ---- All ranks -------------------------------------------------------- */

/* What each rank needs to be known of the others. */
static enum mq_result prepare(struct mq_builder *b, struct mq_error *error)
{
    size_t processes = b->job->process_count;

    b->made->of = calloc(processes + 1, sizeof *b->made->of);
    if (b->made->of == NULL)
        return mq_fail_memory(error, "building the wait-for graph");
    for (size_t p = 0; p < processes; p++) {
        b->made->of[p].collective = mq_current_collective(b->table, p);
        b->is_at_file |= mq_is_at_file(&b->job->processes[p]);
        b->has_ended |= b->job->processes[p].presence == mq_gone;
        b->blocked += mq_call_blocks((enum mq_wait)b->table->calls[p]);
    }
    for (size_t p = 0; p < processes; p++)
        if (mq_rank_counts(b->table->ranks, p))
            mq_note_known(b, p);
    mq_find_ending(b);
    if (mq_find_ports(b, error) != mq_ok)
        return mq_failed;
    return mq_number_collectives(b, error);
}

static enum mq_result build(struct mq_builder *b, struct mq_error *error)
{
    size_t processes = b->job->process_count;
    size_t first = 0;

    if (prepare(b, error) != mq_ok)
        return mq_failed;
    for (size_t p = 0; p < processes; p++) {
        b->first = b->count;
        b->self = (uint32_t)p;
        b->waiter = &b->made->of[p];
        if (mq_rank_counts(b->table->ranks, p) && look_at(b, error) != mq_ok)
            return mq_failed;
        b->waiter->need_count = (uint32_t)(b->count - b->first);
    }
    for (size_t p = 0; p < processes; p++) {
        struct mq_waiter *waiter = &b->made->of[p];

        waiter->needs = waiter->need_count > 0 ? &b->needs[first] : NULL;
        first += waiter->need_count;
    }
    return mq_ok;
}

void mq_waits_destroy(struct mq_waits *waits)
{
    free(waits->of);
    free(waits->needs);
    free(waits->groups);
    memset(waits, 0, sizeof *waits);
}

enum mq_result mq_waits_create(const struct mq_match_table *table,
                               mq_reasons not_given, struct mq_error *error,
                               struct mq_waits *waits)
{
    struct mq_waits made = { .table = table };
    struct mq_builder b = { .table = table, .job = table->job, .made = &made,
                            .not_given = not_given,
                            .all_inside = not_given == 0 };
    enum mq_result result = build(&b, error);

    mq_map_deinit(&b.groups);
    mq_map_deinit(&b.ports);
    free(b.holders);
    made.needs = b.needs;
    if (result == mq_ok)
        *waits = made;
    else
        mq_waits_destroy(&made);
    return result;
}
