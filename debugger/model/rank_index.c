/* rank_index.c - look-up of processes by rank
 *
 * Ranks to processes, by a table and a map; ranks that nobody has.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/rank_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/number.h"

static enum mq_result enter(struct mq_rank_index *index, size_t process,
                            struct mq_error *error)
{
    int rank = index->job->processes[process].rank;
    struct mq_key key = { (uint64_t)rank, 0 };
    uint32_t *other;

    if (rank < 0)
        return mq_ok;
    if ((size_t)rank >= index->table_size)
        return mq_map_add(&index->others, key, (uint32_t)process, error,
                          &other);
    if (index->table[rank].after == 0)
        index->table[rank] = mq_process_at(process);
    return mq_ok;
}

static enum mq_result sort_others(struct mq_rank_index *index,
                                  struct mq_error *error)
{
    index->above = malloc((index->others.count + 1) * sizeof *index->above);
    if (index->above == NULL)
        return mq_fail_memory(error, "indexing the ranks");
    for (size_t i = 0; i < index->job->process_count; i++)
        if (index->job->processes[i].rank >= (int64_t)index->table_size
            && mq_rank_counts(index, i))
            index->above[index->above_count++] =
                index->job->processes[i].rank;
    qsort(index->above, index->above_count, sizeof *index->above,
          mq_compare_ints);
    return mq_ok;
}

enum mq_result mq_rank_index_init(const struct mq_job *job,
                                  struct mq_error *error,
                                  struct mq_rank_index *index)
{
    struct mq_rank_index made = { .job = job };
    enum mq_result result = mq_ok;

    if (job->process_count >= INT32_MAX)
        return mq_fail(error, "%zu processes are more than can be analysed",
                       job->process_count);
    made.table_size = job->process_count + job->process_count / 4 + 16;
    made.table = calloc(made.table_size, sizeof made.table[0]);
    if (made.table == NULL)
        return mq_fail_memory(error, "indexing the ranks");
    for (size_t i = 0; i < job->process_count && result == mq_ok; i++)
        result = enter(&made, i, error);
    if (result == mq_ok)
        result = sort_others(&made, error);
    if (result == mq_ok)
        *index = made;
    else
        mq_rank_index_deinit(&made);
    return result;
}

void mq_rank_index_deinit(struct mq_rank_index *index)
{
    free(index->table);
    free(index->above);
    index->table = NULL;
    index->above = NULL;
    mq_map_deinit(&index->others);
}

struct mq_process_ref mq_process_at(size_t index)
{
    return (struct mq_process_ref){ (uint32_t)index + 1 };
}

bool mq_is_process(struct mq_process_ref ref, uint32_t *index)
{
    if (ref.after == 0)
        return false;
    *index = ref.after - 1;
    return true;
}

struct mq_process_ref mq_rank_process(const struct mq_rank_index *index,
                                      int64_t rank)
{
    static const struct mq_process_ref nobody;
    struct mq_key key = { (uint64_t)rank, 0 };
    const uint32_t *process;

    if (rank < 0)
        return nobody;
    if ((uint64_t)rank < index->table_size)
        return index->table[rank];
    process = mq_map_find(&index->others, key);
    return process != NULL ? mq_process_at(*process) : nobody;
}

bool mq_rank_counts(const struct mq_rank_index *index, size_t process)
{
    uint32_t counts;

    return mq_is_process(mq_rank_process(index,
                                         index->job->processes[process].rank),
                         &counts) && counts == process;
}

/* ---- Members of groups --------------------------------------------------- */

