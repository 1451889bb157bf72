/* log.h - log messages, and the loggers that take them
 *
 * For what does not end the work: a part that could not be read, a DLL that was
 * passed over.  The logger decides which messages are shown.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_LOG_H
#define MQ_LOG_H

#include <stddef.h>

#include "base/error.h"

enum mq_log_level {
    mq_verbose,                 /* a step, shown with --verbose */
    mq_info,                    /* an event of a watched job */
    mq_warning                  /* less is shown than was wanted, which the
                                   exit status reports, too */
};

/* The first member of each logger's own struct.  TEXT is one sentence as in
 * error.h, already harmless to a terminal.
 */
struct mq_logger {
    void (*log)(struct mq_logger *, enum mq_log_level, const char *text);
};

/* Sends the message to LOGGER, which may be null. */
void mq_log(struct mq_logger *logger, enum mq_log_level, const char *format,
            ...) MQ_PRINTF(3, 4);

/* A logger that counts warnings and passes everything on to NEXT, which may
 * be null.
 */
struct mq_counter {
    struct mq_logger logger;
    struct mq_logger *next;
    size_t warnings;
};

void mq_counter_init(struct mq_counter *, struct mq_logger *next);

#endif
