/* match_table.c - match table: sends matched with receives
 *
 * For each receiving rank there are two hash tables: its posted receives, by
 * the envelope that they accept, and its unexpected messages, counted by
 * envelope.
 *  1. Each unexpected message marks the receives that would match it.
 *  2. The sends that other ranks list to it are taken from the last one back.
 *     A send whose message is in the table has arrived, and decreases the
 *     count; one that has neither arrived nor matched is being moved.
 *  3. A message that remains was sent by a rank that lists no such send, and
 *     may be blocked in it.
 * All look-ups are by hashing, so that time is linear in operations.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "analysis/match_table.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/thread_activity.h"
#include "base/array.h"
#include "base/map.h"
#include "mpi/adapters.h"

uint8_t *mq_facts(const struct mq_match_table *table,
                  const struct mq_operation_ref *ref)
{
    return &table->facts[table->first_fact[ref->process] + ref->operation];
}

void mq_match_table_destroy(struct mq_match_table *table)
{
    free(table->calls);
    free(table->doubts);
    free(table->first_fact);
    free(table->facts);
    free(table->first_send);
    free(table->sends);
    free(table->first_unlisted);
    free(table->unlisted);
    memset(table, 0, sizeof *table);
}

/* ---- Single operations ------------------------------------------------ */

bool mq_knows_buffer(const struct mq_operation *operation)
{
    if (operation->nowhere || mq_adapter_is_unset(operation->buffer))
        return false;
    return operation->buffer != 0
           || (operation->desired_length == 0 && !operation->from_stack);
}

enum mq_data mq_message_data(const struct mq_operation *message)
{
    if (message->status == mq_complete || message->desired_length == 0)
        return mq_data_here;
    if (mq_adapter_is_unset(message->buffer) || message->nowhere)
        return mq_data_at_sender;
    return message->desired_length <= mq_adapter_buffered() ? mq_data_here
                                                            : mq_data_anywhere;
}

bool mq_is_awaited_send(const struct mq_process *sender,
                        const struct mq_operation *message)
{
    for (size_t i = 0; message->mark != 0 && i < sender->mark_count; i++)
        if (sender->marks[i].is_awaited
            && sender->marks[i].mark == message->mark)
            return true;
    return false;
}

bool mq_is_internal(const struct mq_match_table *table,
                    const struct mq_operation_ref *ref)
{
    const struct mq_operation *op = mq_operation_ref_operation(table->job, ref);

    return (!op->tag_wild && op->desired_tag < 0)
           || mq_match_is_internal(table->match, ref->process,
                                   ref->communicator);
}

bool mq_fits_any_tag(const struct mq_operation *message)
{
    return message->tag_wild || message->desired_tag >= 0;
}

bool mq_is_probe(const struct mq_match_table *table,
                 const struct mq_operation_ref *ref)
{
    return ref->queue == mq_receives
           && (table->calls[ref->process] == mq_wait_probe
               || table->calls[ref->process] == mq_wait_polls)
           && mq_operation_ref_operation(table->job, ref)->from_stack;
}

/* The process that a send goes to, or that a message comes from. */
static struct mq_process_ref other_side(const struct mq_match_table *table,
                                        const struct mq_operation_ref *ref)
{
    const struct mq_operation *op = mq_operation_ref_operation(table->job, ref);

    return mq_rank_process(table->ranks, op->desired_global);
}

/* ---- The tables of one receiver ---------------------------------------- */

/* State while one rank's messages are matched. */
struct tables {
    struct mq_match_table *table;
    uint32_t receiver;          /* process */
    bool blurred;               /* communicators cannot be distinguished */
    struct mq_map receives;     /* patterns of receives: enum mq_fact */
    struct mq_map arrived;      /* envelopes of unexpected messages: count */
    struct mq_map kept;         /* the same, with their lengths, of those whose
                                   data may still be at the sender, */
    struct mq_map unmoved;      /* and of those whose data are */
    struct mq_operation_ref *unlisted;  /* found so far, of all ranks */
    size_t unlisted_count, unlisted_room;
};

enum {
    any_source = -1
};

