/* sentences.c - findings in sentences */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/sentences.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/place_words.h"
#include "waits/guess.h"
#include "waits/roll.h"
#include "waits/whereabouts.h"

/* ---- Operations ------------------------------------------------------- */

void mq_sentence_tag(struct mq_strbuf *words, const struct mq_operation *op)
{
    if (op->tag_wild)
        mq_strbuf_add(words, "any tag");
    else
        mq_strbuf_add(words, "tag %" PRId64, op->desired_tag);
}

static void add_source(struct mq_strbuf *words, const struct mq_job *job,
                       enum mq_queue_class queue,
                       const struct mq_operation *op)
{
    if (op->desired_local < 0)
        mq_strbuf_add(words, mq_operation_is_any(queue, op)
                             ? "any rank" : "a rank that is not known");
    else if (op->desired_global < 0)
        mq_strbuf_add(words, "local rank %" PRId64, op->desired_local);
    else
        mq_rank_text_one(words, job, op->desired_global);
}

void mq_sentence_operation(struct mq_strbuf *words, const struct mq_job *job,
                        const struct mq_operation_ref *ref)
{
    static const char *const names[] = {
        [mq_sends] = "send", [mq_receives] = "receive",
        [mq_unexpected] = "unexpected message"
    };
    const struct mq_operation *op = mq_operation_ref_operation(job, ref);

    mq_strbuf_add(words, "%s of ", names[ref->queue]);
    mq_sentence_tag(words, op);
    mq_strbuf_add(words, ref->queue == mq_sends ? " to " : " from ");
    add_source(words, job, (enum mq_queue_class)ref->queue, op);
    mq_strbuf_add(words, " on %s (",
                  mq_operation_ref_communicator(job, ref)->name);
    mq_sentence_bytes(words, op->desired_length);
    mq_strbuf_add(words, ", %s)", mq_status_names[op->status]);
}

static const char *communicator_name(const struct mq_analysis *a,
                                     const struct mq_operation_ref *ref)
{
    return mq_operation_ref_communicator(a->job, ref)->name;
}

/* Whether the process has another communicator that prints the same. */
static bool has_namesake(const struct mq_analysis *a, size_t process,
                         size_t communicator)
{
    const struct mq_process *it = &a->job->processes[process];

    for (size_t c = 0; c < it->communicator_count; c++)
        if (c != communicator
            && it->communicators[c].name
               == it->communicators[communicator].name
            && !mq_match_is_internal(&a->match, process, c))
            return true;
    return false;
}

void mq_sentence_bytes(struct mq_strbuf *words, int64_t bytes)
{
    if (bytes < 0)
        mq_strbuf_add(words, "? bytes");
    else
        mq_strbuf_add(words, "%" PRId64 " bytes", bytes);
}

void mq_sentence_communicator(struct mq_strbuf *words,
                              const struct mq_analysis *a, size_t process,
                              size_t communicator)
{
    const struct mq_process *it = &a->job->processes[process];

    if (communicator > 0
        && mq_match_is_internal(&a->match, process, communicator)) {
        mq_strbuf_add(words, "the collective part of ");
        communicator--;
    }
    mq_strbuf_add(words, "%s", it->communicators[communicator].name);
    if (has_namesake(a, process, communicator))
        mq_strbuf_add(words, " (id 0x%" PRIx64 ")",
                      it->communicators[communicator].id);
}

static void add_communicator(struct mq_strbuf *words,
                             const struct mq_analysis *a,
                             const struct mq_operation_ref *ref)
{
    mq_sentence_communicator(words, a, ref->process, ref->communicator);
}

/* Who sent a message. */
static int64_t sender_of(const struct mq_analysis *a,
                         const struct mq_operation_ref *message)
{
    return mq_operation_ref_sender(a->job, message);
}

/* ---- What is waited for ----------------------------------------------- */

/* A peer by its number or, where many wait alike, by its distance. */
static void add_peer(struct mq_strbuf *words, const struct mq_job *job,
                     int64_t peer, int rank, bool distant, bool several)
{
    int64_t distance = peer - rank;
    const char *side = distance < 0 ? "before" : "after";

    if (!distant)
        mq_rank_text_one(words, job, peer);
    else if (distance == 0)
        mq_strbuf_add(words, several ? "themselves" : "itself");
    else if (distance == 1 || distance == -1)
        mq_strbuf_add(words, "the rank %s %s", side, several ? "them" : "it");
    else
        mq_strbuf_add(words, "the rank %" PRId64 " %s %s",
                      distance < 0 ? -distance : distance, side,
                      several ? "them" : "it");
}

