/* mismatch.c - mismatched collective operations */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/findings.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/arrivals.h"
#include "analysis/current_collective.h"
#include "analysis/stay.h"
#include "base/array.h"
#include "base/map.h"
#include "base/number.h"

struct finder {
    const struct mq_waits *waits;
    const struct mq_job *job;
    const struct mq_prospects *prospects;
    struct mq_present *present; /* sorted */
    size_t count;
    struct mq_mismatches *made;
    struct mq_map pairs;        /* of communicators whose order differs */
    bool knows_past;            /* of some process */
    struct mq_error *error;
};

/* Processes that have come to one operation of a communicator, or to any of it
 * if they do not count, and its other members.
 */
struct attendance {
    struct mq_present *present;
    size_t count, room;
    struct mq_waits_group members;
    size_t ended_count;         /* members that will never come */
    size_t elsewhere_count;
};

#define NO_PROCESS UINT32_MAX

static const char doing[] = "comparing collective operations";

static int compare_present(const void *left, const void *right)
{
    const struct mq_present *l = left, *r = right;

    if (l->number != r->number)
        return l->number < r->number ? -1 : 1;
    if (l->entered != r->entered)
        return l->entered < r->entered ? -1 : 1;
    return l->process < r->process ? -1 : l->process > r->process;
}

static const struct mq_process *process_of(const struct finder *f,
                                           uint32_t process)
{
    return &f->job->processes[process];
}

/* ---- Places ------------------------------------------------------------ */

/* Whether it is known that a process has come to an operation. */
static bool has_passed(const struct finder *f, uint32_t process,
                       const struct mq_present *operation)
{
    return operation->entered > 0
           && mq_collectives_entered(f->waits, process, operation->number)
              >= operation->entered;
}

static bool is_present(const struct attendance *attendance, uint32_t process)
{
    struct mq_present key = attendance->present[0];

    key.process = process;
    return bsearch(&key, attendance->present, attendance->count, sizeof key,
                   compare_present) != NULL;
}

/* Whether a member is not in the operation, nor known to have come to it. */
static bool lacks(const struct finder *f, const struct attendance *attendance,
                  uint32_t process)
{
    return !is_present(attendance, process)
           && !has_passed(f, process, attendance->present);
}

static enum mq_result add_present(struct attendance *attendance,
                                  const struct mq_present *it,
                                  struct mq_error *error)
{
    return mq_array_add(&attendance->present, sizeof *it, &attendance->count,
                        &attendance->room, it, doing, error);
}

/* Copies who is present, to be freed by the caller. */
static enum mq_result copy_attendance(const struct attendance *attendance,
                                      struct attendance *copy,
                                      struct mq_error *error)
{
    size_t size = attendance->count * sizeof *copy->present;

    *copy = *attendance;
    copy->room = attendance->count;
    copy->present = malloc(size);
    if (copy->present == NULL)
        return mq_fail_memory(error, doing);
    memcpy(copy->present, attendance->present, size);
    return mq_ok;
}

/* ---- Adding one ------------------------------------------------------- */

static bool are_surely_stuck(const struct finder *f,
                             const struct mq_present *present, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (present[i].past == NULL
            && f->prospects->nodes[present[i].process] != mq_prospect_stuck)
            return false;
    return true;
}

/* Adds a mismatch of all that are PRESENT, of whom some are few. */
static enum mq_result add(struct finder *f, enum mq_mismatch_kind kind,
                          const struct mq_present *present, size_t count)
{
    struct mq_mismatch it = { .kind = kind,
                              .certain = are_surely_stuck(f, present, count),
                              .ranks = malloc((count + 1)
                                              * sizeof *it.ranks) };

    if (it.ranks == NULL)
        return mq_fail_memory(f->error, doing);
    for (size_t i = 0; i < count; i++) {
        int rank = process_of(f, present[i].process)->rank;

        if (present[i].is_few) {
            it.few = it.few_count == 0 ? present[i] : it.few;
            it.ranks[count - ++it.few_count] = rank;
        } else {
            it.many = it.many_count == 0 ? present[i] : it.many;
            it.ranks[it.many_count++] = rank;
        }
    }
    qsort(it.ranks, it.many_count, sizeof it.ranks[0], mq_compare_ints);
    qsort(it.ranks + it.many_count, it.few_count, sizeof it.ranks[0],
          mq_compare_ints);
    if (mq_array_add(&f->made->mismatches, sizeof it, &f->made->count,
                     &f->made->room, &it, doing, f->error) == mq_ok)
        return mq_ok;
    free(it.ranks);
    return mq_failed;
}

