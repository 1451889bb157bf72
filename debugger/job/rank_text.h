/* rank_text.h - ranks and groups in sentences */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_RANK_TEXT_H
#define MQ_RANK_TEXT_H

#include "base/spans.h"
#include "base/strbuf.h"
#include "job/job.h"

/* "rank 3", "ranks 0, 1, 2", or from the ninth on "ranks 0-511". */
void mq_rank_text_ranks(struct mq_strbuf *, const int *ranks, size_t count);
void mq_rank_text_spans(struct mq_strbuf *, const struct mq_spans *);

/* The same of ranks in any order, which are sorted. */
void mq_rank_text_sorted(struct mq_strbuf *, int *ranks, size_t count);

/* "ranks [0-511]", of ranks in any order, which are sorted. */
void mq_rank_text_folded(struct mq_strbuf *, int *ranks, size_t count);

/* Spans and groups as programs read them: "0-3,7", "0-3,8-32/8"; "5x3" is the
 * same rank three times, which only a damaged group has.
 */
void mq_rank_text_span_list(struct mq_strbuf *, const struct mq_spans *);
void mq_rank_text_group(struct mq_strbuf *, const struct mq_group *);

/* "rank 3 in MPI_Recv". */
void mq_rank_text_rank(struct mq_strbuf *, const struct mq_process *);

#endif
