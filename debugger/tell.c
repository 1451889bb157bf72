#include "tell.h"

#include <stddef.h>

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
