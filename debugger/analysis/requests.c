/* requests.c - atoms of the requests of a call
 *
 * Where the arguments of the call are known, its requests are: all of them are
 * needed, or one.
 *
 *   evidence                                          value
 *   it is listed                                      as receive.c, send.c say
 *   its message has the mark of an awaited send       missing
 *   its message is in two ranks' unexpected queues    missing, moments
 *   it is on no list                                  met, or on its way
 *
 * Elsewhere any listed operation that a call of its kind can be blocked in may
 * be the one: the newest first, the others unknown (order_assumed).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "analysis/atoms.h"

#include <stdlib.h>

#include "analysis/stay.h"

/* Whether it is not known whose operation would do, and it need not be that of
 * a rank of the job: that has no other rank, or is one of several worlds
 * without an ended rank.
 */
static bool names_nobody(const struct mq_builder *b,
                         const struct mq_operation_ref *ref)
{
    return (b->job->process_count == 1
            || (b->job->world_count > 0 && !b->has_ended))
           && mq_operation_ref_operation(b->job, ref)->desired_global < 0
           && mq_operation_ref_communicator(b->job, ref)->group == NULL;
}

/* A pending operation is something to wait for; one that is matched is met. */
static enum mq_result add_operation(struct mq_builder *b,
                                    const struct mq_operation_ref *ref,
                                    enum mq_value value,
                                    struct mq_error *error)
{
    const struct mq_operation *op = mq_operation_ref_operation(b->job, ref);
    uint32_t node;

    if (mq_peer_node(b, ref, error, &node) != mq_ok)
        return mq_failed;
    if (value == mq_value_missing)
        *mq_facts(b->table, ref) |= mq_awaited;
    if (op->status != mq_pending
        || (ref->queue == mq_sends ? mq_send_is_met(b, ref, node)
                                   : mq_receive_is_met(b, ref))) {
        if (value == mq_value_unknown)
            mq_doubt(b, mq_reason_order_assumed);
        else
            value = mq_value_met;
    }
    if (mq_add_need(b, ref, node, value, error) != mq_ok)
        return mq_failed;
    if (names_nobody(b, ref)) {
        b->needs[b->count - 1].is_open = true;
        b->waiter->condition |= mq_condition_open;
    }
    return mq_ok;
}

/* Marks the awaited operations that are listed; one that is not is complete or
 * being filled.
 */
static enum mq_result mark_awaited(struct mq_builder *b, struct mq_error *error,
                                   bool **marked)
{
    const struct mq_process *process = mq_self(b);
    bool *marks = calloc(process->operation_count + 1, sizeof *marks);

    if (marks == NULL)
        return mq_fail_memory(error, "building the wait-for graph");
    for (size_t i = 0; i < process->awaited_count; i++)
        if (process->awaited[i] < process->operation_count)
            marks[process->awaited[i]] = true;
        else
            b->has_come = true;
    b->is_coming |= b->has_come && process->awaiting == mq_awaiting_any;
    *marked = marks;
    return mq_ok;
}

/* How many messages with this mark there are. */
static size_t count_marked(const struct mq_builder *b, uint64_t mark)
{
    const struct mq_match_table *table = b->table;
    size_t count = 0;

    for (size_t i = table->first_unlisted[b->self];
         i < table->first_unlisted[b->self + 1]; i++)
        count += mq_operation_ref_operation(b->job, &table->unlisted[i])->mark
                 == mark;
    return count;
}

/* The messages of the sends that the arguments of the call name: each is at its
 * receiver, and only the one of the process has its mark.  One that seems to be
 * at two was read at different moments.  Of those that are nowhere nothing is
 * known: they are on their way, or were received.
 */
static enum mq_result add_marked(struct mq_builder *b, struct mq_error *error)
{
    const struct mq_match_table *table = b->table;
    const struct mq_process *process = mq_self(b);
    bool is_missing = false;