/* ---- What is done ------------------------------------------------------ */

/* Whether something that a process waits for is being moved, or may be as soon
 * as it can.  One that waits for several may still wait for the operation.
 */
static bool is_moving(const struct finder *f, const struct mq_present *it)
{
    const struct mq_process *process = process_of(f, it->process);
    const struct mq_waiter *waiter = &f->waits->of[it->process];

    if (it->past != NULL)
        return false;
    if (process->movement == mq_moved || process->movement == mq_stopped)
        return true;
    for (size_t i = 0; it->joined == NULL && i < waiter->need_count; i++)
        if (waiter->needs[i].value == mq_value_met)
            return true;
    return false;
}

static bool is_like(const struct finder *f, const struct mq_present *left,
                    const struct mq_present *right, enum mq_mismatch_kind kind)
{
    int64_t l = -1, r = -1;

    if (kind == mq_operations_differ)
        return mq_call_is_same(mq_call_name(mq_present_call(f->job, left)),
                               mq_call_name(mq_present_call(f->job, right)));
    return !mq_present_root(f->job, left, &l)
           || !mq_present_root(f->job, right, &r)
           || l < 0 || r < 0 || l == r;
}

/* How many do what the one at I does. */
static size_t count_like(const struct finder *f,
                         const struct attendance *attendance, size_t i,
                         enum mq_mismatch_kind kind)
{
    size_t count = 0;

    for (size_t k = 0; k < attendance->count; k++)
        count += is_like(f, &attendance->present[i], &attendance->present[k],
                         kind);
    return count;
}

enum {
    most_candidates = 4         /* of candidates for the majority */
};

/* A member of the majority: if there is one, some of a few candidates spread
 * over the array belong to it.
 */
static size_t find_majority(const struct finder *f,
                            const struct attendance *attendance,
                            enum mq_mismatch_kind kind)
{
    size_t best = 0, most = 0;

    for (size_t i = 0; i < most_candidates; i++) {
        size_t candidate = i * attendance->count / most_candidates;
        size_t count = count_like(f, attendance, candidate, kind);

        if (count > most) {
            most = count;
            best = candidate;
        }
    }
    return best;
}

/* Whether what is compared is known of all. */
static bool is_known(const struct finder *f,
                     const struct attendance *attendance,
                     enum mq_mismatch_kind kind)
{
    int64_t root;

    for (size_t i = 0; i < attendance->count; i++) {
        const struct mq_present *it = &attendance->present[i];

        if (mq_present_call(f->job, it) == NULL || is_moving(f, it)
            || (kind == mq_roots_differ && !mq_present_root(f->job, it, &root)))
            return false;
    }
    return true;
}

/* Whether all stay in operations that nobody leaves before all have come, so
 * that they can be in different ones only if some member never comes.
 */
static bool need_all(const struct finder *f,
                     const struct attendance *attendance)
{
    for (size_t i = 0; i < attendance->count; i++) {
        const struct mq_process *it =
            process_of(f, attendance->present[i].process);

        if (!mq_collective_needs_all(it) || !mq_is_still(f->job, it))
            return false;
    }
    return true;
}

/* Adds a mismatch if they do not all do the same. */
static enum mq_result compare(struct finder *f, struct attendance *attendance,
                              enum mq_mismatch_kind kind, bool *found)
{
    const struct mq_present *self;

    if (!is_known(f, attendance, kind))
        return mq_ok;
    self = &attendance->present[find_majority(f, attendance, kind)];
    for (size_t i = 0; i < attendance->count; i++) {
        struct mq_present *it = &attendance->present[i];

        it->is_few = !is_like(f, self, it, kind);
        *found |= it->is_few;
    }
    return *found ? add(f, kind, attendance->present, attendance->count)
                  : mq_ok;
}

/* Whether what a process has sent has come to others, and is the last. */
static bool has_ended(const struct finder *f, uint32_t process)
{
    return (f->waits->of[process].state == mq_rank_ending
            || f->waits->of[process].state == mq_rank_gone)
           && process_of(f, process)->movement != mq_moved;
}

