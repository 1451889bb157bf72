/* sentences.c - findings as sentences */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/sentences.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/current_collective.h"
#include "analysis/findings.h"
#include "analysis/graph.h"
#include "analysis/guess.h"
#include "analysis/thread_activity.h"
#include "base/number.h"
#include "base/text.h"
#include "mpi/adapters.h"
#include "report/operation_words.h"
#include "report/place_words.h"

/* ---- What is waited for ----------------------------------------------- */

static void add_communicator(struct mq_strbuf *words,
                             const struct mq_analysis *a,
                             const struct mq_operation_ref *ref)
{
    mq_communicator_words(words, a, ref->process, ref->communicator);
}

/* A peer by its number or, where many wait alike, by its distance. */
static void add_peer(struct mq_strbuf *words, const struct mq_job *job,
                     int64_t peer, int rank, const struct mq_alike *alike)
{
    static const char *const counts[] = {
        "", "", "two ", "three ", "four ", "five ", "six ", "seven ", "eight "
    };
    int64_t distance = peer - rank, far = distance < 0 ? -distance : distance;
    bool several = alike != NULL && alike->count > 1;

    if (alike == NULL) {
        mq_rank_text_one(words, job, peer);
        return;
    }
    if (distance == 0) {
        mq_strbuf_add(words, "itself");
        return;
    }
    if (far < (int64_t)(sizeof counts / sizeof counts[0]))
        mq_strbuf_add(words, "the rank %s", counts[far]);
    else
        mq_strbuf_add(words, "the rank %" PRId64 " places ", far);
    mq_strbuf_add(words, "%s%s", distance < 0 ? "below" : "above",
                  several ? "" : " it");
    if (several) {
        /* " (0, 1)": the ranks that those who wait alike wait for. */
        struct mq_strbuf list = { NULL, 0, 0, false };
        int *peers = malloc(alike->count * sizeof *peers);

        for (size_t i = 0; peers != NULL && i < alike->count; i++)
            peers[i] = (int)(alike->ranks[i] + distance);
        if (peers != NULL)
            mq_rank_text_ranks(&list, job, peers, alike->count);
        mq_strbuf_add(words, " (%s)",
                      mq_strbuf_text(&list) + (list.length > 0
                                               ? strlen("ranks ") : 0));
        words->failed |= peers == NULL || list.failed;
        mq_strbuf_deinit(&list);
        free(peers);
    }
}

/* Text of a message's doubtful arguments; false if nothing. */
static bool add_guess(struct mq_strbuf *words, const struct mq_job *job,
                      const struct mq_process *process,
                      const struct mq_alike *alike)
{
    struct mq_guess guess;

    if (!mq_guess_peer(process, &guess))
        return false;
    mq_strbuf_add(words, "a message, perhaps %s ",
                  guess.is_source ? "from" : "to");
    add_peer(words, job, guess.peer, process->rank, alike);
    if (guess.tag >= 0)
        mq_strbuf_add(words, " (tag %" PRId64 ")", guess.tag);
    return true;
}

/* " on strips": the communicator of the collective operation of a group. */
static void add_on(struct mq_strbuf *words, const struct mq_analysis *a,
                   const struct mq_need *need,
                   const struct mq_waits_group *group)
{
    if (group->collective >= MQ_OF_GROUP)
        return;
    mq_strbuf_add(words, " on ");
    add_communicator(words, a, &need->ref);
}

/* The members that have not entered the operation of a group, or begun it. */
static void add_absent(struct mq_strbuf *words, const struct mq_analysis *a,
                       const struct mq_need *need,
                       const struct mq_waits_group *group,
                       const char *entered, const char *operation)
{
    bool one = group->absent_count == 1;

    if (!one) {
        mq_strbuf_add(words, "ranks that have not %s %s", entered, operation);
        add_on(words, a, need, group);
    }
    for (size_t i = 0; i < group->absent_count && i < mq_most_absent; i++) {
        const struct mq_process *process;
        uint32_t member;

        mq_strbuf_add(words, "%s", one ? "" : i == 0 ? ": " : ", ");
        if (!mq_is_process(group->absent[i], &member)) {
            mq_strbuf_add(words, "a rank that was not given");
            continue;
        }
        process = &a->job->processes[member];
        mq_rank_text_one(words, a->job, process->rank);
        mq_strbuf_add(words, one ? ", which is in " : " in ");
        mq_place_short(words, a, process);
    }
    if (group->absent_count > mq_most_absent)
        mq_strbuf_add(words, " and others");
    if (!one)
        return;
    mq_strbuf_add(words, " and has not %s %s", entered, operation);
    add_on(words, a, need, group);
}

/* The call on no communicator that ranks of a group have not made. */
static const char *call_of_startup(const struct mq_waits_group *group)
{
    return group->past.call != NULL ? group->past.call
           : group->collective == MQ_BEGIN ? "MPI_Init" : "MPI_Finalize";
}

/* The verb of that: some may be in what that call has called back. */
static const char *verb_of_startup(const struct mq_analysis *a,
                                   const struct mq_waits_group *group)
{
    uint32_t member;

    for (size_t i = 0; i < group->absent_count && i < mq_most_absent; i++)
        if (mq_is_process(group->absent[i], &member)
            && a->job->processes[member].call != NULL
            && mq_call_is_same(mq_call_name(a->job->processes[member].call),
                               call_of_startup(group)))
            return "left";
    return "called";
}

/* " at rank 0 (exclusive) since main at app.c:31" */
static void add_lock(struct mq_strbuf *words, const struct mq_analysis *a,
                     const struct mq_need *need, const struct mq_epoch *lock)
{
    const struct mq_group *group =
        mq_operation_ref_communicator(a->job, &need->ref)->group;

    mq_strbuf_add(words, " at ");
    if (lock->peer < 0)
        mq_strbuf_add(words, "all its ranks");
    else
        mq_rank_text_one(words, a->job, mq_group_global(group, lock->peer));
    mq_strbuf_add(words, " (%s)", mq_win_lock_names[lock->lock]);
    if (lock->site.function == NULL)
        return;
    mq_strbuf_add(words, " since ");
    mq_frame_words(words, a, &lock->site);
}

/* The rank at the other side of a port, or the root, which is at one; false if
 * the call connects nothing, or a member has not entered it.
 */