/* Communicator, source and tag, each of the latter two possibly any. */
static struct mq_key envelope(const struct tables *tables, uint32_t number,
                              int64_t source, bool any_tag, int64_t tag)
{
    struct mq_key key;

    key.a = (uint64_t)(tables->blurred ? 0 : number) << 33
            | (uint64_t)any_tag << 32 | (uint32_t)(source + 1);
    key.b = any_tag ? 0 : (uint64_t)tag;
    return key;
}

static uint32_t number_at(const struct mq_match_table *table,
                          const struct mq_operation_ref *ref)
{
    return mq_match_number(table->match, ref->process, ref->communicator);
}

static struct mq_key message_envelope(const struct tables *tables,
                                      const struct mq_operation_ref *ref)
{
    return envelope(tables, number_at(tables->table, ref),
                    mq_operation_ref_sender(tables->table->job, ref), false,
                    mq_operation_ref_operation(tables->table->job,
                                               ref)->desired_tag);
}

static struct mq_key receive_pattern(const struct tables *tables,
                                     const struct mq_operation_ref *ref)
{
    const struct mq_operation *receive =
        mq_operation_ref_operation(tables->table->job, ref);

    return envelope(tables, number_at(tables->table, ref),
                    receive->desired_local < 0 ? any_source
                                               : receive->desired_global,
                    receive->tag_wild, receive->desired_tag);
}

/* Sets MARK on the patterns that the message at REF fits; whether any did. */
static bool mark_receives(struct tables *tables,
                          const struct mq_operation_ref *ref,
                          enum mq_fact fact)
{
    const struct mq_operation *message =
        mq_operation_ref_operation(tables->table->job, ref);
    uint32_t number = number_at(tables->table, ref);
    int64_t sources[] = { mq_operation_ref_sender(tables->table->job, ref),
                          any_source };
    bool found = false;

    for (int i = 0; i < 4; i++) {
        bool any_tag = i % 2 == 1;
        uint32_t *facts = mq_map_find(&tables->receives,
                                      envelope(tables, number, sources[i / 2],
                                               any_tag, message->desired_tag));

        if (facts != NULL && (!any_tag || mq_fits_any_tag(message))) {
            *facts |= fact;
            found = true;
        }
    }
    return found;
}

/* A send that is pending and a message that was buffered are not the same, even
 * if their envelopes are: length and data part them.
 */
static struct mq_key with_length(const struct tables *tables,
                                 const struct mq_operation_ref *ref)
{
    struct mq_key key = message_envelope(tables, ref);

    key.b ^= (uint64_t)mq_operation_ref_operation(tables->table->job,
                                                  ref)->desired_length << 32;
    return key;
}

/* Takes one off a count, if there is any. */
static bool take_one(const struct mq_map *counts, struct mq_key key)
{
    uint32_t *count = mq_map_find(counts, key);

    if (count == NULL || *count == 0)
        return false;
    --*count;
    return true;
}

static void look_at_send(struct tables *tables,
                         const struct mq_operation_ref *send)
{
    struct mq_match_table *table = tables->table;
    bool pending =
        mq_operation_ref_operation(table->job, send)->status == mq_pending;
    struct mq_key key = message_envelope(tables, send);

    if (mark_receives(tables, send, pending ? mq_met : mq_perhaps_met)
        && pending)
        *mq_facts(table, send) |= mq_met;
    if (take_one(&tables->arrived, key)) {
        *mq_facts(table, send) |= mq_arrived;
        if (pending
            && (mq_operation_ref_communicator(table->job, send)->agreed_id != 0
                || take_one(&tables->kept, with_length(tables, send))))
            *mq_facts(table, send) |= mq_surely_arrived;
        if (pending && take_one(&tables->unmoved, with_length(tables, send)))
            *mq_facts(table, send) |= mq_is_at_sender;
    } else if (pending && !(*mq_facts(table, send) & mq_met)
               && (table->calls[tables->receiver] != mq_wait_collective
                   || mq_is_internal(table, send))) {
        table->doubts[tables->receiver] |= mq_message_moves;
    }
}

