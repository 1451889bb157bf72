/* mail.c - match table: sends matched with receives
 *
 * One rank after the other is the receiver, whose office is opened with tables
 * of its posted receives, by what they take, and of its unexpected messages,
 * counted by envelope.
 *  1. Each message that lies there marks the receives that would take it.
 *  2. The sends that others list to it are gone through from the last one back.
 *     One of which there is a message has arrived, and takes that off the
 *     count; one that is neither there nor taken by a receive is being moved.
 *  3. What then still lies there was sent by a rank that lists no such send,
 *     and may be blocked in it.
 * All is looked up by hashing, so that it takes time as there are operations.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "waits/mail.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/map.h"
#include "mpi/adapters.h"

uint8_t *mq_facts(const struct mq_mail *mail,
                  const struct mq_operation_ref *ref)
{
    return &mail->facts[mail->first_fact[ref->process] + ref->operation];
}

void mq_mail_destroy(struct mq_mail *mail)
{
    free(mail->calls);
    free(mail->doubts);
    free(mail->first_fact);
    free(mail->facts);
    free(mail->first_send);
    free(mail->sends);
    free(mail->first_unlisted);
    free(mail->unlisted);
    memset(mail, 0, sizeof *mail);
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

bool mq_is_internal(const struct mq_mail *mail,
                    const struct mq_operation_ref *ref)
{
    const struct mq_operation *op = mq_operation_ref_operation(mail->job, ref);

    return (!op->tag_wild && op->desired_tag < 0)
           || mq_match_is_internal(mail->match, ref->process,
                                   ref->communicator);
}

bool mq_fits_any_tag(const struct mq_operation *message)
{
    return message->tag_wild || message->desired_tag >= 0;
}

bool mq_is_probe(const struct mq_mail *mail,
                 const struct mq_operation_ref *ref)
{
    return ref->queue == mq_receives
           && (mail->calls[ref->process] == mq_wait_probe
               || mail->calls[ref->process] == mq_wait_polls)
           && mq_operation_ref_operation(mail->job, ref)->from_stack;
}

/* ---- One rank's post office ------------------------------------------- */

/* What is kept while one rank's messages are looked at. */
struct office {
    struct mq_mail *mail;
    uint32_t receiver;          /* process */
    bool blurred;               /* communicators cannot be told apart */
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
static struct mq_key envelope(const struct office *office, uint32_t number,
                              int64_t source, bool any_tag, int64_t tag)
{
    struct mq_key key;

    key.a = (uint64_t)(office->blurred ? 0 : number) << 33
            | (uint64_t)any_tag << 32 | (uint32_t)(source + 1);
    key.b = any_tag ? 0 : (uint64_t)tag;
    return key;
}

static uint32_t number_at(const struct mq_mail *mail,
                          const struct mq_operation_ref *ref)
{
    return mq_match_number(mail->match, ref->process, ref->communicator);
}

/* The global rank that the message at REF comes from; -1 if not told. */
static int64_t source_of(const struct mq_mail *mail,
                         const struct mq_operation_ref *ref)
{
    return ref->queue == mq_sends
           ? mq_operation_ref_process(mail->job, ref)->rank
           : mq_operation_ref_operation(mail->job, ref)->desired_global;
}

static struct mq_key message_envelope(const struct office *office,
                                      const struct mq_operation_ref *ref)
{
    return envelope(office, number_at(office->mail, ref),
                    source_of(office->mail, ref), false,
                    mq_operation_ref_operation(office->mail->job,
                                               ref)->desired_tag);
}

static struct mq_key receive_pattern(const struct office *office,
                                     const struct mq_operation_ref *ref)
{
    const struct mq_operation *receive =
        mq_operation_ref_operation(office->mail->job, ref);

    return envelope(office, number_at(office->mail, ref),
                    receive->desired_local < 0 ? any_source
                                               : receive->desired_global,
                    receive->tag_wild, receive->desired_tag);
}

/* Sets MARK on the patterns that the message at REF fits; whether any did. */
static bool mark_receives(struct office *office,
                          const struct mq_operation_ref *ref,
                          enum mq_fact fact)
{
    const struct mq_operation *message =
        mq_operation_ref_operation(office->mail->job, ref);
    uint32_t number = number_at(office->mail, ref);
    int64_t sources[] = { source_of(office->mail, ref), any_source };
    bool found = false;