static bool add_connection_need(struct mq_strbuf *words,
                                const struct mq_analysis *a,
                                const struct mq_need *need)
{
    uint32_t peer;

    if (a->table.calls[need->ref.process] != mq_wait_connection
        || !mq_is_process(mq_waits_process(&a->waits, need->node), &peer))
        return false;
    mq_rank_text_one(words, a->job, a->job->processes[peer].rank);
    mq_strbuf_add(words, need->value == mq_value_met
                  ? ", which is at the same port in " : ", the root, in ");
    mq_place_short(words, a, &a->job->processes[peer]);
    return true;
}

/* What the peer of a call on a window has not done; false if the call is on
 * none, or any member may have to do it.
 */
static bool add_window_need(struct mq_strbuf *words,
                            const struct mq_analysis *a,
                            const struct mq_need *need)
{
    enum mq_participants participants =
        mq_call_participants(a->job->processes[need->ref.process].call);
    const struct mq_epoch *lock;
    uint32_t peer;

    if (!mq_window_need(&a->waits, need, &peer, &lock))
        return false;
    mq_rank_text_one(words, a->job, a->job->processes[peer].rank);
    mq_strbuf_add(words, lock != NULL ? ", which has locked "
                  : participants == mq_participants_exposed
                  ? ", which has not posted "
                  : participants == mq_participants_accessing
                  ? ", which has not completed its access to "
                  : ", the target of its operations on ");
    add_communicator(words, a, &need->ref);
    if (lock != NULL)
        add_lock(words, a, need, lock);
    else if (participants == mq_participants_exposed)
        mq_strbuf_add(words, " for it");
    mq_strbuf_add(words, lock == NULL && participants == mq_participants_target
                         ? ", which is in " : " and is in ");
    mq_place_short(words, a, &a->job->processes[peer]);
    return true;
}

static void add_call_need(struct mq_strbuf *words, const struct mq_analysis *a,
                          const struct mq_need *need,
                          const struct mq_alike *alike)
{
    uint32_t process = need->ref.process;
    enum mq_wait call = (enum mq_wait)a->table.calls[process];
    const struct mq_pending_collective *joined = mq_need_pending(&a->waits,
                                                                 need);
    const struct mq_waits_group *group = mq_waits_group(&a->waits, need->node);
    bool is_startup = group != NULL && group->collective >= MQ_OF_GROUP;
    const char *entered = joined != NULL ? "begun"
                          : is_startup ? verb_of_startup(a, group)
                                       : "entered this";
    const char *operation =
        joined != NULL ? joined->began
        : is_startup ? call_of_startup(group)
                     : mq_call_name(a->job->processes[process].call);
    bool has_collective = a->waits.of[process].collective != MQ_NO_COLLECTIVE;
    bool is_collective = joined != NULL || is_startup
                         || (has_collective
                             && (group == NULL || group->collective != 0));
    uint32_t peer;
    int64_t handle;

    if (add_window_need(words, a, need) || add_connection_need(words, a, need))
        return;
    if (is_collective
        && mq_is_process(mq_waits_process(&a->waits, need->node), &peer)) {
        mq_rank_text_one(words, a->job, a->job->processes[peer].rank);
        mq_strbuf_add(words, ", which is in ");
        mq_place_short(words, a, &a->job->processes[peer]);
        mq_strbuf_add(words, " and has not %s %s on ", entered, operation);
        add_communicator(words, a, &need->ref);
    } else if (is_collective && group != NULL) {
        add_absent(words, a, need, group, entered, operation);
    } else if (call == mq_wait_collective && !has_collective
               && mq_call_argument(&a->job->processes[process], "comm",
                                   &handle)) {
        mq_strbuf_add(words, "the members of a communicator that is not"
                      " identified");
    } else if (call == mq_wait_window) {
        mq_strbuf_add(words, "locks or epochs of other ranks, which are not"
                      " known");
    } else if (!add_guess(words, a->job, &a->job->processes[process], alike)) {
        mq_strbuf_add(words, "something that is not known");
    }
}

/* The meaning of an arrived message for its sender. */
static const char *words_of_message(const struct mq_analysis *a,
                                    const struct mq_operation *message)
{
    uint32_t sender;

    return mq_is_process(mq_rank_process(a->table.ranks,
                                         message->desired_global), &sender)
           && mq_is_awaited_send(&a->job->processes[sender], message)
           ? " (send of " : " (blocking send of ";
}

void mq_sentence_need(struct mq_strbuf *words, const struct mq_analysis *a,
                      const struct mq_need *need,
                      const struct mq_alike *alike)
{
    const struct mq_operation_ref *ref = &need->ref;
    const struct mq_operation *op;
    bool is_unexpected = ref->queue == mq_unexpected;
    uint32_t waiter;
    int rank;

    if (ref->queue == mq_need_call) {
        add_call_need(words, a, need, alike);
        return;
    }
    if (ref->queue == mq_need_resource) {
        const struct mq_process *it = &a->job->processes[ref->process];

        add_peer(words, a->job, a->job->processes[need->node].rank, it->rank,
                 alike);
        mq_strbuf_add(words, " (");
        mq_resource_words(words, a, it, it->threads);
        mq_strbuf_add(words, ")");
        return;
    }
    op = mq_operation_ref_operation(a->job, ref);
    rank = mq_operation_ref_process(a->job, ref)->rank;
    if (is_unexpected)
        add_peer(words, a->job, rank, (int)op->desired_global, alike);
    else if (mq_operation_is_any((enum mq_queue_class)ref->queue, op)
             || op->desired_global < 0)
        mq_source_words(words, a->job, (enum mq_queue_class)ref->queue, op);
    else
        add_peer(words, a->job, op->desired_global, rank, alike);
    if (mq_is_process(is_unexpected ? mq_rank_process(&a->ranks,
                                                      op->desired_global)
                           : mq_process_at(ref->process), &waiter)
        && mq_is_internal(&a->table, ref)
        && a->table.calls[waiter] == mq_wait_collective) {
        mq_strbuf_add(words, is_unexpected ? " (to get its message for this "
                                  : " (its message for this ");
        mq_strbuf_add(words, "%s",
                      mq_call_name(a->job->processes[waiter].call));
        if (a->waits.of[waiter].collective == MQ_NO_COLLECTIVE)
            mq_on_words(words, a, ref->process, ref->communicator);
        else
            mq_on_words(words, a, waiter, a->waits.of[waiter].collective);
        mq_strbuf_add(words, ")");
        return;
    }
    mq_strbuf_add(words, "%s", mq_is_probe(&a->table, ref) ? " (probe for "
                  : ref->queue == mq_receives ? " (receive of "
                  : is_unexpected ? words_of_message(a, op) : " (send of ");
    mq_tag_words(words, op);
    if (ref->queue != mq_receives) {
        mq_strbuf_add(words, ", ");
        mq_bytes_words(words, op->desired_length);
        mq_strbuf_add(words, ",");
    }
    mq_strbuf_add(words, " on ");
    add_communicator(words, a, ref);
    mq_strbuf_add(words,
                  is_unexpected ? ", in that rank's unexpected queue)" : ")");
}

