/* pattern.h - groups of ranks that wait alike
 *
 * Two ranks wait alike if they are in the same call at the same place, and each
 * of their needs is of the same tag and communicator and of the same rank, or
 * of ranks that are as far away.  Many ranks in one collective operation wait
 * alike, whatever messages it is made of.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PATTERN_H
#define MQ_PATTERN_H

#include "analysis/analysis.h"
#include "base/strbuf.h"

/* The property that the peers of its ranks share. */
enum mq_pattern_peers {
    mq_peers_same,
    mq_peers_as_far,
    mq_peers_of_call            /* they are in one collective operation */
};

struct mq_pattern {
    uint32_t process;           /* the first of them */
    enum mq_pattern_peers peers;
    bool is_cause;              /* they all are in one themselves */
    bool is_odd;                /* a near miss names one, or the smaller part
                                   of a mismatch */
    size_t count;
    size_t begin;               /* in the list of ranks */
};

struct mq_patterns {
    size_t count, room;
    struct mq_pattern *patterns;        /* those of ranks that are a cause
                                           first, among these the odd ones,
                                           then by their first processes */
    int *ranks;
    uint32_t *of;               /* by process, equal for those of one; in none:
                                   MQ_NO_BLOCK */
};

enum mq_result mq_patterns_find(const struct mq_analysis *, struct mq_error *,
                                struct mq_patterns *);
void mq_patterns_destroy(struct mq_patterns *);

/* "ranks 0, 1 in MPI_Recv at ring.c:12 wait for the rank after them (...)
 * [stuck]"; at most LIMIT of what they wait for, if that is not 0.
 */
void mq_pattern_words(struct mq_strbuf *, const struct mq_analysis *,
                      const struct mq_patterns *, const struct mq_pattern *,
                      size_t limit);

#endif
