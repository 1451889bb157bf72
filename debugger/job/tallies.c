/* What was sent and not received becomes messages. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/tallies.h"

#include <string.h>

#include "job/awaited.h"
#include "job/rank_index.h"

enum { most_added = 64 };       /* of one tally: more tell nothing more */

/* One tally of a process, and its counterpart. */
struct pair {
    struct mq_process *sender;
    struct mq_tally *sent;
    struct mq_process *receiver;
    struct mq_communicator *communicator;       /* the receiver's */
    int64_t peer;               /* the sender's local rank there */
};

static struct mq_communicator *agreed(struct mq_process *process, uint64_t id)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        if (process->communicators[i].agreed_id == id)
            return &process->communicators[i];
    }
    return NULL;
}

/* Where the receiver has counted it, or null. */
static struct mq_tally *received(const struct pair *pair)
{
    size_t index = (size_t)(pair->communicator
                            - pair->receiver->communicators);

    for (size_t i = 0; i < pair->receiver->tally_count; i++) {
        struct mq_tally *tally = &pair->receiver->tallies[i];

        if (tally->communicator == index && tally->peer == pair->peer
            && tally->tag == pair->sent->tag)
            return tally;
    }
    return NULL;
}

static bool takes(const struct mq_operation *receive, const struct pair *pair)
{
    return (receive->desired_local < 0 || receive->desired_local == pair->peer)
           && (receive->tag_wild || receive->desired_tag == pair->sent->tag);
}

/* Posted receives take messages in their order: those that take these ones are
 * matched.  Gives how many are; false if others may take them as well.
 */
static bool match_receives(const struct pair *pair, uint64_t missing,
                           uint64_t *matched)
{
    const struct mq_queue *queue = &pair->communicator->queues[mq_receives];
    struct mq_operation *operations = pair->receiver->operations;

    *matched = 0;
    for (uint32_t i = queue->first; i < queue->first + queue->count; i++)
        if (takes(&operations[i], pair)
            && (operations[i].desired_local < 0 || operations[i].tag_wild))
            return false;
    for (uint32_t i = queue->first; i < queue->first + queue->count
                                    && *matched < missing; i++) {
        struct mq_operation *receive = &operations[i];

        if (!takes(receive, pair))
            continue;
        ++*matched;
        receive->status = mq_matched;
        receive->actual_local = receive->desired_local;
        receive->actual_global = receive->desired_global;
        receive->actual_tag = receive->desired_tag;
        receive->actual_length = receive->desired_length;
    }
    return true;
}

static bool is_such_send(const struct pair *pair,
                         const struct mq_operation *send)
{
    return send->status == mq_pending
           && send->desired_local == pair->sent->peer
           && send->desired_tag == pair->sent->tag;
}

static uint64_t count_listed(const struct pair *pair)
{
    const struct mq_queue *queue;
    uint64_t count = 0;

    queue = &pair->sender->communicators[pair->sent->communicator]
             .queues[mq_sends];
    for (uint32_t i = queue->first; i < queue->first + queue->count; i++)
        count += is_such_send(pair, &pair->sender->operations[i]);
    return count;
}

/* The newest UNMATCHED of the sends that are listed still wait. */
static void match_sends(const struct pair *pair, uint64_t unmatched)
{
    const struct mq_queue *queue;

    queue = &pair->sender->communicators[pair->sent->communicator]
             .queues[mq_sends];
    for (uint32_t i = queue->first + queue->count; i-- > queue->first;) {
        struct mq_operation *send = &pair->sender->operations[i];

        if (!is_such_send(pair, send))
            continue;
        if (unmatched > 0)
            unmatched--;
        else
            send->status = mq_matched;
    }
}

static enum mq_result add_message(const struct pair *pair,
                                  struct mq_error *error)
{
    struct mq_operation message;
    uint32_t place;

    memset(&message, 0, sizeof message);
    message.from_stack = true;
    message.status = mq_pending;
    message.desired_local = message.actual_local = pair->peer;
    message.desired_global = message.actual_global = pair->sender->rank;
    message.desired_tag = message.actual_tag = pair->sent->tag;
    message.desired_length = message.actual_length = -1;
    return mq_operation_insert(pair->receiver,
                               &pair->communicator->queues[mq_unexpected],
                               &message, error, &place);
}

/* Messages that no receive takes have not been, and so are unexpected.  Sends
 * that are listed are among them, unless it cannot be told which.
 */
static enum mq_result settle(const struct pair *pair, struct mq_error *error)
{
    struct mq_tally *taken = received(pair);
    uint64_t got = taken != NULL ? taken->received : 0;
    uint64_t missing = pair->sent->sent > got ? pair->sent->sent - got : 0;
    uint64_t listed = count_listed(pair), matched;
    enum mq_result result = mq_ok;

    pair->sent->sent = 0;       /* it counts once */
    if (taken != NULL)
        taken->received = 0;
    if (!match_receives(pair, missing, &matched)
        || (matched > 0 && missing > listed))
        missing -= missing < listed ? missing : listed;
    else
        match_sends(pair, missing - matched);
    missing -= missing < matched ? missing : matched;
    for (int i = 0; result == mq_ok && i < most_added && missing > 0; i++) {
        result = add_message(pair, error);
        missing--;
    }
    return result;
}

/* Whether messages of one tag cannot be told from those of others. */
static bool is_folded(const struct mq_process *process)
{
    for (size_t i = 0; i < process->tally_count; i++) {
        if (process->tallies[i].tag < 0)
            return true;
    }
    return false;
}

/* Fills PAIR in for a tally of its sender; false if it has no counterpart. */
static bool find_receiver(struct mq_job *job, const struct mq_rank_index *ranks,
                          struct pair *pair)
{
    const struct mq_communicator *from;
    int32_t process;

    from = &pair->sender->communicators[pair->sent->communicator];
    if (from->group == NULL || from->agreed_id == 0)
        return false;
    process = mq_rank_process(ranks, mq_group_global(from->group,
                                                     pair->sent->peer));
    if (process == mq_no_process)
        return false;
    pair->receiver = &job->processes[process];
    pair->communicator = agreed(pair->receiver, from->agreed_id);
    if (pair->communicator == NULL || pair->communicator->group == NULL)
        return false;
    pair->peer = mq_group_local(pair->communicator->group,
                                pair->sender->rank);
    return pair->peer >= 0 && pair->receiver->movement != mq_moved
           && pair->communicator->queues[mq_unexpected].state == mq_ok;
}

static enum mq_result settle_process(struct mq_job *job,
                                     const struct mq_rank_index *ranks,
                                     struct mq_process *sender,
                                     struct mq_error *error)
{
    enum mq_result result = mq_ok;

    if (sender->rank < 0)
        return mq_ok;
    for (size_t i = 0; result == mq_ok && i < sender->tally_count; i++) {
        struct pair pair = { .sender = sender, .sent = &sender->tallies[i] };

        if (pair.sent->sent == 0 || !find_receiver(job, ranks, &pair))
            continue;
        if (is_folded(sender) || is_folded(pair.receiver))
            pair.communicator->queues[mq_unexpected].state = mq_absent;
        else
            result = settle(&pair, error);
    }
    return result;
}

enum mq_result mq_tallies_settle(struct mq_job *job, struct mq_error *error)
{
    struct mq_rank_index ranks;
    enum mq_result result = mq_rank_index_init(job, error, &ranks);

    if (result != mq_ok)
        return result;
    for (size_t i = 0; result == mq_ok && i < job->process_count; i++)
        result = settle_process(job, &ranks, &job->processes[i], error);
    mq_rank_index_deinit(&ranks);
    return result;
}
