/* send.c - atoms of sends that are not buffered
 *
 *   evidence                                          value
 *   a receive that fits is posted                     met
 *   it is MPI_Ssend's, and the message is in the      missing
 *     unexpected queue
 *   the message is there, and the library hands over  met
 *     as much at once
 *   it is there, or one like it that was buffered     missing, arrival_unknown
 *   the receiver's unexpected queue is unknown        missing, arrivals_unknown
 *   it is not there, and the receiver takes in what   met: it is on its way
 *     comes
 *   the same in MPI_Finalize                          met, receiver_ending
 *   the same, and MPI_Ssend's was there for longer    missing
 *     than its message is on its way
 *   none of these                                     missing
 *
 * A send that is on no queue of its rank is known by its message, which is in
 * the receiver's unexpected queue and was not buffered: missing for the longest
 * ones, unknown for others (order_assumed).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "analysis/atoms.h"

#include "analysis/current_collective.h"
#include "analysis/stay.h"
#include "analysis/thread_activity.h"
#include "mpi/adapters.h"

bool mq_send_is_met(struct mq_builder *b, const struct mq_operation_ref *ref,
                    uint32_t node)
{
    const struct mq_operation *op = mq_operation_ref_operation(b->job, ref);
    uint8_t facts = *mq_facts(b->table, ref);
    bool awaits_receive = op->from_stack && mq_self_call(b) == mq_wait_ssend;

    if (facts & mq_met)
        return true;
    if (facts & mq_arrived && awaits_receive)
        return false;
    if (facts & mq_arrived && !(facts & mq_surely_arrived))
        mq_doubt(b, mq_reason_arrival_unknown);
    if (facts & mq_arrived)
        return op->from_stack && op->desired_length <= mq_adapter_buffered();
    if (node >= b->job->process_count)
        return false;
    if (!(b->made->of[node].known & mq_knows_unexpected)) {
        if (!mq_is_proven_by_call(mq_self(b))) {
            mq_doubt(b, mq_reason_arrivals_unknown);
            b->made->of[node].gaps |= mq_because(mq_reason_arrivals_unknown);
        }
        return false;
    }
    if (b->table->calls[node] == mq_wait_ending
        && !(awaits_receive && b->made->of[node].known & mq_read_whole
             && mq_is_proven_by_call(mq_self(b))))
        mq_doubt(b, mq_reason_receiver_ending);
    return mq_call_blocks((enum mq_wait)b->table->calls[node])
           || b->table->calls[node] == mq_wait_polls;
}

static int64_t length_of(const struct mq_builder *b,
                         const struct mq_operation_ref *ref)
{
    return mq_operation_ref_operation(b->job, ref)->desired_length;
}

/* The likely ones are the longest: a library hands over at once what is short.
 */
enum mq_result mq_add_unlisted(struct mq_builder *b, struct mq_error *error)
{
    const struct mq_match_table *table = b->table;
    size_t begin = table->first_unlisted[b->self];
    size_t end = table->first_unlisted[b->self + 1];
    int64_t longest = 0;

    for (size_t i = begin; i < end; i++)
        if (length_of(b, &table->unlisted[i]) > longest)
            longest = length_of(b, &table->unlisted[i]);
    for (size_t i = begin; i < end; i++) {
        const struct mq_operation_ref *message = &table->unlisted[i];
        bool shorter = length_of(b, message) < longest;

        if (mq_add_need(b, message, message->process,
                        shorter ? mq_value_unknown : mq_value_missing, error)
            != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* ---- Proofs ----------------------------------------------------------- */

bool mq_may_send_unseen(const struct mq_builder *b, size_t p)
{
    enum mq_wait call = (enum mq_wait)b->table->calls[p];
    bool listed = b->made->of[p].known & mq_knows_sends;
    bool is_unexpected =
        b->table->first_unlisted[p] < b->table->first_unlisted[p + 1];

    if ((mq_knows_requests(&b->job->processes[p])
         && mq_sends_awaited(&b->job->processes[p]) == 0)
        || b->job->processes[p].presence == mq_gone)
        return false;
    if (call == mq_wait_unknown)
        return true;
    if (call == mq_wait_send)
        return !is_unexpected;
    return !listed && !(call == mq_wait_ssend && is_unexpected);
}

bool mq_all_at_sender(const struct mq_builder *b)
{
    for (size_t i = b->table->first_unlisted[b->self];
         i < b->table->first_unlisted[b->self + 1]; i++)
        if (mq_message_data(mq_operation_ref_operation(b->job,
                                                       &b->table->unlisted[i]))
            != mq_data_at_sender)
            return false;
    return true;
}

static bool is_its_send(const struct mq_process *process,
                        const struct mq_operation *message)
{
    enum mq_call_form form = mq_call_form(process->call);
    int64_t tag = message->desired_tag;

    mq_call_argument(process, "tag", &tag);
    return (form == mq_form_send || form == mq_form_ssend)
           && tag == message->desired_tag
           && mq_message_data(message) == mq_data_at_sender
           && (double)message->desired_length / mq_slow_network
              <= mq_seconds_of_part(process)
           && mq_seconds_of_part(process) <= process->looked_for;
}

bool mq_message_is_there(const struct mq_builder *b)
{
    for (size_t i = b->table->first_unlisted[b->self];
         b->all_inside && i < b->table->first_unlisted[b->self + 1]; i++)
        if (is_its_send(mq_self(b),
                        mq_operation_ref_operation(b->job,
                                                   &b->table->unlisted[i])))
            return true;
    return false;
}

bool mq_may_wait_for_turn(const struct mq_builder *b)
{
    if (!mq_has_waiting_thread(mq_self(b)))
        return false;
    for (size_t i = b->first; i < b->count; i++) {
        const struct mq_operation_ref *ref = &b->needs[i].ref;

        if (ref->queue == mq_sends
            && mq_operation_ref_operation(b->job, ref)->from_stack
            && !(*mq_facts(b->table, ref) & mq_is_at_sender))
            return true;
    }
    return false;
}

bool mq_is_unbuffered_send(const struct mq_builder *b,
                           const struct mq_need *need)
{
    return need->ref.queue == mq_sends
           && mq_operation_ref_operation(b->job, &need->ref)->from_stack
           && !(*mq_facts(b->table, &need->ref) & mq_met);
}
