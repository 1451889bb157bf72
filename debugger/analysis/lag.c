/* lag.c - ranks that are behind in collective operations
 *
 * All members of all communicators are sorted by communicator and by how many
 * they have called.  A rank that moved while it was sampled does not lag: it
 * may have called the operation by now.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/findings.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/arrivals.h"
#include "analysis/stay.h"
#include "analysis/thread_activity.h"
#include "base/array.h"
#include "base/number.h"

enum { most_levels = 8 };       /* that are reported of one communicator */

struct member {
    uint32_t number;            /* of the communicator (match.h) */
    uint32_t process, communicator;
    uint64_t entered;
};

struct finder {
    const struct mq_waits *waits;
    size_t count, room;
    struct member *members;
    struct mq_lags *found;
};

static const struct mq_process *process_of(const struct finder *f,
                                           const struct member *it)
{
    return &f->waits->table->job->processes[it->process];
}

/* ---- Members ------------------------------------------------------------- */

static int compare_members(const void *left, const void *right)
{
    const struct member *l = left, *r = right;

    if (l->number != r->number)
        return l->number < r->number ? -1 : 1;
    if (l->entered != r->entered)
        return l->entered < r->entered ? -1 : 1;
    return (l->process > r->process) - (l->process < r->process);
}

/* Members of an inter-communicator have two groups, and are left out. */
static bool is_counted(const struct finder *f, uint32_t process, size_t c)
{
    const struct mq_match *match = f->waits->table->match;
    const struct mq_process *it = &f->waits->table->job->processes[process];
    uint32_t number = mq_match_number(match, process, c);

    return it->communicators[c].agreed_id != 0
           && it->communicators[c].group != NULL
           && number != mq_communicator_unknown && !match->ambiguous[number]
           && !mq_is_inter(it, &it->communicators[c]);
}

static enum mq_result add_members(struct finder *f, uint32_t process,
                                  struct mq_error *error)
{
    const struct mq_process *it = &f->waits->table->job->processes[process];

    for (size_t c = 0; c < it->communicator_count; c++) {
        if (!is_counted(f, process, c))
            continue;
        if (mq_array_reserve(&f->members, sizeof *f->members, f->count + 1,
                             &f->room, "comparing collective operations",
                             error) != mq_ok)
            return mq_failed;
        f->members[f->count++] = (struct member){
            mq_match_number(f->waits->table->match, process, c), process,
            (uint32_t)c, it->communicators[c].entered
        };
    }
    return mq_ok;
}

/* ---- Ranks that lag ------------------------------------------------------ */

/* Whether a member stays in a collective operation on this communicator. */
static bool waits_here(const struct finder *f, const struct member *it)
{
    const struct mq_process *process = process_of(f, it);

    if (f->waits->of[it->process].state != mq_rank_waits
        || f->waits->of[it->process].freedom != mq_not_free)
        return false;
    for (size_t i = 0; i < process->joined_count; i++)
        if (process->joined[i].communicator == it->communicator)
            return true;
    return mq_is_in_collective(f->waits, it->process, it->number);
}

/* The call of a member as its operation NUMBER, and its site: null where that
 * is not known.
 */
static const char *called(const struct finder *f, const struct member *it,
                          uint64_t number, const struct mq_frame **site)
{
    const struct mq_collective *past = mq_collective_find(f->waits, it->process,
                                                          it->number, number);
    bool is_inside = it->entered == number
                     && mq_is_in_collective(f->waits, it->process, it->number);

    *site = is_inside ? mq_call_site(process_of(f, it)) : NULL;
    if (*site == NULL && past != NULL && past->site.function != NULL)
        *site = &past->site;
    return past != NULL ? past->call : is_inside ? process_of(f, it)->call
                                                 : NULL;
}

/* The common call of all from FIRST on, if there is one.  A place without a
 * line may be a binding's of the MPI library, for which a record has no caller.
 */
static void find_call(const struct finder *f, const struct member *first,
                      size_t count, struct mq_lag *made)
{
    made->call = called(f, first, made->missing, &made->site);
    for (size_t i = 1; i < count && made->call != NULL; i++) {
        const struct mq_frame *site;
        const char *call = called(f, &first[i], made->missing, &site);

        if (call == NULL || strcmp(call, made->call) != 0)
            made->call = NULL;
        else if (site == NULL || made->site == NULL
                 || !mq_frame_is_same(site, made->site))
            made->site = NULL;
    }
    if (made->call == NULL || (made->site != NULL && made->site->file == NULL))
        made->site = NULL;
}