/* What arguments that are not certain say of a message; false if nothing. */
static bool add_guess(struct mq_strbuf *words, const struct mq_job *job,
                      const struct mq_process *process, bool distant,
                      bool several)
{
    struct mq_guess guess;

    if (!mq_guess_peer(process, &guess))
        return false;
    mq_strbuf_add(words, "a message, perhaps %s ",
                  guess.is_source ? "from" : "to");
    add_peer(words, job, guess.peer, process->rank, distant, several);
    if (guess.tag >= 0)
        mq_strbuf_add(words, " (tag %" PRId64 ")", guess.tag);
    return true;
}

/* Whether any member of a group would do. */
static bool is_for_anyone(const struct mq_analysis *a,
                          const struct mq_need *need)
{
    size_t processes = a->job->process_count;

    return need->node >= processes
           && need->node - processes < a->waits.group_count
           && a->waits.groups[need->node - processes].roll == 0;
}

/* Those who have not entered the operation that a group is of, or begun it. */
static void add_absent(struct mq_strbuf *words, const struct mq_analysis *a,
                       const struct mq_need *need, const char *entered,
                       const char *operation)
{
    const struct mq_waits_group *group =
        &a->waits.groups[need->node - a->job->process_count];
    bool one = group->absent_count == 1;

    if (!one) {
        mq_strbuf_add(words, "ranks that have not %s %s on ", entered,
                      operation);
        add_communicator(words, a, &need->ref);
    }
    for (size_t i = 0; i < group->absent_count && i < mq_most_absent; i++) {
        const struct mq_process *process;

        mq_strbuf_add(words, "%s", one ? "" : i == 0 ? ": " : ", ");
        if (group->absent[i] == (uint32_t)mq_nobody) {
            mq_strbuf_add(words, "a rank that was not given");
            continue;
        }
        process = &a->job->processes[group->absent[i]];
        mq_rank_text_one(words, a->job, process->rank);
        mq_strbuf_add(words, one ? ", which is in " : " in ");
        mq_place_short(words, process);
    }
    if (group->absent_count > mq_most_absent)
        mq_strbuf_add(words, " and others");
    if (!one)
        return;
    mq_strbuf_add(words, " and has not %s %s on ", entered, operation);
    add_communicator(words, a, &need->ref);
}

/* The one member that a collective operation needs first. */
static void add_absentee(struct mq_strbuf *words, const struct mq_analysis *a,
                         const struct mq_need *need, const char *entered,
                         const char *operation)
{
    const struct mq_process *process = &a->job->processes[need->node];

    mq_rank_text_one(words, a->job, process->rank);
    mq_strbuf_add(words, ", which is in ");
    mq_place_short(words, process);
    mq_strbuf_add(words, " and has not %s %s on ", entered, operation);
    add_communicator(words, a, &need->ref);
}

static void add_call_need(struct mq_strbuf *words, const struct mq_analysis *a,
                          const struct mq_need *need, bool distant,
                          bool several)
{
    uint32_t process = need->ref.process;
    enum mq_wait call = (enum mq_wait)a->mail.calls[process];
    const struct mq_joined *joined = mq_need_joined(&a->waits, need);
    int64_t handle;

    if (need->node != (uint32_t)mq_nobody
        && (joined != NULL || (a->rolls[process] != MQ_NO_ROLL
                               && !is_for_anyone(a, need)))) {
        (need->node < a->job->process_count ? add_absentee : add_absent)(
            words, a, need, joined != NULL ? "begun" : "entered this",
            joined != NULL ? joined->began
                           : mq_call_name(a->job->processes[process].call));
    } else if (call == mq_wait_collective && a->rolls[process] == MQ_NO_ROLL
               && mq_call_argument(&a->job->processes[process], "comm",
                                   &handle)) {
        mq_strbuf_add(words, "the members of a communicator that is not"
                      " identified");
    } else if (!add_guess(words, a->job, &a->job->processes[process], distant,
                          several)) {
        mq_strbuf_add(words, "something that is not known");
    }
}

