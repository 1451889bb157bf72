#include "report/sentences.h"

#include <inttypes.h>
#include <string.h>

/* ---- Operations ------------------------------------------------------- */

static void add_tag(struct mq_strbuf *words, const struct mq_operation *op)
{
    if (op->tag_wild)
        mq_strbuf_add(words, "any tag");
    else
        mq_strbuf_add(words, "tag %" PRId64, op->desired_tag);
}

static void add_source(struct mq_strbuf *words, const struct mq_operation *op)
{
    if (op->desired_local < 0)
        mq_strbuf_add(words, "any rank");
    else if (op->desired_global < 0)
        mq_strbuf_add(words, "local rank %" PRId64, op->desired_local);
    else
        mq_strbuf_add(words, "%" PRId64, op->desired_global);
}

void mq_sentence_operation(struct mq_strbuf *words, const struct mq_job *job,
                        const struct mq_operation_ref *place)
{
    static const char *const names[] = {
        [mq_sends] = "send", [mq_receives] = "receive",
        [mq_unexpected] = "unexpected message"
    };
    const struct mq_operation *op = mq_operation_ref_operation(job, place);

    mq_strbuf_add(words, "%s of ", names[place->queue]);
    add_tag(words, op);
    mq_strbuf_add(words, place->queue == mq_sends ? " to " : " from ");
    add_source(words, op);
    mq_strbuf_add(words, " on %s (%" PRId64 " bytes, %s)",
                 mq_operation_ref_communicator(job, place)->name, op->desired_length,
                 mq_status_names[op->status]);
}

static const char *communicator_name(const struct mq_analysis *a,
                                     const struct mq_operation_ref *place)
{
    return mq_operation_ref_communicator(a->job, place)->name;
}

/* Who sent the message at a place. */
static int64_t sender_of(const struct mq_analysis *a,
                         const struct mq_operation_ref *message)
{
    return mq_operation_ref_sender(a->job, message);
}

void mq_sentence_wait(struct mq_strbuf *words, const struct mq_analysis *a,
                   const struct mq_wait_for *wait)
{
    const struct mq_operation *op = mq_operation_ref_operation(a->job, &wait->place);
    const char *name = communicator_name(a, &wait->place);

    switch ((enum mq_queue_class)wait->place.queue) {
    case mq_receives:
        if (op->desired_local >= 0 && op->desired_global >= 0)
            mq_strbuf_add(words, "rank %" PRId64, op->desired_global);
        else
            add_source(words, op);
        mq_strbuf_add(words, " (receive of ");
        add_tag(words, op);
        mq_strbuf_add(words, " on %s)", name);
        break;
    case mq_sends:
        mq_strbuf_add(words, "rank %" PRId64 " (send of tag %" PRId64 ", %"
                     PRId64 " bytes, on %s)", op->desired_global,
                     op->desired_tag, op->desired_length, name);
        break;
    default:
        mq_strbuf_add(words, "rank %d (blocking send of tag %" PRId64 ", %"
                     PRId64 " bytes, on %s, in that rank's unexpected queue)",
                     mq_operation_ref_process(a->job, &wait->place)->rank,
                     op->desired_tag, op->desired_length, name);
    }
}

void mq_sentence_waits(struct mq_strbuf *words, const struct mq_analysis *a,
                    size_t process, size_t limit)
{
    size_t begin = a->waits.first[process], end = a->waits.first[process + 1];
    size_t count = 0, more = 0;

    for (size_t i = begin; i < end; i++) {
        if (a->waits.waits[i].unlikely)
            continue;
        if (limit > 0 && count == limit) {
            more++;
            continue;
        }
        mq_strbuf_add(words, "%s", count++ > 0 ? ", or for " : "");
        mq_sentence_wait(words, a, &a->waits.waits[i]);
    }
    if (more > 0)
        mq_strbuf_add(words, ", or for one of %zu more", more);
}

/* ---- The verdict ------------------------------------------------------ */