/* Whether a process leaves it to another of its threads to wait in MPI. */
static bool leaves_it_to_thread(const struct mq_process *process)
{
    return process->call != NULL && strcmp(process->call, "-") == 0
           && mq_has_waiting_thread(process);
}

/* What a rank lacks that waits for another communicator's. */
static void add_lonely(struct mq_strbuf *words, const struct mq_analysis *a,
                       size_t process)
{
    const char *port = mq_port_of(&a->waits, (uint32_t)process);
    bool accepts = mq_is_accepting(&a->job->processes[process]);

    if (port == NULL)
        mq_strbuf_add(words, "; the %s process is unknown",
                      accepts ? "connecting" : "accepting");
    else
        mq_strbuf_add(words, "; no rank of the job %s its port %s",
                      accepts ? "connects to" : "accepts at", port);
}

/* Adds a need without a rank that can be named. */
static void add_no_need(struct mq_strbuf *words, const struct mq_analysis *a,
                        size_t process)
{
    if (a->table.calls[process] == mq_wait_connection) {
        add_lonely(words, a, process);
        return;
    }
    mq_strbuf_add(words, "%s",
                  a->table.calls[process] == mq_wait_unseen
                  ? " for something that may be outside the job"
                  : leaves_it_to_thread(&a->job->processes[process])
                  ? "; another thread waits in MPI"
                  : mq_waits_past_mpi(&a->job->processes[process])
                  ? " for other ranks, outside MPI"
                  : a->waits.of[process].condition & mq_condition_open
                  ? "; the reason is not known"
                  : " for something that has arrived or is on its way");
}

void mq_sentence_needs(struct mq_strbuf *words, const struct mq_analysis *a,
                       size_t process, size_t limit,
                       const struct mq_alike *alike)
{
    const struct mq_waiter *waiter = &a->waits.of[process];
    bool all = waiter->condition & mq_condition_all;
    struct mq_guess guess;
    size_t count = 0, more = 0;

    for (size_t i = 0; i < waiter->need_count; i++) {
        const struct mq_need *need = &waiter->needs[i];

        if (need->value != mq_value_missing)
            continue;
        if (limit > 0 && count == limit) {
            more++;
            continue;
        }
        if (need->is_open && need->ref.queue == mq_need_call
            && !mq_guess_peer(&a->job->processes[process], &guess))
            continue;
        mq_strbuf_add(words, "%s", count++ == 0 ? " for "
                                   : all ? ", and for " : ", or for ");
        mq_sentence_need(words, a, need, alike);
    }
    if (more > 0)
        mq_strbuf_add(words, all ? ", and for %zu more"
                                 : ", or for one of %zu more", more);
    if (count == 0)
        add_no_need(words, a, process);
}

/* ---- Where ranks are -------------------------------------------------- */

/* How many of the ranks of a cause sleep, and in which system call; null if not
 * all of them sleep in the same one.
 */
static uint32_t count_asleep(const struct mq_analysis *a,
                             const struct mq_cause *cause, const char **call)
{
    uint32_t count = 0, process;

    *call = NULL;
    for (uint32_t i = 0; i < cause->rank_count; i++) {
        const struct mq_process *it;

        if (!mq_is_process(mq_rank_process(&a->ranks, cause->ranks[i]),
                           &process))
            continue;
        it = &a->job->processes[process];
        if (!mq_is_asleep(it))
            continue;
        if (count++ == 0)
            *call = it->activity.system_call;
        else if (*call != NULL && (it->activity.system_call == NULL
                                   || strcmp(*call, it->activity.system_call)
                                      != 0))
            *call = NULL;
    }
    return count;
}

/* Activity of ranks outside MPI: they run, they sleep, or some do either; and
 * whether that names a system call.
 */
static bool add_running(struct mq_strbuf *words, const struct mq_analysis *a,
                        const struct mq_cause *cause)
{
    static const char *const peers[] = {
        [mq_waiting_device] = " for a device",
        [mq_waiting_peers] = " for other ranks, outside MPI,",
        [mq_waiting_server] = " for a server"
    };
    bool several = cause->rank_count > 1;
    const char *call;
    uint32_t asleep = count_asleep(a, cause, &call), first;
    struct mq_called called = { NULL, NULL, mq_waiting_nobody };

    if (mq_is_process(cause->first, &first))
        called = mq_called_find(&a->job->processes[first]);
    if (called.waiting != mq_waiting_nobody) {
        mq_strbuf_add(words, several ? "wait%s" : "waits%s",
                      peers[called.waiting]);
        return false;
    }
    if (asleep == 0) {
        mq_strbuf_add(words, called.function != NULL
                             ? (several ? "compute" : "computes")
                             : several ? "run" : "runs");
        return false;
    }
    mq_strbuf_add(words, asleep < cause->rank_count ? "run or sleep"
                         : several ? "sleep" : "sleeps");
    if (asleep == cause->rank_count && call != NULL && called.function == NULL)
        mq_strbuf_add(words, " in %s", call);
    if (!several && mq_is_process(cause->first, &first)
        && a->job->processes[first].thread_count > 0
        && a->job->processes[first].threads->resource.kind != mq_resource_none)
    {
        mq_strbuf_add(words, ", for ");
        mq_resource_words(words, a, &a->job->processes[first],
                          a->job->processes[first].threads);
    }
    return asleep == cause->rank_count && call != NULL
           && called.function == NULL;
}

/* Activity of the ranks of a cause, whose first is PROCESS: "runs: relax at
 * solver.c:217", "wait in MPI_Recv at ring.c:12".
 */