/* What a message that lies at its receiver is to its sender. */
static const char *words_of_message(const struct mq_analysis *a,
                                    const struct mq_operation *message)
{
    int32_t sender = mq_rank_process(a->mail.ranks, message->desired_global);

    return sender != mq_no_process
           && mq_is_awaited_send(&a->job->processes[sender], message)
           ? " (send of " : " (blocking send of ";
}

void mq_sentence_need(struct mq_strbuf *words, const struct mq_analysis *a,
                      const struct mq_need *need, bool distant, bool several)
{
    const struct mq_operation_ref *ref = &need->ref;
    const struct mq_operation *op;
    bool lies = ref->queue == mq_unexpected;
    int rank;

    if (ref->queue == mq_need_call) {
        add_call_need(words, a, need, distant, several);
        return;
    }
    op = mq_operation_ref_operation(a->job, ref);
    rank = mq_operation_ref_process(a->job, ref)->rank;
    if (lies)
        add_peer(words, a->job, rank, (int)op->desired_global, distant,
                 several);
    else if (mq_operation_is_any((enum mq_queue_class)ref->queue, op)
             || op->desired_global < 0)
        add_source(words, a->job, (enum mq_queue_class)ref->queue, op);
    else
        add_peer(words, a->job, op->desired_global, rank, distant, several);
    mq_strbuf_add(words, "%s", mq_is_probe(&a->mail, ref) ? " (probe for "
                  : ref->queue == mq_receives ? " (receive of "
                  : lies ? words_of_message(a, op) : " (send of ");
    mq_sentence_tag(words, op);
    if (ref->queue != mq_receives) {
        mq_strbuf_add(words, ", ");
        mq_sentence_bytes(words, op->desired_length);
        mq_strbuf_add(words, ",");
    }
    mq_strbuf_add(words, " on ");
    add_communicator(words, a, ref);
    mq_strbuf_add(words, lies ? ", in that rank's unexpected queue)" : ")");
}

/* Whether a process leaves it to another of its threads to wait in MPI. */
static bool leaves_it_to_thread(const struct mq_process *process)
{
    return process->call != NULL && strcmp(process->call, "-") == 0
           && mq_has_waiting_thread(process);
}

/* What one waits for who needs nobody that can be named. */
static void add_no_need(struct mq_strbuf *words, const struct mq_analysis *a,
                        size_t process)
{
    mq_strbuf_add(words, "%s",
                  a->mail.calls[process] == mq_wait_unseen
                  ? " for something that may be outside the job"
                  : leaves_it_to_thread(&a->job->processes[process])
                  ? "; another thread waits in MPI"
                  : a->mail.calls[process] == mq_wait_connection
                  ? "; who could connect is not known"
                  : a->waits.freedom[process] & mq_needs_unknown
                  ? "; what for is not known"
                  : " for something that has arrived or is on its way");
}

void mq_sentence_needs(struct mq_strbuf *words, const struct mq_analysis *a,
                       size_t process, size_t limit, bool distant,
                       bool several)
{
    bool all = a->waits.freedom[process] & mq_needs_all;
    struct mq_guess guess;
    size_t count = 0, more = 0;

    for (size_t i = a->waits.first[process]; i < a->waits.first[process + 1];
         i++) {
        const struct mq_need *need = &a->waits.needs[i];

        if (need->flags & (mq_need_unlikely | mq_need_met))
            continue;
        if (limit > 0 && count == limit) {
            more++;
            continue;
        }
        if (need->flags & mq_need_unknown && need->ref.queue == mq_need_call
            && !mq_guess_peer(&a->job->processes[process], &guess))
            continue;
        mq_strbuf_add(words, "%s", count++ == 0 ? " for "
                                   : all ? ", and for " : ", or for ");
        mq_sentence_need(words, a, need, distant, several);
    }
    if (more > 0)
        mq_strbuf_add(words, all ? ", and for %zu more"
                                 : ", or for one of %zu more", more);
    if (count == 0)
        add_no_need(words, a, process);
}

/* ---- Where ranks are -------------------------------------------------- */

/* What a rank, or each of several, is doing: "runs: relax at solver.c:217",
 * "wait in MPI_Recv at ring.c:12".
 */