void mq_sentence_deadlock(struct mq_strbuf *words, const struct mq_deadlock *it)
{
    mq_rank_text_ranks(words, it->ranks, it->rank_count);
    mq_strbuf_add(words, it->rank_count == 1 ? " waits for itself"
                                            : " wait for each other");
    if (it->behind_count == 0)
        return;
    mq_strbuf_add(words, "; ");
    mq_rank_text_ranks(words, it->behind, it->behind_count);
    mq_strbuf_add(words, it->behind_count == 1 ? " waits behind"
                                              : " wait behind");
    mq_strbuf_add(words, it->rank_count == 1 ? " it" : " them");
}

/* How many processes are analysed, and how many of them can go on. */
static void count_ranks(const struct mq_analysis *a, size_t *ranks,
                        size_t *free_ranks, int *one)
{
    *ranks = *free_ranks = 0;
    for (size_t p = 0; p < a->job->process_count; p++) {
        if (!mq_rank_counts(&a->ranks, p))
            continue;
        ++*ranks;
        if (a->cycles.states[p] == mq_can_go_on) {
            ++*free_ranks;
            *one = a->job->processes[p].rank;
        }
    }
}

static void add_rest(struct mq_strbuf *words, const struct mq_analysis *a)
{
    size_t ranks, free_ranks;
    int one = -1;

    count_ranks(a, &ranks, &free_ranks, &one);
    if (a->verdict == mq_verdict_none)
        mq_strbuf_add(words, ranks == 1 ? "; the rank that was given can go on"
                            : "; all %zu ranks that were given can go on",
                     ranks);
    else if (free_ranks == 0)
        mq_strbuf_add(words, ". No rank can go on");
    else if (free_ranks == 1)
        mq_strbuf_add(words, ". Rank %d can go on", one);
    else
        mq_strbuf_add(words, ". %zu of %zu ranks can go on", free_ranks,
                     ranks);
}

void mq_sentence_verdict(struct mq_strbuf *words, const struct mq_analysis *a)
{
    size_t certain = 0;

    while (certain < a->deadlock_count && a->deadlocks[certain].certain)
        certain++;
    if (a->verdict == mq_verdict_none) {
        mq_strbuf_add(words, a->unreadable_count == 0 ? "No deadlock was found"
                     : "No deadlock was found in what could be read");
    } else if (a->verdict == mq_verdict_possible) {
        mq_strbuf_add(words, "Possible deadlock: as far as the queues tell, ");
        mq_sentence_deadlock(words, &a->deadlocks[0]);
    } else {
        mq_strbuf_add(words, "Deadlock: ");
        mq_sentence_deadlock(words, &a->deadlocks[0]);
    }
    if (a->deadlock_count > 1) {
        mq_strbuf_add(words, "; %zu more deadlock%s", a->deadlock_count - 1,
                     a->deadlock_count > 2 ? "s" : "");
        if (certain > 0 && certain < a->deadlock_count)
            mq_strbuf_add(words, ", %zu of %s possible",
                         a->deadlock_count - certain,
                         a->deadlock_count - certain == 1 ? "which is"
                         : "which are");
    }
    add_rest(words, a);
}

/* ---- The other findings ----------------------------------------------- */

static void add_message(struct mq_strbuf *words, const struct mq_analysis *a,
                        const struct mq_near_miss *miss)
{
    const struct mq_operation *op = mq_operation_ref_operation(a->job, &miss->message);

    mq_strbuf_add(words, "a message with ");
    switch (miss->difference) {
    case mq_tag_differs:
        add_tag(words, op);
        mq_strbuf_add(words, " from %" PRId64, sender_of(a, &miss->message));
        break;
    case mq_communicator_differs:
        mq_strbuf_add(words, "tag %" PRId64 " from %" PRId64 " on %s",
                     op->desired_tag, sender_of(a, &miss->message),
                     communicator_name(a, &miss->message));
        break;
    default:
        mq_strbuf_add(words, "%" PRId64 " bytes from %" PRId64,
                     op->desired_length, sender_of(a, &miss->message));
    }
    mq_strbuf_add(words, miss->message.queue == mq_sends
                        ? " is being sent to it" : " lies unexpected");
    if (miss->more > 0)
        mq_strbuf_add(words, ", and %zu more like it", miss->more);
}

