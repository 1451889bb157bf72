/* rank_index.h - which process of a job has which rank */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_RANK_INDEX_H
#define MQ_RANK_INDEX_H

#include "base/map.h"
#include "base/spans.h"
#include "job/job.h"

enum {
    mq_no_process = -1
};

/* The ranks of most jobs are as many as the highest one: a table finds them,
 * one after the other, without jumping about in memory.  A map has those above.
 */
struct mq_rank_index {
    const struct mq_job *job;
    size_t table_size;
    int32_t *table;             /* by rank: index of the process */
    struct mq_map others;
    int *above;                 /* the ranks there, in order */
    size_t above_count;
};

/* Indexes JOB, which must outlive the index and not change.  Of processes with
 * the same rank the first counts; one without a rank is nowhere.
 */
enum mq_result mq_rank_index_init(const struct mq_job *job, struct mq_error *,
                                  struct mq_rank_index *index);
void mq_rank_index_deinit(struct mq_rank_index *index);

/* Whether PROCESS, an index in the job, is the one that counts for its rank. */
bool mq_rank_counts(const struct mq_rank_index *, size_t process);

/* The ranks that some group or world of the job has, and no process. */
enum mq_result mq_missing_ranks(const struct mq_rank_index *, struct mq_error *,
                                struct mq_spans *missing);

/* The index in the job of the process with RANK, or mq_no_process. */
int32_t mq_rank_process(const struct mq_rank_index *, int64_t rank);

/* How many members of a group, from the one at PLACE on, are the same process,
 * or have none; at least one.  So whoever goes through a group takes as many
 * steps as it has runs and processes, however many ranks.
 */
size_t mq_rank_members(const struct mq_rank_index *, const struct mq_group *,
                       size_t place, int32_t *process);

#endif
