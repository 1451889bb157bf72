/* log.c - log messages, and the loggers that take them */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/log.h"

void mq_log(struct mq_logger *logger, enum mq_log_level kind,
            const char *format, ...)
{
    struct mq_error sentence;
    va_list arguments;

    if (logger == NULL)
        return;
    va_start(arguments, format);
    mq_fail_list(&sentence, format, arguments);
    va_end(arguments);
    logger->log(logger, kind, sentence.text);
}

static void count(struct mq_logger *logger, enum mq_log_level kind,
                  const char *text)
{
    struct mq_counter *counter = (struct mq_counter *)logger;

    counter->warnings += kind == mq_warning;
    if (counter->next != NULL)
        counter->next->log(counter->next, kind, text);
}

void mq_counter_init(struct mq_counter *counter, struct mq_logger *next)
{
    counter->logger.log = count;
    counter->next = next;
    counter->warnings = 0;
}