static void add_doing(struct mq_strbuf *words, const struct mq_analysis *a,
                      const struct mq_cause *cause, size_t process)
{
    static const char *const verbs[mq_rank_states][2] = {
        { "runs", "run" }, { "polls", "poll" }, { "waits", "wait" },
        { "is starting", "are starting" }, { "is ending", "are ending" },
        { "has ended", "have ended" },
        { "could not be read", "could not be read" },
        { "is stopped by a signal", "are stopped by a signal" }
    };
    bool several = cause->rank_count > 1, is_in_system_call = false;
    const struct mq_process *it = &a->job->processes[process];
    const struct mq_frame *site = mq_call_site(it);

    if (a->waits.of[process].state == mq_rank_runs
        && a->waits.of[process].condition & mq_condition_open
        && mq_is_in_library(it) && !mq_is_asleep(it))
        mq_strbuf_add(words, several ? "are" : "is");
    else if (a->waits.of[process].state == mq_rank_runs)
        is_in_system_call = add_running(words, a, cause);
    else
        mq_strbuf_add(words, "%s", verbs[a->waits.of[process].state][several]);
    if (is_in_system_call && !mq_is_in_library(it)) {
        mq_strbuf_add(words, ", called by ");
        if (site != NULL && site->object == NULL)
            mq_frame_words(words, a, site);
        else
            mq_strbuf_add(words, "%s", mq_text_last_name(it->image));
    } else {
        if (mq_callback(it) != NULL) {
            mq_strbuf_add(words, ", called by ");
            mq_frame_words(words, a, mq_callback(it));
            mq_strbuf_add(words, ",");
        }
        mq_place_words(words, a, it);
    }
    if (a->waits.of[process].state == mq_rank_runs && it->call == NULL)
        mq_strbuf_add(words, ", or is in a call that is not known");
    if (it->movement == mq_moved && !several
        && (a->waits.of[process].state == mq_rank_waits
            || a->waits.of[process].state == mq_rank_ending))
        mq_strbuf_add(words, ", and moved while it was sampled");
    if (it->movement == mq_moved && !several
        && a->waits.of[process].state == mq_rank_gone)
        mq_strbuf_add(words, " while it was sampled");
}

/* ---- The verdict ------------------------------------------------------ */

enum {
    few_ranks = 8               /* that a verdict names one by one */
};

static const char *perhaps(const struct mq_cause *it)
{
    return it->is_guessed && !it->certain ? " perhaps" : "";
}

/* The call that the ranks of a cause have not made where all who wait for it
 * begin or end MPI, or spawn, or are in an operation of a group; else null.
 * *CALL is the one that these are in, or null if they are in several.
 */
static const char *missing_call(const struct mq_analysis *a,
                                const struct mq_cause *it, const char **call)
{
    const char *missing = NULL;

    *call = NULL;
    for (uint32_t i = 0; i < it->behind_count; i++) {
        const struct mq_waits_group *group;
        const char *own;
        uint32_t process;

        if (!mq_is_process(mq_rank_process(&a->ranks, it->behind[i]), &process)
            || a->waits.of[process].need_count != 1)
            return NULL;
        group = mq_waits_group(&a->waits, a->waits.of[process].needs[0].node);
        if (group == NULL || group->collective < MQ_OF_GROUP)
            return NULL;
        own = a->job->processes[process].call;
        *call = i == 0 || own == *call ? own : NULL;
        missing = call_of_startup(group);
    }
    return missing;
}

/* "rank 3 waits", "511 ranks wait": COUNT ranks behind a cause, from FIRST on.
 */
static void add_waiting(struct mq_strbuf *words, const struct mq_analysis *a,
                        const struct mq_cause *it, uint32_t first,
                        uint32_t count, bool by_number, const char *perhaps)
{
    const char *call;

    if (by_number && count > few_ranks)
        mq_strbuf_add(words, "%" PRIu32 " ranks", count);
    else
        mq_rank_text_ranks(words, a->job, it->behind + first, count);
    mq_strbuf_add(words, "%s %s", perhaps, count == 1 ? "waits" : "wait");
    missing_call(a, it, &call);
    if (call != NULL)
        mq_strbuf_add(words, " in %s", call);
}

/* "; rank 3 perhaps waits behind them" */
static void add_behind(struct mq_strbuf *words, const struct mq_analysis *a,
                       const struct mq_cause *it, uint32_t first,
                       uint32_t count, bool by_number, const char *perhaps)
{
    if (count == 0)
        return;
    mq_strbuf_add(words, "; ");
    add_waiting(words, a, it, first, count, by_number, perhaps);
    mq_strbuf_add(words, " behind %s", it->rank_count == 1 ? "it" : "them");
}

/* Those behind a certain cause that are not certain themselves. */
static void add_doubtful(struct mq_strbuf *words, const struct mq_analysis *a,
                         const struct mq_cause *it, bool by_number)
{
    add_behind(words, a, it, it->sure_count, it->behind_count - it->sure_count,
               by_number, " perhaps");
}

/* Text for the ranks of a cause without known activity. */
static const char *why_unknown(const struct mq_analysis *a,
                               const struct mq_cause *it)
{
    bool all_connect = true, all_leave = true, all_past = true;

    for (uint32_t i = 0; i < it->rank_count; i++) {
        uint32_t process;

        if (!mq_is_process(mq_rank_process(&a->ranks, it->ranks[i]), &process))
            continue;
        all_connect &= a->table.calls[process] == mq_wait_connection;
        all_past &= mq_waits_past_mpi(&a->job->processes[process]);
        all_leave &= leaves_it_to_thread(&a->job->processes[process]);
    }
    if (all_connect)
        return "; the connecting process is unknown";
    if (all_past)
        return ", for other ranks, outside MPI";
    if (!all_leave)
        return "; the reason is not known";
    return it->rank_count > 1 ? "; other threads of theirs wait in MPI"
                              : "; another of its threads waits in MPI";
}

/* Whether its MPI may let it wait in MPI_Init for a debugger, as one that is
 * part of the program may.
 */
static bool may_be_at_gate(const struct mq_process *process)
{
    const struct mq_thread *thread = process->threads;
    const char *library = process->thread_count > 0 && thread->site > 0
                          ? thread->frames[thread->site - 1].object : NULL;

    return library == NULL || mq_adapter_has_gate(library);
}

/* Whether ranks end the job, which has not ended: a sentence, else null. */
static const char *why_aborting(const struct mq_analysis *a, const int *ranks,
                                size_t count)
{
    uint32_t process;

    for (size_t i = 0; i < count; i++)
        if (!mq_is_process(mq_rank_process(&a->ranks, ranks[i]), &process)
            || a->job->processes[process].presence != mq_present
            || a->table.calls[process] != mq_wait_ending
            || !mq_call_is_same(mq_call_name(a->job->processes[process].call),
                                "MPI_Abort"))
            return NULL;
    return "the launcher has not ended the job";
}

