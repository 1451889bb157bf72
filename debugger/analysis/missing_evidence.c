/* missing_evidence.c - evidence that verdict and causes lack to be certain */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/findings.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/arrivals.h"
#include "analysis/thread_activity.h"
#include "base/number.h"

struct search {
    const struct mq_analysis *a;
    mq_reasons *reasons;        /* by process */
    mq_reasons groups;          /* of all groups */
    bool *is_met;               /* by node */
    uint32_t *open;             /* nodes that were met, as a stack */
    size_t open_count;
};

/* Why it is not known whether a process goes on that may get nowhere. */
static mq_reasons reasons_of_open(const struct mq_analysis *a, size_t process)
{
    const struct mq_waiter *waiter = &a->waits.of[process];

    if (waiter->state == mq_rank_polls)
        return mq_because(mq_reason_polls);
    return waiter->doubts != 0 ? waiter->doubts
           : mq_because(mq_is_stuck_ending(a, process)
                        ? mq_reason_in_finalize
                        : mq_is_called_back(&a->job->processes[process])
                          && mq_is_in_mpi(a->job->processes[process].call)
                        ? mq_reason_callback
                        : mq_has_waiting_thread(&a->job->processes[process])
                        ? mq_reason_thread_awaited : mq_reason_place_unknown);
}

mq_reasons mq_missing_evidence_of(const struct mq_analysis *a, size_t process)
{
    const struct mq_cause *cause =
        a->cause_of[process] < a->cause_count ? &a->causes[a->cause_of[process]]
                                              : NULL;
    const struct mq_waiter *waiter = &a->waits.of[process];
    uint32_t first;

    if (mq_is_surely_stuck(a, process))
        return 0;
    if (cause == NULL)
        return mq_stays_somewhere(a, process) || mq_is_stuck_ending(a, process)
               ? reasons_of_open(a, process) : 0;
    switch (cause->kind) {
    case mq_cause_deadlock:
        return mq_releasing(&a->waits, &a->prospects, (uint32_t)process);
    case mq_cause_stuck:
        return waiter->doubts
               | mq_releasing(&a->waits, &a->prospects, (uint32_t)process);
    case mq_cause_held_up:
        return a->is_cause[process]
               && (waiter->condition & mq_condition_open
                   || (a->verdict == mq_verdict_unknown
                       && mq_stays_somewhere(a, process)))
               ? reasons_of_open(a, process)
               : waiter->freedom == mq_not_free ? waiter->doubts : 0;
    default:
        return mq_is_process(cause->first, &first)
               ? mq_because(mq_reason_not_read)
               : mq_because(mq_reason_not_given);
    }
}

bool mq_verdict_is_open(const struct mq_analysis *a)
{
    return a->verdict == mq_verdict_possible
           || a->verdict == mq_verdict_unknown
           || (a->cause_count > 0 && !a->causes[0].certain
               && (a->verdict == mq_verdict_stuck
                   || a->verdict == mq_verdict_held_up));
}

/* Whether more would be said of a cause if more were known.  Beside ranks that
 * are stuck for certain, those that are held up explain nothing.
 */
static bool is_open(const struct mq_analysis *a, const struct mq_cause *it)
{
    return mq_verdict_is_open(a)
           ? !it->certain || a->verdict == mq_verdict_unknown
           : !it->certain && it->kind != mq_cause_held_up;
}

static bool has_open_cause(const struct mq_analysis *a)
{
    for (size_t i = 0; i < a->cause_count; i++)
        if (is_open(a, &a->causes[i]))
            return true;
    return false;
}

/* Whether the verdict, or what is said of the cause of a process, would be
 * another one if more were known of that, or of the process itself.
 */
static bool decides(const struct mq_analysis *a, size_t process)
{
    return a->cause_of[process] < a->cause_count
           ? is_open(a, &a->causes[a->cause_of[process]])
           : a->cause_count == 0;
}

/* Of a mismatch that is possible, those of its ranks count as well. */
static void add_mismatches(struct search *s)
{
    const struct mq_analysis *a = s->a;

    for (size_t i = 0; mq_verdict_is_open(a) && i < a->mismatches.count; i++) {
        const struct mq_mismatch *it = &a->mismatches.mismatches[i];

        for (size_t k = 0; !it->certain && k < it->many_count + it->few_count;
             k++) {
            uint32_t process;

            if (mq_is_process(mq_rank_process(&a->ranks, it->ranks[k]),
                              &process))
                s->reasons[process] |= a->waits.of[process].doubts;
        }
    }
}

/* ---- What a deadlock depends on --------------------------------------- */

static void push(struct search *s, uint32_t node)
{
    if (node == mq_unknown_node || s->is_met[node]
        || s->a->prospects.nodes[node] != mq_prospect_possibly_stuck)
        return;
    s->is_met[node] = true;
    s->open[s->open_count++] = node;
}

static void push_members(struct search *s, const struct mq_waits_group *group)
{
    size_t place = 0;
    uint32_t node;

    while (mq_next_awaited(&s->a->waits, group, &place, &node))
        push(s, node);
}

/* Goes from possible deadlocks to all that are possibly stuck and that these
 * need: where one of them is released, so may the deadlock be.
 */
