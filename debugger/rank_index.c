#include "rank_index.h"

#include <stdlib.h>

#include "map.h"

static uint32_t *slot_of(const struct mq_rank_index *index, int rank)
{
    size_t i = (size_t)((uint32_t)rank * 2654435769u) & (index->capacity - 1);

    while (index->slots[i] != 0
           && index->job->processes[index->slots[i] - 1].rank != rank)
        i = (i + 1) & (index->capacity - 1);
    return &index->slots[i];
}

int mq_rank_index_create(const struct mq_job *job, struct mq_error *error,
                         struct mq_rank_index *index)
{
    struct mq_rank_index made = { job, 16, NULL };

    if (job->process_count >= INT32_MAX)
        return mq_fail(error, "%zu processes are more than can be analysed",
                       job->process_count);
    while (made.capacity < 2 * job->process_count)
        made.capacity *= 2;
    made.slots = calloc(made.capacity, sizeof made.slots[0]);
    if (made.slots == NULL)
        return mq_fail_memory(error, "indexing the ranks");
    for (size_t i = 0; i < job->process_count; i++) {
        uint32_t *slot;

        if (job->processes[i].rank < 0)
            continue;
        slot = slot_of(&made, job->processes[i].rank);
        if (*slot == 0)
            *slot = (uint32_t)i + 1;
    }
    *index = made;
    return mq_ok;
}

void mq_rank_index_destroy(struct mq_rank_index *index)
{
    free(index->slots);
    index->slots = NULL;
}

int32_t mq_rank_process(const struct mq_rank_index *index, int64_t rank)
{
    if (rank < 0 || rank > INT32_MAX)
        return mq_no_process;
    return (int32_t)*slot_of(index, (int)rank) - 1;
}

bool mq_rank_counts(const struct mq_rank_index *index, size_t process)
{
    return mq_rank_process(index, index->job->processes[process].rank)
           == (int32_t)process;
}

static int compare_ints(const void *left, const void *right)
{
    const int *l = left, *r = right;

    return *l < *r ? -1 : *l > *r;
}

/* Adds the ranks of GROUP that no process has to MISSING. */
static int add_missing(const struct mq_rank_index *index,
                       const struct mq_group *group, struct mq_map *missing,
                       struct mq_error *error)
{
    for (size_t i = 0; i < group->size; i++) {
        int rank = mq_group_global(group, (int64_t)i);
        struct mq_key key = { (uint64_t)rank, 0 };
        uint32_t *value;

        if (mq_rank_process(index, rank) == mq_no_process
            && mq_map_add(missing, key, 0, error, &value) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* The same for each group of the job, once. */
static int collect_missing(const struct mq_rank_index *index,
                           struct mq_map *missing, struct mq_error *error)
{
    struct mq_map seen = { 0, 0, NULL };
    int result = mq_ok;

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
                result = add_missing(index, group, missing, error);
        }
    }
    mq_map_clear(&seen);
    return result;
}

int mq_missing_ranks(const struct mq_rank_index *index, struct mq_error *error,
                     int **ranks, size_t *count)
{
    struct mq_map missing = { 0, 0, NULL };
    int *made = NULL;
    size_t made_count = 0;

    if (collect_missing(index, &missing, error) == mq_ok) {
        made = malloc((missing.count + 1) * sizeof made[0]);
        if (made == NULL)
            mq_fail_memory(error, "listing the missing ranks");
    }
    for (size_t i = 0; made != NULL && i < missing.capacity; i++)
        if (missing.slots[i].used)
            made[made_count++] = (int)missing.slots[i].key.a;
    mq_map_clear(&missing);
    if (made == NULL)
        return mq_failed;
    qsort(made, made_count, sizeof made[0], compare_ints);
    *ranks = made;
    *count = made_count;
    return mq_ok;
}
