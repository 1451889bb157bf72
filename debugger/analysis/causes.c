/* causes.c - findings about the root causes of a hang */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/sinks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/thread_activity.h"
#include "base/array.h"
#include "base/map.h"
#include "base/number.h"

#define NO_CAUSE UINT32_MAX

struct lister {
    struct mq_analysis *a;
    const struct mq_sinks *sinks;
    uint32_t *cause_of_end;
    uint32_t missing;           /* the cause that is of missing ranks */
    size_t room;
    struct mq_map alike;        /* causes by what their ranks do */
    bool *halting;              /* by group: a member does not go on */
};

/* ---- Making them ------------------------------------------------------ */

static enum mq_cause_kind kind_of(const struct mq_analysis *a, size_t process)
{
    switch ((enum mq_rank_state)a->waits.of[process].state) {
    case mq_rank_waits:
        return mq_is_stuck(a, process) ? mq_cause_deadlock : mq_cause_held_up;
    case mq_rank_ending:
    case mq_rank_gone:
        return a->waits.of[process].freedom != mq_not_free
               ? mq_cause_held_up : mq_cause_stuck;
    case mq_rank_not_read:
        return mq_cause_unknown;
    default:
        return mq_cause_held_up;
    }
}

static enum mq_result add_cause(struct lister *l, const struct mq_cause *cause,
                                struct mq_error *error, uint32_t *index)
{
    struct mq_analysis *a = l->a;

    *index = (uint32_t)a->cause_count;
    return mq_array_add(&a->causes, sizeof *cause, &a->cause_count, &l->room,
                        cause, "listing the causes", error);
}

/* Whether a process is known to wait for one of its own end, or for itself. */
static bool waits_for_its_end(const struct lister *l, size_t process)
{
    const struct mq_waits *waits = &l->a->waits;
    const struct mq_waiter *waiter = &waits->of[process];

    for (size_t i = 0; i < waiter->need_count; i++) {
        const struct mq_need *need = &waiter->needs[i];
        uint32_t peer;

        if (need->value == mq_value_missing && !need->is_open
            && mq_is_process(mq_waits_process(waits, need->node), &peer)
            && l->sinks->of[peer].is_sink
            && l->sinks->of[peer].end == l->sinks->of[process].end)
            return true;
    }
    return false;
}

/* Whether a process is stuck, and it is not known what it waits for. */
static bool is_unexplained(const struct lister *l, size_t process)
{
    return mq_is_stuck(l->a, process)
           && l->a->waits.of[process].condition & mq_condition_open
           && !waits_for_its_end(l, process);
}

/* Common properties of the ranks of one cause, unless they wait for each other.
 */
static struct mq_key likeness(const struct lister *l, size_t process)
{
    const struct mq_analysis *a = l->a;
    const struct mq_process *it = &a->job->processes[process];
    const struct mq_frame *site = mq_call_site(it);
    const struct mq_frame *called = mq_called_find(it).function;
    struct mq_key key = { (uintptr_t)mq_call_name(it->call)
                          ^ (uint64_t)a->waits.of[process].state << 56
                          ^ (uint64_t)kind_of(a, process) << 60, 0 };

    if (is_unexplained(l, process))
        return (struct mq_key){ 0, 0 };
    if (called != NULL)
        key.a ^= (uintptr_t)called->function << 7;
    if (site != NULL)
        key.b = (uintptr_t)site->function ^ (uint64_t)site->line << 40
                ^ (uintptr_t)site->file << 7;
    return key;
}

static enum mq_result make_cause(struct lister *l, size_t process,
                                 struct mq_error *error, uint32_t *index)
{
    struct mq_cause cause = { 0 };
    uint32_t next = (uint32_t)l->a->cause_count, *known;

    cause.kind = kind_of(l->a, process);
    cause.state = (enum mq_rank_state)l->a->waits.of[process].state;
    cause.first = mq_process_at(process);
    cause.is_unexplained = is_unexplained(l, process);
    cause.certain = cause.kind == mq_cause_deadlock;
    if (cause.kind == mq_cause_deadlock && !cause.is_unexplained)
        return add_cause(l, &cause, error, index);
    if (mq_map_add(&l->alike, likeness(l, process), next, error, &known)
        != mq_ok)
        return mq_failed;
    *index = *known;
    return *known < next ? mq_ok : add_cause(l, &cause, error, index);
}

static enum mq_result make_missing(struct lister *l, struct mq_error *error)
{
    struct mq_cause cause = { 0 };

    if (l->missing != NO_CAUSE)
        return mq_ok;
    cause.kind = mq_cause_unknown;
    cause.state = mq_rank_not_read;
    return add_cause(l, &cause, error, &l->missing);
}

static enum mq_result make_causes(struct lister *l, struct mq_error *error)
{
    struct mq_analysis *a = l->a;

