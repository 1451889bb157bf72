/* text.c - safe output of untrusted text to a terminal */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/text.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

/* The code of the character at BYTE, of LENGTH bytes, or -1 if these are none:
 * UTF-8 has one way to write a character, and none for surrogates.
 */
static long code_of(const unsigned char *byte, size_t length)
{
    static const long least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    long code = length == 1 ? byte[0] : byte[0] & (0x7f >> length);

    for (size_t i = 1; i < length; i++) {
        if ((byte[i] & 0xc0) != 0x80)
            return -1;
        code = code << 6 | (byte[i] & 0x3f);
    }
    return code < least[length] || code > 0x10ffff
           || (code >= 0xd800 && code <= 0xdfff) ? -1 : code;
}

/* Whether a character does something where it is shown: controls, ends of lines
 * and what turns the direction of writing; XML has no U+FFFE and U+FFFF.
 */
static bool is_command(long code)
{
    static const struct {
        long first, last;
    } commands[] = {
        { 0, 0x1f }, { 0x7f, 0x9f }, { 0x61c, 0x61c }, { 0x200e, 0x200f },
        { 0x2028, 0x202e }, { 0x2066, 0x2069 }, { 0xfffe, 0xffff }
    };

    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (code >= commands[i].first && code <= commands[i].last)
            return true;
    return false;
}

size_t mq_text_character(const char *text, char shown[mq_text_room])
{
    const unsigned char *byte = (const unsigned char *)text;
    size_t length = byte[0] < 0x80 ? 1 : byte[0] < 0xc0 ? 0
                    : byte[0] < 0xe0 ? 2 : byte[0] < 0xf0 ? 3
                    : byte[0] < 0xf8 ? 4 : 0;
    long code = length == 0 ? -1 : code_of(byte, length);

    if (code < 0)
        length = 1;
    if (code < 0 || is_command(code)) {
        for (size_t i = 0; i < length; i++)
            snprintf(shown + 4 * i, 5, "\\x%02x", byte[i]);
    } else {
        memcpy(shown, text, length);
        shown[length] = '\0';
    }
    return length;
}

size_t mq_text_write_quoted(FILE *stream, const char *text,
                            const char *(*quote)(char))
{
    char shown[mq_text_room];
    size_t written = 0;

    while (*text != '\0') {
        text += mq_text_character(text, shown);
        for (const char *c = shown; *c != '\0'; c++) {
            const char itself[] = { *c, '\0' }, *instead = quote(*c);

            instead = instead != NULL ? instead : itself;
            fputs(instead, stream);
            written += strlen(instead);
        }
    }
    return written;
}

const char *mq_text_xml(char c)
{
    switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

/* Writes the text before END, which can be null, and gives its width. */
static size_t show(FILE *stream, const char *text, const char *end)
{
    char shown[mq_text_room];
    size_t width = 0, length;

    for (; text != end && *text != '\0'; text += length) {
        length = mq_text_character(text, shown);
        width += strncmp(shown, text, length) == 0 ? 1 : strlen(shown);
        if (stream != NULL)
            fputs(shown, stream);
    }
    return width;
}

bool mq_text_is_same(const char *one, const char *other)
{
    return one != NULL && other != NULL ? strcmp(one, other) == 0
                                        : one == other;
}

bool mq_text_fits_any(const char *text, const char *const *patterns)
{
    while (*patterns != NULL && fnmatch(*patterns, text, 0) != 0)
        patterns++;
    return *patterns != NULL;
}

const char *mq_text_last_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

void mq_text_tame(char *text)
{
    for (; *text != '\0'; text++)
        if (!isgraph((unsigned char)*text))
            *text = '_';
}

void mq_text_write(FILE *stream, const char *text)
{
    show(stream, text, NULL);
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

void mq_text_more(FILE *stream, size_t indent, size_t count, const char *one,
                  const char *many)
{
    if (count > 0)
        fprintf(stream, "%*s... and %zu more %s; --all shows %s\n",
                (int)indent, "", count, count == 1 ? one : many,
                count == 1 ? "it" : "them");
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
