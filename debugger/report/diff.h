/* diff.h - comparison of two recordings
 *
 * An operation of a rank stayed if both have it with the same communicator,
 * queue, status, peer, tag, length and buffer; else it went or came.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_DIFF_H
#define MQ_DIFF_H

#include "model/job.h"
#include "model/rank_index.h"
#include "report/filter.h"
#include "report/report.h"

/* A process that is in both jobs. */
struct mq_diff_rank {
    uint32_t before, after;     /* indices in the two jobs */
    bool moved;                 /* the call changed, or an operation came or
                                   went */
    uint32_t stayed;            /* operations */
    uint32_t first_gone, gone;  /* a stretch of the diff's list */
    uint32_t first_come, come;
};

struct mq_diff {
    const struct mq_job *before, *after;
    size_t rank_count;
    struct mq_diff_rank *ranks; /* in the order of the job after */
    size_t gone_count, come_count;
    struct mq_operation_ref *gone;      /* of the job before */
    struct mq_operation_ref *come;      /* of the job after */
    size_t only_before_count, only_after_count;
    int *only_before, *only_after;      /* ranks, ascending */
};

/* Compares what FILTER shows.  Both jobs must outlive the result. */
enum mq_result mq_diff_create(const struct mq_job *before,
                              const struct mq_job *after,
                              const struct mq_filter *, struct mq_error *,
                              struct mq_diff *diff);
void mq_diff_destroy(struct mq_diff *diff);

typedef enum mq_result mq_diff_reporter(const struct mq_diff *,
                                        const struct mq_report_options *,
                                        FILE *, struct mq_error *);
mq_diff_reporter mq_report_diff_text, mq_report_diff_json;

#endif
