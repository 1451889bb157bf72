/* proof.c - proof that a rank stays in its call until released
 *
 * There are two proofs; one is enough.  If both fail, the reasons of the one
 * with less missing evidence are reported.
 *
 *   mq_proof_call      its call did not return for longer than it takes to move
 *                      all that it awaits, which its arguments show; or a
 *                      message of its collective operation is missing;
 *                      or the messages that it awaits are at their receivers;
 *                      or it is outside MPI, and did not return from the
 *                      function that waits for a resource
 *   mq_proof_queues    it was still, the queues of all ranks were read whole,
 *                      and they show all that its call can wait for
 *
 * Besides, no other thread, callback or signal handler may call MPI meanwhile,
 * and what it waits for is on a communicator that is identified.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "analysis/atoms.h"

#include <math.h>

#include "analysis/blocked.h"
#include "analysis/current_collective.h"
#include "analysis/stay.h"
#include "analysis/thread_activity.h"

static bool is_known(const struct mq_process *process,
                     enum mq_queue_class queue)
{
    for (size_t i = 0; i < process->communicator_count; i++)
        if (process->communicators[i].queues[queue].state != mq_ok)
            return false;
    return true;
}

static bool has_errors(const struct mq_process *process)
{
    for (size_t i = 0; i < process->remark_count; i++)
        if (process->remarks[i].is_error)
            return true;
    return false;
}

static uint8_t look_whole(const struct mq_process *process)
{
    uint8_t known = 0;
    bool errors = process->presence == mq_not_read || has_errors(process);

    if (process->presence == mq_gone)
        return mq_knows_sends | mq_knows_unexpected | mq_read_whole;
    if (is_known(process, mq_sends))
        known |= mq_knows_sends;
    if (is_known(process, mq_unexpected))
        known |= mq_knows_unexpected;
    if (!errors && known & mq_knows_unexpected
        && is_known(process, mq_receives))
        known |= mq_read_whole;
    return known;
}

/* Whether a process that has not ended stays in a call in which it takes in
 * what comes.
 */
static bool stays_inside(const struct mq_builder *b, size_t p)
{
    const struct mq_process *process = &b->job->processes[p];

    return process->presence == mq_gone
           || (process->presence == mq_present && mq_was_counted(process)
               && mq_call_blocks((enum mq_wait)b->table->calls[p])
               && (b->table->doubts[p] & mq_in_callback) == 0);
}

void mq_note_known(struct mq_builder *b, size_t p)
{
    mq_reasons *gaps = &b->made->of[p].gaps;

    b->made->of[p].known = look_whole(&b->job->processes[p]);
    b->all_inside &= stays_inside(b, p);
    if (b->job->processes[p].presence == mq_not_read)
        *gaps |= mq_because(mq_reason_not_read);
    else if (!(b->made->of[p].known & mq_read_whole))
        *gaps |= mq_because(mq_reason_queues_not_read);
    b->not_read |= *gaps;
    if (mq_may_send_unseen(b, p)) {
        *gaps |= mq_because(mq_reason_sends_hidden);
        b->hidden++;
    }
}

/* Whether a need is on a communicator that is not known for sure. */
static bool has_assumed_need(const struct mq_builder *b)
{
    for (size_t i = b->first; i < b->count && !mq_waits_for_resource(b); i++) {
        const struct mq_need *need = &b->needs[i];
        uint32_t number = mq_match_number(b->table->match, need->ref.process,
                                          need->ref.communicator);

        if (b->table->match->assumed[number]
            || b->table->match->ambiguous[number])
            return true;
    }
    return false;
}

/* Whether something that is missing keeps the process in a collective
 * operation, whatever else it may be doing there.
 */
static bool is_blocked(const struct mq_builder *b)
{
    for (size_t i = b->first; i < b->count; i++) {
        const struct mq_need *need = &b->needs[i];

        if (need->value != mq_value_met
            && mq_is_blocked(b->table, b->self, &need->ref, need->node))
            return true;
    }
    return false;
}

/* Why it is unknown whether the process did not move; of one that polls that is
 * a reason of its own.
 */
static mq_reasons unstill(const struct mq_builder *b)
{
    const struct mq_process *process = mq_self(b);

    if (mq_is_still(b->job, process))
        return 0;
    if (process->movement == mq_polled)
        return mq_because(mq_reason_polls);
    return mq_because(process->looks > 1 ? mq_reason_not_counted
                                         : mq_reason_sampled_once);
}

/* The reasons why a call's dependencies are unknown although its arguments may
 * be known: they name no members, requests or peers of windows.
 */
