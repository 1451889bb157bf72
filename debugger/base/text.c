/* Writing text from anywhere to a terminal. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Whether a character of two or three bytes is a control character or turns
 * the direction of what follows it.
 */
static bool is_command(const unsigned char *byte, size_t length)
{
    if (length == 2)
        return (byte[0] == 0xc2 && byte[1] < 0xa0)          /* U+80 to 9F */
               || (byte[0] == 0xd8 && byte[1] == 0x9c);     /* U+61C */
    return length == 3 && byte[0] == 0xe2
           && ((byte[1] == 0x80 && (byte[2] == 0x8e || byte[2] == 0x8f
                                    || (byte[2] >= 0xa8 && byte[2] <= 0xae)))
               || (byte[1] == 0x81 && byte[2] >= 0xa6 && byte[2] <= 0xa9));
}

size_t mq_text_character(const char *text, bool *is_harmful)
{
    const unsigned char *byte = (const unsigned char *)text;
    size_t length = byte[0] >= 0xf0 ? 4 : byte[0] >= 0xe0 ? 3
                    : byte[0] >= 0xc2 ? 2 : 1;
    size_t i;

    for (i = 1; i < length; i++) {
        if ((byte[i] & 0xc0) != 0x80)
            length = 1;
    }
    *is_harmful = length > 1 ? is_command(byte, length)
                  : byte[0] < 0x20 || (byte[0] >= 0x7f && byte[0] < 0xa0);
    return length;
}

/* Writes what stands before END, which can be null, and gives its width. */
static size_t show(FILE *stream, const char *text, const char *end)
{
    size_t width = 0, length;

    for (; text != end && *text != '\0'; text += length) {
        bool is_harmful;
        size_t i;

        length = mq_text_character(text, &is_harmful);
        width += is_harmful ? 4 * length : 1;
        if (stream != NULL && !is_harmful)
            fwrite(text, 1, length, stream);
        for (i = 0; stream != NULL && is_harmful && i < length; i++)
            fprintf(stream, "\\x%02x", (unsigned char)text[i]);
    }
    return width;
}

void mq_text_write(FILE *stream, const char *text)
{
    show(stream, text, NULL);
}

size_t mq_text_width(const char *text)
{
    return show(NULL, text, NULL);
}

void mq_text_wrap(FILE *stream, const char *text, size_t column,
                  size_t indent, size_t width)
{
    size_t gap = strspn(text, " ");
    bool is_first = true;

    for (text += gap; *text != '\0'; text += gap) {
        const char *end = text + strcspn(text, " ");

        if (is_first) {
            is_first = false;
        } else if (column + gap + show(NULL, text, end) > width) {
            fprintf(stream, "\n%*s", (int)indent, "");
            column = indent;
        } else {
            fprintf(stream, "%*s", (int)gap, "");
            column += gap;
        }
        column += show(stream, text, end);
        text = end;
        gap = strspn(text, " ");
    }
    putc('\n', stream);
}

size_t mq_text_columns(FILE *stream)
{
    const char *setting = getenv("COLUMNS");
    struct winsize size;
    long columns = 0;

    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0)
        columns = size.ws_col;
    if (columns <= 0 && setting != NULL)
        columns = strtol(setting, NULL, 10);
    return columns > 0 && columns <= 10000 ? (size_t)columns : 80;
}
