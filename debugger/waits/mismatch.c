/* mismatch.c - mismatched collective operations */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "waits/mismatch.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/map.h"
#include "base/number.h"
#include "waits/amounts.h"
#include "waits/arrivals.h"
#include "waits/current_collective.h"
#include "waits/stay.h"

struct finder {
    const struct mq_waits *waits;
    const struct mq_job *job;
    const struct mq_prospects *prospects;
    struct mq_present *present; /* sorted */
    size_t count;
    struct mq_mismatches *made;
    struct mq_map pairs;        /* of communicators whose order differs */
    bool knows_past;            /* of some process */
};

/* Processes that have come to one operation of a communicator, or to any of it
 * if they do not count, and its other members.
 */
struct attendance {
    const struct mq_present *present;
    size_t count;
    const struct mq_group *group;
    size_t ended_count;         /* members that will never come */
    size_t elsewhere_count;
};

#define NO_PROCESS UINT32_MAX

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

/* The operations that a process is in: its call, or those that it waits for. */
static bool get_present(const struct finder *f, uint32_t process, size_t i,
                        struct mq_present *present)
{
    const struct mq_process *it = process_of(f, process);
    bool is_call = f->waits->collectives[process] != MQ_NO_COLLECTIVE;
    const struct mq_communicator *communicator;

    if (i >= (is_call ? 1 : it->joined_count))
        return false;
    *present = (struct mq_present){ .process = process };
    present->joined = is_call ? NULL : &it->joined[i];
    present->communicator = is_call ? f->waits->collectives[process]
                                    : it->joined[i].communicator;
    communicator = &it->communicators[present->communicator];
    present->number = mq_match_number(f->waits->table->match, process,
                                      present->communicator);
    present->entered = !is_call ? it->joined[i].entered
                       : communicator->agreed_id != 0 ? communicator->entered
                       : 0;
    return true;
}

/* Whether it is known that a process has come to an operation. */
static bool has_passed(const struct finder *f, uint32_t process,
                       const struct mq_present *operation)
{
    return operation->entered > 0
           && mq_collectives_entered(f->waits, process, operation->number)
              >= operation->entered;
}

/* Whether a member is not in the operation, nor known to have come to it. */
static bool lacks(const struct finder *f, const struct attendance *attendance,
                  uint32_t process)
{
    struct mq_present key = { .process = process,
                              .number = attendance->present[0].number,
                              .entered = attendance->present[0].entered };

    return bsearch(&key, attendance->present, attendance->count, sizeof key,
                   compare_present) == NULL
           && !has_passed(f, process, attendance->present);
}

/* As mq_rank_members. */
static size_t members(const struct finder *f,
                      const struct attendance *attendance, size_t place,
                      struct mq_process_ref *process)
{
    return mq_rank_members(f->waits->table->ranks, attendance->group, place,
                           process);
}

/* ---- Adding one ------------------------------------------------------- */

static enum mq_result add(struct finder *f, const struct mq_mismatch *it,
                          struct mq_error *error)
{
    if (mq_array_reserve(&f->made->mismatches, sizeof *f->made->mismatches,
                         f->made->count + 1, &f->made->room,
                         "comparing collective operations", error) != mq_ok)
        return mq_failed;
    qsort(it->ranks, it->many_count, sizeof it->ranks[0], mq_compare_ints);
    qsort(it->ranks + it->many_count, it->few_count, sizeof it->ranks[0],
          mq_compare_ints);
    f->made->mismatches[f->made->count++] = *it;
    return mq_ok;
}

static bool are_surely_stuck(const struct finder *f,
                             const struct mq_present *present, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (present[i].past == NULL
            && f->prospects->nodes[present[i].process] & mq_can_go_on)
            return false;
    return true;
}

/* Takes the ranks of PRESENT into a new mismatch: those for which LIKE is true
 * are the many.
 */