/* The members that ended, after those that are present. */
static enum mq_result add_ended(struct finder *f,
                                const struct attendance *attendance)
{
    struct mq_present ended = { .is_few = true };
    struct attendance all;
    enum mq_result result = copy_attendance(attendance, &all, f->error);
    size_t place = 0;

    for (size_t i = 0; result == mq_ok && i < all.count; i++)
        all.present[i].is_few = false;
    while (result == mq_ok
           && mq_next_member(f->waits, &attendance->members, &place,
                             &ended.process))
        if (ended.process != mq_unknown_node && has_ended(f, ended.process)
            && lacks(f, attendance, ended.process))
            result = add_present(&all, &ended, f->error);
    if (result == mq_ok)
        result = add(f, mq_member_ended, all.present, all.count);
    free(all.present);
    return result;
}

/* A member of both communicators is in an operation of the other one. */
static enum mq_result add_order(struct finder *f,
                                const struct attendance *attendance,
                                const struct mq_present *other)
{
    struct mq_present both[2] = { { .process = NO_PROCESS }, *other };
    const struct mq_group *group =
        process_of(f, other->process)->communicators[other->communicator]
        .group;
    uint32_t *seen, self = attendance->present[0].number;
    uint32_t number = other->number;
    struct mq_key key = { self < number ? self : number,
                          self < number ? number : self };
    size_t before = f->pairs.count;

    for (size_t i = 0; group != NULL && i < attendance->count
         && both[0].process == NO_PROCESS; i++) {
        uint32_t process = attendance->present[i].process;

        if (mq_group_local(group, process_of(f, process)->rank) >= 0
            && f->prospects->nodes[process] != mq_prospect_free
            && !has_passed(f, process, other))
            both[0] = attendance->present[i];
    }
    if (both[0].process == NO_PROCESS
        || f->prospects->nodes[other->process] == mq_prospect_free)
        return mq_ok;
    if (mq_map_add(&f->pairs, key, 0, f->error, &seen) != mq_ok)
        return mq_failed;
    both[0].is_few = false;
    both[1].is_few = true;
    return f->pairs.count == before ? mq_ok : add(f, mq_orders_differ, both, 2);
}

/* A member that is not present may be in operations elsewhere. */
static enum mq_result compare_orders(struct finder *f,
                                     const struct attendance *attendance,
                                     uint32_t process)
{
    struct mq_present other;

    for (size_t i = 0; mq_present_get(f->waits, process, i, &other); i++)
        if (other.number != attendance->present[0].number
            && add_order(f, attendance, &other) != mq_ok)
            return mq_failed;
    return mq_ok;
}

/* Looks where the members are that are not present. */
static enum mq_result look_elsewhere(struct finder *f,
                                     struct attendance *attendance)
{
    size_t place = 0;
    uint32_t process;

    while (mq_next_member(f->waits, &attendance->members, &place, &process)) {
        if (process == mq_unknown_node) {
            attendance->elsewhere_count++;
        } else if (!lacks(f, attendance, process)) {
            continue;
        } else if (has_ended(f, process)) {
            attendance->ended_count++;
        } else {
            attendance->elsewhere_count++;
            if (compare_orders(f, attendance, process) != mq_ok)
                return mq_failed;
        }
    }
    return mq_ok;
}

/* Adds those that have left the operation with its number. */
static enum mq_result add_left(const struct finder *f,
                               const struct attendance *attendance,
                               struct attendance *all)
{
    struct mq_present left = { .number = attendance->present->number,
                               .entered = attendance->present->entered };
    enum mq_result result = mq_ok;
    size_t place = 0;

    while (result == mq_ok
           && mq_next_member(f->waits, &attendance->members, &place,
                             &left.process)) {
        if (left.process == mq_unknown_node
            || is_present(attendance, left.process))
            continue;
        left.past = mq_collective_find(f->waits, left.process, left.number,
                                       left.entered);
        if (left.past != NULL)
            result = add_present(all, &left, f->error);
    }
    return result;
}

/* Those that are still there, and those that have left; or one and the others.
 */
static enum mq_result compare_amounts(struct finder *f, struct attendance *all,
                                      bool *found)
{
    const struct mq_process *first = process_of(f, all->present[0].process);
    bool is_left = false;

    if (all->count != all->members.group->size
        || mq_is_inter(first,
                       &first->communicators[all->present[0].communicator])
        || !mq_is_misfit(f->waits, &all->members))
        return mq_ok;
    for (size_t i = 0; i < all->count; i++)
        is_left |= all->present[i].past != NULL;
    for (size_t i = 0; i < all->count; i++)
        all->present[i].is_few = is_left ? all->present[i].past != NULL : i > 0;
    *found = true;
    if (add(f, mq_amounts_differ, all->present, all->count) != mq_ok)
        return mq_failed;
    f->made->mismatches[f->made->count - 1].certain = true;
    return mq_ok;
}

