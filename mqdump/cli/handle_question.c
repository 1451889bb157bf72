/* handle_question.c - the option --handle
 *
 * The question of --handle, and the answers of all processes.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/cli/handle_question.h"

#include <string.h>

#include "base/json.h"
#include "base/number.h"
#include "base/text.h"
#include "model/worlds.h"

enum mq_result mq_handle_question_parse(const char *kind, const char *value,
                                        struct mq_error *error,
                                        struct mq_handle_wishes *wishes)
{
    const char *end = value;
    enum mq_number read;
    int i = 0;

    while (i < mq_handle_kinds && strcmp(mq_handle_kind_names[i], kind) != 0)
        i++;
    if (i == mq_handle_kinds)
        return mq_fail(error, "--handle: '%s' is not a kind of handle: name"
                       " comm, datatype, request, group, op or errhandler",
                       kind);
    read = strncmp(value, "0x", 2) == 0
           ? mq_number_read_hex(&end, &wishes->value)
           : mq_number_read(&end, UINT64_MAX, &wishes->value);
    if (read != mq_number_ok || *end != '\0')
        return mq_fail(error, "--handle: '%s' is not a handle: give the number "
                       "that the variable holds, decimal or with 0x", value);
    wishes->one = true;
    wishes->kind = (enum mq_handle_kind)i;
    return mq_ok;
}

/* ---- Answers ------------------------------------------------------------ */

static void write_lines(const char *lines, struct mq_json *json, size_t width,
                        FILE *stream)
{
    char line[512];

    while (*lines != '\0') {
        size_t length = strcspn(lines, "\n");

        snprintf(line, sizeof line, "%.*s", (int)length, lines);
        if (json != NULL)
            mq_json_text(json, NULL, line);
        else {
            fputs("  ", stream);
            mq_text_wrap(stream, line, 2, 4, width);
        }
        lines += length + (lines[length] == '\n');
    }
}

void mq_handle_answers_write(const struct mq_handle_wishes *wishes,
                             const struct mq_job *job, bool as_json,
                             size_t width, FILE *stream)
{
    struct mq_json json = { stream, 0, false };

    if (as_json)
        mq_json_open(&json, NULL, '[');
    for (size_t i = 0; i < job->process_count; i++) {
        const struct mq_process *process = &job->processes[i];

        if (process->answer == NULL)
            continue;
        if (as_json) {
            mq_json_open(&json, NULL, '{');
            mq_json_known(&json, "rank", process->rank);
            mq_json_text(&json, "name", process->name);
            mq_json_text(&json, "kind", mq_handle_kind_names[wishes->kind]);
            mq_json_address(&json, "value", wishes->value);
            mq_json_open(&json, "lines", '[');
            write_lines(process->answer, &json, 0, json.stream);
            mq_json_close(&json, '[');
            mq_json_close(&json, '{');
        } else {
            int rank = process->rank, world = mq_worlds_find(job, rank, &rank);

            if (world >= 0)
                fprintf(stream, "rank %d of world %d (%s):\n", rank, world,
                        process->name);
            else if (process->rank >= 0)
                fprintf(stream, "rank %d (%s):\n", process->rank,
                        process->name);
            else
                fprintf(stream, "%s:\n", process->name);
            write_lines(process->answer, NULL, width, stream);
        }
    }
    if (as_json)
        mq_json_close(&json, '[');
}