static enum mq_result add_parted(struct finder *f, enum mq_mismatch_kind kind,
                                 const struct mq_present *present, size_t count,
                                 const bool *like, struct mq_error *error)
{
    struct mq_mismatch it = { .kind = kind,
                              .certain = are_surely_stuck(f, present, count),
                              .ranks = malloc((count + 1)
                                              * sizeof *it.ranks) };

    if (it.ranks == NULL)
        return mq_fail_memory(error, "comparing collective operations");
    for (size_t i = 0; i < count; i++)
        if (like[i]) {
            it.many = it.many_count == 0 ? present[i] : it.many;
            it.ranks[it.many_count++] =
                process_of(f, present[i].process)->rank;
        }
    for (size_t i = 0; i < count; i++)
        if (!like[i]) {
            it.few = it.few_count == 0 ? present[i] : it.few;
            it.ranks[it.many_count + it.few_count++] =
                process_of(f, present[i].process)->rank;
        }
    if (add(f, &it, error) == mq_ok)
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
    uint32_t process = it->process;

    if (it->past != NULL)
        return false;
    if (process_of(f, process)->movement == mq_moved
        || process_of(f, process)->movement == mq_stopped)
        return true;
    for (size_t i = f->waits->first[process];
         it->joined == NULL && i < f->waits->first[process + 1]; i++)
        if (f->waits->needs[i].value == mq_value_met)
            return true;
    return false;
}

bool mq_present_root(const struct mq_job *job, const struct mq_present *it,
                     int64_t *root)
{
    if (it->joined == NULL && it->past == NULL)
        return mq_call_argument(&job->processes[it->process], "root", root);
    *root = it->past != NULL ? it->past->root : it->joined->root;
    return true;
}

static const char *operation_of(const struct finder *f,
                                const struct mq_present *it)
{
    return it->past != NULL ? it->past->call
           : it->joined != NULL ? it->joined->began
                              : process_of(f, it->process)->call;
}

static bool is_like(const struct finder *f, const struct mq_present *left,
                    const struct mq_present *right, enum mq_mismatch_kind kind)
{
    int64_t l = -1, r = -1;

    if (kind == mq_operations_differ)
        return mq_call_is_same(mq_call_name(operation_of(f, left)),
                               mq_call_name(operation_of(f, right)));
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

        if (operation_of(f, it) == NULL || is_moving(f, it)
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
static enum mq_result compare(struct finder *f,
                              const struct attendance *attendance,
                              enum mq_mismatch_kind kind,
                              struct mq_error *error, bool *found)
{
    const struct mq_present *self;
    size_t many = 0;
    enum mq_result result = mq_ok;
    bool *like;

    if (!is_known(f, attendance, kind))
        return mq_ok;
    like = calloc(attendance->count, sizeof *like);
    if (like == NULL)
        return mq_fail_memory(error, "comparing collective operations");
    self = &attendance->present[find_majority(f, attendance, kind)];
    for (size_t i = 0; i < attendance->count; i++) {
        like[i] = is_like(f, self, &attendance->present[i], kind);
        many += like[i];
    }
    *found = many < attendance->count;
    if (*found)
        result = add_parted(f, kind, attendance->present, attendance->count,
                            like, error);
    free(like);
    return result;
}

/* Whether what a process has sent has come to others, and is the last. */
static bool has_ended(const struct finder *f, uint32_t process)
{
    return (f->waits->states[process] == mq_rank_ending
            || f->waits->states[process] == mq_rank_gone)
           && process_of(f, (uint32_t)process)->movement != mq_moved;
}

/* The members that ended, after those that are present. */
static enum mq_result add_ended(struct finder *f,
                                const struct attendance *attendance,
                                struct mq_error *error)
{
    size_t count = attendance->count + attendance->ended_count;
    size_t next = attendance->count;
    struct mq_present *present = malloc(count * sizeof *present);
    bool *like = calloc(count, sizeof *like);
    enum mq_result result = mq_ok;

    if (present == NULL || like == NULL)
        result = mq_fail_memory(error, "comparing collective operations");
    for (size_t i = 0; result == mq_ok && i < attendance->count; i++) {
        present[i] = attendance->present[i];
        like[i] = true;
    }
    for (size_t i = 0; result == mq_ok && i < attendance->group->size;) {
        struct mq_process_ref member;
        uint32_t process;

        i += members(f, attendance, i, &member);
        if (mq_is_process(member, &process) && has_ended(f, process)
            && lacks(f, attendance, process) && next < count)
            present[next++] = (struct mq_present){ .process = process };
    }
    if (result == mq_ok)
        result = add_parted(f, mq_member_ended, present, next, like, error);
    free(present);
    free(like);
    return result;
}

/* A member of both communicators is in an operation of the other one. */
static enum mq_result add_order(struct finder *f,
                                const struct attendance *attendance,
                                const struct mq_present *other,
                                struct mq_error *error)
{
    struct mq_present both[2] = { { .process = NO_PROCESS }, *other };
    const bool like[2] = { true, false };
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
            && !(f->prospects->nodes[process] & mq_seems_to_go_on)
            && !has_passed(f, process, other))
            both[0] = attendance->present[i];
    }
    if (both[0].process == NO_PROCESS
        || f->prospects->nodes[other->process] & mq_seems_to_go_on)
        return mq_ok;
    if (mq_map_add(&f->pairs, key, 0, error, &seen) != mq_ok)
        return mq_failed;
    if (f->pairs.count == before)
        return mq_ok;
    return add_parted(f, mq_orders_differ, both, 2, like, error);
}