/* Those that count are compared whatever others do.  Others may be in one of
 * the next operations, unless none can be.
 */
static enum mq_result compare_all(struct finder *f,
                                  struct attendance *attendance, bool *found)
{
    if (attendance->present[0].entered == 0 && attendance->elsewhere_count > 0
        && !need_all(f, attendance))
        return mq_ok;
    if (compare(f, attendance, mq_operations_differ, found) != mq_ok)
        return mq_failed;
    return *found ? mq_ok : compare(f, attendance, mq_roots_differ, found);
}

static enum mq_result compare_with_past(struct finder *f,
                                        struct attendance *attendance,
                                        bool *found)
{
    struct attendance all;
    enum mq_result result;

    if (!f->knows_past || attendance->present[0].entered == 0)
        return compare_all(f, attendance, found);
    result = copy_attendance(attendance, &all, f->error);
    if (result == mq_ok)
        result = add_left(f, attendance, &all);
    if (result == mq_ok)
        result = compare_all(f, &all, found);
    if (result == mq_ok && !*found)
        result = compare_amounts(f, &all, found);
    free(all.present);
    return result;
}

/* *IS_WHOLE is unset if somebody is missing or does something else. */
static enum mq_result look_at(struct finder *f, struct attendance *attendance,
                              bool *is_whole)
{
    const struct mq_present *first = &attendance->present[0];
    const struct mq_match *match = f->waits->table->match;
    bool found = false;

    attendance->members.group = process_of(f, first->process)
                          ->communicators[first->communicator].group;
    attendance->members.collective = first->number;
    attendance->members.entered = first->entered;
    if (attendance->members.group == NULL || match->ambiguous[first->number]
        || match->assumed[first->number])
        return mq_ok;
    if (look_elsewhere(f, attendance) != mq_ok
        || compare_with_past(f, attendance, &found) != mq_ok)
        return mq_failed;
    *is_whole = !found && attendance->elsewhere_count == 0
                && attendance->ended_count == 0;
    return attendance->ended_count > 0 ? add_ended(f, attendance) : mq_ok;
}

/* ---- All of them ------------------------------------------------------ */

/* Looks at the operations of a communicator in their order, up to the first at
 * which ranks part: what comes after it comes of it.
 */
static enum mq_result check_attendances(struct finder *f)
{
    uint32_t number = 0;
    bool is_whole = true;

    for (size_t i = 0; i < f->count;) {
        struct attendance attendance = { .present = &f->present[i] };

        is_whole |= i > 0 && attendance.present->number != number;
        number = attendance.present->number;
        while (i < f->count && f->present[i].number == number
               && f->present[i].entered == attendance.present->entered) {
            attendance.count++;
            i++;
        }
        if (is_whole && look_at(f, &attendance, &is_whole) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

static enum mq_result gather(struct finder *f)
{
    size_t processes = f->job->process_count, room = 0;
    struct mq_present it;

    for (size_t p = 0; p < processes; p++)
        for (size_t i = 0; mq_present_get(f->waits, (uint32_t)p, i, &it)
                           && mq_rank_counts(f->waits->table->ranks, p); i++) {
            if (it.joined != NULL && mq_call_is_persistent(it.joined->began))
                continue;
            if (mq_array_add(&f->present, sizeof it, &f->count, &room, &it,
                             doing, f->error) != mq_ok)
                return mq_failed;
        }
    if (f->count > 0)
        qsort(f->present, f->count, sizeof it, compare_present);
    return mq_ok;
}

enum mq_result mq_mismatches_find(const struct mq_waits *waits,
                                  const struct mq_prospects *prospects,
                                  struct mq_error *error,
                                  struct mq_mismatches *mismatches)
{
    struct finder f = {
        .waits = waits, .job = waits->table->job, .prospects = prospects,
        .made = mismatches, .error = error
    };
    enum mq_result result;

    memset(mismatches, 0, sizeof *mismatches);
    for (size_t p = 0; p < f.job->process_count; p++)
        f.knows_past |= f.job->processes[p].past_count > 0;
    result = gather(&f);
    if (result == mq_ok)
        result = check_attendances(&f);
    free(f.present);
    mq_map_deinit(&f.pairs);
    return result;
}

void mq_mismatches_destroy(struct mq_mismatches *mismatches)
{
    for (size_t i = 0; i < mismatches->count; i++)
        free(mismatches->mismatches[i].ranks);
    free(mismatches->mismatches);
    memset(mismatches, 0, sizeof *mismatches);
}
