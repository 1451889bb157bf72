/* mismatch.c - collective operations that cannot come together */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/mismatch.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/roll.h"
#include "analysis/stuck.h"
#include "base/array.h"
#include "base/number.h"
#include "base/map.h"
#include "base/spans.h"

/* A process in a collective operation on the communicator with a number. */
struct present {
    uint32_t number;
    uint32_t process;
};

struct finder {
    const struct mq_waits *waits;
    const struct mq_job *job;
    const uint8_t *prospects;
    struct present *present;    /* by number, then by process */
    size_t count;
    struct mq_mismatches *made;
    struct mq_map pairs;        /* of communicators whose order differs */
};

/* Those of one communicator, and who else is a member. */
struct roll {
    const struct present *present;
    size_t count;
    const struct mq_group *group;
    size_t ended_count;         /* members that will never come */
    size_t elsewhere_count;
};

#define NO_PROCESS UINT32_MAX

static int compare_present(const void *left, const void *right)
{
    const struct present *l = left, *r = right;

    if (l->number != r->number)
        return l->number < r->number ? -1 : 1;
    return l->process < r->process ? -1 : l->process > r->process;
}

static const struct mq_process *process_of(const struct finder *f,
                                           uint32_t process)
{
    return &f->job->processes[process];
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

static bool are_surely_stuck(const struct finder *f, const uint32_t *processes,
                             size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (f->prospects[processes[i]] & mq_can_go_on)
            return false;
    return true;
}

/* Takes the ranks of PROCESSES into a new mismatch: those for which LIKE is
 * true are the many.
 */
static enum mq_result add_parted(struct finder *f, enum mq_mismatch_kind kind,
                                 const uint32_t *processes, size_t count,
                                 const bool *like, struct mq_error *error)
{
    struct mq_mismatch it = { kind, are_surely_stuck(f, processes, count),
                              NO_PROCESS, NO_PROCESS, 0, 0,
                              malloc((count + 1) * sizeof *it.ranks) };

    if (it.ranks == NULL)
        return mq_fail_memory(error, "comparing collective operations");
    for (size_t i = 0; i < count; i++)
        if (like[i]) {
            it.ranks[it.many_count++] = process_of(f, processes[i])->rank;
            it.many = it.many == NO_PROCESS ? processes[i] : it.many;
        }
    for (size_t i = 0; i < count; i++)
        if (!like[i]) {
            it.ranks[it.many_count + it.few_count++] =
                process_of(f, processes[i])->rank;
            it.few = it.few == NO_PROCESS ? processes[i] : it.few;
        }
    if (add(f, &it, error) == mq_ok)
        return mq_ok;
    free(it.ranks);
    return mq_failed;
}

/* ---- One communicator ------------------------------------------------- */

/* Whether something that a process waits for is being moved, or may be as soon
 * as it can.
 */
static bool is_moving(const struct finder *f, uint32_t process)
{
    if (process_of(f, process)->movement == mq_moved
        || process_of(f, process)->movement == mq_stopped)
        return true;
    for (size_t i = f->waits->first[process];
         i < f->waits->first[process + 1]; i++)
        if (f->waits->needs[i].flags & mq_need_met)
            return true;
    return false;
}

/* What a rank does, as two words that are equal for those who do the same. */
static struct mq_key deed_of(const struct finder *f, uint32_t process,
                             enum mq_mismatch_kind kind)
{
    const struct mq_process *it = process_of(f, process);
    struct mq_key key = { (uintptr_t)mq_roll_operation(it), 0 };
    int64_t root = -1;

    if (kind == mq_roots_differ) {
        mq_call_argument(it, "root", &root);
        key.b = (uint64_t)root;
    }
    return key;
}

/* How many do what process I of the roll does. */
static size_t count_like(const struct finder *f, const struct roll *roll,
                         size_t i, enum mq_mismatch_kind kind)
{
    struct mq_key self = deed_of(f, roll->present[i].process, kind);
    size_t count = 0;

    for (size_t k = 0; k < roll->count; k++) {
        struct mq_key other = deed_of(f, roll->present[k].process, kind);

        count += other.a == self.a && other.b == self.b;
    }
    return count;
}

enum {
    most_candidates = 4         /* of who may do what most do */
};

/* One who does what most do: if anybody is the majority, one of a few that are
 * spread over the roll will be of it.
 */
static size_t find_majority(const struct finder *f, const struct roll *roll,
                            enum mq_mismatch_kind kind)
{
    size_t best = 0, most = 0;

    for (size_t i = 0; i < most_candidates; i++) {
        size_t candidate = i * roll->count / most_candidates;
        size_t count = count_like(f, roll, candidate, kind);

        if (count > most) {
            most = count;
            best = candidate;
        }
    }
    return best;
}

/* How many collective operations a process has begun there; 0: not known. */
static uint64_t entered_by(const struct finder *f, uint32_t process)
{
    const struct mq_communicator *it =
        &process_of(f, process)->communicators[f->waits->rolls[process]];

    return it->agreed_id != 0 ? it->entered : 0;
}

/* Whether what is compared is known of all.  Some may be in one of the next
 * operations: then they are not the same to be compared.
 */
static bool is_known(const struct finder *f, const struct roll *roll,
                     enum mq_mismatch_kind kind)
{
    int64_t root;

    for (size_t i = 0; i < roll->count; i++) {
        const struct mq_process *it = process_of(f, roll->present[i].process);

        if (it->call == NULL || is_moving(f, roll->present[i].process)
            || entered_by(f, roll->present[i].process)
               != entered_by(f, roll->present[0].process)
            || (kind == mq_roots_differ
                && !mq_call_argument(it, "root", &root)))
            return false;
    }
    return true;
}

/* Whether those of a roll stay in operations that nobody leaves before all have
 * come, so that they can be in different ones only if some member never comes.
 */
static bool need_all(const struct finder *f, const struct roll *roll)
{
    for (size_t i = 0; i < roll->count; i++) {
        const struct mq_process *it = process_of(f, roll->present[i].process);

        if (!mq_roll_needs_all(it) || !mq_stands_still(f->job, it))
            return false;
    }
    return true;
}

/* Adds a mismatch if those of a roll do not all do the same. */
static enum mq_result compare(struct finder *f, const struct roll *roll,
                              enum mq_mismatch_kind kind,
                              struct mq_error *error, bool *found)
{
    struct mq_key self;
    uint32_t *processes;
    size_t many = 0;
    enum mq_result result = mq_ok;
    bool *like;

    if (!is_known(f, roll, kind))
        return mq_ok;
    processes = malloc(roll->count * sizeof *processes);
    like = calloc(roll->count, sizeof *like);
    self = deed_of(f, roll->present[find_majority(f, roll, kind)].process,
                   kind);
    if (processes == NULL || like == NULL)
        result = mq_fail_memory(error, "comparing collective operations");
    for (size_t i = 0; result == mq_ok && i < roll->count; i++) {
        struct mq_key other = deed_of(f, roll->present[i].process, kind);

        processes[i] = roll->present[i].process;
        like[i] = self.a == other.a && self.b == other.b;
        many += like[i];
    }
    *found = result == mq_ok && many < roll->count;
    if (*found)
        result = add_parted(f, kind, processes, roll->count, like, error);
    free(processes);
    free(like);
    return result;
}

/* The members that ended, after those who are present. */
static enum mq_result add_ended(struct finder *f, const struct roll *roll,
                                struct mq_error *error)
{
    size_t count = roll->count + roll->ended_count, next = 0;
    uint32_t *processes = malloc(count * sizeof *processes);
    bool *like = calloc(count, sizeof *like);
    enum mq_result result = mq_ok;

    if (processes == NULL || like == NULL)
        result = mq_fail_memory(error, "comparing collective operations");
    for (; result == mq_ok && next < roll->count; next++) {
        processes[next] = roll->present[next].process;
        like[next] = true;
    }
    for (size_t i = 0; result == mq_ok && i < roll->group->size; i++) {
        int32_t process =
            mq_rank_process(f->waits->mail->ranks,
                            mq_group_global(roll->group, (int64_t)i));

        if (process != mq_no_process
            && (f->waits->states[process] == mq_rank_ending
                || f->waits->states[process] == mq_rank_gone)
            && next < count)
            processes[next++] = (uint32_t)process;
    }
    if (result == mq_ok)
        result = add_parted(f, mq_member_ended, processes, next, like, error);
    free(processes);
    free(like);
    return result;
}

/* A member of both communicators is in an operation of the other one. */
static enum mq_result add_order(struct finder *f, const struct roll *roll,
                                uint32_t other, struct mq_error *error)
{
    uint32_t processes[2] = { NO_PROCESS, other };
    const bool like[2] = { true, false };
    uint32_t roll_of_other = f->waits->rolls[other];
    const struct mq_group *group =
        process_of(f, other)->communicators[roll_of_other].group;
    uint32_t number = mq_match_number(f->waits->mail->match, other,
                                      roll_of_other);
    uint32_t *seen, self = roll->present[0].number;
    struct mq_key key = { self < number ? self : number,
                          self < number ? number : self };
    size_t before = f->pairs.count;

    for (size_t i = 0; group != NULL && i < roll->count
         && processes[0] == NO_PROCESS; i++)
        if (mq_group_local(group, process_of(f, roll->present[i].process)->rank)
            >= 0 && !(f->prospects[roll->present[i].process]
                      & mq_seems_to_go_on))
            processes[0] = roll->present[i].process;
    if (processes[0] == NO_PROCESS
        || f->prospects[other] & mq_seems_to_go_on)
        return mq_ok;
    if (mq_map_add(&f->pairs, key, 0, error, &seen) != mq_ok)
        return mq_failed;
    if (f->pairs.count == before)
        return mq_ok;
    return add_parted(f, mq_orders_differ, processes, 2, like, error);
}

/* Looks where those members are who are not present. */
static enum mq_result look_elsewhere(struct finder *f, struct roll *roll,
                                     struct mq_error *error)
{
    for (size_t i = 0; i < roll->group->size; i++) {
        int32_t process =
            mq_rank_process(f->waits->mail->ranks,
                            mq_group_global(roll->group, (int64_t)i));

        if (process == mq_no_process) {
            roll->elsewhere_count++;
        } else if (f->waits->states[process] == mq_rank_ending
                   || f->waits->states[process] == mq_rank_gone) {
            roll->ended_count++;
        } else if (!mq_is_in_roll(f->waits, (uint32_t)process,
                                  roll->present[0].number)) {
            roll->elsewhere_count++;
            if (f->waits->rolls[process] != MQ_NO_ROLL
                && add_order(f, roll, (uint32_t)process, error) != mq_ok)
                return mq_failed;
        }
    }
    return mq_ok;
}

static enum mq_result look_at(struct finder *f, struct roll *roll,
                              struct mq_error *error)
{
    const struct mq_process *first = process_of(f, roll->present[0].process);
    const struct mq_match *match = f->waits->mail->match;
    uint32_t number = roll->present[0].number;
    bool found = false;

    roll->group =
        first->communicators[f->waits->rolls[roll->present[0].process]].group;
    if (roll->group == NULL || match->ambiguous[number]
        || match->assumed[number])
        return mq_ok;
    if (look_elsewhere(f, roll, error) != mq_ok)
        return mq_failed;
    if ((roll->elsewhere_count == 0 || need_all(f, roll))
        && (compare(f, roll, mq_operations_differ, error, &found) != mq_ok
            || (!found && compare(f, roll, mq_roots_differ, error, &found)
                          != mq_ok)))
        return mq_failed;
    return roll->ended_count > 0 ? add_ended(f, roll, error) : mq_ok;
}

/* ---- All of them ------------------------------------------------------ */

static enum mq_result call_rolls(struct finder *f, struct mq_error *error)
{
    for (size_t i = 0; i < f->count;) {
        struct roll roll = { &f->present[i], 0, NULL, 0, 0 };

        while (i < f->count && f->present[i].number
                               == roll.present[0].number) {
            roll.count++;
            i++;
        }
        if (look_at(f, &roll, error) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

static enum mq_result gather(struct finder *f, struct mq_error *error)
{
    size_t processes = f->job->process_count;

    for (size_t p = 0; p < processes; p++)
        f->count += f->waits->rolls[p] != MQ_NO_ROLL;
    f->present = malloc((f->count + 1) * sizeof f->present[0]);
    if (f->present == NULL)
        return mq_fail_memory(error, "comparing collective operations");
    f->count = 0;
    for (size_t p = 0; p < processes; p++)
        if (f->waits->rolls[p] != MQ_NO_ROLL
            && mq_rank_counts(f->waits->mail->ranks, p))
            f->present[f->count++] = (struct present){
                mq_match_number(f->waits->mail->match, p,
                                f->waits->rolls[p]), (uint32_t)p };
    qsort(f->present, f->count, sizeof f->present[0], compare_present);
    return mq_ok;
}

enum mq_result mq_mismatches_find(const struct mq_waits *waits,
                                  const uint8_t *prospects,
                                  struct mq_error *error,
                                  struct mq_mismatches *mismatches)
{
    struct finder f = { 0 };
    enum mq_result result;

    f.waits = waits;
    f.job = waits->mail->job;
    f.prospects = prospects;
    f.made = mismatches;
    memset(mismatches, 0, sizeof *mismatches);
    result = gather(&f, error);
    if (result == mq_ok)
        result = call_rolls(&f, error);
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
