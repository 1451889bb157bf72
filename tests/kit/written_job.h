/* written_job.h - jobs that a test writes down as lines of a digest, and what
 * it says of them in one line
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_TESTS_WRITTEN_JOB_H
#define MQ_TESTS_WRITTEN_JOB_H

#include <stddef.h>

#include "model/job.h"

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

#endif