static void list_ranks(const struct finder *f, const struct member *first,
                       size_t count, int *ranks)
{
    for (size_t i = 0; i < count; i++)
        ranks[i] = process_of(f, &first[i])->rank;
    qsort(ranks, count, sizeof *ranks, mq_compare_ints);
}

static bool stand_still(const struct finder *f, const struct member *first,
                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!mq_is_still(f->waits->table->job, process_of(f, &first[i])))
            return false;
    return true;
}

/* COUNT members from FIRST on are behind all those from AHEAD to END, and KNOWN
 * are all members that are.
 */
static enum mq_result add(struct finder *f, const struct member *first,
                          size_t count, const struct member *ahead,
                          const struct member *end, size_t known,
                          struct mq_error *error)
{
    struct mq_lags *found = f->found;
    const struct mq_communicator *it =
        &process_of(f, first)->communicators[first->communicator];
    size_t ahead_count = (size_t)(end - ahead);
    struct mq_lag made = {
        .process = first->process, .communicator = first->communicator,
        .missing = first->entered + 1,
        .distance = end[-1].entered - first->entered,
        .is_distance_common = ahead->entered == end[-1].entered,
        .is_all_others = known == it->group->size
                         && count + ahead_count == known,
        .count = count, .ahead_count = ahead_count
    };

    made.certain = stand_still(f, first, count)
                   && stand_still(f, ahead, ahead_count)
                   && !f->waits->table->match->assumed[first->number];
    find_call(f, ahead, ahead_count, &made);
    if (mq_array_reserve(&found->all, sizeof *found->all, found->count + 1,
                         &found->room, "comparing collective operations",
                         error) != mq_ok)
        return mq_failed;
    made.ranks = malloc((count + ahead_count) * sizeof *made.ranks);
    if (made.ranks == NULL)
        return mq_fail_memory(error, "comparing collective operations");
    list_ranks(f, first, count, made.ranks);
    list_ranks(f, ahead, ahead_count, made.ranks + count);
    found->all[found->count++] = made;
    return mq_ok;
}

/* Moves those of COUNT that moved behind the others: how many did not. */
static size_t part_moved(const struct finder *f, struct member *first,
                         size_t count)
{
    size_t stayed = 0;

    for (size_t i = 0; i < count; i++) {
        struct member it = first[i];

        if (process_of(f, &it)->movement == mq_moved)
            continue;
        first[i] = first[stayed];
        first[stayed++] = it;
    }
    return stayed;
}

/* All members of one communicator, COUNT from FIRST on. */
static enum mq_result compare(struct finder *f, struct member *first,
                              size_t count, struct mq_error *error)
{
    const struct member *end = first + count;
    struct member *level = first;
    bool is_awaited = false;

    for (const struct member *it = first; it < end && !is_awaited; it++)
        is_awaited = it->entered > first->entered && waits_here(f, it);
    for (int i = 0; is_awaited && i < most_levels; i++) {
        struct member *ahead = level;
        size_t stayed;

        while (ahead < end && ahead->entered == level->entered)
            ahead++;
        if (ahead == end)
            break;
        stayed = part_moved(f, level, (size_t)(ahead - level));
        if (stayed > 0
            && add(f, level, stayed, ahead, end, count, error) != mq_ok)
            return mq_failed;
        level = ahead;
    }
    return mq_ok;
}

/* ---- All communicators --------------------------------------------------- */

static enum mq_result compare_all(struct finder *f, struct mq_error *error)
{
    size_t first = 0;

    if (f->count > 0)
        qsort(f->members, f->count, sizeof *f->members, compare_members);
    while (first < f->count) {
        size_t end = first;

        while (end < f->count
               && f->members[end].number == f->members[first].number)
            end++;
        if (compare(f, &f->members[first], end - first, error) != mq_ok)
            return mq_failed;
        first = end;
    }
    return mq_ok;
}

enum mq_result mq_lags_find(const struct mq_waits *waits,
                            struct mq_error *error, struct mq_lags *lags)
{
    struct finder f = { .waits = waits, .found = lags };
    size_t processes = waits->table->job->process_count;
    enum mq_result result = mq_ok;

    for (size_t p = 0; p < processes && result == mq_ok; p++)
        if (mq_rank_counts(waits->table->ranks, p))
            result = add_members(&f, (uint32_t)p, error);
    if (result == mq_ok)
        result = compare_all(&f, error);
    free(f.members);
    return result;
}

void mq_lags_destroy(struct mq_lags *lags)
{
    for (size_t i = 0; i < lags->count; i++)
        free(lags->all[i].ranks);
    free(lags->all);
    memset(lags, 0, sizeof *lags);
}