static void add_doing(struct mq_strbuf *words, const struct mq_analysis *a,
                      size_t process, bool several)
{
    static const char *const verbs[mq_rank_states][2] = {
        { "runs", "run" }, { "polls", "poll" }, { "waits", "wait" },
        { "is starting", "are starting" }, { "is ending", "are ending" },
        { "has ended", "have ended" },
        { "could not be read", "could not be read" },
        { "is stopped by a signal", "are stopped by a signal" }
    };
    const struct mq_process *it = &a->job->processes[process];

    if (a->waits.states[process] == mq_rank_runs && !several
        && mq_is_asleep(it))
        mq_strbuf_add(words, it->activity.system_call != NULL
                             ? "sleeps in %s" : "sleeps",
                      it->activity.system_call);
    else if (a->waits.states[process] == mq_rank_runs
             && a->waits.freedom[process] & mq_needs_unknown
             && mq_is_in_library(it))
        mq_strbuf_add(words, several ? "are" : "is");
    else
        mq_strbuf_add(words, "%s", verbs[a->waits.states[process]][several]);
    mq_place_words(words, it);
    if (a->waits.states[process] == mq_rank_runs && it->call == NULL)
        mq_strbuf_add(words, ", or is in a call that is not known");
    if (it->movement == mq_moved && !several
        && (a->waits.states[process] == mq_rank_waits
            || a->waits.states[process] == mq_rank_ending))
        mq_strbuf_add(words, ", and moved while it was looked at");
    if (it->movement == mq_moved && !several
        && a->waits.states[process] == mq_rank_gone)
        mq_strbuf_add(words, " while it was looked at");
}

/* ---- The verdict ------------------------------------------------------ */

enum {
    few_ranks = 8               /* that a verdict names one by one */
};

static const char *perhaps(const struct mq_cause *it)
{
    return it->is_guessed && !it->certain ? " perhaps" : "";
}

/* "rank 3 waits", "511 ranks wait". */
static void add_behind(struct mq_strbuf *words, const struct mq_analysis *a,
                       const struct mq_cause *it, bool by_number,
                       const char *perhaps)
{
    if (by_number && it->behind_count > few_ranks)
        mq_strbuf_add(words, "%" PRIu32 " ranks", it->behind_count);
    else
        mq_rank_text_ranks(words, a->job, it->behind, it->behind_count);
    mq_strbuf_add(words, "%s %s", perhaps,
                  it->behind_count == 1 ? "waits" : "wait");
}

/* What is known of the ranks of a cause of whom not even that is known. */
static const char *why_unknown(const struct mq_analysis *a,
                               const struct mq_cause *it)
{
    bool all_connect = true, all_leave = true;

    for (uint32_t i = 0; i < it->rank_count; i++) {
        int32_t process = mq_rank_process(&a->ranks, it->ranks[i]);

        all_connect &= a->mail.calls[process] == mq_wait_connection;
        all_leave &= leaves_it_to_thread(&a->job->processes[process]);
    }
    if (all_connect)
        return "; who could connect is not known";
    if (!all_leave)
        return "; what for is not known";
    return it->rank_count > 1 ? "; other threads of theirs wait in MPI"
                              : "; another of its threads waits in MPI";
}

/* The ranks of a cause, and, after WHICH, what they are doing. */
static void add_cause(struct mq_strbuf *words, const struct mq_analysis *a,
                      const struct mq_cause *it, const char *which)
{
    bool several = it->rank_count > 1;

    if (it->process == (uint32_t)mq_nobody) {
        if (a->missing.count == 0)
            mq_strbuf_add(words, "a rank that no group names");
        else
            mq_rank_text_spans(words, a->job, &a->missing);
        mq_strbuf_add(words, ", not given");
        return;
    }
    mq_rank_text_ranks(words, a->job, it->ranks, it->rank_count);
    if (it->kind == mq_cause_deadlock) {
        mq_strbuf_add(words, "%s %s", it->is_unexplained ? "" : perhaps(it),
                      several ? "wait" : "waits");
        if (!it->is_unexplained)
            mq_strbuf_add(words, several ? " for each other" : " for itself");
        mq_places_words(words, a, it->ranks, it->rank_count);
        if (it->is_unexplained)
            mq_strbuf_add(words, "%s", why_unknown(a, it));
        return;
    }
    mq_strbuf_add(words, "%s", which);
    add_doing(words, a, it->process, several);
    if (it->kind == mq_cause_stuck)
        mq_strbuf_add(words, " and will never answer");
    if (it->state == mq_rank_starting)
        mq_strbuf_add(words, "; with -mpichtv or -mpichksq a rank waits there "
                      "for a debugger, and mqdump --open-gate releases it");
}

