/* sentences.h - findings in sentences
 *
 * They are of the user's words only: ranks, tags, communicators.  They hold
 * names from targets as they are, so whoever writes them out makes them
 * harmless first.
 */
#ifndef MQ_SENTENCES_H
#define MQ_SENTENCES_H

#include "analysis/analysis.h"
#include "job/rank_text.h"

/* "receive of tag 17 from 0 on MPI_COMM_WORLD (24 bytes, pending)". */
void mq_sentence_operation(struct mq_strbuf *, const struct mq_job *,
                        const struct mq_operation_ref *);

/* What the rank of an operation waits for: "rank 0: receive of tag 17 from 0 on
 * MPI_COMM_WORLD".
 */
void mq_sentence_wait(struct mq_strbuf *, const struct mq_analysis *,
                   const struct mq_wait_for *);

/* All that a process waits for, joined by "or"; at most LIMIT of them, if that
 * is not 0.
 */
void mq_sentence_waits(struct mq_strbuf *, const struct mq_analysis *,
                    size_t process, size_t limit);

/* A sentence or two, without the last full stop. */
void mq_sentence_verdict(struct mq_strbuf *, const struct mq_analysis *);
void mq_sentence_deadlock(struct mq_strbuf *, const struct mq_deadlock *);
void mq_sentence_near_miss(struct mq_strbuf *, const struct mq_analysis *,
                        const struct mq_near_miss *);
void mq_sentence_unclaimed(struct mq_strbuf *, const struct mq_analysis *,
                        const struct mq_unclaimed *);
void mq_sentence_unreadable(struct mq_strbuf *, const struct mq_analysis *,
                         const struct mq_unreadable *);

/* What an analysis could not take into account: ranks that are missing,
 * processes that were left out, communicators that cannot be told apart.  The
 * index counts from 0; false if there is no such note.
 */
bool mq_sentence_note(struct mq_strbuf *, const struct mq_analysis *,
                   size_t index);

#endif