static mq_reasons untold(const struct mq_builder *b)
{
    const struct mq_process *process = mq_self(b);
    enum mq_wait wait = mq_self_call(b);
    int64_t handle;

    if (wait == mq_wait_collective && !mq_collective_needs_all(process)
        && mq_call_argument(process, "comm", &handle))
        return mq_because(mq_reason_participants_unknown);
    if (wait == mq_wait_request && process->thread_count > 0
        && process->threads->argument_count > 0)
        return mq_because(mq_reason_wait_unknown);
    if (wait == mq_wait_window
        || mq_reason_of_wait(b) == mq_reason_call_not_followed)
        return mq_because(mq_reason_of_wait(b));
    return mq_because(mq_reason_arguments_unknown);
}

/* The parts of a proof that its call alone gives: nothing that was on its way
 * when the samples began is so any more.
 */
static mq_reasons missing_of_call(const struct mq_builder *b)
{
    const struct mq_process *process = mq_self(b);
    mq_reasons missing = b->not_given;

    if (has_errors(process))
        missing |= mq_because(mq_reason_queues_not_read);
    if (mq_is_proven_by_call(process) || is_blocked(b)
        || (b->is_noted && mq_is_still(b->job, process))
        || (mq_is_still(b->job, process) && mq_has_only_marked_needs(b)))
        return missing;
    missing |= mq_was_counted(process) ? 0 : unstill(b);
    if (isinf(mq_seconds_to_move(process))
        || (!mq_knows_requests(process) && !mq_collective_needs_all(process)))
        missing |= untold(b);
    else if (mq_seconds_to_move(process) > process->looked_for)
        missing |= mq_because(mq_reason_transfer);
    return missing != 0 ? missing : mq_because(mq_reason_not_counted);
}

/* The parts of one that the queues of all ranks give: the lists have all that
 * the call can wait for.
 */
static mq_reasons missing_of_queues(const struct mq_builder *b)
{
    mq_reasons missing = b->not_given | b->not_read | unstill(b);
    mq_reasons hidden = b->hidden > 0 ? mq_because(mq_reason_sends_hidden) : 0;
    bool all_at_sender = mq_all_at_sender(b);
    bool listed = b->waiter->known & mq_knows_sends;

    if (mq_knows_requests(mq_self(b)))
        return missing;
    switch (mq_self_call(b)) {
    case mq_wait_receive:
        return missing | hidden;
    case mq_wait_request:
    case mq_wait_collective:
        missing |= hidden;
        break;
    case mq_wait_send:
    case mq_wait_ssend:
        listed |= all_at_sender && mq_message_is_there(b);
        break;
    default:
        return missing | mq_because(mq_self(b)->call == NULL
                                    ? mq_reason_call_unknown
                                    : mq_reason_of_wait(b));
    }
    if (!listed)
        missing |= mq_because(mq_reason_sends_unlisted);
    if (!all_at_sender)
        missing |= mq_because(mq_reason_buffered);
    return missing;
}

mq_reasons mq_unproven(const struct mq_builder *b)
{
    const struct mq_process *process = mq_self(b);
    static const enum mq_reason handler_reasons[mq_handlers] = {
        [mq_handler_unknown] = mq_reason_handler_unknown,
        [mq_handler_jumps] = mq_reason_handler_jumps,
        [mq_handler_calls_mpi] = mq_reason_handler_calls_mpi
    };
    mq_reasons call, queues, missing = 0;

    if (b->table->lost || b->table->doubts[b->self] & mq_knows_no_peer)
        missing |= mq_because(mq_reason_peer_unknown);
    if (mq_only_polls(process))
        missing |= mq_because(mq_reason_polls);
    if (process->concurrent_callers > 0)
        missing |= mq_because(mq_reason_threads_may_call);
    if (has_assumed_need(b))
        missing |= mq_because(mq_reason_communicator_assumed);
    if (b->table->doubts[b->self] & mq_in_callback
        && !mq_waits_for_resource(b))
        missing |= mq_because(mq_is_in_mpi(process->call)
                              ? mq_reason_callback : mq_reason_place_unknown);
    if (process->handler != mq_handler_harmless)
        missing |= mq_because(handler_reasons[process->handler]);
    if (mq_may_wait_for_turn(b))
        missing |= mq_because(mq_reason_thread_turn);
    if (mq_waits_for_resource(b)) {
        b->waiter->proofs |= unstill(b) == 0 ? mq_proof_call : 0;
        return missing | unstill(b);
    }
    call = missing_of_call(b);
    queues = missing_of_queues(b);
    if (call == 0)
        b->waiter->proofs |= mq_proof_call;
    if (queues == 0)
        b->waiter->proofs |= mq_proof_queues;
    if (call == 0 || queues == 0)
        return missing;
    return missing | (mq_reasons_size(call) < mq_reasons_size(queues) ? call
                                                                      : queues);
}
