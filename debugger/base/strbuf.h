/* strbuf.h - growing strings
 *
 * Names from targets are taken as they are, so a text must be made harmless
 * before it is written out.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_STRBUF_H
#define MQ_STRBUF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* A growing text.  All zero is an empty one; out of memory is remembered. */
struct mq_strbuf {
    char *text;                 /* never null after an addition that worked */
    size_t length, room;
    bool failed;
};

void mq_strbuf_add(struct mq_strbuf *, const char *format, ...)
    MQ_PRINTF(2, 3);
void mq_strbuf_empty(struct mq_strbuf *);
void mq_strbuf_deinit(struct mq_strbuf *);

/* The text, also of one that never was added to. */
const char *mq_strbuf_text(const struct mq_strbuf *);

#endif
