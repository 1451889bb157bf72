/* transcript.h - a teller that writes down what it is told, for later
 *
 * Children that read processes side by side are told their stories at the same
 * time; written down, these can be told one after the other.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_TRANSCRIPT_H
#define MQ_TRANSCRIPT_H

#include <stdio.h>

#include "base/tell.h"

struct mq_transcript {
    struct mq_teller teller;
    FILE *file;                 /* shared with children */
};

enum mq_result mq_transcript_begin(struct mq_transcript *, struct mq_error *);
void mq_transcript_end(struct mq_transcript *);

/* Tells TELLER all of it, unless it is the same as *LAST, which is null at
 * first, then a block for free(), and the transcript afterwards.
 */
void mq_transcript_tell(struct mq_transcript *, struct mq_teller *,
                        char **last);

#endif
