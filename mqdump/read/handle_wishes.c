/* What --handles and --handle ask, and the resolver that needs the same. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/read/handle_wishes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/number.h"
#include "base/text.h"
#include "handles/listed.h"
#include "job/awaited.h"
#include "job/worlds.h"
#include "mpis/strangers.h"
#include "mpis/watched.h"

enum mq_result mq_handle_wishes_parse(const char *kind, const char *value,
                                      struct mq_error *error,
                                      struct mq_handle_wishes *wishes)
{
    const char *end = value;
    enum mq_number read;
    int i = 0;

    while (i < mq_handle_kinds && strcmp(mq_handle_kind_names[i], kind) != 0)
        i++;
    if (i == mq_handle_kinds)
        return mq_fail(error, "--handle: '%s' is no kind of handle: name comm,"
                       " datatype, request, group, op or errhandler", kind);
    read = strncmp(value, "0x", 2) == 0
           ? mq_number_read_hex(&end, &wishes->value)
           : mq_number_read(&end, UINT64_MAX, &wishes->value);
    if (read != mq_number_ok || *end != '\0')
        return mq_fail(error, "--handle: '%s' is no handle: give the number "
                       "that the variable holds, decimal or with 0x", value);
    wishes->one = true;
    wishes->kind = (enum mq_handle_kind)i;
    return mq_ok;
}

/* ---- Asking ------------------------------------------------------------- */

/* Who tells what the arguments on the stack stand for: a handle DLL, or the DLL
 * that listed the queues; that knows queues of today's MPIs, which may let many
 * threads in and need not say so.
 */
static enum mq_result find_by_stack(struct mq_target *target,
                                    struct mq_job *job,
                                    struct mq_process *process,
                                    struct mq_handles *handles,
                                    struct mq_error *error)
{
    struct mq_listed listed;
    enum mq_result result = mq_absent, found;

    if (handles == NULL)
        result = mq_listed_init(&listed, target, process, error);
    if (result == mq_failed)
        return mq_failed;
    found = mq_awaited_find(process,
                            handles != NULL ? mq_handles_resolver(handles)
                            : result == mq_ok ? &listed.resolver : NULL, error);
    return found != mq_ok ? found
           : mq_strangers_find(target, result == mq_ok, job, process, error);
}

/* libmqwatch tells it best, else the stack. */
static enum mq_result find_awaited(struct mq_target *target,
                                   struct mq_job *job,
                                   struct mq_process *process,
                                   struct mq_handles *handles,
                                   struct mq_error *error)
{
    enum mq_result result = mq_watched_find(target, job, process, error);

    return result != mq_absent ? result
           : find_by_stack(target, job, process, handles, error);
}

static bool has_arguments(const struct mq_process *process)
{
    return process->thread_count > 0
           && process->threads[0].argument_count > 0;
}

static enum mq_result answer(const struct mq_handle_wishes *wishes,
                             struct mq_handles *handles, struct mq_job *job,
                             struct mq_process *process,
                             struct mq_error *error)
{
    const char *kind = mq_handle_kind_names[wishes->kind];
    struct mq_strbuf words = {0};
    struct mq_error why;
    enum mq_result result = mq_handles_describe(handles, wishes->kind,
                                                wishes->value, &why, &words);

    if (result == mq_absent)
        result = mq_fail(error, "its handle DLL cannot tell of a %s", kind);
    else if (result == mq_failed)
        mq_fail(error, wishes->kind == mq_handle_request
                ? "%s 0x%" PRIx64 ": %s" : "%s %" PRIu64 ": %s", kind,
                wishes->value, why.text);
    else
        result = mq_job_string(job, mq_strbuf_text(&words), error,
                               &process->answer);
    mq_strbuf_deinit(&words);
    return result;
}

static enum mq_result meet(const struct mq_handle_wishes *wishes,
                           struct mq_handles *handles, struct mq_job *job,
                           struct mq_process *process, struct mq_error *error)
{
    enum mq_result result = mq_ok;

    if (wishes->all)
        result = mq_handles_annotate(handles, job, process, error);
    if (result == mq_absent)
        result = mq_fail(error, "its handle DLL cannot list communicators");
    if (result == mq_ok && wishes->one)
        result = answer(wishes, handles, job, process, error);
    return result;
}

/* Opens the handle DLL that is to be asked, or chooses one. */
static enum mq_result open_handles(const struct mq_handle_wishes *wishes,
                                   const char *queues,
                                   struct mq_target *target,
                                   struct mq_error *error,
                                   struct mq_handles **handles)
{
    char *file = NULL;
    enum mq_result result;

    if (wishes->dll != NULL && wishes->dll[0] != '\0')
        return mq_handles_open(wishes->dll, target, error, handles);
    result = mq_handles_create(queues, target, error, &file, handles);
    if (result == mq_ok && wishes->dll != NULL)
        snprintf(wishes->dll, mq_handle_dll_room, "%s", file);
    free(file);
    return result;
}

enum mq_result mq_handle_wishes_meet(const struct mq_handle_wishes *wishes,
                                     const char *queues,
                                     struct mq_target *target,
                                     struct mq_job *job,
                                     struct mq_error *error)
{
    struct mq_process *process = &job->processes[job->process_count - 1];
    bool is_asked = wishes->all || wishes->one;
    struct mq_handles *handles = NULL;
    enum mq_result result = mq_absent;
    struct mq_error why;

    if (is_asked || wishes->kinds || has_arguments(process))
        result = open_handles(wishes, queues, target, &why, &handles);
    if (is_asked && result == mq_absent)
        return mq_fail(error, "there is no handle DLL for it beside %s",
                       queues);
    if (is_asked && result == mq_failed)
        return mq_fail(error, "what its handles stand for: %s", why.text);
    result = find_awaited(target, job, process, handles, error);
    if (result == mq_ok && handles != NULL)
        mq_handles_name_arguments(handles, process);
    if (result == mq_ok && wishes->kinds && handles != NULL)
        mq_handles_tell_kinds(handles, process);
    if (result == mq_ok && is_asked)
        result = meet(wishes, handles, job, process, error);
    mq_handles_destroy(handles);
    return result;
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

static void write_text(const struct mq_job *job,
                       const struct mq_process *process, size_t width,
                       FILE *stream)
{
    int rank = process->rank, world = mq_worlds_find(job, rank, &rank);

    if (world >= 0)
        fprintf(stream, "rank %d of world %d (%s):\n", rank, world,
                process->name);
    else if (process->rank >= 0)
        fprintf(stream, "rank %d (%s):\n", process->rank, process->name);
    else
        fprintf(stream, "%s:\n", process->name);
    write_lines(process->answer, NULL, width, stream);
}

static void write_json(const struct mq_handle_wishes *wishes,
                       const struct mq_process *process, struct mq_json *json)
{
    mq_json_open(json, NULL, '{');
    if (process->rank >= 0)
        mq_json_number(json, "rank", process->rank);
    else
        mq_json_null(json, "rank");
    mq_json_text(json, "name", process->name);
    mq_json_text(json, "kind", mq_handle_kind_names[wishes->kind]);
    mq_json_address(json, "value", wishes->value);
    mq_json_open(json, "lines", '[');
    write_lines(process->answer, json, 0, json->stream);
    mq_json_close(json, '[');
    mq_json_close(json, '{');
}

void mq_handle_wishes_write(const struct mq_handle_wishes *wishes,
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
        if (as_json)
            write_json(wishes, process, &json);
        else
            write_text(job, process, width, stream);
    }
    if (as_json)
        mq_json_close(&json, '[');
}
