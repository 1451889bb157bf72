/* sections.h - sections of reports: threads, stacks, history, origin */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_SECTIONS_H
#define MQ_SECTIONS_H

#include <stdio.h>

#include "base/interned.h"
#include "base/json.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "report/report.h"

/* ---- other_threads.c: the other threads of a rank ----------------------- */

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

/* ---- stacks.c: tree of the merged call stacks of all ranks -------------- */

/* Writes a line for each place where stacks part or end, with what leads there
 * and its ranks in front; at most MOST lines, if that is not 0.  Nothing where
 * no stack is known.  The whole paths of their files follow.
 */
enum mq_result mq_stacks_write(const struct mq_analysis *, size_t most,
                               size_t width, FILE *, struct mq_error *);

/* ---- history.c: the latest collective operations ------------------------ */

/* Of each rank and communicator that the options show, under a heading, a line
 * for each operation, the latest last: its number, when it began, the call with
 * its place, and its root, count and bytes as far as they are known.
 */
mq_reporter mq_history_write;

/* ---- origin.c: the job that a report is of ------------------------------ */

/* "heat, 4 ranks of Open MPI on node12, read at 2026-11-21 17:05:03 by mqdump
 * 1.0", or "heat, 4 ranks of Open MPI, which made no call after ..."; false,
 * and nothing, where the options have neither time.
 */
bool mq_origin_words(struct mq_strbuf *, const struct mq_job *,
                     const struct mq_report_options *);

/* The same as an object, with null for what is not known. */
void mq_origin_write(struct mq_json *, const struct mq_job *,
                     const struct mq_report_options *);

#endif
