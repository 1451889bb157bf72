/* tell.c - log messages, and the loggers that take them */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/tell.h"

void mq_tell(struct mq_teller *teller, enum mq_telling kind,
             const char *format, ...)
{
    struct mq_error sentence;
    va_list arguments;

    if (teller == NULL)
        return;
    va_start(arguments, format);
    mq_fail_list(&sentence, format, arguments);
    va_end(arguments);
    teller->say(teller, kind, sentence.text);
}

static void count(struct mq_teller *teller, enum mq_telling kind,
                  const char *text)
{
    struct mq_counter *counter = (struct mq_counter *)teller;

    counter->warnings += kind == mq_warning;
    if (counter->next != NULL)
        counter->next->say(counter->next, kind, text);
}

void mq_counter_init(struct mq_counter *counter, struct mq_teller *next)
{
    counter->teller.say = count;
    counter->next = next;
    counter->warnings = 0;
}