static void add_deadlock(struct mq_strbuf *words, const struct mq_analysis *a,
                         const struct mq_cause *it, uint32_t first)
{
    bool several = it->rank_count > 1;

    mq_strbuf_add(words, "%s %s", it->is_unexplained ? "" : perhaps(it),
                  several ? "wait" : "waits");
    if (!it->is_unexplained)
        mq_strbuf_add(words, several ? " for each other" : " for itself");
    mq_places_words(words, a, it->ranks, it->rank_count);
    if (it->is_unexplained && !several
        && a->table.calls[first] == mq_wait_connection)
        add_lonely(words, a, first);
    else if (it->is_unexplained)
        mq_strbuf_add(words, "%s", why_unknown(a, it));
}

/* The ranks of a cause, and what they are doing; IN_CHAIN: others wait for
 * them in this sentence.
 */
static void add_cause(struct mq_strbuf *words, const struct mq_analysis *a,
                      const struct mq_cause *it, bool in_chain)
{
    const char *aborting = why_aborting(a, it->ranks, it->rank_count);
    uint32_t first;

    if (!mq_is_process(it->first, &first)) {
        if (a->missing.count == 0)
            mq_strbuf_add(words, "a rank outside all known groups");
        else
            mq_rank_text_spans(words, a->job, &a->missing);
        mq_strbuf_add(words, ", not given");
        return;
    }
    mq_rank_text_ranks(words, a->job, it->ranks, it->rank_count);
    if (it->kind == mq_cause_deadlock) {
        add_deadlock(words, a, it, first);
        return;
    }
    if (in_chain) {
        /* Between the ranks of a cause and what they are doing. */
        bool several = it->rank_count > 1;
        const char *call, *missing = missing_call(a, it, &call);

        if (it->kind == mq_cause_held_up && missing != NULL
            && !mq_is_in_mpi(a->job->processes[first].call))
            mq_strbuf_add(words, several ? ", which have not called %s: they "
                                         : ", which has not called %s: it ",
                          call != NULL && mq_call_is_same(call, missing)
                          ? "it" : missing);
        else
            mq_strbuf_add(words, ", which ");
    } else
        mq_strbuf_add(words, " ");
    add_doing(words, a, it, first);
    if (it->kind == mq_cause_stuck && aborting != NULL)
        mq_strbuf_add(words, "; %s", aborting);
    else if (it->kind == mq_cause_stuck && it->state != mq_rank_gone)
        mq_strbuf_add(words, " and can no longer release others");
    if (it->state == mq_rank_starting
        && a->job->processes[first].communicator_count == 0
        && may_be_at_gate(&a->job->processes[first]))
        mq_strbuf_add(words, "; with -mpichtv or -mpichksq a rank waits there "
                      "for a debugger, and mqdump --open-gate releases it");
}

static void add_chain(struct mq_strbuf *words, const struct mq_analysis *a,
                      const struct mq_cause *it, bool by_number)
{
    if (it->kind != mq_cause_deadlock) {
        add_waiting(words, a, it, 0, it->sure_count, by_number, perhaps(it));
        mq_strbuf_add(words, " for ");
    }
    add_cause(words, a, it, true);
    if (it->kind == mq_cause_deadlock)
        add_behind(words, a, it, 0, it->sure_count, by_number, "");
    add_doubtful(words, a, it, by_number);
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
    add_cause(words, a, it, false);
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
    const struct mq_process *process;
    uint32_t first;

    if (!mq_is_process(it->first, &first))
        return;
    process = &a->job->processes[first];
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
        if (a->waits.of[p].state == mq_rank_waits) {
            *outside += a->table.calls[p] == mq_wait_unseen;
            *moved += a->job->processes[p].movement == mq_moved;
            count++;
        }
    return count;
}

/* Which ranks are in MPI_Init, and which are not; false if none is. */
static bool add_starting(struct mq_strbuf *words, const struct mq_analysis *a)
{
    const size_t room = a->job->process_count + 1;
    int *ranks = malloc(room * sizeof *ranks);
    int *others = malloc(room * sizeof *others);
    size_t count = 0, other_count = 0;

    for (size_t p = 0; ranks != NULL && others != NULL
         && p < a->job->process_count; p++) {
        if (mq_is_starting(a, p))
            ranks[count++] = a->job->processes[p].rank;
        else if (mq_rank_counts(&a->ranks, p))
            others[other_count++] = a->job->processes[p].rank;
    }
    if (count > 0) {
        mq_rank_text_sorted(words, a->job, ranks, count);
        mq_strbuf_add(words, count == 1 ? " is" : " are");
        mq_places_words(words, a, ranks, count);
    }
    if (count > 0 && other_count > 0) {
        mq_strbuf_add(words, "; ");
        mq_rank_text_sorted(words, a->job, others, other_count);
        mq_strbuf_add(words, other_count == 1 ? " is not" : " are not");
    }
    words->failed |= ranks == NULL || others == NULL;
    free(ranks);
    free(others);
    return count > 0;
}

/* Ranks that stay somewhere for an unknown reason. */
static void add_unknown(struct mq_strbuf *words, const struct mq_analysis *a)
{
    int *ranks = malloc((a->job->process_count + 1) * sizeof *ranks);
    const char *aborting;
    size_t count = 0;

    if (ranks == NULL) {
        words->failed = true;
        return;
    }
    for (size_t p = 0; p < a->job->process_count; p++)
        if (a->verdict == mq_verdict_possible ? mq_is_stuck_ending(a, p)
                                              : mq_stays_somewhere(a, p))
            ranks[count++] = a->job->processes[p].rank;
    mq_rank_text_sorted(words, a->job, ranks, count);
    mq_strbuf_add(words, count == 1 ? " stays" : " stay");
    mq_places_words(words, a, ranks, count);
    aborting = why_aborting(a, ranks, count);
    mq_strbuf_add(words, "; %s", aborting != NULL ? aborting
                                                  : "the reason is not known");
    free(ranks);
}

static size_t ranks_with_waiting_threads(const struct mq_analysis *a)
{
    size_t count = 0;

    for (size_t p = 0; p < a->job->process_count; p++)
        count += mq_has_waiting_thread(&a->job->processes[p]);
    return count;
}

/* The ranks that were not read completely; none of the others is seen to be
 * stuck.
 */