    for (int i = 0; i < 4; i++) {
        bool any_tag = i % 2 == 1;
        uint32_t *facts = mq_map_find(&office->receives,
                                      envelope(office, number, sources[i / 2],
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
static struct mq_key with_length(const struct office *office,
                                 const struct mq_operation_ref *ref)
{
    struct mq_key key = message_envelope(office, ref);

    key.b ^= (uint64_t)mq_operation_ref_operation(office->mail->job,
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

static void look_at_send(struct office *office,
                         const struct mq_operation_ref *send)
{
    struct mq_mail *mail = office->mail;
    bool pending =
        mq_operation_ref_operation(mail->job, send)->status == mq_pending;
    struct mq_key key = message_envelope(office, send);

    if (mark_receives(office, send, pending ? mq_met : mq_perhaps_met)
        && pending)
        *mq_facts(mail, send) |= mq_met;
    if (take_one(&office->arrived, key)) {
        *mq_facts(mail, send) |= mq_arrived;
        if (pending
            && (mq_operation_ref_communicator(mail->job, send)->agreed_id != 0
                || take_one(&office->kept, with_length(office, send))))
            *mq_facts(mail, send) |= mq_surely_arrived;
        if (pending && take_one(&office->unmoved, with_length(office, send)))
            *mq_facts(mail, send) |= mq_lies_at_sender;
    } else if (pending && !(*mq_facts(mail, send) & mq_met)) {
        mail->doubts[office->receiver] |= mq_message_moves;
    }
}

static bool may_be_kept(const struct mq_mail *mail,
                        const struct mq_operation_ref *ref)
{
    return mq_message_data(mq_operation_ref_operation(mail->job, ref))
           != mq_data_here;
}

/* Whether the rank that sent the unexpected message REF may be blocked in that,
 * as far as its call tells, or is for certain.
 */
static bool may_block(const struct mq_mail *mail, uint32_t sender,
                      const struct mq_operation_ref *ref)
{
    const struct mq_process *process = &mail->job->processes[sender];
    enum mq_data data =
        mq_message_data(mq_operation_ref_operation(mail->job, ref));
    bool internal = mq_is_internal(mail, ref);

    if (mq_is_awaited_send(process, mq_operation_ref_operation(mail->job, ref)))
        return true;
    if (process->awaiting == mq_awaiting_all
        || process->awaiting == mq_awaiting_any)
        return false;
    switch ((enum mq_wait)mail->calls[sender]) {
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
static enum mq_result look_for_sender(struct office *office,
                                      const struct mq_operation_ref *ref,
                                      struct mq_error *error)
{
    const struct mq_mail *mail = office->mail;
    struct mq_key key = message_envelope(office, ref);
    uint32_t sender;

    if (!mq_is_process(mq_rank_process(mail->ranks, source_of(mail, ref)),
                       &sender)
        || !may_block(mail, sender, ref)
        || (may_be_kept(mail, ref)
            && !take_one(&office->kept, with_length(office, ref)))
        || !take_one(&office->arrived, key))
        return mq_ok;
    *mq_facts(office->mail, ref) |= mq_unlisted;
    return mq_array_add(&office->unlisted, sizeof *office->unlisted,
                        &office->unlisted_count, &office->unlisted_room, ref,
                        "looking for blocking sends", error);
}

/* Whether some communicator of the rank, or of a message to it, could be any
 * other.
 */
static bool is_blurred(const struct mq_mail *mail, uint32_t receiver)
{
    struct mq_operation_ref ref = mq_operation_ref_before(receiver);

    while (mq_operation_ref_next(mail->job, &ref))
        if (number_at(mail, &ref) == mq_communicator_unknown)
            return true;
    for (size_t i = mail->first_send[receiver];
         i < mail->first_send[receiver + 1]; i++)
        if (number_at(mail, &mail->sends[i]) == mq_communicator_unknown)
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

/* Enters a receive that the rank has posted, or a message that lies there. */
static enum mq_result enter(struct office *office,
                            const struct mq_operation_ref *ref,
                            struct mq_error *error)
{
    struct mq_mail *mail = office->mail;
    const struct mq_operation *op = mq_operation_ref_operation(mail->job, ref);
    bool lies = ref->queue == mq_unexpected;
    uint32_t *value;

    if (!lies && (ref->queue != mq_receives || op->status != mq_pending
                  || mq_is_probe(mail, ref)))
        return mq_ok;
    if (op->desired_global < 0 && (lies || op->desired_local >= 0)) {
        mail->doubts[office->receiver] |= mq_knows_no_peer;
        return mq_ok;
    }
    if (!lies)
        return mq_map_add(&office->receives, receive_pattern(office, ref), 0,
                          error, &value);
    if (may_be_kept(mail, ref)
        && count(&office->kept, with_length(office, ref), error) != mq_ok)
        return mq_failed;
    if (mq_message_data(op) == mq_data_at_sender
        && count(&office->unmoved, with_length(office, ref), error) != mq_ok)
        return mq_failed;
    return count(&office->arrived, message_envelope(office, ref), error);
}

static enum mq_result open_office(struct office *office, struct mq_error *error)
{
    struct mq_operation_ref ref = mq_operation_ref_before(office->receiver);

    mq_map_empty(&office->receives);
    mq_map_empty(&office->arrived);
    mq_map_empty(&office->kept);
    mq_map_empty(&office->unmoved);
    office->blurred = is_blurred(office->mail, office->receiver);
    while (mq_operation_ref_next(office->mail->job, &ref))
        if (enter(office, &ref, error) != mq_ok)
            return mq_failed;
    return mq_ok;
}

static enum mq_result close_office(struct office *office,
                                   struct mq_error *error)
{
    struct mq_mail *mail = office->mail;
    struct mq_operation_ref ref = mq_operation_ref_before(office->receiver);

    while (mq_operation_ref_next(mail->job, &ref)) {
        const uint32_t *facts;

        if (ref.queue == mq_unexpected
            && look_for_sender(office, &ref, error) != mq_ok)
            return mq_failed;
        if (ref.queue != mq_receives)
            continue;
        facts = mq_map_find(&office->receives,
                            receive_pattern(office, &ref));
        if (facts != NULL)
            *mq_facts(mail, &ref) |= (uint8_t)*facts;
    }
    return mq_ok;
}

/* The messages of one envelope are taken oldest first, so those that still lie
 * there are the newest: sends are looked at from the last one back.
 */
static enum mq_result deliver(struct office *office, struct mq_error *error)
{
    struct mq_mail *mail = office->mail;
    struct mq_operation_ref ref = mq_operation_ref_before(office->receiver);

    if (open_office(office, error) != mq_ok)
        return mq_failed;
    while (mq_operation_ref_next(mail->job, &ref))
        if (ref.queue == mq_unexpected
            && mark_receives(office, &ref, mq_met))
            *mq_facts(mail, &ref) |= mq_met;
    for (size_t i = mail->first_send[office->receiver + 1];
         i-- > mail->first_send[office->receiver];)
        look_at_send(office, &mail->sends[i]);
    return close_office(office, error);
}

/* ---- All ranks -------------------------------------------------------- */

/* The process that the operation at REF sends to, if it is a send. */
static struct mq_process_ref receiver_of(struct mq_mail *mail,
                                         const struct mq_operation_ref *ref)
{
    static const struct mq_process_ref nobody;
    const struct mq_operation *send = mq_operation_ref_operation(mail->job,
                                                                 ref);

    if (ref->queue != mq_sends)
        return nobody;
    if (send->desired_global < 0 && send->status == mq_pending)
        mail->lost = true;
    return mq_rank_process(mail->ranks, send->desired_global);
}

/* Turns counts by process into where each process's part begins. */
static void counts_to_firsts(size_t *firsts, size_t processes)
{
    size_t total = 0;

    for (size_t p = 0; p <= processes; p++) {
        size_t count = firsts[p];

        firsts[p] = total;
        total += count;
    }
}

/* After the parts were filled, each first stands where the next part begins. */
static void step_firsts_back(size_t *firsts, size_t processes)
{
    memmove(firsts + 1, firsts, processes * sizeof firsts[0]);
    firsts[0] = 0;
}

static enum mq_result sort_sends(struct mq_mail *mail, struct mq_error *error)
{
    size_t processes = mail->job->process_count;

    for (int fill = 0; fill < 2; fill++) {
        for (size_t p = 0; p < processes; p++) {
            struct mq_operation_ref ref = mq_operation_ref_before(p);

            while (mq_rank_counts(mail->ranks, p)
                   && mq_operation_ref_next(mail->job, &ref)) {
                uint32_t receiver;

                if (!mq_is_process(receiver_of(mail, &ref), &receiver))
                    continue;
                if (fill)
                    mail->sends[mail->first_send[receiver]] = ref;
                mail->first_send[receiver]++;
            }
        }
        if (fill)
            continue;
        counts_to_firsts(mail->first_send, processes);
        mail->sends = malloc((mail->first_send[processes] + 1)
                             * sizeof mail->sends[0]);
        if (mail->sends == NULL)
            return mq_fail_memory(error, "sorting the sends");
    }
    step_firsts_back(mail->first_send, processes);
    return mq_ok;
}

static enum mq_result sort_unlisted(struct mq_mail *mail,
                                    const struct office *office,
                                    struct mq_error *error)
{
    size_t processes = mail->job->process_count;

    mail->unlisted = malloc((office->unlisted_count + 1)
                            * sizeof mail->unlisted[0]);
    if (mail->unlisted == NULL)
        return mq_fail_memory(error, "sorting the blocking sends");
    for (int fill = 0; fill < 2; fill++) {
        for (size_t i = 0; i < office->unlisted_count; i++) {
            const struct mq_operation_ref *ref = &office->unlisted[i];
            uint32_t sender;

            if (!mq_is_process(mq_rank_process(mail->ranks,
                                               source_of(mail, ref)), &sender))
                continue;
            if (fill)
                mail->unlisted[mail->first_unlisted[sender]] = *ref;
            mail->first_unlisted[sender]++;
        }
        if (!fill)
            counts_to_firsts(mail->first_unlisted, processes);
    }
    step_firsts_back(mail->first_unlisted, processes);
    return mq_ok;
}

/* A rank's call is looked up once for all that have the same. */
static void look_up_waits(struct mq_mail *mail)
{
    const char *call = NULL;
    enum mq_wait wait = mq_call_wait(call);

    for (size_t p = 0; p < mail->job->process_count; p++) {
        if (mail->job->processes[p].call != call) {
            call = mail->job->processes[p].call;
            wait = mq_call_wait(call);
        }
        mail->calls[p] = (uint8_t)wait;
    }
}

static enum mq_result make_room(struct mq_mail *mail, struct mq_error *error)
{
    size_t processes = mail->job->process_count, operations = 0;

    mail->calls = calloc(processes + 1, 1);
    mail->doubts = calloc(processes + 1, 1);
    mail->first_fact = calloc(processes + 1, sizeof mail->first_fact[0]);
    mail->first_send = calloc(processes + 1, sizeof mail->first_send[0]);
    mail->first_unlisted = calloc(processes + 1,
                                  sizeof mail->first_unlisted[0]);
    if (mail->calls == NULL || mail->doubts == NULL
        || mail->first_fact == NULL || mail->first_send == NULL
        || mail->first_unlisted == NULL)
        return mq_fail_memory(error, "looking at the messages");
    for (size_t p = 0; p < processes; p++) {
        mail->first_fact[p] = operations;
        operations += mail->job->processes[p].operation_count;
    }
    mail->facts = calloc(operations + 1, 1);
    if (mail->facts == NULL)
        return mq_fail_memory(error, "looking at the messages");
    return mq_ok;
}

static enum mq_result deliver_all(struct mq_mail *mail, struct mq_error *error)
{
    struct office office;
    enum mq_result result = mq_ok;

    memset(&office, 0, sizeof office);
    office.mail = mail;
    for (size_t p = 0; p < mail->job->process_count && result == mq_ok; p++) {
        office.receiver = (uint32_t)p;
        if (mq_rank_counts(mail->ranks, p))
            result = deliver(&office, error);
    }
    if (result == mq_ok)
        result = sort_unlisted(mail, &office, error);
    mq_map_deinit(&office.receives);
    mq_map_deinit(&office.arrived);
    mq_map_deinit(&office.kept);
    mq_map_deinit(&office.unmoved);
    free(office.unlisted);
    return result;
}

enum mq_result mq_mail_create(const struct mq_job *job,
                              const struct mq_rank_index *ranks,
                              const struct mq_match *match,
                              struct mq_error *error, struct mq_mail *mail)
{
    struct mq_mail made = { 0 };
    enum mq_result result;

    made.job = job;
    made.ranks = ranks;
    made.match = match;
    result = make_room(&made, error);

    if (result == mq_ok) {
        look_up_waits(&made);
        result = sort_sends(&made, error);
    }
    if (result == mq_ok)
        result = deliver_all(&made, error);
    if (result == mq_ok)
        *mail = made;
    else
        mq_mail_destroy(&made);
    return result;
}