static bool may_be_kept(const struct mq_match_table *table,
                        const struct mq_operation_ref *ref)
{
    return mq_message_data(mq_operation_ref_operation(table->job, ref))
           != mq_data_here;
}

/* Whether the rank that sent the unexpected message REF may be blocked in that,
 * as far as its call shows, or is for certain.
 */
static bool may_block(const struct mq_match_table *table, uint32_t sender,
                      const struct mq_operation_ref *ref)
{
    const struct mq_process *process = &table->job->processes[sender];
    enum mq_data data =
        mq_message_data(mq_operation_ref_operation(table->job, ref));
    bool internal = mq_is_internal(table, ref);

    if (mq_is_awaited_send(process, mq_operation_ref_operation(table->job,
                                                               ref)))
        return true;
    if (process->awaiting == mq_awaiting_all
        || process->awaiting == mq_awaiting_any)
        return false;
    switch ((enum mq_wait)table->calls[sender]) {
    case mq_wait_send:
        return !internal && data != mq_data_here;
    case mq_wait_ssend:
        return !internal;
    case mq_wait_request:
        return !internal && data == mq_data_at_sender;
    case mq_wait_collective:
        return internal && data != mq_data_here;
    default:
        return false;
    }
}

/* Keeps the message REF if its sender may be blocked in sending it. */
static enum mq_result look_for_sender(struct tables *tables,
                                      const struct mq_operation_ref *ref,
                                      struct mq_error *error)
{
    const struct mq_match_table *table = tables->table;
    struct mq_key key = message_envelope(tables, ref);
    uint32_t sender;

    if (!mq_is_process(other_side(table, ref), &sender)
        || !may_block(table, sender, ref)
        || (may_be_kept(table, ref)
            && !take_one(&tables->kept, with_length(tables, ref)))
        || !take_one(&tables->arrived, key))
        return mq_ok;
    *mq_facts(tables->table, ref) |= mq_unlisted;
    return mq_array_add(&tables->unlisted, sizeof *tables->unlisted,
                        &tables->unlisted_count, &tables->unlisted_room, ref,
                        "looking for blocking sends", error);
}

/* Whether some communicator of the rank, or of a message to it, could be any
 * other.
 */
static bool is_blurred(const struct mq_match_table *table, uint32_t receiver)
{
    struct mq_operation_ref ref = mq_operation_ref_before(receiver);

    while (mq_operation_ref_next(table->job, &ref))
        if (number_at(table, &ref) == mq_communicator_unknown)
            return true;
    for (size_t i = table->first_send[receiver];
         i < table->first_send[receiver + 1]; i++)
        if (number_at(table, &table->sends[i]) == mq_communicator_unknown)
            return true;
    return false;
}

static enum mq_result count(struct mq_map *counts, struct mq_key key,
                            struct mq_error *error)
{
    uint32_t *value;

    if (mq_map_add(counts, key, 0, error, &value) != mq_ok)
        return mq_failed;
    ++*value;
    return mq_ok;
}

/* Whether neither its sender nor a receive of the program's waits for the
 * unexpected message REF, whoever that sender is.
 */
static bool is_done_with(const struct mq_match_table *table,
                         const struct mq_operation_ref *ref)
{
    return mq_is_internal(table, ref)
           && mq_message_data(mq_operation_ref_operation(table->job, ref))
              == mq_data_here;
}

/* Enters a receive that the rank has posted, or an unexpected message. */
static enum mq_result enter(struct tables *tables,
                            const struct mq_operation_ref *ref,
                            struct mq_error *error)
{
    struct mq_match_table *table = tables->table;
    const struct mq_operation *op = mq_operation_ref_operation(table->job, ref);
    bool is_unexpected = ref->queue == mq_unexpected;
    uint32_t *value;