static void add_chain(struct mq_strbuf *words, const struct mq_analysis *a,
                      const struct mq_cause *it, bool by_number)
{
    if (it->kind != mq_cause_deadlock) {
        add_behind(words, a, it, by_number, perhaps(it));
        mq_strbuf_add(words, " for ");
    }
    add_cause(words, a, it, ", which ");
    if (it->kind == mq_cause_deadlock && it->behind_count > 0) {
        mq_strbuf_add(words, "; ");
        add_behind(words, a, it, by_number, "");
        mq_strbuf_add(words, " behind %s", it->rank_count == 1 ? "it"
                                                               : "them");
    }
}

const char *mq_cause_degree(const struct mq_cause *it)
{
    return it->kind == mq_cause_unknown ? "unknown"
           : it->certain ? "certain" : "possible";
}

void mq_sentence_cause_ranks(struct mq_strbuf *words,
                             const struct mq_analysis *a,
                             const struct mq_cause *it)
{
    add_cause(words, a, it, " ");
}

void mq_sentence_cause(struct mq_strbuf *words, const struct mq_analysis *a,
                       const struct mq_cause *it)
{
    add_chain(words, a, it, false);
}

/* Why a possible deadlock is no more than that. */
static void add_doubt(struct mq_strbuf *words, const struct mq_analysis *a,
                      const struct mq_cause *it)
{
    const struct mq_process *process = &a->job->processes[it->process];

    if (it->certain || it->kind == mq_cause_held_up
        || process->presence != mq_present)
        return;
    if (process->movement == mq_looks_equal)
        mq_strbuf_add(words, " (nothing moved in %" PRIu32 " samples over"
                      " %.1f s)", process->looks, process->looked_for);
    else if (process->movement == mq_polled)
        mq_strbuf_add(words, " (nothing but polls in %" PRIu32 " samples"
                      " over %.1f s)", process->looks, process->looked_for);
    else if (process->movement == mq_counted_still && it->is_unexplained)
        mq_strbuf_add(words, " (no call returned in %.1f s)",
                      process->looked_for);
    else if (process->movement == mq_movement_unknown && !a->job->still
             && process->looks <= 1)
        mq_strbuf_add(words, " (sampled once)");
}

/* How many wait, how many of them for what may be outside the job, and how many
 * moved.
 */
static size_t waiting_ranks(const struct mq_analysis *a, size_t *outside,
                            size_t *moved)
{
    size_t count = 0;

    *outside = *moved = 0;
    for (size_t p = 0; p < a->job->process_count; p++)
        if (a->waits.states[p] == mq_rank_waits) {
            *outside += a->mail.calls[p] == mq_wait_unseen;
            *moved += a->job->processes[p].movement == mq_moved;
            count++;
        }
    return count;
}

/* Ranks that stay somewhere, and nothing tells what for. */
static void add_unknown(struct mq_strbuf *words, const struct mq_analysis *a)
{
    int *ranks = malloc((a->job->process_count + 1) * sizeof *ranks);
    size_t count = 0;

    if (ranks == NULL) {
        words->failed = true;
        return;
    }
    for (size_t p = 0; p < a->job->process_count; p++)
        if (mq_stays_somewhere(a, p))
            ranks[count++] = a->job->processes[p].rank;
    mq_rank_text_sorted(words, a->job, ranks, count);
    mq_strbuf_add(words, count == 1 ? " stays" : " stay");
    mq_places_words(words, a, ranks, count);
    mq_strbuf_add(words, "; what for is not known");
    free(ranks);
}

static size_t ranks_with_waiting_threads(const struct mq_analysis *a)
{
    size_t count = 0;

    for (size_t p = 0; p < a->job->process_count; p++)
        count += mq_has_waiting_thread(&a->job->processes[p]);
    return count;
}

/* Whether the verdict is not known since something was not read. */
static bool misses_something(const struct mq_analysis *a)
{
    return a->verdict == mq_verdict_unknown
           && (a->unreadable_count > 0 || a->left_out_count > 0);
}