/* A member that is not present may be in operations elsewhere. */
static enum mq_result compare_orders(struct finder *f,
                                     const struct attendance *attendance,
                                     uint32_t process, struct mq_error *error)
{
    struct mq_present other;

    for (size_t i = 0; get_present(f, process, i, &other); i++)
        if (other.number != attendance->present[0].number
            && add_order(f, attendance, &other, error) != mq_ok)
            return mq_failed;
    return mq_ok;
}

/* Looks where the members are that are not present. */
static enum mq_result look_elsewhere(struct finder *f,
                                     struct attendance *attendance,
                                     struct mq_error *error)
{
    for (size_t i = 0; i < attendance->group->size;) {
        struct mq_process_ref member;
        uint32_t process;

        i += members(f, attendance, i, &member);
        if (!mq_is_process(member, &process)) {
            attendance->elsewhere_count++;
        } else if (!lacks(f, attendance, process)) {
            continue;
        } else if (has_ended(f, process)) {
            attendance->ended_count++;
        } else {
            attendance->elsewhere_count++;
            if (compare_orders(f, attendance, process, error) != mq_ok)
                return mq_failed;
        }
    }
    return mq_ok;
}

/* Those that are in an operation or wait for it, and after them those that have
 * left the one with its number.
 */
struct participants {
    struct mq_present *present;
    size_t count, room;
};

static enum mq_result add_present(struct participants *participants,
                                  const struct mq_present *present,
                                  size_t count, struct mq_error *error)
{
    if (mq_array_reserve(&participants->present, sizeof *present,
                         participants->count + count, &participants->room,
                         "comparing collective operations", error) != mq_ok)
        return mq_failed;
    memcpy(participants->present + participants->count, present,
           count * sizeof *present);
    participants->count += count;
    return mq_ok;
}

static enum mq_result gather_participants(const struct finder *f,
                                          const struct attendance *attendance,
                                          struct participants *participants,
                                          struct mq_error *error)
{
    const struct mq_present *first = attendance->present;
    enum mq_result result = add_present(participants, first, attendance->count,
                                        error);

    for (size_t i = 0; result == mq_ok && i < attendance->group->size;) {
        struct mq_present key = { .number = first->number,
                                  .entered = first->entered };
        struct mq_process_ref member;

        i += members(f, attendance, i, &member);
        if (!mq_is_process(member, &key.process)
            || bsearch(&key, first, attendance->count, sizeof key,
                       compare_present)
               != NULL)
            continue;
        key.past = mq_collective_find(f->waits, key.process, first->number,
                                      first->entered);
        if (key.past != NULL)
            result = add_present(participants, &key, 1, error);
    }
    return result;
}

/* Those that are still there, and those that have left; or one and the others.
 */
static enum mq_result compare_amounts(struct finder *f,
                                      const struct attendance *all,
                                      struct mq_error *error, bool *found)
{
    const struct mq_process *first = process_of(f, all->present[0].process);
    enum mq_result result;
    size_t many = 0;
    bool *like;

    if (all->count != (size_t)all->group->size
        || mq_is_inter(first,
                       &first->communicators[all->present[0].communicator])
        || !mq_is_misfit(f->waits, all->group, all->present[0].number,
                         all->present[0].entered))
        return mq_ok;
    like = calloc(all->count, sizeof *like);
    if (like == NULL)
        return mq_fail_memory(error, "comparing collective operations");
    for (size_t i = 0; i < all->count; i++) {
        like[i] = all->present[i].past == NULL;
        many += like[i];
    }
    if (many == all->count)
        memset(like + 1, 0, (all->count - 1) * sizeof *like);
    *found = true;
    result = add_parted(f, mq_amounts_differ, all->present, all->count, like,
                        error);
    free(like);
    if (result == mq_ok)
        f->made->mismatches[f->made->count - 1].certain = true;
    return result;
}

