/* sentences.h - findings as sentences
 *
 * They are of the user's words only: ranks, tags, communicators.  They hold
 * names from targets as they are, so they must be made harmless before they are
 * written out.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_SENTENCES_H
#define MQ_SENTENCES_H

#include "analysis/analysis.h"
#include "model/rank_text.h"

/* Follows a rank: the names of two processes; the first one counts. */
#define MQ_CLAIMED_TWICE " is claimed by %s and %s; ignoring the second"

/* Ranks that wait for peers as far from each of them; none: one that is not
 * named.
 */
struct mq_alike {
    const int *ranks;           /* ascending */
    size_t count;
};

/* A rank's needs: "rank 1 (receive of tag 7 on halo)".  Where it is one of
 * ALIKE, which may be null, the peer is given by its distance: "the rank two
 * below (0, 1)".
 */
void mq_sentence_need(struct mq_strbuf *, const struct mq_analysis *,
                      const struct mq_need *, const struct mq_alike *alike);

/* All that a process waits for, joined by "and" or "or", to follow "waits": "
 * for rank 1 (...), or for ...", "; the reason is not known".  At most LIMIT of
 * them, if that is not 0.
 */
void mq_sentence_needs(struct mq_strbuf *, const struct mq_analysis *,
                       size_t process, size_t limit,
                       const struct mq_alike *alike);

/* A sentence or two, without the last full stop. */
void mq_sentence_verdict(struct mq_strbuf *, const struct mq_analysis *);
/* Whether the first mismatch explains more than the first cause does, and comes
 * before it.
 */
bool mq_sentence_mismatch_leads(const struct mq_analysis *);

/* Whether the headline names the ranks of the first cause. */
bool mq_sentence_names_cause(const struct mq_analysis *);

/* How sure a cause is, in one word. */
const char *mq_cause_degree(const struct mq_cause *);

/* The ranks of a cause and what they are doing; and the ranks that wait for
 * them.
 */
void mq_sentence_cause_ranks(struct mq_strbuf *, const struct mq_analysis *,
                          const struct mq_cause *);
void mq_sentence_cause(struct mq_strbuf *, const struct mq_analysis *,
                       const struct mq_cause *);
void mq_sentence_mismatch(struct mq_strbuf *, const struct mq_analysis *,
                          const struct mq_mismatch *);

/* "rank 3 is one behind: it has not called the 118th operation on
 * MPI_COMM_WORLD, MPI_Allreduce at solver.f90:88, which all others have
 * called".
 */
void mq_sentence_lag(struct mq_strbuf *, const struct mq_analysis *,
                     const struct mq_lag *);
void mq_sentence_near_miss(struct mq_strbuf *, const struct mq_analysis *,
                           const struct mq_near_miss *);
/* The same of COUNT that are one finding, from FIRST on; and how many from
 * FIRST on are: "rank 3 expects tag 2 from rank 0 and tag 1 from rank 2 on
 * halo, but rank 0 sent tag 1 and rank 2 sent tag 2".
 */
void mq_sentence_near_misses(struct mq_strbuf *, const struct mq_analysis *,
                             size_t first, size_t count);
size_t mq_sentence_misses_alike(const struct mq_analysis *, size_t first);
void mq_sentence_unclaimed(struct mq_strbuf *, const struct mq_analysis *,
                           const struct mq_unclaimed *);

/* COUNT of what could not be read, from FIRST on, which are alike; and how many
 * from FIRST on are.
 */
void mq_sentence_unreadable(struct mq_strbuf *, const struct mq_analysis *,
                            size_t first, size_t count);
size_t mq_sentence_alike(const struct mq_analysis *, size_t first);

/* The near miss that explains the first cause, and is its headline with those
 * that are alike; null: none does, or several do, of different receivers.
 */
const struct mq_near_miss *mq_sentence_leading_miss(const struct mq_analysis *);

/* The proof of the verdict that ranks are stuck: "no call of ranks 1, 2
 * returned in 3 samples over 0.6 s, by the kernel's count ...".  False: nothing
 * does.
 */
bool mq_sentence_proof(struct mq_strbuf *, const struct mq_analysis *);

/* The evidence that a verdict lacks, and its remedy: "rank 1 was sampled once;
 * sample the running job several times ...".
 */
void mq_sentence_lack(struct mq_strbuf *, const struct mq_analysis *,
                      const struct mq_lack *);

/* Its worlds, where there are several; and what an analysis could not take into
 * account: ranks that are missing, processes that were left out, communicators
 * that cannot be distinguished, what was looked at once.  The index counts from
 * 0; false if there is no such note.
 */
bool mq_sentence_note(struct mq_strbuf *, const struct mq_analysis *,
                      size_t index);

#endif