/* Who was not read completely; none of the others is seen to be stuck. */
static void add_unread(struct mq_strbuf *words, const struct mq_analysis *a)
{
    int *ranks = malloc((a->unreadable_count + 1) * sizeof *ranks);
    uint32_t last = (uint32_t)mq_nobody;
    size_t count = 0;

    for (size_t i = 0; ranks != NULL && i < a->unreadable_count; i++) {
        uint32_t process = a->unreadable[i].process;

        if (process != last && a->job->processes[process].rank >= 0)
            ranks[count++] = a->job->processes[process].rank;
        last = process;
    }
    if (count > 0)
        mq_rank_text_sorted(words, a->job, ranks, count);
    else
        mq_strbuf_add(words, "a process that counts as no rank");
    mq_strbuf_add(words, " could not be read completely; no other is seen to"
                  " be stuck");
    words->failed |= ranks == NULL;
    free(ranks);
}

static void add_no_cause(struct mq_strbuf *words, const struct mq_analysis *a)
{
    size_t outside, moved, waiting = waiting_ranks(a, &outside, &moved);
    size_t others = ranks_with_waiting_threads(a);
    size_t stopped = mq_stopped_ranks(a);

    if (stopped > 0)
        mq_strbuf_add(words, "%zu rank%s stopped by a signal", stopped,
                      stopped == 1 ? " is" : "s are");
    else if (misses_something(a))
        add_unread(words, a);
    else if (waiting > 0 && waiting == outside)
        mq_strbuf_add(words, "%zu rank%s for something that may be outside the"
                      " job", waiting, waiting == 1 ? " waits" : "s wait");
    else if (waiting == 0 && others > 0)
        mq_strbuf_add(words, "threads of %zu rank%s wait in MPI; whether their"
                      " main threads go on is not known", others,
                      others == 1 ? "" : "s");
    else if (a->verdict >= mq_verdict_unknown)
        add_unknown(words, a);
    else if (waiting == 0)
        mq_strbuf_add(words, a->missing.count > 0
                      ? "no rank that was given waits for another"
                      : "no rank waits for another");
    else if (moved == waiting)
        mq_strbuf_add(words, "%zu rank%s, and moved while %s looked at",
                      waiting, waiting == 1 ? " waits" : "s wait",
                      waiting == 1 ? "it was" : "they were");
    else
        mq_strbuf_add(words, "%zu rank%s for something that has arrived or is "
                      "on its way", waiting - moved,
                      waiting - moved == 1 ? " waits" : "s wait");
}

bool mq_sentence_mismatch_leads(const struct mq_analysis *a)
{
    const struct mq_mismatch *first = a->mismatches.mismatches;
    const struct mq_cause *cause = a->causes;

    if (a->mismatches.count == 0 || a->verdict < mq_verdict_possible)
        return false;
    if (first->certain && first->kind != mq_member_ended)
        return true;
    return a->verdict == mq_verdict_possible
           && (a->cause_count == 0 || cause->kind != mq_cause_deadlock
               || cause->is_unexplained);
}

void mq_sentence_verdict(struct mq_strbuf *words, const struct mq_analysis *a)
{
    static const char *const heads[mq_verdicts] = {
        "Nothing is stuck", "Held up", "Not known", "Possible deadlock",
        "Stuck", "Deadlock"
    };
    size_t more = a->cause_count > 0 ? a->cause_count - 1 : 0;

    mq_strbuf_add(words, "%s: ", a->verdict == mq_verdict_stuck
                                 && !a->causes[0].certain
                                 ? "Perhaps stuck" : heads[a->verdict]);
    if (mq_sentence_mismatch_leads(a)) {
        mq_sentence_mismatch(words, a, &a->mismatches.mismatches[0]);
        return;
    }
    if (a->cause_count == 0) {
        add_no_cause(words, a);
        return;
    }
    add_chain(words, a, &a->causes[0], true);
    if (a->causes[0].process != (uint32_t)mq_nobody)
        add_doubt(words, a, &a->causes[0]);
    if (more > 0)
        mq_strbuf_add(words, "; %zu more cause%s", more,
                      more == 1 ? "" : "s");
}

/* ---- The other findings ----------------------------------------------- */

