/* rank_text.h - growing texts, and ranks in them
 *
 * Names from targets are taken as they are, so whoever writes a text out makes
 * it harmless first.
 */
#ifndef MQ_RANK_TEXT_H
#define MQ_RANK_TEXT_H

#include "job/job.h"
#include "base/spans.h"

/* A growing text.  All zero is an empty one; out of memory is remembered. */
struct mq_words {
    char *text;                 /* never null after an addition that worked */
    size_t length, room;
    bool failed;
};

void mq_words_add(struct mq_words *, const char *format, ...)
    MQ_PRINTF(2, 3);
void mq_words_empty(struct mq_words *);
void mq_words_clear(struct mq_words *);

/* The text, also of one that never was added to. */
const char *mq_words_text(const struct mq_words *);

/* "rank 3", "ranks 0, 1, 2", or from the ninth on "ranks 0-511". */
void mq_words_ranks(struct mq_words *, const int *ranks, size_t count);
void mq_words_spans(struct mq_words *, const struct mq_spans *);

/* The same of ranks in any order, which are sorted. */
void mq_words_sorted(struct mq_words *, int *ranks, size_t count);

/* "ranks [0-511]", of ranks in any order, which are sorted. */
void mq_words_folded(struct mq_words *, int *ranks, size_t count);

/* Spans and groups as programs read them: "0-3,7", "0-3,8-32/8". */
void mq_words_span_list(struct mq_words *, const struct mq_spans *);
void mq_words_group(struct mq_words *, const struct mq_group *);

/* "rank 3 in MPI_Recv". */
void mq_words_rank(struct mq_words *, const struct mq_process *);

#endif
