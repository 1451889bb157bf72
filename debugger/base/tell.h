/* tell.h - log messages, and the loggers that take them
 *
 * For what goes on but should be known: a part that could not be read, a DLL
 * that was passed over.  The teller decides what is shown.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_TELL_H
#define MQ_TELL_H

#include <stddef.h>

#include "base/error.h"

enum mq_telling {
    mq_story,                   /* a step, or a note, for those who ask how */
    mq_notice,                  /* what happens to a job that is watched */
    mq_warning                  /* trouble: what is shown is less than was
                                   wanted, which the exit status tells, too */
};

/* The first member of each teller's own struct.  TEXT is one sentence as in
 * error.h, already harmless to a terminal.
 */
struct mq_teller {
    void (*say)(struct mq_teller *, enum mq_telling, const char *text);
};

/* Says the sentence to TELLER, which may be null. */
void mq_tell(struct mq_teller *teller, enum mq_telling, const char *format,
             ...) MQ_PRINTF(3, 4);

/* A teller that counts warnings and passes everything on to NEXT, which may
 * be null.
 */
struct mq_counter {
    struct mq_teller teller;
    struct mq_teller *next;
    size_t warnings;
};

void mq_counter_init(struct mq_counter *, struct mq_teller *next);

#endif