static void add_message(struct mq_strbuf *words, const struct mq_analysis *a,
                        const struct mq_near_miss *miss)
{
    const struct mq_operation *op =
        mq_operation_ref_operation(a->job, &miss->message);

    mq_strbuf_add(words, "a message with tag %" PRId64, op->desired_tag);
    if (miss->difference == mq_too_long)
        mq_strbuf_add(words, " and %" PRId64 " bytes", op->desired_length);
    if (sender_of(a, &miss->message) < 0)
        mq_strbuf_add(words, " from a rank that is not known");
    else {
        mq_strbuf_add(words, " from ");
        mq_rank_text_one(words, a->job, sender_of(a, &miss->message));
    }
    if (miss->difference == mq_communicator_differs) {
        mq_strbuf_add(words, " on ");
        add_communicator(words, a, &miss->message);
    }
    mq_strbuf_add(words, miss->message.queue == mq_sends
                         ? " is being sent to it"
                         : " is in its unexpected queue");
    if (miss->more > 0)
        mq_strbuf_add(words, ", and %zu more like it", miss->more);
}

void mq_sentence_near_miss(struct mq_strbuf *words, const struct mq_analysis *a,
                           const struct mq_near_miss *miss)
{
    const struct mq_operation *receive =
        mq_operation_ref_operation(a->job, &miss->receive);

    mq_rank_text_one(words, a->job,
                     mq_operation_ref_process(a->job, &miss->receive)->rank);
    mq_strbuf_add(words, miss->note ? " has posted a receive for "
                                    : " waits for ");
    mq_sentence_tag(words, receive);
    if (miss->difference == mq_too_long)
        mq_strbuf_add(words, " with at most %" PRId64 " bytes",
                      receive->desired_length);
    mq_strbuf_add(words, " from ");
    add_source(words, a->job, mq_receives, receive);
    mq_strbuf_add(words, " on ");
    add_communicator(words, a, &miss->receive);
    mq_strbuf_add(words, "; ");
    add_message(words, a, miss);
}

void mq_sentence_unclaimed(struct mq_strbuf *words, const struct mq_analysis *a,
                        const struct mq_unclaimed *it)
{
    const struct mq_operation *op = mq_operation_ref_operation(a->job,
                                                               &it->first);

    mq_rank_text_one(words, a->job,
                     mq_operation_ref_process(a->job, &it->first)->rank);
    mq_strbuf_add(words, " holds %" PRIu32 " message%s of tag %" PRId64
                 " from ", it->messages, it->messages == 1 ? "" : "s",
                 op->desired_tag);
    add_source(words, a->job, mq_unexpected, op);
    mq_strbuf_add(words, " on %s, ", communicator_name(a, &it->first));
    mq_sentence_bytes(words, it->bytes);
    mq_strbuf_add(words, ", with no matching receive");
}

static const struct mq_remark *remark_of(const struct mq_analysis *a,
                                         const struct mq_unreadable *it)
{
    return &a->job->processes[it->process].remarks[it->remark];
}

size_t mq_sentence_alike(const struct mq_analysis *a, size_t first)
{
    const struct mq_remark *own = remark_of(a, &a->unreadable[first]);
    size_t i = first;

    do {
        const struct mq_remark *other = remark_of(a, &a->unreadable[i]);

        if (other->text != own->text || other->queue != own->queue
            || other->communicator >= 0
            || a->job->processes[a->unreadable[i].process].rank < 0)
            break;
    } while (++i < a->unreadable_count);
    return i > first ? i - first : 1;
}

void mq_sentence_unreadable(struct mq_strbuf *words,
                            const struct mq_analysis *a, size_t first,
                            size_t count)
{
    const struct mq_unreadable *it = &a->unreadable[first];
    const struct mq_process *process = &a->job->processes[it->process];
    const struct mq_remark *remark = remark_of(a, it);
    int *ranks = malloc((count + 1) * sizeof *ranks);

    if (ranks == NULL) {
        words->failed = true;
        return;
    }
    for (size_t i = 0; i < count; i++)
        ranks[i] = a->job->processes[it[i].process].rank;
    if (process->rank >= 0)
        mq_rank_text_sorted(words, a->job, ranks, count);
    else
        mq_strbuf_add(words, "%s", process->name);
    free(ranks);
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
    else {
        mq_rank_text_one(words, a->job, process->rank);
        mq_strbuf_add(words, " was given more than once: %s counts, and"
                     " %s was left out", a->job->processes[other].name,
                     process->name);
    }
}

