/* remarks.c - remarks beside a report */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/cli/remarks.h"

#include "model/rank_index.h"
#include "report/sentences.h"

enum {
    most_reported = 8,          /* ranks that are named one by one */
    long_ranks = 4 << 20,       /* in groups; some 30 MB of text */
    rank_bytes = 7              /* of such a rank */
};

enum mq_result mq_remark_duplicates(const struct mq_job *job,
                                    struct mq_logger *logger,
                                    struct mq_error *error)
{
    struct mq_rank_index index;
    size_t i, reported = 0;

    if (mq_rank_index_init(job, error, &index) != mq_ok)
        return mq_failed;
    for (i = 0; i < job->process_count; i++) {
        const struct mq_process *process = &job->processes[i];
        uint32_t first;

        if (!mq_is_process(mq_rank_process(&index, process->rank), &first)
            || first == i)
            continue;
        if (reported++ < most_reported)
            mq_log(logger, mq_warning, "rank %d" MQ_CLAIMED_TWICE,
                   process->rank, job->processes[first].name, process->name);
    }
    if (reported > most_reported)
        mq_log(logger, mq_warning, "%zu more processes claim ranks that are "
               "already taken", reported - most_reported);
    mq_rank_index_deinit(&index);
    return mq_ok;
}

/* Whether an operation of the process at INDEX is shown. */
static bool shows_some(const struct mq_job *job, size_t index,
                       const struct mq_filter *filter)
{
    struct mq_operation_ref ref = mq_operation_ref_before(index);

    while (mq_operation_ref_next(job, &ref))
        if (mq_filter_shows_operation(filter, job, &ref))
            return true;
    return false;
}


void mq_remark_empty_filter(const struct mq_job *job,
                            const struct mq_filter *filter,
                            struct mq_logger *logger)
{
    bool by_operation = filter->tag != NULL || filter->queues != 0
                        || filter->communicator != NULL;
    bool has_rank = false;

    if (!by_operation && filter->ranks.count == 0)
        return;
    for (size_t i = 0; i < job->process_count; i++) {
        const struct mq_process *process = &job->processes[i];

        if (!mq_filter_shows_rank(filter, job, process))
            continue;
        has_rank = true;
        if (!by_operation || shows_some(job, i, filter))
            return;
    }
    mq_log(logger, mq_warning, has_rank
           ? "no operation matches --queue, --comm and --tag"
           : "no process has a rank of --only-ranks");
}

void mq_remark_long_groups(const struct mq_job *job, struct mq_logger *logger)
{
    unsigned long long ranks = 0;

    for (size_t i = 0; i < job->process_count; i++) {
        for (size_t j = 0; j < job->processes[i].communicator_count; j++) {
            const struct mq_group *group =
                job->processes[i].communicators[j].group;

            ranks += group != NULL ? group->size : 0;
        }
    }
    if (ranks > long_ranks)
        mq_log(logger, mq_verbose, "--raw writes each group of each process "
               "in full: %llu ranks, about %llu MB; --format json names each "
               "group in short", ranks, ranks * rank_bytes >> 20);
}
