/* other_threads.h - report of the other threads of a rank
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_OTHER_THREADS_H
#define MQ_OTHER_THREADS_H

#include <stdio.h>

#include "analysis/findings.h"
#include "base/interned.h"
#include "base/map.h"
#include "base/strbuf.h"

/* Threads of one process with the same words. */
struct mq_threads_alike {
    const char *text;
    size_t count;
};

struct mq_other_threads_line {
    struct mq_threads_alike alike;
    int *ranks;                 /* that have so many of these threads */
    size_t rank_count, room;
};

struct mq_other_threads {
    const struct mq_analysis *a;
    struct mq_other_threads_line *lines;        /* in the order of their first
                                                   ranks */
    size_t count, room;
    struct mq_interned texts;
    struct mq_map index;        /* by text */
};

/* Whether THREAD is to be reported: in an MPI call that waits, at a barrier of
 * OpenMP, or at a lock or for a condition.
 */
bool mq_other_thread_waits(const struct mq_thread *thread);

/* A line for each such thread but the first of its process, in which ranks that
 * say the same are taken together.
 */
enum mq_result mq_other_threads_find(const struct mq_analysis *,
                                     struct mq_error *,
                                     struct mq_other_threads *);
void mq_other_threads_destroy(struct mq_other_threads *);

/* "ranks 0, 1: 2 threads in MPI_Recv at ring.c:7, called with source 1"; brings
 * the line's ranks into their order.
 */
void mq_other_threads_words(struct mq_strbuf *, const struct mq_job *,
                            struct mq_other_threads_line *);

/* Writes at most MOST lines, if that is not 0. */
enum mq_result mq_other_threads_write(const struct mq_analysis *, size_t most,
                                      size_t width, FILE *, struct mq_error *);

#endif