static void add_deadlocks(struct search *s)
{
    const struct mq_analysis *a = s->a;
    const struct mq_waits *waits = &a->waits;
    size_t processes = a->job->process_count;

    for (size_t p = 0; p < processes; p++)
        if (a->is_cause[p] && !a->causes[a->cause_of[p]].certain
            && a->causes[a->cause_of[p]].kind == mq_cause_deadlock)
            push(s, (uint32_t)p);
    while (s->open_count > 0) {
        uint32_t node = s->open[--s->open_count];

        if (node >= processes) {
            s->groups |= mq_releasing(waits, &a->prospects, node);
            push_members(s, &waits->groups[node - processes]);
            continue;
        }
        s->reasons[node] |= mq_releasing(waits, &a->prospects, node);
        for (size_t i = 0; i < waits->of[node].need_count; i++) {
            const struct mq_need *need = &waits->of[node].needs[i];

            if (need->value != mq_value_met)
                push(s, need->node);
        }
    }
}

/* ---- The list --------------------------------------------------------- */

/* The ranks of the processes with a number in LIST, behind COUNT others. */
static size_t add_listed(const struct mq_analysis *a, const uint32_t *list,
                         size_t length, int *ranks, size_t count)
{
    for (size_t i = 0; i < length; i++)
        if (a->job->processes[list[i]].rank >= 0)
            ranks[count++] = a->job->processes[list[i]].rank;
    return count;
}

/* Lists the ranks that REASON is about in RANKS; how many there are. */
static size_t subjects_of(const struct mq_analysis *a,
                          const mq_reasons *reasons, enum mq_reason reason,
                          int *ranks)
{
    bool of_waiters = mq_reason_rows[reason].subject == mq_subject_waiter;
    size_t count = 0;

    if (reason == mq_reason_left_out)
        count = add_listed(a, a->left_out, a->left_out_count, ranks, 0);
    else if (reason == mq_reason_other_world)
        count = add_listed(a, a->foreign_worlds, a->foreign_world_count,
                           ranks, 0);
    else
        for (size_t p = 0; p < a->job->process_count; p++)
            if (mq_has_reason(of_waiters ? reasons[p] : a->waits.of[p].gaps,
                              reason)
                && a->job->processes[p].rank >= 0)
                ranks[count++] = a->job->processes[p].rank;
    qsort(ranks, count, sizeof *ranks, mq_compare_ints);
    return count;
}

/* Whether libmqwatch notes the calls of all. */
static bool is_noted(const struct mq_job *job)
{
    for (size_t p = 0; p < job->process_count; p++)
        if (!mq_process_notes_calls(&job->processes[p]))
            return false;
    return true;
}

static enum mq_result list_missing(const struct mq_analysis *a,
                                   const mq_reasons *reasons, mq_reasons all,
                                   struct mq_error *error,
                                   struct mq_missing_evidence *missing)
{
    int *ranks = malloc((a->job->process_count + 1) * sizeof *ranks);
    bool noted = is_noted(a->job);
    enum mq_result result = mq_ok;

    if (ranks == NULL)
        return mq_fail_memory(error, "listing the reasons of the verdict");
    for (int i = 0; i < mq_reason_count && result == mq_ok; i++) {
        enum mq_reason reason = (enum mq_reason)i;
        struct mq_lack *lack = &missing->all[missing->count];

        if (!mq_has_reason(all, reason))
            continue;
        lack->reason = reason;
        lack->remedy = mq_reason_remedy(reason, noted);
        result = reason == mq_reason_not_given
                 ? mq_spans_copy(&a->missing, error, &lack->ranks)
                 : mq_spans_of(ranks, subjects_of(a, reasons, reason, ranks),
                               error, &lack->ranks);
        missing->count += result == mq_ok;
    }
    free(ranks);
    return result;
}

static enum mq_result find(struct search *s, struct mq_error *error,
                           struct mq_missing_evidence *missing)
{
    mq_reasons all = 0;

    add_deadlocks(s);
    for (size_t p = 0; p < s->a->job->process_count; p++) {
        if (decides(s->a, p))
            s->reasons[p] |= mq_missing_evidence_of(s->a, p);
    }
    add_mismatches(s);
    if (s->a->verdict == mq_verdict_unknown && s->a->cause_count == 0
        && s->a->missing.count > 0)
        all |= mq_because(mq_reason_not_given);
    for (size_t p = 0; p < s->a->job->process_count; p++)
        all |= s->reasons[p];
    return list_missing(s->a, s->reasons, all | s->groups, error,
                        missing);
}

enum mq_result mq_missing_evidence_find(const struct mq_analysis *a,
                                        struct mq_error *error,
                                        struct mq_missing_evidence *missing)
{
    size_t nodes = a->job->process_count + a->waits.group_count + 1;
    struct mq_missing_evidence made = { 0 };
    struct search s = { .a = a };
    enum mq_result result;

    if (!mq_verdict_is_open(a) && !has_open_cause(a)) {
        *missing = made;
        return mq_ok;
    }
    s.reasons = calloc(nodes, sizeof *s.reasons);
    s.is_met = calloc(nodes, sizeof *s.is_met);
    s.open = malloc(nodes * sizeof *s.open);
    result = s.reasons == NULL || s.is_met == NULL || s.open == NULL
             ? mq_fail_memory(error, "listing the reasons of the verdict")
             : find(&s, error, &made);
    free(s.reasons);
    free(s.is_met);
    free(s.open);
    if (result == mq_ok)
        *missing = made;
    else
        mq_missing_evidence_destroy(&made);
    return result;
}

void mq_missing_evidence_destroy(struct mq_missing_evidence *missing)
{
    for (size_t i = 0; i < missing->count; i++)
        mq_spans_deinit(&missing->all[i].ranks);
    memset(missing, 0, sizeof *missing);
}
