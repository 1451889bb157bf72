/* written_job.h - jobs written as digest lines, and their verdicts
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_TESTS_WRITTEN_JOB_H
#define MQ_TESTS_WRITTEN_JOB_H

#include <stddef.h>

#include "analysis/analysis.h"

/* The job of LINES, which stand between the digest's head and its end.  What
 * cannot be read ends the test.
 */
struct mq_job *written_job(const char *lines);

/* A text that grows up to its end.  USED is 0 for an empty one. */
struct answer {
    char text[1024];
    size_t used;
};

void say(struct answer *, const char *format, ...) MQ_PRINTF(2, 3);

/* Each with a space in front. */
void say_ranks(struct answer *, const int *ranks, size_t count);

/* What SAY_OF says of the analysis of the job of LINES, none of whose ranks
 * moves if it is STILL.
 */
const char *written_answer(const char *lines, bool still,
                           void (*say_of)(const struct mq_analysis *,
                                          struct answer *));

#endif