    for (size_t i = table->first_unlisted[b->self];
         i < table->first_unlisted[b->self + 1]; i++) {
        const struct mq_operation_ref *message = &table->unlisted[i];

        if (!mq_is_awaited_send(process,
                                mq_operation_ref_operation(b->job, message)))
            continue;
        *mq_facts(b->table, message) |= mq_awaited;
        if (mq_add_need(b, message, message->process, mq_value_missing, error)
            != mq_ok)
            return mq_failed;
    }
    for (size_t i = 0; i < process->mark_count; i++) {
        size_t count;

        if (!process->marks[i].is_awaited)
            continue;
        count = count_marked(b, process->marks[i].mark);
        is_missing |= count == 0;
        if (count > 1)
            mq_doubt(b, mq_reason_moments);
    }
    return is_missing && process->awaiting == mq_awaiting_any
           ? mq_add_unknown(b, error) : mq_ok;
}

enum mq_result mq_add_awaited(struct mq_builder *b, struct mq_error *error)
{
    struct mq_operation_ref ref = mq_operation_ref_before(b->self);
    bool *marks = NULL;
    enum mq_result result = mark_awaited(b, error, &marks);

    if (result != mq_ok)
        return result;
    if (mq_self(b)->awaiting == mq_awaiting_all)
        b->waiter->condition |= mq_condition_all;
    while (result == mq_ok && mq_operation_ref_next(b->job, &ref))
        if (marks[ref.operation])
            result = add_operation(b, &ref, mq_value_missing, error);
    free(marks);
    if (result == mq_ok)
        result = add_marked(b, error);
    return result == mq_ok ? mq_add_pending_collectives(b, error) : result;
}

/* Whether a pending operation comes after REF in the same queue. */
static bool has_newer(const struct mq_builder *b,
                      const struct mq_operation_ref *ref)
{
    const struct mq_queue *queue =
        &mq_operation_ref_communicator(b->job, ref)->queues[ref->queue];
    const struct mq_operation *operations = mq_self(b)->operations;

    for (uint32_t i = ref->operation + 1; i < queue->first + queue->count;
         i++)
        if (operations[i].status == mq_pending)
            return true;
    return false;
}

/* Whether an operation can be what a call of this kind waits for. */
static bool can_hold(const struct mq_builder *b, enum mq_wait call,
                     const struct mq_operation_ref *ref)
{
    bool send = ref->queue == mq_sends;

    if (ref->queue == mq_unexpected
        || mq_operation_ref_operation(b->job, ref)->status == mq_complete)
        return false;
    switch (call) {
    case mq_wait_receive:
        return !send;
    case mq_wait_ssend:
        return send;
    case mq_wait_probe:
        return mq_is_probe(b->table, ref);
    case mq_wait_collective:
        return mq_is_internal(b->table, ref);
    case mq_wait_request:
    case mq_wait_unknown:
        return true;
    default:
        return false;
    }
}

enum mq_result mq_add_listed(struct mq_builder *b, enum mq_wait call,
                             struct mq_error *error)
{
    bool newest = call == mq_wait_receive || call == mq_wait_ssend;
    struct mq_operation_ref ref = mq_operation_ref_before(b->self);

    while (mq_operation_ref_next(b->job, &ref))
        if (can_hold(b, call, &ref)
            && add_operation(b, &ref, newest && has_newer(b, &ref)
                                      ? mq_value_unknown : mq_value_missing,
                             error) != mq_ok)
            return mq_failed;
    return mq_ok;
}

bool mq_has_only_marked_needs(const struct mq_builder *b)
{
    for (size_t i = b->first; i < b->count; i++) {
        const struct mq_need *need = &b->needs[i];

        if (need->ref.queue != mq_unexpected
            || !mq_is_awaited_send(mq_self(b),
                                   mq_operation_ref_operation(b->job,
                                                              &need->ref)))
            return false;
    }
    return mq_knows_requests(mq_self(b)) && mq_has_needs(b);
}
