/* analysis.c - why a job makes no progress */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/arrivals.h"
#include "analysis/sinks.h"
#include "analysis/thread_activity.h"
#include "base/array.h"
#include "model/worlds.h"
#include "mpi/adapters.h"

/* ---- The verdict ------------------------------------------------------ */

/* Whether it is known that a rank goes on. */
static bool goes_on(const struct mq_analysis *a, size_t process)
{
    if (!mq_rank_counts(&a->ranks, process))
        return false;
    switch ((enum mq_rank_state)a->waits.of[process].state) {
    case mq_rank_starting:
        return true;
    case mq_rank_runs:
    case mq_rank_waits:
        return a->waits.of[process].freedom != mq_not_free
               && !mq_stays_somewhere(a, process);
    default:
        return false;
    }
}

/* Whether something is true of some rank. */
static bool is_any(const struct mq_analysis *a,
                   bool (*is)(const struct mq_analysis *, size_t process))
{
    for (size_t p = 0; p < a->job->process_count; p++)
        if (is(a, p))
            return true;
    return false;
}

/* Whether what could not be read is missed: not of a rank that has moved. */
static bool misses_anything(const struct mq_analysis *a)
{
    for (size_t i = 0; i < a->unreadable_count; i++)
        if (a->job->processes[a->unreadable[i].process].movement != mq_moved)
            return true;
    return a->left_out_count > 0;
}

/* Whether a rank goes on, or may outside MPI. */
static bool may_go_on(const struct mq_analysis *a, size_t process)
{
    return goes_on(a, process) || a->waits.of[process].state == mq_rank_polls
           || a->waits.of[process].state == mq_rank_runs;
}

size_t mq_stopped_ranks(const struct mq_analysis *a)
{
    size_t count = 0;

    for (size_t p = 0; p < a->job->process_count; p++)
        count += a->waits.of[p].state == mq_rank_stopped;
    return count;
}

/* Whether a process sleeps or yields as one does that polls now and then: where
 * calls are counted, that would be known, but for looks at a window's memory,
 * which takes no call.
 */
static bool may_poll(const struct mq_process *process)
{
    bool is_counted = false, has_window = false;

    for (size_t c = 0; c < process->communicator_count; c++) {
        const struct mq_communicator *it = &process->communicators[c];

        is_counted |= it->agreed_id != 0;
        has_window |= it->is_window || mq_adapter_is_window(it->name);
    }
    return (has_window || !is_counted) && !mq_is_before_mpi(process)
           && (mq_is_napping(process) || mq_is_yielding(process));
}

/* A process that waits for a rank that may wait itself, or may poll, is held up
 * only if some rank continues.
 */
static enum mq_verdict verdict_of_cause(const struct mq_analysis *a,
                                        const struct mq_cause *it)
{
    uint32_t first;

    switch (it->kind) {
    case mq_cause_deadlock:
        return it->certain ? mq_verdict_deadlock : mq_verdict_possible;
    case mq_cause_stuck:
        return it->is_guessed && !it->certain ? mq_verdict_possible
                                              : mq_verdict_stuck;
    case mq_cause_held_up:
        if (it->is_guessed && !it->certain)
            return mq_verdict_unknown;
        return mq_is_process(it->first, &first)
               && (a->waits.of[first].condition & mq_condition_open
                   || may_poll(&a->job->processes[first]))
               && !is_any(a, goes_on)
               ? mq_verdict_unknown : mq_verdict_held_up;
    default:
        return mq_verdict_unknown;
    }
}

static enum mq_verdict verdict_of(const struct mq_analysis *a)
{
    enum mq_verdict verdict = mq_verdict_none;

    for (size_t i = 0; i < a->cause_count; i++) {
        enum mq_verdict one = verdict_of_cause(a, &a->causes[i]);

        if (one > verdict)
            verdict = one;
    }
    if (a->mismatches.count > 0 && verdict < mq_verdict_possible)
        verdict = mq_verdict_possible;
    if (verdict < mq_verdict_possible && misses_anything(a))
        verdict = mq_verdict_unknown;
    if (verdict != mq_verdict_none)
        return verdict;
    return mq_stopped_ranks(a) > 0 ? mq_verdict_held_up
           : is_any(a, mq_is_stuck_ending) && !is_any(a, may_go_on)
           ? mq_verdict_possible
           : is_any(a, mq_is_starting) ? mq_verdict_unknown
           : is_any(a, mq_stays_somewhere) && !is_any(a, goes_on)
           ? mq_verdict_unknown : mq_verdict_none;
}