    if (!is_unexpected && (ref->queue != mq_receives || op->status != mq_pending
                           || mq_is_probe(table, ref)))
        return mq_ok;
    if (op->desired_global < 0 && (is_unexpected || op->desired_local >= 0)) {
        if (!(is_unexpected && is_done_with(table, ref)))
            table->doubts[tables->receiver] |= mq_knows_no_peer;
        return mq_ok;
    }
    if (!is_unexpected)
        return mq_map_add(&tables->receives, receive_pattern(tables, ref), 0,
                          error, &value);
    if (may_be_kept(table, ref)
        && count(&tables->kept, with_length(tables, ref), error) != mq_ok)
        return mq_failed;
    if (mq_message_data(op) == mq_data_at_sender
        && count(&tables->unmoved, with_length(tables, ref), error) != mq_ok)
        return mq_failed;
    return count(&tables->arrived, message_envelope(tables, ref), error);
}

static enum mq_result open_tables(struct tables *tables, struct mq_error *error)
{
    struct mq_operation_ref ref = mq_operation_ref_before(tables->receiver);

    mq_map_empty(&tables->receives);
    mq_map_empty(&tables->arrived);
    mq_map_empty(&tables->kept);
    mq_map_empty(&tables->unmoved);
    tables->blurred = is_blurred(tables->table, tables->receiver);
    while (mq_operation_ref_next(tables->table->job, &ref))
        if (enter(tables, &ref, error) != mq_ok)
            return mq_failed;
    return mq_ok;
}

static enum mq_result close_tables(struct tables *tables,
                                   struct mq_error *error)
{
    struct mq_match_table *table = tables->table;
    struct mq_operation_ref ref = mq_operation_ref_before(tables->receiver);

    while (mq_operation_ref_next(table->job, &ref)) {
        const uint32_t *facts;

        if (ref.queue == mq_unexpected
            && look_for_sender(tables, &ref, error) != mq_ok)
            return mq_failed;
        if (ref.queue != mq_receives)
            continue;
        facts = mq_map_find(&tables->receives,
                            receive_pattern(tables, &ref));
        if (facts != NULL)
            *mq_facts(table, &ref) |= (uint8_t)*facts;
    }
    return mq_ok;
}

/* The messages of one envelope are taken oldest first, so those that are still
 * there are the newest: sends are looked at from the last one back.
 */
static enum mq_result deliver(struct tables *tables, struct mq_error *error)
{
    struct mq_match_table *table = tables->table;
    struct mq_operation_ref ref = mq_operation_ref_before(tables->receiver);

    if (open_tables(tables, error) != mq_ok)
        return mq_failed;
    while (mq_operation_ref_next(table->job, &ref))
        if (ref.queue == mq_unexpected
            && mark_receives(tables, &ref, mq_met))
            *mq_facts(table, &ref) |= mq_met;
    for (size_t i = table->first_send[tables->receiver + 1];
         i-- > table->first_send[tables->receiver];)
        look_at_send(tables, &table->sends[i]);
    return close_tables(tables, error);
}

/* ---- All ranks -------------------------------------------------------- */

/* Sorts operations by the process on their other side: those of process P begin
 * at (*FIRST)[P].
 */
static enum mq_result sort_refs(const struct mq_match_table *table,
                                const struct mq_operation_ref *refs,
                                size_t count, struct mq_error *error,
                                size_t **first,
                                struct mq_operation_ref **sorted)
{
    size_t processes = table->job->process_count, total = 0;
    uint32_t process;

    *first = calloc(processes + 2, sizeof **first);
    *sorted = malloc((count + 1) * sizeof **sorted);
    if (*first == NULL || *sorted == NULL)
        return mq_fail_memory(error, "sorting the messages");
    for (size_t i = 0; i < count; i++)
        if (mq_is_process(other_side(table, &refs[i]), &process))
            (*first)[process + 2]++;
    for (size_t p = 2; p < processes + 2; p++) {
        total += (*first)[p];
        (*first)[p] = total;
    }
    for (size_t i = 0; i < count; i++)
        if (mq_is_process(other_side(table, &refs[i]), &process))
            (*sorted)[(*first)[process + 1]++] = refs[i];
    return mq_ok;
}

static enum mq_result sort_sends(struct mq_match_table *table,
                                 struct mq_error *error)
{
    struct mq_operation_ref *sends = NULL;
    size_t count = 0, room = 0;
    enum mq_result result = mq_ok;