static void add_unread(struct mq_strbuf *words, const struct mq_analysis *a)
{
    int *ranks = malloc((a->unreadable_count + 1) * sizeof *ranks);
    size_t count = 0;

    for (size_t i = 0; ranks != NULL && i < a->unreadable_count; i++) {
        uint32_t process = a->unreadable[i].process;

        if ((i == 0 || process != a->unreadable[i - 1].process)
            && a->job->processes[process].rank >= 0)
            ranks[count++] = a->job->processes[process].rank;
    }
    if (count > 0)
        mq_rank_text_sorted(words, a->job, ranks, count);
    else
        mq_strbuf_add(words, "a process without a rank");
    mq_strbuf_add(words, " could not be read completely; no other rank"
                  " appears stuck");
    words->failed |= ranks == NULL;
    free(ranks);
}

/* Whose threads wait in MPI beside a main thread that does not. */
static void add_beside(struct mq_strbuf *words, const struct mq_analysis *a,
                       size_t count)
{
    mq_strbuf_add(words, "threads of %zu rank%s wait in MPI%s", count,
                  count == 1 ? "" : "s", a->verdict == mq_verdict_none
                  ? ", beside main threads that go on"
                  : "; whether their main threads go on is not known");
}

static void add_staying(struct mq_strbuf *words, const struct mq_analysis *a)
{
    if (a->verdict != mq_verdict_unknown || !add_starting(words, a))
        add_unknown(words, a);
}