/* ---- What is not known ------------------------------------------------ */

static enum mq_result list_unreadable(struct mq_analysis *a,
                                      struct mq_error *error)
{
    enum mq_result result = mq_ok;
    size_t room = 0;

    for (uint32_t p = 0; p < a->job->process_count; p++)
        for (uint32_t i = 0; result == mq_ok
                             && i < a->job->processes[p].remark_count; i++)
            if (a->job->processes[p].remarks[i].is_error)
                result = mq_array_add(&a->unreadable, sizeof *a->unreadable,
                                      &a->unreadable_count, &room,
                                      &(struct mq_unreadable){ p, i },
                                      "listing what could not be read", error);
    return result;
}

static enum mq_result list_left_out(struct mq_analysis *a,
                                    struct mq_error *error)
{
    enum mq_result result = mq_ok;
    size_t room = 0;

    for (uint32_t p = 0; result == mq_ok && p < a->job->process_count; p++)
        if (!mq_rank_counts(&a->ranks, p))
            result = mq_array_add(&a->left_out, sizeof p, &a->left_out_count,
                                  &room, &p, "listing the processes", error);
    return result;
}

/* The size of a process's MPI_COMM_WORLD, or -1. */
static int64_t world_size(const struct mq_process *process)
{
    for (size_t c = 0; c < process->communicator_count; c++)
        if (process->communicators[c].name != NULL
            && strcmp(process->communicators[c].name, "MPI_COMM_WORLD") == 0)
            return process->communicators[c].size;
    return -1;
}

/* Lists processes whose world has not the size of the first's or, of several
 * worlds, of their own.
 */
static enum mq_result list_foreign_worlds(struct mq_analysis *a,
                                          struct mq_error *error)
{
    size_t room = 0;
    int64_t world = -1;

