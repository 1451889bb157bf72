/* error.c - result codes and error messages */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/error.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum mq_result mq_fail_list(struct mq_error *error, const char *format,
                            va_list arguments)
{
    size_t length;

    if (error == NULL)
        return mq_failed;
    vsnprintf(error->text, sizeof error->text, format, arguments);
    for (size_t i = 0; error->text[i] != '\0'; i += length) {
        char shown[mq_text_room];

        length = mq_text_character(error->text + i, shown);
        if (strncmp(shown, error->text + i, length) != 0)
            memset(error->text + i, '?', length);
    }
    return mq_failed;
}

enum mq_result (mq_fail)(struct mq_error *error, const char *format, ...)
{
    va_list arguments;
    enum mq_result result;

    va_start(arguments, format);
    result = mq_fail_list(error, format, arguments);
    va_end(arguments);
    return result;
}

enum mq_result (mq_fail_at)(struct mq_error *error, const char *file,
                            size_t line, const char *format, ...)
{
    char sentence[sizeof error->text];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return mq_fail(error, "%s:%zu: %s", file, line, sentence);
}

enum mq_result (mq_fail_memory)(struct mq_error *error, const char *what)
{
    return mq_fail(error, "out of memory %s", what);
}
