/* json.c - JSON output */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/json.h"

#include <inttypes.h>
#include <stddef.h>

#include "base/text.h"

static const char *quote(char c)
{
    return c == '"' ? "\\\"" : c == '\\' ? "\\\\" : NULL;
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
    putc('"', json->stream);
    mq_text_write_quoted(json->stream, text, quote);
    putc('"', json->stream);
}

void mq_json_number(struct mq_json *json, const char *name, int64_t number)
{
    begin_member(json, name);
    fprintf(json->stream, "%" PRId64, number);
}

void mq_json_known(struct mq_json *json, const char *name, int64_t number)
{
    if (number < 0)
        mq_json_null(json, name);
    else
        mq_json_number(json, name, number);
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
