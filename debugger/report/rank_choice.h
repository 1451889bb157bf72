/* rank_choice.h - rank lists of users: 0-3,7 or, of world 1, 1:0-3
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_RANK_CHOICE_H
#define MQ_RANK_CHOICE_H

#include "model/job.h"

/* Ranks of one world; of world -1, counted through all. */
struct mq_rank_span {
    int world, first, last;
};

/* Ascending, and none touches the next; none at all is a choice of all. */
struct mq_rank_choice {
    size_t count;
    struct mq_rank_span *spans;
};

/* Reads ranks and spans of ranks between commas, in any order. */
enum mq_result mq_rank_choice_parse(const char *text, struct mq_error *,
                                    struct mq_rank_choice *choice);

void mq_rank_choice_deinit(struct mq_rank_choice *choice);

/* Whether a process of JOB with this RANK, counted through all worlds, is
 * meant.
 */
bool mq_rank_choice_has(const struct mq_rank_choice *,
                          const struct mq_job *job, int rank);

#endif
