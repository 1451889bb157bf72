/* Writing JSON. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/json.h"

#include <inttypes.h>
#include <stddef.h>

#include "base/text.h"

/* The bytes of the UTF-8 character at TEXT, or 0 if there is none. */
static size_t character(const unsigned char *text)
{
    size_t length = text[0] < 0x80 ? 1
                    : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
                    : text[0] >= 0xe0 && text[0] < 0xf0 ? 3
                    : text[0] >= 0xf0 && text[0] < 0xf5 ? 4 : 0;

    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    if ((text[0] == 0xe0 && text[1] < 0xa0)
        || (text[0] == 0xed && text[1] >= 0xa0)
        || (text[0] == 0xf0 && text[1] < 0x90)
        || (text[0] == 0xf4 && text[1] >= 0x90))
        return 0;
    return length;
}

/* The code of a character of two or three bytes. */
static unsigned code_of(const unsigned char *text, size_t length)
{
    return length == 2 ? (text[0] & 0x1fu) << 6 | (text[1] & 0x3fu)
           : (text[0] & 0x0fu) << 12 | (text[1] & 0x3fu) << 6
             | (text[2] & 0x3fu);
}

static void write_string(FILE *stream, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    putc('"', stream);
    while (*at != '\0') {
        size_t length = character(at);
        bool is_harmful;

        mq_text_character((const char *)at, &is_harmful);
        if (length == 0 || (length == 1 && is_harmful))
            fprintf(stream, "\\u%04x", *at);
        else if (is_harmful)
            fprintf(stream, "\\u%04x", code_of(at, length));
        else if (*at == '"' || *at == '\\')
            fprintf(stream, "\\%c", *at);
        else
            fwrite(at, 1, length, stream);
        at += length > 0 ? length : 1;
    }
    putc('"', stream);
}

static void begin_member(struct mq_json *json, const char *name)
{
    if (json->depth > 0)
        fprintf(json->stream, "%s\n%*s", json->filled ? "," : "",
                2 * json->depth, "");
    json->filled = true;
    if (name != NULL)
        fprintf(json->stream, "\"%s\": ", name);
}

void mq_json_text(struct mq_json *json, const char *name, const char *text)
{
    if (text == NULL) {
        mq_json_null(json, name);
        return;
    }
    begin_member(json, name);
    write_string(json->stream, text);
}

void mq_json_number(struct mq_json *json, const char *name, int64_t number)
{
    begin_member(json, name);
    fprintf(json->stream, "%" PRId64, number);
}

void mq_json_address(struct mq_json *json, const char *name, uint64_t address)
{
    begin_member(json, name);
    fprintf(json->stream, "\"0x%" PRIx64 "\"", address);
}

void mq_json_truth(struct mq_json *json, const char *name, bool truth)
{
    begin_member(json, name);
    fputs(truth ? "true" : "false", json->stream);
}

void mq_json_null(struct mq_json *json, const char *name)
{
    begin_member(json, name);
    fputs("null", json->stream);
}

void mq_json_numbers(struct mq_json *json, const char *name,
                     const int *numbers, size_t count)
{
    begin_member(json, name);
    putc('[', json->stream);
    for (size_t i = 0; i < count; i++)
        fprintf(json->stream, "%s%d", i > 0 ? ", " : "", numbers[i]);
    putc(']', json->stream);
}

void mq_json_open(struct mq_json *json, const char *name, char kind)
{
    begin_member(json, name);
    putc(kind, json->stream);
    json->depth++;
    json->filled = false;
}

void mq_json_close(struct mq_json *json, char kind)
{
    json->depth--;
    if (json->filled)
        fprintf(json->stream, "\n%*s", 2 * json->depth, "");
    putc(kind == '{' ? '}' : ']', json->stream);
    json->filled = true;
    if (json->depth == 0)
        putc('\n', json->stream);
}
