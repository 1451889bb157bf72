/* strbuf.c - growing strings */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(struct mq_strbuf *words, size_t needed)
{
    size_t room = words->room;
    char *larger;

    if (needed <= room)
        return true;
    while (room < needed)
        room = room + room / 2 + 128;
    larger = realloc(words->text, room);
    if (larger == NULL) {
        words->failed = true;
        return false;
    }
    words->text = larger;
    words->room = room;
    return true;
}

void mq_strbuf_add(struct mq_strbuf *words, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || !make_room(words, words->length + (size_t)length + 1))
        return;
    va_start(arguments, format);
    vsnprintf(words->text + words->length, (size_t)length + 1, format,
              arguments);
    va_end(arguments);
    words->length += (size_t)length;
}

void mq_strbuf_empty(struct mq_strbuf *words)
{
    words->length = 0;
    if (words->room > 0)
        words->text[0] = '\0';
}

void mq_strbuf_deinit(struct mq_strbuf *words)
{
    free(words->text);
    memset(words, 0, sizeof *words);
}

const char *mq_strbuf_text(const struct mq_strbuf *words)
{
    return words->text != NULL ? words->text : "";
}
