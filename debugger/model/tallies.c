/* tallies.c - messages sent but not received, from counters */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/tallies.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/process_builder.h"
#include "model/rank_index.h"

enum { most_added = 64 };       /* of one tally: more are of no use */

/* One tally of a process, and its counterpart. */
struct pair {
    struct mq_job *job;
    struct mq_process *sender;
    struct mq_tally *sent;
    int64_t tag;                /* of the messages */
    struct mq_process *receiver;
    struct mq_communicator *communicator;       /* the receiver's */
    int64_t peer;               /* the sender's local rank there */
};

/* Messages that were sent and not received, of all tags: how many, and the sums
 * of their tags and of the squares of these.
 */
struct missing {
    uint64_t count, tags, squares;
    bool has_sums;
};

static struct mq_communicator *agreed(struct mq_process *process, uint64_t id)
{
    for (size_t i = 0; i < process->communicator_count; i++)
        if (process->communicators[i].agreed_id == id)
            return &process->communicators[i];
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
            && tally->tag == pair->tag)
            return tally;
    }
    return NULL;
}

static bool takes(const struct mq_operation *receive, const struct pair *pair)
{
    return (receive->desired_local < 0 || receive->desired_local == pair->peer)
           && (receive->tag_wild || receive->desired_tag == pair->tag);
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
           && send->desired_tag == pair->tag;
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

/* Messages that no receive takes have not been, and so are unexpected.  Sends
 * that are listed are among them, unless it is not known which.
 */
static enum mq_result settle(const struct pair *pair, uint64_t missing,
                             struct mq_error *error)
{
    uint64_t listed = count_listed(pair), matched;
    enum mq_result result = mq_ok;

    if (!match_receives(pair, missing, &matched)
        || (matched > 0 && missing > listed))
        missing -= missing < listed ? missing : listed;
    else
        match_sends(pair, missing - matched);
    missing -= missing < matched ? missing : matched;
    for (int i = 0; result == mq_ok && i < most_added && missing > 0; i++) {
        struct mq_operation message;
        uint32_t place;

        memset(&message, 0, sizeof message);
        message.from_stack = true;
        message.status = mq_pending;
        message.desired_local = message.actual_local = pair->peer;
        message.desired_global = message.actual_global = pair->sender->rank;
        message.desired_tag = message.actual_tag = pair->tag;
        message.desired_length = message.actual_length = -1;
        result = mq_process_insert_operation(pair->receiver,
                                             &pair->communicator
                                                  ->queues[mq_unexpected],
                                             &message, error, &place);
        missing--;
    }
    return result;
}

/* ---- Tags that were counted together ------------------------------------- */

static bool is_of(const struct mq_tally *tally, size_t communicator,
                  int64_t peer)
{
    return tally->communicator == communicator && tally->peer == peer;
}

/* Whether a process counts some of PEER's tags together. */
static bool is_folded(const struct mq_process *process, size_t communicator,
                      int64_t peer)
{
    for (size_t i = 0; i < process->tally_count; i++)
        if (is_of(&process->tallies[i], communicator, peer)
            && process->tallies[i].tag < 0)
            return true;
    return false;
}

static size_t index_there(const struct pair *pair)
{
    return (size_t)(pair->communicator - pair->receiver->communicators);
}

/* Old digests have no sums. */
static bool lacks_sums(const struct mq_tally *it)
{
    return it->tag < 0 && (it->sent | it->received) != 0
           && (it->sent_tags[0] | it->sent_tags[1] | it->received_tags[0]
               | it->received_tags[1]) == 0;
}

/* Messages sent and not received; all tallies of the pair count once. */
static struct missing take_missing(const struct pair *pair)
{
    const size_t here = pair->sent->communicator;
    const int64_t peer = pair->sent->peer;
    struct missing all = { 0, 0, 0, true };

    for (size_t i = 0; i < pair->sender->tally_count; i++) {
        struct mq_tally *it = &pair->sender->tallies[i];
        uint64_t tag = it->tag < 0 ? 0 : (uint64_t)it->tag;

        if (!is_of(it, here, peer))
            continue;
        all.has_sums &= !lacks_sums(it);
        all.count += it->sent;
        all.tags += it->sent * tag + it->sent_tags[0];
        all.squares += it->sent * tag * tag + it->sent_tags[1];
        it->sent = it->sent_tags[0] = it->sent_tags[1] = 0;
    }
    for (size_t i = 0; i < pair->receiver->tally_count; i++) {
        struct mq_tally *it = &pair->receiver->tallies[i];
        uint64_t tag = it->tag < 0 ? 0 : (uint64_t)it->tag;

        if (!is_of(it, index_there(pair), pair->peer))
            continue;
        all.has_sums &= !lacks_sums(it);
        all.count -= it->received;
        all.tags -= it->received * tag + it->received_tags[0];
        all.squares -= it->received * tag * tag + it->received_tags[1];
        it->received = it->received_tags[0] = it->received_tags[1] = 0;
    }
    return all;
}

static uint64_t root_of(uint64_t square)
{
    uint64_t root = 0;

    for (int bit = 31; bit >= 0; bit--) {
        uint64_t more = root | (uint64_t)1 << bit;

        if (more * more <= square)
            root = more;
    }
    return root;
}

/* The tags of two messages: they are the solutions of a quadratic equation. */
static bool solve(const struct missing *all, int64_t tags[2])
{
    uint64_t double_squares = 2 * all->squares, square, root;

    if (all->tags > 2 * (uint64_t)INT32_MAX
        || all->squares > (uint64_t)INT32_MAX * INT32_MAX * 2
        || double_squares < all->tags * all->tags)
        return false;
    square = double_squares - all->tags * all->tags;
    root = root_of(square);
    if (root * root != square || root > all->tags
        || (all->tags - root) % 2 != 0)
        return false;
    tags[0] = (int64_t)((all->tags - root) / 2);
    tags[1] = (int64_t)((all->tags + root) / 2);
    return true;
}

/* Whether all have one tag: only then is the sum of squares so small.  Sums
 * that may have overflowed are of no use.
 */
static bool have_one_tag(const struct missing *all, int64_t *tag)
{
    uint64_t one;

    if (all->tags > (all->count == 1 ? (uint64_t)INT32_MAX : UINT32_MAX)
        || all->tags % all->count != 0)
        return false;
    one = all->tags / all->count;
    if (all->squares != all->count * one * one)
        return false;
    *tag = (int64_t)one;
    return true;
}

/* Says why nothing is certain of what the receiver has got from the sender. */
static enum mq_result give_up(const struct pair *pair, uint64_t count,
                              struct mq_error *error)
{
    char text[256], messages[64] = "messages";
    const struct mq_remark remark = { text, false, (int32_t)index_there(pair),
                                      mq_unexpected };

    if (count <= INT32_MAX)     /* else the receiver has counted more */
        snprintf(messages, sizeof messages, "%" PRIu64 " message%s", count,
                 count == 1 ? "" : "s");
    snprintf(text, sizeof text, "%s from rank %d to it may be under way, and"
             " there were too many tags to distinguish theirs: nothing that"
             " depends on them is certain", messages, pair->sender->rank);
    if (mq_process_remark(pair->receiver, pair->job, &remark, error) != mq_ok)
        return mq_failed;
    pair->communicator->queues[mq_unexpected].state = mq_absent;
    return mq_ok;
}

/* Nothing is known of messages whose tags are not known. */
static enum mq_result settle_folded(struct pair *pair, struct mq_error *error)
{
    struct missing all = take_missing(pair);
    int64_t tags[2] = { 0, 0 };

    if (all.has_sums && all.count == 0 && all.tags == 0 && all.squares == 0)
        return mq_ok;
    if (all.has_sums && all.count > 0 && have_one_tag(&all, &pair->tag))
        return settle(pair, all.count, error);
    if (all.has_sums && all.count == 2 && solve(&all, tags)) {
        pair->tag = tags[0];
        if (settle(pair, 1, error) != mq_ok)
            return mq_failed;
        pair->tag = tags[1];
        return settle(pair, 1, error);
    }
    return give_up(pair, all.count, error);
}

/* Fills PAIR in for a tally of its sender; false if it has no counterpart. */
static bool find_receiver(struct mq_job *job, const struct mq_rank_index *ranks,
                          struct pair *pair)
{
    const struct mq_communicator *from;
    uint32_t process;

    from = &pair->sender->communicators[pair->sent->communicator];
    if (from->group == NULL || from->agreed_id == 0)
        return false;
    if (!mq_is_process(mq_rank_process(ranks, mq_group_global(
                                                  from->group,
                                                  pair->sent->peer)),
                       &process))
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
        struct mq_tally *tally = &sender->tallies[i];
        struct pair pair = { .job = job, .sender = sender, .sent = tally,
                             .tag = tally->tag };

        if (tally->sent == 0 || !find_receiver(job, ranks, &pair))
            continue;
        if (is_folded(sender, tally->communicator, tally->peer)
            || is_folded(pair.receiver, index_there(&pair), pair.peer))
            result = settle_folded(&pair, error);
        else {
            struct mq_tally *taken = received(&pair);
            uint64_t sent = pair.sent->sent;
            uint64_t got = taken != NULL ? taken->received : 0;

            pair.sent->sent = 0;       /* it counts once */
            if (taken != NULL)
                taken->received = 0;
            result = settle(&pair, sent > got ? sent - got : 0, error);
        }
    }
    return result;
}

enum mq_result mq_tallies_apply(struct mq_job *job, struct mq_error *error)
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
