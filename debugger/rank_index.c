#include "rank_index.h"

#include <stdlib.h>

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
