#include "error.h"

#include <stdio.h>

int mq_fail_list(struct mq_error *error, const char *format,
                 va_list arguments)
{
    char *c;

    if (error == NULL)
        return mq_failed;
    vsnprintf(error->text, sizeof error->text, format, arguments);
    for (c = error->text; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    }
    return mq_failed;
}

int (mq_fail)(struct mq_error *error, const char *format, ...)
{
    va_list arguments;
    int result;

    va_start(arguments, format);
    result = mq_fail_list(error, format, arguments);
    va_end(arguments);
    return result;
}

int (mq_fail_at)(struct mq_error *error, const char *file, size_t line,
                 const char *format, ...)
{
    char sentence[sizeof error->text];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return mq_fail(error, "%s:%zu: %s", file, line, sentence);
}

int (mq_fail_memory)(struct mq_error *error, const char *what)
{
    return mq_fail(error, "out of memory %s", what);
}