/* Those that count are compared whatever others do.  Others may be in one of
 * the next operations, unless none can be.
 */
static enum mq_result compare_all(struct finder *f,
                                  const struct attendance *attendance,
                                  struct mq_error *error, bool *found)
{
    if (attendance->present[0].entered == 0 && attendance->elsewhere_count > 0
        && !need_all(f, attendance))
        return mq_ok;
    if (compare(f, attendance, mq_operations_differ, error, found) != mq_ok)
        return mq_failed;
    return *found ? mq_ok : compare(f, attendance, mq_roots_differ, error,
                                    found);
}

static enum mq_result compare_with_past(struct finder *f,
                                        const struct attendance *attendance,
                                        struct mq_error *error, bool *found)
{
    struct participants participants = { NULL, 0, 0 };
    struct attendance all = *attendance;
    enum mq_result result;

    if (!f->knows_past || attendance->present[0].entered == 0)
        return compare_all(f, attendance, error, found);
    result = gather_participants(f, attendance, &participants, error);
    all.present = participants.present;
    all.count = participants.count;
    if (result == mq_ok)
        result = compare_all(f, &all, error, found);
    if (result == mq_ok && !*found)
        result = compare_amounts(f, &all, error, found);
    free(participants.present);
    return result;
}

/* *IS_WHOLE is unset if somebody is missing or does something else. */
static enum mq_result look_at(struct finder *f, struct attendance *attendance,
                              bool *is_whole, struct mq_error *error)
{
    const struct mq_present *first = &attendance->present[0];
    const struct mq_match *match = f->waits->table->match;
    bool found = false;

    attendance->group = process_of(f, first->process)
                  ->communicators[first->communicator].group;
    if (attendance->group == NULL || match->ambiguous[first->number]
        || match->assumed[first->number])
        return mq_ok;
    if (look_elsewhere(f, attendance, error) != mq_ok
        || compare_with_past(f, attendance, error, &found) != mq_ok)
        return mq_failed;
    *is_whole = !found && attendance->elsewhere_count == 0
                && attendance->ended_count == 0;
    return attendance->ended_count > 0 ? add_ended(f, attendance, error)
                                       : mq_ok;
}

/* ---- All of them ------------------------------------------------------ */

/* Looks at the operations of a communicator in their order, up to the first at
 * which ranks part: what comes after it comes of it.
 */
static enum mq_result check_attendances(struct finder *f,
                                        struct mq_error *error)
{
    uint32_t number = 0;
    bool is_whole = true;

    for (size_t i = 0; i < f->count;) {
        struct attendance attendance = { &f->present[i], 0, NULL, 0, 0 };

        is_whole |= i > 0 && attendance.present->number != number;
        number = attendance.present->number;
        while (i < f->count && f->present[i].number == number
               && f->present[i].entered == attendance.present->entered) {
            attendance.count++;
            i++;
        }
        if (is_whole && look_at(f, &attendance, &is_whole, error) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

static enum mq_result gather(struct finder *f, struct mq_error *error)
{
    size_t processes = f->job->process_count, room = 0;
    struct mq_present it;

    for (size_t p = 0; p < processes; p++)
        for (size_t i = 0; get_present(f, (uint32_t)p, i, &it)
                           && mq_rank_counts(f->waits->table->ranks, p); i++) {
            if (it.joined != NULL && mq_call_is_persistent(it.joined->began))
                continue;
            if (mq_array_add(&f->present, sizeof it, &f->count, &room, &it,
                             "comparing collective operations", error) != mq_ok)
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
    struct finder f = { 0 };
    enum mq_result result;

    f.waits = waits;
    f.job = waits->table->job;
    f.prospects = prospects;
    f.made = mismatches;
    memset(mismatches, 0, sizeof *mismatches);
    for (size_t p = 0; p < f.job->process_count; p++)
        f.knows_past |= f.job->processes[p].past_count > 0;
    result = gather(&f, error);
    if (result == mq_ok)
        result = check_attendances(&f, error);
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