static void add_ambiguous(struct mq_strbuf *words, const struct mq_analysis *a,
                          const struct mq_operation_ref *ref)
{
    uint32_t number = mq_match_number(&a->match, ref->process,
                                      ref->communicator);
    bool unknown = number == mq_communicator_unknown;

    mq_strbuf_add(words, "%s%s of ", unknown ? "the members of " : "",
                  communicator_name(a, ref));
    mq_rank_text_one(words, a->job,
                     mq_operation_ref_process(a->job, ref)->rank);
    mq_strbuf_add(words, unknown
                  ? " are unknown"
                  : " cannot be told from others of the same ranks; nothing is"
                    " claimed that depends on it");
}

static void add_stranger(struct mq_strbuf *words, const struct mq_analysis *a,
                         uint32_t index)
{
    mq_rank_text_one(words, a->job, a->job->processes[index].rank);
    mq_strbuf_add(words, " has an MPI_COMM_WORLD of another size than"
                  " %s: does it belong to another job? Nothing is"
                  " certain",
                  a->job->world_count > 0 ? "its world" : "the first");
}

static void add_missing(struct mq_strbuf *words, const struct mq_analysis *a)
{
    mq_rank_text_spans(words, a->job, &a->missing);
    mq_strbuf_add(words, mq_spans_ranks(&a->missing) == 1
                  ? " was not given; nothing is certain without it"
                  : " were not given; nothing is certain without them");
}

static void add_world(struct mq_strbuf *words, const struct mq_job *job,
                      size_t index)
{
    const struct mq_world *it = &job->worlds[index];

    mq_strbuf_add(words, "world %zu is %s, of %d rank%s", index, it->name,
                  it->size, it->size == 1 ? "" : "s");
}

static void add_seen_once(struct mq_strbuf *words, const struct mq_analysis *a)
{
    mq_strbuf_add(words, "%zu waiting rank%s sampled once, so progress cannot "
                  "be excluded; assert it with --still", a->seen_once,
                  a->seen_once == 1 ? " was" : "s were");
}

/* Near misses of receives that nobody waits in. */
static void add_near_note(struct mq_strbuf *words, const struct mq_analysis *a,
                          size_t index)
{
    for (size_t i = 0; i < a->near_miss_count; i++)
        if (a->near_misses[i].note && index-- == 0)
            mq_sentence_near_miss(words, a, &a->near_misses[i]);
}

static void add_odd(struct mq_strbuf *words, const struct mq_analysis *a,
                    const struct mq_odd *it)
{
    const struct mq_process *process = &a->job->processes[it->process];

    mq_rank_text_one(words, a->job, process->rank);
    mq_strbuf_add(words, " called ");
    mq_place_short(words, process);
    mq_strbuf_add(words, " with %s %" PRId64 ", and %" PRIu32 " other ranks"
                  " with %" PRId64, it->argument, it->value, it->others,
                  it->usual);
}

/* Counts INDEX down by COUNT, or tells that it is one of these. */
static bool is_among(size_t *index, size_t count)
{
    if (*index < count)
        return true;
    *index -= count;
    return false;
}

bool mq_sentence_note(struct mq_strbuf *words, const struct mq_analysis *a,
                      size_t index)
{
    if (is_among(&index, a->missing.count > 0))
        add_missing(words, a);
    else if (is_among(&index, a->job->world_count))
        add_world(words, a->job, index);
    else if (is_among(&index, a->left_out_count))
        add_left_out(words, a, a->left_out[index]);
    else if (is_among(&index, a->stranger_count))
        add_stranger(words, a, a->strangers[index]);
    else if (is_among(&index, a->ambiguous_count))
        add_ambiguous(words, a, &a->ambiguous[index]);
    else if (is_among(&index, a->odd_count))
        add_odd(words, a, &a->odd[index]);
    else if (is_among(&index, !a->job->still && a->seen_once > 0
                              && a->verdict >= mq_verdict_possible))
        add_seen_once(words, a);
    else
        add_near_note(words, a, index);
    return words->length > 0;
}