    for (size_t p = 0; p < table->job->process_count; p++) {
        struct mq_operation_ref ref = mq_operation_ref_before(p);

        while (result == mq_ok && mq_rank_counts(table->ranks, p)
               && mq_operation_ref_next(table->job, &ref)) {
            const struct mq_operation *op =
                mq_operation_ref_operation(table->job, &ref);

            if (ref.queue != mq_sends)
                continue;
            table->lost |= op->desired_global < 0 && op->status == mq_pending;
            result = mq_array_add(&sends, sizeof ref, &count, &room, &ref,
                                  "sorting the messages", error);
        }
    }
    if (result == mq_ok)
        result = sort_refs(table, sends, count, error, &table->first_send,
                           &table->sends);
    free(sends);
    return result;
}

static enum mq_result make_room(struct mq_match_table *table,
                                struct mq_error *error)
{
    size_t processes = table->job->process_count, operations = 0;

    table->calls = calloc(processes + 1, 1);
    table->doubts = calloc(processes + 1, 1);
    table->first_fact = calloc(processes + 1, sizeof table->first_fact[0]);
    if (table->calls == NULL || table->doubts == NULL
        || table->first_fact == NULL)
        return mq_fail_memory(error, "looking at the messages");
    for (size_t p = 0; p < processes; p++) {
        table->first_fact[p] = operations;
        operations += table->job->processes[p].operation_count;
    }
    table->facts = calloc(operations + 1, 1);
    if (table->facts == NULL)
        return mq_fail_memory(error, "looking at the messages");
    return mq_ok;
}

static enum mq_result deliver_all(struct mq_match_table *table,
                                  struct mq_error *error)
{
    struct tables tables;
    enum mq_result result = mq_ok;

    memset(&tables, 0, sizeof tables);
    tables.table = table;
    for (size_t p = 0; p < table->job->process_count && result == mq_ok; p++) {
        tables.receiver = (uint32_t)p;
        if (mq_rank_counts(table->ranks, p))
            result = deliver(&tables, error);
    }
    if (result == mq_ok)
        result = sort_refs(table, tables.unlisted, tables.unlisted_count, error,
                           &table->first_unlisted, &table->unlisted);
    mq_map_deinit(&tables.receives);
    mq_map_deinit(&tables.arrived);
    mq_map_deinit(&tables.kept);
    mq_map_deinit(&tables.unmoved);
    free(tables.unlisted);
    return result;
}

static bool is_same_stack(const struct mq_process *one,
                          const struct mq_process *other)
{
    return one->thread_count > 0 && other->thread_count > 0
           && one->threads->frames == other->threads->frames
           && one->threads->site == other->threads->site;
}

/* Looks a rank's call and its stack up once for all that have the same. */
static void note_calls(struct mq_match_table *table)
{
    const struct mq_process *all = table->job->processes;
    const char *call = NULL;
    enum mq_wait wait = mq_call_wait(call);
    bool is_in_callback = false;

    for (size_t p = 0; p < table->job->process_count; p++) {
        if (all[p].call != call) {
            call = all[p].call;
            wait = mq_call_wait(call);
        }
        if (p == 0 || !is_same_stack(&all[p], &all[p - 1]))
            is_in_callback = mq_is_called_back(&all[p]);
        table->calls[p] = (uint8_t)wait;
        table->doubts[p] = is_in_callback ? mq_in_callback : 0;
    }
}

enum mq_result mq_match_table_create(const struct mq_job *job,
                                     const struct mq_rank_index *ranks,
                                     const struct mq_match *match,
                                     struct mq_error *error,
                                     struct mq_match_table *table)
{
    struct mq_match_table made = { 0 };
    enum mq_result result;

    made.job = job;
    made.ranks = ranks;
    made.match = match;
    result = make_room(&made, error);
    if (result == mq_ok) {
        note_calls(&made);
        result = sort_sends(&made, error);
    }
    if (result == mq_ok)
        result = deliver_all(&made, error);
    if (result == mq_ok)
        *table = made;
    else
        mq_match_table_destroy(&made);
    return result;
}
