#include "error.h"

#include <stdarg.h>
#include <stdio.h>

int mq_fail(struct mq_error *error, const char *format, ...)
{
    va_list arguments;
    char *c;

    if (error == NULL)
        return mq_failed;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    for (c = error->text; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    }
    return mq_failed;
}

int mq_fail_memory(struct mq_error *error, const char *what)
{
    return mq_fail(error, "out of memory %s", what);
}