/* How many of those that are above the table are below RANK. */
static size_t count_above(const struct mq_rank_index *index, int64_t rank)
{
    size_t low = 0, high = index->above_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (index->above[middle] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first of RANK, RANK + STEP, ... above the table that has a process, as a
 * number of steps; MOST if there is none among so many.
 */
static int64_t steps_above(const struct mq_rank_index *index, int64_t rank,
                           int64_t step, int64_t most)
{
    size_t i = count_above(index, step > 0 ? rank : rank + 1);

    while (step > 0 ? i < index->above_count : i > 0) {
        int64_t away = index->above[step > 0 ? i++ : --i] - rank;

        if (away / step >= most)
            return most;
        if (away % step == 0)
            return away / step;
    }
    return most;
}

/* The same in the table, up to its end. */
static int64_t steps_below(const struct mq_rank_index *index, int64_t rank,
                           int64_t step, int64_t most)
{
    int64_t steps = 0;

    while (steps < most && rank >= 0 && rank < (int64_t)index->table_size
           && index->table[rank].after == 0) {
        rank += step;
        steps++;
    }
    return steps;
}

/* How many of MOST ranks RANK, RANK + STEP, ... come before one that has a
 * process.
 */
static int64_t steps_without(const struct mq_rank_index *index, int64_t rank,
                             int64_t step, int64_t most)
{
    int64_t size = (int64_t)index->table_size, steps = 0;

    if (rank >= size) {
        int64_t until = step < 0 ? (rank - size) / -step + 1 : most;

        until = until < most ? until : most;
        steps = steps_above(index, rank, step, until);
        return steps < until || step > 0 ? steps
               : steps + steps_below(index, rank + steps * step, step,
                                     most - steps);
    }
    steps = steps_below(index, rank, step, most);
    rank += steps * step;
    return steps == most || rank < size ? steps
           : steps + steps_above(index, rank, step, most - steps);
}

size_t mq_rank_members(const struct mq_rank_index *index,
                       const struct mq_group *group, size_t place,
                       struct mq_process_ref *process)
{
    const struct mq_run *run = mq_group_run(group, (int64_t)place);
    int64_t done, rank, rest;

    *process = (struct mq_process_ref){ 0 };
    if (run == NULL)
        return 1;
    done = (int64_t)place - run->local;
    rest = run->count - done;
    rank = run->first + done * run->step;
    *process = mq_rank_process(index, rank);
    if (run->step == 0)
        return (size_t)rest;
    return process->after != 0 ? 1
           : (size_t)steps_without(index, rank, run->step, rest);
}

/* ---- Missing ranks ------------------------------------------------------- */

/* The ranks that groups name.  Those that follow each other are spans until all
 * groups are known, so that each rank is gone through once, however many groups
 * have it.
 */
struct named_ranks {
    size_t span_room;
    struct mq_spans spans;      /* in the order in which they came */
    size_t count;               /* of ranks that there are bits for */
    uint8_t *bits;
};

static enum mq_result reserve_bits(struct named_ranks *ranks, size_t highest,
                                   struct mq_error *error)
{
    size_t bytes = highest / 4 + 8;
    uint8_t *larger;

    if (highest < ranks->count)
        return mq_ok;
    larger = calloc(bytes, 1);
    if (larger == NULL)
        return mq_fail_memory(error, "looking for missing ranks");
    if (ranks->count > 0)
        memcpy(larger, ranks->bits, ranks->count / 8);
    free(ranks->bits);
    ranks->bits = larger;
    ranks->count = 8 * bytes;
    return mq_ok;
}

static void set_bit(struct named_ranks *ranks, int64_t rank)
{
    /* No rank of a group is negative, which the analyser cannot know. */
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    ranks->bits[rank / 8] |= (uint8_t)(1u << rank % 8);
}

static enum mq_result add_run(struct named_ranks *ranks,
                              const struct mq_run *run, struct mq_error *error)
{
    int64_t last = run->first + (run->count - 1) * (int64_t)run->step;
    struct mq_span span = { run->first, (int)last };

    if (last < run->first)
        span = (struct mq_span){ (int)last, run->first };
    if (reserve_bits(ranks, (size_t)span.last, error) != mq_ok)
        return mq_failed;
    if (run->step < -1 || run->step > 1) {
        for (int64_t i = 0; i < run->count; i++)
            set_bit(ranks, run->first + i * run->step);
        return mq_ok;
    }
    return mq_array_add(&ranks->spans.spans, sizeof span, &ranks->spans.count,
                        &ranks->span_room, &span, "looking for missing ranks",
                        error);
}

static int compare_spans(const void *one, const void *other)
{
    const struct mq_span *a = one, *b = other;

    return mq_compare_ints(&a->first, &b->first);
}

/* Sets the bits of all spans, which may cover each other. */
static void set_spans(struct named_ranks *ranks)
{
    struct mq_span *spans = ranks->spans.spans;
    int64_t next = 0;

    if (ranks->spans.count > 0)
        qsort(spans, ranks->spans.count, sizeof *spans, compare_spans);
    for (size_t i = 0; i < ranks->spans.count; i++) {
        if (spans[i].first > next)
            next = spans[i].first;
        for (; next <= spans[i].last; next++)
            set_bit(ranks, next);
    }
}

static enum mq_result add_group(struct named_ranks *ranks,
                                const struct mq_group *group,
                                struct mq_error *error)
{
    for (size_t i = 0; i < group->run_count; i++)
        if (add_run(ranks, &group->runs[i], error) != mq_ok)
            return mq_failed;
    return mq_ok;
}

/* Adds all ranks of the job's worlds, whether or not a group names them. */
static enum mq_result add_worlds(const struct mq_job *job,
                                 struct named_ranks *ranks,
                                 struct mq_error *error)
{
    for (size_t i = 0; i < job->world_count; i++) {
        const struct mq_world *world = &job->worlds[i];
        const struct mq_run run = { 0, world->first, world->size, 1 };

        if (add_run(ranks, &run, error) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* Adds each group of the job, once. */
static enum mq_result add_groups(const struct mq_rank_index *index,
                                 struct named_ranks *ranks,
                                 struct mq_error *error)
{
    struct mq_map seen = { 0 };
    enum mq_result result = mq_ok;

    for (size_t p = 0; p < index->job->process_count; p++) {
        const struct mq_process *process = &index->job->processes[p];

        for (size_t c = 0; c < process->communicator_count; c++) {
            const struct mq_group *group = process->communicators[c].group;
            struct mq_key key = { (uintptr_t)group, 0 };
            size_t before = seen.count;
            uint32_t *value;

            if (group == NULL || result != mq_ok)
                continue;
            result = mq_map_add(&seen, key, 0, error, &value);
            if (seen.count > before && result == mq_ok)
                result = add_group(ranks, group, error);
        }
    }
    mq_map_deinit(&seen);
    return result;
}

static enum mq_result add_span(struct mq_spans *spans, size_t *room, int rank,
                               struct mq_error *error)
{
    const struct mq_span one = { rank, rank };

    if (spans->count > 0 && spans->spans[spans->count - 1].last == rank - 1) {
        spans->spans[spans->count - 1].last = rank;
        return mq_ok;
    }
    return mq_array_add(&spans->spans, sizeof one, &spans->count, room, &one,
                        "listing the missing ranks", error);
}

enum mq_result mq_missing_ranks(const struct mq_rank_index *index,
                                struct mq_error *error,
                                struct mq_spans *missing)
{
    struct named_ranks ranks = { 0 };
    struct mq_spans made = { 0, NULL };
    enum mq_result result = add_worlds(index->job, &ranks, error);
    size_t room = 0;

    if (result == mq_ok)
        result = add_groups(index, &ranks, error);
    set_spans(&ranks);
    for (size_t rank = 0; rank < ranks.count && result == mq_ok; rank++) {
        size_t end = rank
                     + (size_t)steps_without(index, (int64_t)rank, 1,
                                             (int64_t)(ranks.count - rank));

        for (; rank < end && result == mq_ok; rank++)
            if (ranks.bits[rank / 8] & 1u << rank % 8)
                result = add_span(&made, &room, (int)rank, error);
    }
    free(ranks.bits);
    mq_spans_deinit(&ranks.spans);
    if (result == mq_ok)
        *missing = made;
    else
        mq_spans_deinit(&made);
    return result;
}