static void add_no_cause(struct mq_strbuf *words, const struct mq_analysis *a)
{
    size_t outside, moved, waiting = waiting_ranks(a, &outside, &moved);
    size_t others = ranks_with_waiting_threads(a);
    size_t stopped = mq_stopped_ranks(a);

    if (stopped > 0)
        mq_strbuf_add(words, "%zu rank%s stopped by a signal", stopped,
                      stopped == 1 ? " is" : "s are");
    else if (a->verdict == mq_verdict_unknown
             && (a->unreadable_count > 0 || a->left_out_count > 0))
        add_unread(words, a);
    else if (waiting > 0 && waiting == outside)
        mq_strbuf_add(words, "%zu rank%s for something that may be outside the"
                      " job", waiting, waiting == 1 ? " waits" : "s wait");
    else if (waiting == 0 && others > 0)
        add_beside(words, a, others);
    else if (a->verdict >= mq_verdict_unknown)
        add_staying(words, a);
    else if (waiting == 0)
        mq_strbuf_add(words, a->missing.count > 0
                      ? "no rank that was given waits for another"
                      : "no rank waits for another");
    else if (moved == waiting)
        mq_strbuf_add(words, "%zu rank%s, and moved while %s sampled",
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
    if (first->certain)
        return true;
    return a->verdict == mq_verdict_possible
           && (a->cause_count == 0 || cause->kind != mq_cause_deadlock
               || cause->is_unexplained);
}

static bool is_among_ranks(const int *ranks, size_t count, int rank)
{
    while (count > 0 && ranks[count - 1] != rank)
        count--;
    return count > 0;
}

bool mq_sentence_names_cause(const struct mq_analysis *a)
{
    const struct mq_mismatch *it = a->mismatches.mismatches;

    for (uint32_t i = 0; mq_sentence_mismatch_leads(a) && a->cause_count > 0
         && i < a->causes[0].rank_count; i++)
        if (!is_among_ranks(it->ranks, it->many_count + it->few_count,
                            a->causes[0].ranks[i]))
            return false;
    return true;
}

size_t mq_sentence_misses_alike(const struct mq_analysis *a, size_t first)
{
    const struct mq_near_miss *own = &a->near_misses[first];
    size_t i = first;

    while (++i < a->near_miss_count) {
        const struct mq_near_miss *it = &a->near_misses[i];

        if (own->note || it->note || own->difference > mq_source_differs
            || it->difference > mq_source_differs
            || mq_operation_ref_sender(a->job, &own->message) < 0
            || mq_operation_ref_sender(a->job, &it->message) < 0
            || it->receive.process != own->receive.process
            || it->receive.communicator != own->receive.communicator)
            break;
    }
    return i - first;
}

const struct mq_near_miss *mq_sentence_leading_miss(
    const struct mq_analysis *a)
{
    const struct mq_near_miss *found = NULL;

    if (mq_sentence_mismatch_leads(a) || a->cause_count == 0
        || a->causes[0].kind != mq_cause_deadlock
        || a->causes[0].is_unexplained)
        return NULL;
    for (size_t i = 0; i < a->near_miss_count; i++) {
        const struct mq_near_miss *it = &a->near_misses[i];

        if (it->note || !a->is_cause[it->receive.process]
            || a->cause_of[it->receive.process] != 0)
            continue;
        if (mq_operation_ref_sender(a->job, &it->message) < 0
            || (found != NULL
                && found->receive.process != it->receive.process))
            return NULL;
        found = found != NULL ? found : it;
    }
    return found;
}

static bool is_same_operation(const struct mq_operation_ref *left,
                              const struct mq_operation_ref *right)
{
    return left->process == right->process
           && left->communicator == right->communicator
           && left->queue == right->queue
           && left->operation == right->operation;
}

/* Whether one of the near misses before the one at INDEX has its receive, or
 * its message.
 */
static bool is_named(const struct mq_near_miss *misses, size_t index,
                     bool is_message)
{
    const struct mq_near_miss *it = &misses[index];

    for (size_t i = 0; i < index; i++)
        if (is_message
            ? is_same_operation(&misses[i].message, &it->message)
            : is_same_operation(&misses[i].receive, &it->receive))
            return true;
    return false;
}

static void add_sent(struct mq_strbuf *words, const struct mq_analysis *a,
                     const struct mq_near_miss *miss)
{
    const struct mq_operation *message =
        mq_operation_ref_operation(a->job, &miss->message);

    mq_rank_text_one(words, a->job,
                     mq_operation_ref_sender(a->job, &miss->message));
    mq_strbuf_add(words, " sent ");
    if (miss->difference == mq_too_long)
        mq_strbuf_add(words, "%" PRId64 " bytes", message->desired_length);
    else
        mq_strbuf_add(words, "tag %" PRId64, message->desired_tag);
    if (miss->difference == mq_communicator_differs) {
        mq_strbuf_add(words, " on ");
        add_communicator(words, a, &miss->message);
    }
}

/* "rank 1 expects tag 17 from rank 2 on strips, but rank 2 sent tag 71": of
 * near misses that are alike.
 */
static void add_expectation(struct mq_strbuf *words,
                            const struct mq_analysis *a,
                            const struct mq_near_miss *misses, size_t count)
{
    mq_rank_text_one(words, a->job,
                     mq_operation_ref_process(a->job, &misses->receive)->rank);
    mq_strbuf_add(words, " expects ");
    for (size_t i = 0; i < count; i++) {
        const struct mq_operation *receive =
            mq_operation_ref_operation(a->job, &misses[i].receive);

        if (is_named(misses, i, false))
            continue;
        mq_strbuf_add(words, i > 0 ? " and " : "");
        mq_tag_words(words, receive);
        mq_strbuf_add(words, " from ");
        mq_source_words(words, a->job, mq_receives, receive);
    }
    mq_strbuf_add(words, " on ");
    add_communicator(words, a, &misses->receive);
    if (misses->difference == mq_too_long)
        mq_strbuf_add(words, " with at most %" PRId64 " bytes",
                      mq_operation_ref_operation(a->job, &misses->receive)
                      ->desired_length);
    for (size_t i = 0; i < count; i++)
        if (!is_named(misses, i, true)) {
            mq_strbuf_add(words, i > 0 ? " and " : ", but ");
            add_sent(words, a, &misses[i]);
        }
}

/* The ranks of near misses that are alike, ascending. */
static size_t list_ranks(const struct mq_analysis *a,
                         const struct mq_near_miss *misses, size_t miss_count,
                         int *ranks)
{
    size_t count = 1;

    ranks[0] = mq_operation_ref_process(a->job, &misses->receive)->rank;
    for (size_t i = 0; i < miss_count; i++) {
        int sender = (int)mq_operation_ref_sender(a->job, &misses[i].message);

        if (!is_among_ranks(ranks, count, sender))
            ranks[count++] = sender;
    }
    qsort(ranks, count, sizeof *ranks, mq_compare_ints);
    return count;
}

/* Where these are: "(both in MPI_Waitall, called by exchange at heat.c:33)". */
static void add_where(struct mq_strbuf *words, const struct mq_analysis *a,
                      const int *ranks, size_t count)
{
    uint32_t process = 0;

    for (size_t i = 0; i < count; i++)
        if (!mq_is_process(mq_rank_process(&a->ranks, ranks[i]), &process))
            return;
    if (count < 2 || !mq_is_at_one_place(a, ranks, count)) {
        mq_places_words(words, a, ranks, count);
        return;
    }
    mq_strbuf_add(words, count == 2 ? " (both" : " (all");
    mq_place_words(words, a, &a->job->processes[process]);
    mq_strbuf_add(words, ")");
}

/* A deadlock by the near misses that explain it: "... (both in MPI_Waitall,
 * called by exchange at heat.c:33); ranks 0, 3 wait behind them".
 */
static void add_near_deadlock(struct mq_strbuf *words,
                              const struct mq_analysis *a,
                              const struct mq_near_miss *misses)
{
    const struct mq_cause *cause = &a->causes[0];
    size_t miss_count = mq_sentence_misses_alike(
        a, (size_t)(misses - a->near_misses));
    size_t count, others = 0;
    int *named = malloc((miss_count + 1) * sizeof *named);
    int *ranks = malloc((cause->rank_count + (size_t)cause->behind_count + 1)
                        * sizeof *ranks);

    if (named == NULL || ranks == NULL) {
        words->failed = true;
        goto end;
    }
    add_expectation(words, a, misses, miss_count);
    count = list_ranks(a, misses, miss_count, named);
    add_where(words, a, named, count);
    for (uint32_t i = 0; i < cause->rank_count; i++)
        if (!is_among_ranks(named, count, cause->ranks[i]))
            ranks[others++] = cause->ranks[i];
    for (uint32_t i = 0; i < cause->sure_count; i++)
        if (!is_among_ranks(named, count, cause->behind[i]))
            ranks[others++] = cause->behind[i];
    if (others > few_ranks)
        mq_strbuf_add(words, "; %zu ranks", others);
    else if (others > 0) {
        mq_strbuf_add(words, "; ");
        mq_rank_text_sorted(words, a->job, ranks, others);
    }
    if (others > 0)
        mq_strbuf_add(words, others == 1 ? " waits behind them"
                                         : " wait behind them");
    add_doubtful(words, a, cause, true);
end:
    free(named);
    free(ranks);
}

void mq_sentence_verdict(struct mq_strbuf *words, const struct mq_analysis *a)
{
    static const char *const heads[mq_verdicts] = {
        "Nothing is stuck", "Held up", "Not known", "Possible deadlock",
        "Stuck (certain)", "Deadlock (certain)"
    };
    size_t more = a->cause_count > 0 ? a->cause_count - 1 : 0;

    mq_strbuf_add(words, "%s: ", a->verdict == mq_verdict_stuck
                                 && !a->causes[0].certain
                                 ? "Possibly stuck" : heads[a->verdict]);
    if (mq_sentence_mismatch_leads(a)) {
        mq_sentence_mismatch(words, a, &a->mismatches.mismatches[0]);
        return;
    }
    if (a->cause_count == 0) {
        add_no_cause(words, a);
        return;
    }
    if (mq_sentence_leading_miss(a) != NULL)
        add_near_deadlock(words, a, mq_sentence_leading_miss(a));
    else
        add_chain(words, a, &a->causes[0], true);
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
    if (mq_operation_ref_sender(a->job, &miss->message) < 0)
        mq_strbuf_add(words, " from a rank that is not known");
    else {
        mq_strbuf_add(words, " from ");
        mq_rank_text_one(words, a->job,
                         mq_operation_ref_sender(a->job, &miss->message));
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
    mq_tag_words(words, receive);
    if (miss->difference == mq_too_long)
        mq_strbuf_add(words, " with at most %" PRId64 " bytes",
                      receive->desired_length);
    mq_strbuf_add(words, " from ");
    mq_source_words(words, a->job, mq_receives, receive);
    mq_strbuf_add(words, " on ");
    add_communicator(words, a, &miss->receive);
    mq_strbuf_add(words, "; ");
    add_message(words, a, miss);
}

void mq_sentence_near_misses(struct mq_strbuf *words,
                             const struct mq_analysis *a, size_t first,
                             size_t count)
{
    if (count == 1)
        mq_sentence_near_miss(words, a, &a->near_misses[first]);
    else
        add_expectation(words, a, &a->near_misses[first], count);
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
    mq_source_words(words, a->job, mq_unexpected, op);
    mq_strbuf_add(words, " on %s, ",
                  mq_operation_ref_communicator(a->job, &it->first)->name);
    mq_bytes_words(words, it->bytes);
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

/* ---- Proofs, and what verdicts lack ------------------------------------ */

/* The processes whose staying is proved and makes the verdict: those of the
 * first cause, or those that wait for it.
 */
static size_t list_proved(const struct mq_analysis *a, uint32_t *processes)
{
    size_t count = 0;

    for (size_t p = 0; p < a->job->process_count; p++)
        if (a->cause_of[p] == 0 && mq_is_surely_stuck(a, p)
            && a->waits.of[p].state == mq_rank_waits
            && (a->is_cause[p] || a->causes[0].kind == mq_cause_stuck))
            processes[count++] = (uint32_t)p;
    return count;
}

static const char *words_of_stay(const struct mq_analysis *a,
                                 const uint32_t *processes, size_t count)
{
    static const char *const words[mq_stays] = {
        [mq_stay_counted] = "by the kernel's count",
        [mq_stay_noted] = "by libmqwatch's count",
        [mq_stay_asserted] = "as --still asserts"
    };
    enum mq_stay stay = mq_stay_of(a, processes[0]);

    for (size_t i = 1; i < count; i++)
        if (mq_stay_of(a, processes[i]) != stay)
            return "by counts";
    return words[stay] != NULL ? words[stay] : "by counts";
}

bool mq_sentence_proof(struct mq_strbuf *words, const struct mq_analysis *a)
{
    uint32_t *processes;
    const struct mq_process *first;
    size_t count = 0;

    if (a->cause_count == 0 || !a->causes[0].certain
        || a->verdict < mq_verdict_stuck)
        return false;
    processes = malloc((a->job->process_count + 1) * sizeof *processes);
    if (processes == NULL) {
        words->failed = true;
        return false;
    }
    count = list_proved(a, processes);
    if (count > 0) {
        first = &a->job->processes[processes[0]];
        mq_strbuf_add(words, count == 1 ? "its call did not return"
                                        : "their calls did not return");
        if (first->looks > 1)
            mq_strbuf_add(words, " in %" PRIu32 " samples over %.1f s",
                          first->looks, first->looked_for);
        mq_strbuf_add(words, ", %s", words_of_stay(a, processes, count));
        mq_strbuf_add(words, "; --why shows the proof");
    }
    free(processes);
    return count > 0;
}

void mq_sentence_lack(struct mq_strbuf *words, const struct mq_analysis *a,
                      const struct mq_lack *it)
{
    const struct mq_reason_row *row = &mq_reason_rows[it->reason];
    size_t ranks = mq_spans_ranks(&it->ranks);

    if (ranks > 0)
        mq_rank_text_spans(words, a->job, &it->ranks);
    else
        mq_strbuf_add(words, "a process whose rank is not known");
    mq_strbuf_add(words, " %s; %s", ranks > 1 ? row->many : row->one,
                  it->remedy);
}

static bool missing_evidence(const struct mq_analysis *a, enum mq_reason reason)
{
    for (size_t i = 0; i < a->missing_evidence.count; i++)
        if (a->missing_evidence.all[i].reason == reason)
            return true;
    return false;
}

/* ---- Notes ------------------------------------------------------------ */

static void add_ambiguous(struct mq_strbuf *words, const struct mq_analysis *a,
                          const struct mq_operation_ref *ref)
{
    uint32_t number = mq_match_number(&a->match, ref->process,
                                      ref->communicator);
    bool unknown = number == mq_communicator_unknown;

    mq_strbuf_add(words, "%s%s of ", unknown ? "the members of " : "",
                  mq_operation_ref_communicator(a->job, ref)->name);
    mq_rank_text_one(words, a->job,
                     mq_operation_ref_process(a->job, ref)->rank);
    mq_strbuf_add(words, unknown
                  ? " are unknown"
                  : " cannot be distinguished from others of the same ranks;"
                    " no finding"
                    " depends on it");
}

static void add_world(struct mq_strbuf *words, const struct mq_job *job,
                      size_t index)
{
    const struct mq_world *it = &job->worlds[index];

    mq_strbuf_add(words, "world %zu is %s, of %d rank%s", index, it->name,
                  it->size, it->size == 1 ? "" : "s");
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
                    const struct mq_odd_tag *it)
{
    const struct mq_process *process = &a->job->processes[it->process];

    mq_rank_text_one(words, a->job, process->rank);
    mq_strbuf_add(words, " called ");
    mq_place_short(words, a, process);
    mq_strbuf_add(words, " with %s %" PRId64 ", and %" PRIu32 " other ranks"
                  " with %" PRId64, it->argument, it->value, it->others,
                  it->usual);
}

/* Counts INDEX down by COUNT, or finds that it is one of these. */
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
    if (is_among(&index, a->missing.count > 0
                         && !missing_evidence(a, mq_reason_not_given))) {
        mq_rank_text_spans(words, a->job, &a->missing);
        mq_strbuf_add(words, mq_spans_ranks(&a->missing) == 1
                      ? " was not given; nothing is certain without it"
                      : " were not given; nothing is certain without them");
    } else if (is_among(&index, a->job->world_count))
        add_world(words, a->job, index);
    else if (is_among(&index, a->left_out_count)) {
        const struct mq_process *process =
            &a->job->processes[a->left_out[index]];
        uint32_t other;

        if (!mq_is_process(mq_rank_process(&a->ranks, process->rank), &other))
            mq_strbuf_add(words, "%s is ignored: its rank is unknown; "
                          "set it with --ranks-are%s%s",
                          process->name, process->remark_count > 0 ? "; " : "",
                          process->remark_count > 0 ? process->remarks[0].text
                                                    : "");
        else {
            mq_rank_text_one(words, a->job, process->rank);
            mq_strbuf_add(words, MQ_CLAIMED_TWICE,
                          a->job->processes[other].name, process->name);
        }
    } else if (is_among(&index, a->foreign_world_count)) {
        mq_rank_text_one(words, a->job,
                         a->job->processes[a->foreign_worlds[index]].rank);
        mq_strbuf_add(words, " has an MPI_COMM_WORLD of another size than"
                      " %s: it may belong to another job; no verdict is"
                      " certain",
                      a->job->world_count > 0 ? "its world" : "the first");
    } else if (is_among(&index, a->ambiguous_count))
        add_ambiguous(words, a, &a->ambiguous[index]);
    else if (is_among(&index, a->odd_tag_count))
        add_odd(words, a, &a->odd_tag[index]);
    else
        add_near_note(words, a, index);
    return words->length > 0;
}
