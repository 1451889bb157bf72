/* compact_digest.h - compact form of a digest, for large jobs
 *
 * Nodes of a job send a digest (digest.h) in which processes that differ in
 * numbers alone are one crowd:
 *
 *   crowd COUNT                  the lines up to the columns represent COUNT
 *                                such pieces, in sequence; in them a tab
 *                                replaces a decimal number and a vertical tab a
 *                                hexadecimal one
 *   column RUN[,RUN...]          these numbers, a line for each tab; a run is
 *                                FIRST[xTIMES][+STEPxLENGTH]: LENGTH numbers
 *                                that are STEP apart, each of them TIMES; or -
 *                                for +
 *   apart                        its last line
 *
 * The processes of large jobs differ also in numbers of no importance: process
 * ids, addresses, fractions of seconds.  Where these follow no rule in a crowd,
 * those of its first process are sent, and `?` for process ids, so that the
 * size grows with the information and not with the job.
 *
 * A compressor does not do that.  Of 100,000 ranks in a ring, whose digest has
 * 53 MB, this leaves 1.1 KB; zstd -3 leaves 8.0 MB, and 690 KB if the numbers
 * of no importance are removed before.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_COMPACT_DIGEST_H
#define MQ_COMPACT_DIGEST_H

#include <stdio.h>

#include "model/job.h"

enum {
    mq_compact_digest_most_runs = 64  /* of unimportant numbers */
};

/* Writes the job, its processes in the order of their ranks. */
enum mq_result mq_compact_digest_write(const struct mq_job *, FILE *,
                                       struct mq_error *);

/* Writes TEXT as a digest without crowds.  TEXT is untrusted and is changed; if
 * it is no digest the output is arbitrary, but has no more than MOST bytes.
 */
enum mq_result mq_compact_digest_expand(char *text, size_t most, FILE *,
                                        struct mq_error *);

#endif
