/* transcript.h - logger that keeps messages for later
 *
 * Children that read processes in parallel log messages at the same time;
 * stored, these can be logged one process after the other.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_TRANSCRIPT_H
#define MQ_TRANSCRIPT_H

#include <stdio.h>

#include "base/interned.h"
#include "base/log.h"

struct mq_transcript {
    struct mq_logger logger;
    FILE *file;                 /* shared with children */
};

enum mq_result mq_transcript_begin(struct mq_transcript *, struct mq_error *);
void mq_transcript_end(struct mq_transcript *);

/* Logs all messages but those in LOGGED, to which the others are added: many
 * ranks log the same, or parts of it.
 */
void mq_transcript_replay(struct mq_transcript *, struct mq_logger *,
                          struct mq_interned *logged);

#endif