    for (uint32_t p = 0; p < a->job->process_count; p++) {
        const struct mq_process *process = &a->job->processes[p];
        int64_t size = world_size(process);
        int rank, own = mq_worlds_find(a->job, process->rank, &rank);

        if (own >= 0)
            world = a->job->worlds[own].size;
        else if (world < 0)
            world = size;
        if (size >= 0 && size != world
            && mq_array_add(&a->foreign_worlds, sizeof p,
                            &a->foreign_world_count, &room, &p,
                            "listing the processes", error) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* Lists one communicator of each ambiguous number. */
static enum mq_result list_ambiguous(struct mq_analysis *a,
                                     struct mq_error *error)
{
    bool *listed = calloc(a->match.count, sizeof listed[0]);

    a->ambiguous = malloc(a->match.count * sizeof a->ambiguous[0]);
    if (listed == NULL || a->ambiguous == NULL) {
        free(listed);
        return mq_fail_memory(error, "listing the communicators");
    }
    for (size_t p = 0; p < a->job->process_count; p++)
        for (size_t c = 0; mq_rank_counts(&a->ranks, p)
             && c < a->job->processes[p].communicator_count; c++) {
            uint32_t number = mq_match_number(&a->match, p, c);

            if (!a->match.ambiguous[number] || listed[number])
                continue;
            listed[number] = true;
            a->ambiguous[a->ambiguous_count++] =
                (struct mq_operation_ref){ (uint32_t)p, (uint32_t)c, 0, 0 };
        }
    free(listed);
    return mq_ok;
}

/* ---- All of it -------------------------------------------------------- */

/* Why not all ranks of one job were given, once each, and could be read. */
static mq_reasons why_incomplete(const struct mq_analysis *a)
{
    mq_reasons reasons = 0;

    if (a->missing.count > 0)
        reasons |= mq_because(mq_reason_not_given);
    if (a->left_out_count > 0)
        reasons |= mq_because(mq_reason_left_out);
    if (a->foreign_world_count > 0)
        reasons |= mq_because(mq_reason_other_world);
    for (size_t p = 0; p < a->job->process_count; p++)
        if (a->job->processes[p].presence == mq_not_read)
            reasons |= mq_because(mq_reason_not_read);
    return reasons;
}

/* The ranks and their communicators. */
static enum mq_result look_at_job(struct mq_analysis *a, struct mq_error *error)
{
    if (mq_rank_index_init(a->job, error, &a->ranks) != mq_ok
        || mq_file_names_create(a->job, error, &a->files) != mq_ok
        || mq_missing_ranks(&a->ranks, error, &a->missing) != mq_ok
        || list_left_out(a, error) != mq_ok
        || list_foreign_worlds(a, error) != mq_ok
        || mq_match_create(a->job, &a->ranks, error, &a->match) != mq_ok
        || list_ambiguous(a, error) != mq_ok
        || list_unreadable(a, error) != mq_ok)
        return mq_failed;
    return mq_ok;
}

/* The wait-for graph and its sink components. */
static enum mq_result follow_waits(struct mq_analysis *a,
                                   struct mq_error *error)
{
    struct mq_sinks sinks;
    enum mq_result result;

    if (mq_match_table_create(a->job, &a->ranks, &a->match, error,
                              &a->table) != mq_ok
        || mq_waits_create(&a->table, why_incomplete(a), error, &a->waits)
           != mq_ok
        || mq_stuck_find(&a->waits, error, &a->prospects) != mq_ok
        || mq_mismatches_find(&a->waits, &a->prospects, error, &a->mismatches)
           != mq_ok
        || mq_sinks_find(&a->waits, &a->prospects, error, &sinks) != mq_ok)
        return mq_failed;
    result = mq_causes_list(a, &sinks, error);
    mq_sinks_destroy(&sinks);
    return result;
}

static enum mq_result analyse(struct mq_analysis *a, struct mq_error *error)
{
    if (look_at_job(a, error) != mq_ok || follow_waits(a, error) != mq_ok
        || mq_near_misses_find(&a->waits, &a->prospects, error, &a->near_misses,
                               &a->near_miss_count) != mq_ok
        || mq_odd_tags_find(&a->waits, error, &a->odd_tag,
                            &a->odd_tag_count) != mq_ok
        || mq_unclaimed_find(&a->table, error, &a->unclaimed,
                             &a->unclaimed_count) != mq_ok)
        return mq_failed;
    a->verdict = verdict_of(a);
    if (mq_missing_evidence_find(a, error, &a->missing_evidence) != mq_ok)
        return mq_failed;
    return a->verdict == mq_verdict_none
           ? mq_ok : mq_lags_find(&a->waits, error, &a->lags);
}

enum mq_result mq_analyse(const struct mq_job *job, struct mq_error *error,
                          struct mq_analysis **analysis)
{
    struct mq_analysis *made = calloc(1, sizeof *made);

    if (made == NULL)
        return mq_fail_memory(error, "analysing the job");
    made->job = job;
    if (analyse(made, error) != mq_ok) {
        mq_analysis_destroy(made);
        return mq_failed;
    }
    *analysis = made;
    return mq_ok;
}

void mq_analysis_destroy(struct mq_analysis *a)
{
    if (a == NULL)
        return;
    mq_rank_index_deinit(&a->ranks);
    mq_file_names_destroy(&a->files);
    mq_match_destroy(&a->match);
    mq_match_table_destroy(&a->table);
    mq_waits_destroy(&a->waits);
    mq_missing_evidence_destroy(&a->missing_evidence);
    mq_lags_destroy(&a->lags);
    mq_prospects_destroy(&a->prospects);
    free(a->causes);
    free(a->cause_of);
    free(a->is_cause);
    mq_mismatches_destroy(&a->mismatches);
    free(a->foreign_worlds);
    free(a->near_misses);
    free(a->odd_tag);
    free(a->unclaimed);
    free(a->unreadable);
    mq_spans_deinit(&a->missing);
    free(a->left_out);
    free(a->ambiguous);
    free(a->rank_lists);
    free(a);
}
