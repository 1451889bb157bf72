/* answer.h - answers that a remote mqdump sends (mqnode format)
 *
 * It comes through whatever a launcher makes of standard output, so that other
 * text may precede it, and anything may be missing:
 *
 *   mqnode 2 BYTES HASH           BYTES and FNV-1a of what follows
 *   story|note|warning TEXT       messages that were logged
 *   world NAME                    of the ranks that were found; none: no name
 *   mqdigest ...                  what was found (compact_digest.h), to the end
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ANSWER_H
#define MQ_ANSWER_H

#include <stdio.h>

#include "base/log.h"
#include "base/strbuf.h"
#include "model/job.h"

/* A logger that collects messages. */
struct mq_answer_logger {
    struct mq_logger logger;
    bool verbose;               /* or stories are left out */
    struct mq_strbuf lines;
};

void mq_answer_logger_begin(struct mq_answer_logger *, bool verbose);
void mq_answer_logger_end(struct mq_answer_logger *);

/* Writes an answer with the messages of LOG and JOB; WORLD may be empty. */
enum mq_result mq_answer_send(const struct mq_answer_logger *log,
                             const char *world, const struct mq_job *job,
                             FILE *stream, struct mq_error *);

/* Other data of an answer. */
struct mq_answer_summary {
    size_t warnings;
    char world[128];            /* empty: none */
};

/* The bytes that an answer for so many HOSTS may have. */
size_t mq_answer_limit(size_t hosts);

/* Reads the answer in LENGTH bytes at TEXT, which came from NODE for so many
 * HOSTS: passes its messages to LOGGER, and adds its processes to JOB.
 * mq_absent if there is none.  On failure, as where it is larger than so many
 * hosts can need, JOB may hold some of the processes.
 */
enum mq_result mq_answer_take(char *text, size_t length, const char *node,
                             size_t hosts, struct mq_logger *logger,
                             struct mq_job *job,
                             struct mq_error *,
                             struct mq_answer_summary *summary);

#endif
