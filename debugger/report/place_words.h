/* place_words.h - locations of ranks as text
 *
 * A place is the call that a rank is in, and where the program made it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PLACE_WORDS_H
#define MQ_PLACE_WORDS_H

#include "analysis/findings.h"
#include "base/strbuf.h"
#include "model/job.h"

/* " at solver.c:217" of a frame; nothing if that is not known.  Files have
 * short names; without an analysis, whole ones.
 */
void mq_line_words(struct mq_strbuf *, const struct mq_analysis *,
                   const struct mq_frame *);

/* The same, or " in relax". */
void mq_site_words(struct mq_strbuf *, const struct mq_analysis *,
                   const struct mq_frame *);

/* "relax at solver.c:217", or what is known of it. */
void mq_frame_words(struct mq_strbuf *, const struct mq_analysis *,
                    const struct mq_frame *);

/* " in MPI_Recv, called by main at ring.c:12"; of a rank in no call ": relax at
 * solver.c:217".
 */
void mq_place_words(struct mq_strbuf *, const struct mq_analysis *,
                    const struct mq_process *);

/* "MPI_Recv at ring.c:12", "relax at solver.c:217", or what is known of it. */
void mq_place_short(struct mq_strbuf *, const struct mq_analysis *,
                    const struct mq_process *);

/* "a mutex held by its thread in MPI_Recv at ring.c:12", of the resource that a
 * thread of a process waits for, and the chain of holders in the process.
 */
void mq_resource_words(struct mq_strbuf *, const struct mq_analysis *,
                       const struct mq_process *, const struct mq_thread *);

/* The same of several ranks, sorted: as of one if all are at one place, else
 * " (rank 0 in MPI_Recv at ring.c:12, ranks 1, 2 in MPI_Barrier at ring.c:40)".
 */
void mq_places_words(struct mq_strbuf *, const struct mq_analysis *,
                     const int *ranks, size_t count);

bool mq_is_at_one_place(const struct mq_analysis *, const int *ranks,
                        size_t count);

/* ---- Arguments of a call as text ---------------------------------------- */

/* Adds what the main thread of PROCESS called its MPI function with, as in
 * "count 4 of MPI_INT, source 1, tag 17"; nothing where nothing is known.
 * Addresses, which say nothing to a reader, are left out.
 */
void mq_arguments_words(struct mq_strbuf *words,
                        const struct mq_process *process);

/* The same of a thread of PROCESS. */
void mq_thread_arguments_words(struct mq_strbuf *words,
                               const struct mq_process *process,
                               const struct mq_thread *thread);

#endif
