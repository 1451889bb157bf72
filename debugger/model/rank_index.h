/* rank_index.h - look-up of processes by rank */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_RANK_INDEX_H
#define MQ_RANK_INDEX_H

#include "base/map.h"
#include "base/spans.h"
#include "model/job.h"

/* A process by its index in the job, or nobody, which all zero is.  It is no
 * number, so that nothing is looked up by it unless mq_is_process gave the
 * index.
 */
struct mq_process_ref {
    uint32_t after;             /* the index and one; 0: nobody */
};

struct mq_process_ref mq_process_at(size_t index);

/* Whether REF is a process: then INDEX is its index, else it stays. */
bool mq_is_process(struct mq_process_ref ref, uint32_t *index);

/* The ranks of most jobs are as many as the highest one: a table finds them,
 * one after the other, without jumping about in memory.  A map has those above.
 */
struct mq_rank_index {
    const struct mq_job *job;
    size_t table_size;
    struct mq_process_ref *table;       /* by rank */
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

/* The process that counts for RANK. */
struct mq_process_ref mq_rank_process(const struct mq_rank_index *,
                                      int64_t rank);

/* How many members of a group, from the one at PLACE on, are the same process,
 * or have none; at least one.  So iterating over a group takes as many steps as
 * it has runs and processes, however many ranks.
 */
size_t mq_rank_members(const struct mq_rank_index *, const struct mq_group *,
                       size_t place, struct mq_process_ref *process);

#endif