    for (size_t p = 0; p < a->job->process_count; p++) {
        uint32_t end = l->sinks->of[p].end;

        if (end == MQ_MISSING_SINK && make_missing(l, error) != mq_ok)
            return mq_failed;
        if (l->sinks->of[p].is_sink && l->cause_of_end[end] == NO_CAUSE
            && make_cause(l, p, error, &l->cause_of_end[end]) != mq_ok)
            return mq_failed;
    }
    for (size_t p = 0; p < a->job->process_count; p++) {
        uint32_t end = l->sinks->of[p].end;

        a->cause_of[p] = end == MQ_MISSING_SINK ? l->missing
                         : end < l->sinks->count ? l->cause_of_end[end]
                                                : NO_CAUSE;
        a->is_cause[p] = l->sinks->of[p].is_sink;
    }
    return mq_ok;
}

/* ---- Their ranks ------------------------------------------------------ */

/* Whether it is proven that a process waits for ranks of its cause, and not
 * only for others that may wait for these.
 */
static bool proves(const struct mq_analysis *a, size_t process)
{
    const struct mq_waiter *waiter = &a->waits.of[process];
    bool is_direct = false;

    for (size_t i = 0; i < waiter->need_count; i++) {
        const struct mq_need *need = &waiter->needs[i];
        uint32_t peer;

        is_direct |= need->value == mq_value_missing
                     && (!mq_is_process(mq_waits_process(&a->waits,
                                                         need->node), &peer)
                         || a->is_cause[peer]);
    }
    if (mq_is_stuck(a, process))
        return is_direct && mq_is_surely_stuck(a, process);
    return is_direct && waiter->freedom == mq_not_free && waiter->doubts == 0;
}

/* Notes which groups have a member that does not go on. */
static void find_halting(const struct lister *l)
{
    const struct mq_waits *waits = &l->a->waits;

    for (size_t g = 0; g < waits->group_count; g++) {
        size_t place = 0;
        uint32_t node;

        while (!l->halting[g]
               && mq_next_member(waits, &waits->groups[g], &place, &node))
            l->halting[g] = node != mq_unknown_node
                            && l->a->prospects.nodes[node] != mq_prospect_free;
    }
}

/* Whether a process may wait for other ranks than those of its cause: it is not
 * known for which, and some do not go on.
 */
static bool is_guessed(const struct lister *l, const struct mq_cause *cause,
                       size_t process)
{
    const struct mq_waits *waits = &l->a->waits;
    const struct mq_waiter *waiter = &waits->of[process];

    for (size_t i = 0; i < waiter->need_count; i++) {
        const struct mq_need *it = &waiter->needs[i];

        if (it->is_guessed
            || (cause->kind == mq_cause_held_up && it->is_open
                && mq_waits_group(waits, it->node) != NULL
                && l->halting[it->node - l->a->job->process_count]))
            return true;
    }
    return false;
}

/* A deadlock is certain if all of its ranks are; any other cause, if one rank
 * behind it is proven to wait for it.
 */
static void settle_certainty(const struct lister *l)
{
    struct mq_analysis *a = l->a;

    find_halting(l);
    for (size_t p = 0; p < a->job->process_count; p++) {
        struct mq_cause *it;

        if (a->cause_of[p] == NO_CAUSE)
            continue;
        it = &a->causes[a->cause_of[p]];
        if (a->is_cause[p] || it->kind != mq_cause_deadlock)
            it->is_guessed |= is_guessed(l, it, p);
        if (it->kind == mq_cause_deadlock)
            it->certain &= !a->is_cause[p] || mq_is_surely_stuck(a, p);
        else if (it->kind != mq_cause_unknown)
            it->certain |= !a->is_cause[p] && proves(a, p);
    }
}

/* Whether it is less certain that a process is stuck behind a cause than that
 * there is one.
 */
static bool is_doubtful(const struct mq_analysis *a,
                        const struct mq_cause *cause, size_t process)
{
    return cause->certain && cause->kind != mq_cause_held_up
           && !mq_is_surely_stuck(a, process) && !proves(a, process);
}

/* Adds the processes of each cause to its lists, or those whose being behind it
 * is doubtful.
 */
static void add_to_lists(struct mq_analysis *a, bool doubtful)
{
    for (size_t p = 0; p < a->job->process_count; p++) {
        int rank = a->job->processes[p].rank;
        struct mq_cause *it;

        if (a->cause_of[p] == NO_CAUSE)
            continue;
        it = &a->causes[a->cause_of[p]];
        if (!a->is_cause[p] && is_doubtful(a, it, p) == doubtful) {
            it->behind[it->behind_count++] = rank;
            it->sure_count += !doubtful;
        } else if (a->is_cause[p] && !doubtful)
            it->ranks[it->rank_count++] = rank;
    }
}

/* Lists the ranks of each cause, and behind them those that wait for it, in
 * parts of one array.
 */
