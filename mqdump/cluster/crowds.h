/* crowds.h - compact form of a digest, for large jobs
 *
 * What the nodes of a job send is a digest (digest.h) in which processes that
 * differ in numbers alone are a crowd:
 *
 *   crowd COUNT                  the lines up to the columns stand for COUNT
 *                                such pieces, one behind the other; in them a
 *                                tab stands for a decimal number and a vertical
 *                                tab for a hexadecimal one
 *   column RUN[,RUN...]          these numbers, a line for each tab; a run is
 *                                FIRST[xTIMES][+STEPxLENGTH]: LENGTH numbers
 *                                that are STEP apart, each of them TIMES; or -
 *                                for +
 *   apart                        its last line
 *
 * The processes of large jobs differ besides in numbers that tell nothing: the
 * ids of processes, addresses, fractions of seconds.  Where they follow no rule
 * in a crowd, they are those of its first process, and ids of processes `?`, so
 * that what is sent grows with what there is to tell and not with the job.
 *
 * A compressor does not do that.  Of 100,000 ranks in a ring, whose digest has
 * 53 MB, this leaves 1.1 KB; zstd -3 leaves 8.0 MB, and 690 KB if the numbers
 * that tell nothing are taken out before.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_CROWDS_H
#define MQ_CROWDS_H

#include <stdio.h>

#include "job/job.h"

enum {
    mq_crowds_most_runs = 64    /* of numbers that tell nothing */
};

/* Writes the job, its processes in the order of their ranks. */
enum mq_result mq_crowds_write(const struct mq_job *, FILE *,
                               struct mq_error *);

/* Writes TEXT as a digest without crowds.  TEXT is anybody's and is changed;
 * of what is no digest it may write anything, but no more than MOST bytes.
 */
enum mq_result mq_crowds_unfold(char *text, size_t most, FILE *,
                                struct mq_error *);

#endif
