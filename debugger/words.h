/* words.h - findings in sentences
 *
 * The sentences are of the user's words only: ranks, tags, communicators.  They
 * hold names from targets as they are, so whoever writes them out makes them
 * harmless first.
 */
#ifndef MQ_WORDS_H
#define MQ_WORDS_H

#include "analysis.h"

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

/* "receive of tag 17 from 0 on MPI_COMM_WORLD (24 bytes, pending)". */
void mq_words_operation(struct mq_words *, const struct mq_job *,
                        const struct mq_place *);

/* What the rank of an operation waits for: "rank 0: receive of tag 17 from 0 on
 * MPI_COMM_WORLD".
 */
void mq_words_wait(struct mq_words *, const struct mq_analysis *,
                   const struct mq_wait_for *);

/* All that a process waits for, joined by "or"; at most LIMIT of them, if that
 * is not 0.
 */
void mq_words_waits(struct mq_words *, const struct mq_analysis *,
                    size_t process, size_t limit);

/* A sentence or two, without the last full stop. */
void mq_words_verdict(struct mq_words *, const struct mq_analysis *);
void mq_words_deadlock(struct mq_words *, const struct mq_deadlock *);
void mq_words_near_miss(struct mq_words *, const struct mq_analysis *,
                        const struct mq_near_miss *);
void mq_words_unclaimed(struct mq_words *, const struct mq_analysis *,
                        const struct mq_unclaimed *);
void mq_words_unreadable(struct mq_words *, const struct mq_analysis *,
                         const struct mq_unreadable *);

/* What an analysis could not take into account: ranks that are missing,
 * processes that were left out, communicators that cannot be told apart.  The
 * index counts from 0; false if there is no such note.
 */
bool mq_words_note(struct mq_words *, const struct mq_analysis *,
                   size_t index);

#endif