static void fill_lists(struct mq_analysis *a)
{
    int *next = a->rank_lists;

    for (size_t i = 0; i < a->cause_count; i++) {
        struct mq_cause *it = &a->causes[i];

        it->ranks = next;
        it->behind = next + it->rank_count;
        next += it->rank_count + it->behind_count;
        it->rank_count = it->behind_count = 0;
    }
    add_to_lists(a, false);
    add_to_lists(a, true);
    for (size_t i = 0; i < a->cause_count; i++) {
        struct mq_cause *it = &a->causes[i];

        qsort(it->ranks, it->rank_count, sizeof it->ranks[0], mq_compare_ints);
        qsort(it->behind, it->sure_count, sizeof it->behind[0],
              mq_compare_ints);
        qsort(it->behind + it->sure_count, it->behind_count - it->sure_count,
              sizeof it->behind[0], mq_compare_ints);
    }
}

/* ---- Their order ------------------------------------------------------ */

/* Ranks that wait for each other come before one that only a guess names.
 */
static int badness(const struct mq_cause *it)
{
    static const int kinds[mq_cause_kinds] = {
        [mq_cause_deadlock] = 3, [mq_cause_stuck] = 4, [mq_cause_unknown] = 1,
        [mq_cause_held_up] = 0
    };

    if (it->kind == mq_cause_deadlock && it->certain)
        return 5;
    return it->kind == mq_cause_stuck && it->is_guessed && !it->certain
           ? 2 : kinds[it->kind];
}

static int compare_causes(const void *left, const void *right)
{
    const struct mq_cause *l = left, *r = right;

    if (badness(l) != badness(r))
        return badness(r) - badness(l);
    if (l->kind != mq_cause_deadlock && l->behind_count != r->behind_count)
        return l->behind_count > r->behind_count ? -1 : 1;
    return (mq_waits_node(l->first) > mq_waits_node(r->first))
           - (mq_waits_node(l->first) < mq_waits_node(r->first));
}

/* Sorts the causes, and lets each process name its own by where it now is. */
static enum mq_result sort_causes(struct mq_analysis *a, struct mq_error *error)
{
    struct mq_cause *sorted = malloc((a->cause_count + 1) * sizeof *sorted);
    uint32_t *now = malloc((a->cause_count + 1) * sizeof *now);

    if (sorted == NULL || now == NULL) {
        free(sorted);
        free(now);
        return mq_fail_memory(error, "sorting the causes");
    }
    if (a->cause_count > 0)
        memcpy(sorted, a->causes, a->cause_count * sizeof *sorted);
    for (size_t i = 0; i < a->cause_count; i++)
        sorted[i].place = (uint32_t)i;
    qsort(sorted, a->cause_count, sizeof *sorted, compare_causes);
    for (size_t i = 0; i < a->cause_count; i++)
        now[sorted[i].place] = (uint32_t)i;
    for (size_t p = 0; p < a->job->process_count; p++)
        a->cause_of[p] = a->cause_of[p] == NO_CAUSE
                         ? (uint32_t)a->cause_count : now[a->cause_of[p]];
    free(a->causes);
    free(now);
    a->causes = sorted;
    return mq_ok;
}

enum mq_result mq_causes_list(struct mq_analysis *a,
                              const struct mq_sinks *sinks,
                              struct mq_error *error)
{
    size_t processes = a->job->process_count;
    struct lister l = { a, sinks, NULL, NO_CAUSE, 0, { 0 }, NULL };
    enum mq_result result = mq_ok;

    l.cause_of_end = malloc((sinks->count + (size_t)1)
                            * sizeof l.cause_of_end[0]);
    a->cause_of = malloc((processes + 1) * sizeof a->cause_of[0]);
    a->is_cause = calloc(processes + 1, sizeof a->is_cause[0]);
    a->rank_lists = malloc((processes + 1) * sizeof a->rank_lists[0]);
    l.halting = calloc(a->waits.group_count + 1, sizeof l.halting[0]);
    if (l.cause_of_end == NULL || l.halting == NULL || a->cause_of == NULL
        || a->is_cause == NULL || a->rank_lists == NULL)
        result = mq_fail_memory(error, "listing the causes");
    if (result == mq_ok) {
        memset(l.cause_of_end, 0xff, sinks->count * sizeof l.cause_of_end[0]);
        result = make_causes(&l, error);
    }
    if (result == mq_ok) {
        settle_certainty(&l);
        for (size_t p = 0; p < a->job->process_count; p++)
            if (a->cause_of[p] != NO_CAUSE) {
                struct mq_cause *it = &a->causes[a->cause_of[p]];

                it->rank_count += a->is_cause[p];
                it->behind_count += !a->is_cause[p];
            }
        fill_lists(a);
        result = sort_causes(a, error);
    }
    free(l.cause_of_end);
    free(l.halting);
    mq_map_deinit(&l.alike);
    return result;
}
