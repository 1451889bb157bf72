/* rank_text.h - ranks and groups as text */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_RANK_TEXT_H
#define MQ_RANK_TEXT_H

#include "base/spans.h"
#include "base/strbuf.h"
#include "model/job.h"

/* "rank 3", or "rank 3 of world 1" where the job has several worlds; and only
 * "3" or "1:3".
 */
void mq_rank_text_one(struct mq_strbuf *, const struct mq_job *, int64_t rank);
void mq_rank_text_short(struct mq_strbuf *, const struct mq_job *,
                        int64_t rank);

/* "rank 3", "ranks 0, 1, 2", or from the ninth on "ranks 0-511"; "ranks 0:0,
 * 1:3", "ranks 1:0-511" of several worlds.
 */
void mq_rank_text_ranks(struct mq_strbuf *, const struct mq_job *,
                        const int *ranks, size_t count);
void mq_rank_text_spans(struct mq_strbuf *, const struct mq_job *,
                        const struct mq_spans *);

/* The same of ranks in any order, which are sorted. */
void mq_rank_text_sorted(struct mq_strbuf *, const struct mq_job *, int *ranks,
                         size_t count);

/* "ranks [0-511]", of ranks in any order, which are sorted. */
void mq_rank_text_folded(struct mq_strbuf *, const struct mq_job *, int *ranks,
                         size_t count);

/* Spans and groups as programs read them: "0-3,7", "0-3,8-32/8"; "5x3" is the
 * same rank three times, which only a damaged group has.  They count through
 * all worlds.
 */
void mq_rank_text_span_list(struct mq_strbuf *, const struct mq_spans *);
void mq_rank_text_group(struct mq_strbuf *, const struct mq_group *);

/* The same for people: "1:0-3,1:8-32/8" where there are several worlds; and of
 * one run.
 */
void mq_rank_text_members(struct mq_strbuf *, const struct mq_job *,
                          const struct mq_group *);
void mq_rank_text_run(struct mq_strbuf *, const struct mq_job *,
                      const struct mq_run *);

#endif
