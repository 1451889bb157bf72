/* answer.h - messages of agents: state of a node's ranks
 *
 * An agent samples its ranks in rounds.  Each message is a text (packets.h):
 *
 *   hello VERSION [STEP]          the first one: the mqdump that it is, and its
 *                                 engine's name for what was started
 *   first                         the first look of a round has ended
 *   idle                          nothing is new
 *   reading SECONDS               the round has ended; its last look began so
 *                                 long after the agent, or a moment later, or
 *                                 inf without ranks.
 *                                 In further lines:
 *   story|note|warning TEXT       messages that were logged
 *   world NAME                    of ranks that were found, in order;
 *                                 with several, no process follows
 *   mqdigest ...                  what was found, to the end
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ANSWER_H
#define MQ_ANSWER_H

#include <stdio.h>

#include "base/log.h"
#include "base/strbuf.h"
#include "model/job.h"

enum mq_answer_kind {
    mq_answer_hello,
    mq_answer_first,
    mq_answer_idle,
    mq_answer_reading
};

struct mq_answer {
    enum mq_answer_kind kind;
    const char *version;        /* of hello, a part of its text; */
    const char *step;           /* empty: not known */
    double began;               /* seconds from the agent's start */
    char *rest;                 /* of a reading: its further lines */
};

/* Takes the first line of a message apart, whose text ANSWER points to. */
enum mq_result mq_answer_take(char *message, struct mq_error *,
                              struct mq_answer *answer);

/* A logger that collects messages. */
struct mq_answer_logger {
    struct mq_logger logger;
    bool verbose;               /* or stories are left out */
    struct mq_strbuf lines;
};

void mq_answer_logger_begin(struct mq_answer_logger *, bool verbose);
void mq_answer_logger_end(struct mq_answer_logger *);

/* Adds the line of the world NAME to WORLDS, unless it is there. */
void mq_answer_add_world(struct mq_strbuf *worlds, const char *name);

/* Writes a reading with the messages of LOG, the lines of WORLDS, and JOB. */
enum mq_result mq_answer_write(const struct mq_answer_logger *log,
                               double began, const struct mq_strbuf *worlds,
                               const struct mq_job *job, FILE *stream,
                               struct mq_error *);

/* Bytes that a node's message may have. */
enum { mq_answer_limit = 1 << 25 };

/* Reads the further lines of a reading of NODE: passes its messages to LOGGER,
 * and adds its processes to JOB and their worlds to WORLDS; WARNINGS is the
 * number of warnings.  On failure JOB may hold some of them.
 */
enum mq_result mq_answer_read(char *rest, const char *node,
                              struct mq_logger *logger, struct mq_job *job,
                              struct mq_strbuf *worlds, struct mq_error *,
                              size_t *warnings);

#endif