void mq_sentence_near_miss(struct mq_strbuf *words, const struct mq_analysis *a,
                        const struct mq_near_miss *miss)
{
    const struct mq_operation *receive =
        mq_operation_ref_operation(a->job, &miss->receive);

    mq_strbuf_add(words, "rank %d waits for ",
                 mq_operation_ref_process(a->job, &miss->receive)->rank);
    add_tag(words, receive);
    if (miss->difference == mq_too_long)
        mq_strbuf_add(words, " with at most %" PRId64 " bytes",
                     receive->desired_length);
    mq_strbuf_add(words, " from ");
    add_source(words, receive);
    mq_strbuf_add(words, " on %s; ", communicator_name(a, &miss->receive));
    add_message(words, a, miss);
}

void mq_sentence_unclaimed(struct mq_strbuf *words, const struct mq_analysis *a,
                        const struct mq_unclaimed *it)
{
    const struct mq_operation *op = mq_operation_ref_operation(a->job, &it->first);

    mq_strbuf_add(words, "rank %d holds %" PRIu32 " message%s of tag %" PRId64
                 " from ", mq_operation_ref_process(a->job, &it->first)->rank,
                 it->messages, it->messages == 1 ? "" : "s", op->desired_tag);
    add_source(words, op);
    mq_strbuf_add(words, " on %s, %" PRId64 " bytes, with no matching receive",
                 communicator_name(a, &it->first), it->bytes);
}

void mq_sentence_unreadable(struct mq_strbuf *words, const struct mq_analysis *a,
                         const struct mq_unreadable *it)
{
    const struct mq_process *process = &a->job->processes[it->process];
    const struct mq_remark *remark = &process->remarks[it->remark];

    if (process->rank >= 0)
        mq_strbuf_add(words, "rank %d", process->rank);
    else
        mq_strbuf_add(words, "%s", process->name);
    if (remark->communicator >= 0)
        mq_strbuf_add(words, ", %s",
                     process->communicators[remark->communicator].name);
    if (remark->queue >= 0)
        mq_strbuf_add(words, ", %s queue", mq_queue_names[remark->queue]);
    mq_strbuf_add(words, ": %s", remark->text);
}

/* ---- Notes ------------------------------------------------------------ */

static void add_left_out(struct mq_strbuf *words, const struct mq_analysis *a,
                         uint32_t index)
{
    const struct mq_process *process = &a->job->processes[index];
    int32_t other = mq_rank_process(&a->ranks, process->rank);

    if (process->rank < 0)
        mq_strbuf_add(words, "%s does not tell its rank, and was left out",
                     process->name);
    else
        mq_strbuf_add(words, "rank %d was given more than once: %s counts, and"
                     " %s was left out", process->rank,
                     a->job->processes[other].name, process->name);
}

static void add_ambiguous(struct mq_strbuf *words, const struct mq_analysis *a,
                          const struct mq_operation_ref *place)
{
    uint32_t number = mq_match_number(&a->match, place->process,
                                      place->communicator);

    if (number == mq_communicator_unknown)
        mq_strbuf_add(words, "which ranks %s of rank %d connects cannot be"
                     " told; it may be any", communicator_name(a, place),
                     mq_operation_ref_process(a->job, place)->rank);
    else
        mq_strbuf_add(words, "%s of rank %d cannot be told from others of the"
                     " same ranks; nothing is claimed that depends on it",
                     communicator_name(a, place),
                     mq_operation_ref_process(a->job, place)->rank);
}

bool mq_sentence_note(struct mq_strbuf *words, const struct mq_analysis *a,
                   size_t index)
{
    if (a->missing.count > 0) {
        if (index == 0) {
            mq_rank_text_spans(words, &a->missing);
            mq_strbuf_add(words, mq_spans_ranks(&a->missing) == 1
                         ? " was not given; it counts as able to go on"
                         : " were not given; they count as able to go on");
            return true;
        }
        index--;
    }
    if (index < a->left_out_count) {
        add_left_out(words, a, a->left_out[index]);
        return true;
    }
    index -= a->left_out_count;
    if (index < a->ambiguous_count) {
        add_ambiguous(words, a, &a->ambiguous[index]);
        return true;
    }
    return false;
}
