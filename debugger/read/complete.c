/* complete.c - completion of a process with what its queues do not show */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "read/complete.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "dll/concurrent_callers.h"
#include "dll/listed.h"
#include "dll/watched.h"
#include "model/awaited.h"
#include "model/process_builder.h"

enum { most_port = 1024 };      /* bytes of a port's name, as Open MPI has it */

/* Resolver of the arguments on the stack: a handle DLL, or the DLL that listed
 * the queues; that knows queues of today's MPIs, which may let many threads in
 * and need not say so.
 */
static enum mq_result find_by_stack(struct mq_target *target,
                                    struct mq_job *job,
                                    struct mq_process *process,
                                    struct mq_handles *handles,
                                    struct mq_error *error)
{
    struct mq_resolver *resolver = NULL;
    struct mq_listed listed;
    enum mq_result result = mq_absent, found;

    if (handles == NULL)
        result = mq_listed_init(&listed, target, process, error);
    if (result == mq_failed)
        return mq_failed;
    if (handles != NULL)
        resolver = mq_handles_resolver(handles);
    else if (result == mq_ok)
        resolver = &listed.resolver;
    found = mq_awaited_find(process, resolver, error);
    return found != mq_ok ? found
           : mq_concurrent_callers_find(target, resolver, result == mq_ok, job,
                                        process, error);
}

/* libmqwatch knows it best, else the stack. */
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

/* At ranks that are no root there may be anything. */
static bool is_name_of_port(const char *text)
{
    const char *c = text;

    while (*c > ' ' && *c <= '~')
        c++;
    return c > text && *c == '\0';
}

/* The name of the port at which its call waits for another communicator's. */
static enum mq_result name_port(struct mq_target *target, struct mq_job *job,
                                struct mq_process *process,
                                struct mq_error *error)
{
    struct mq_thread *thread = process->threads;
    size_t count = process->thread_count > 0 ? thread->argument_count : 0;
    char text[most_port];
    struct mq_error ignored;

    for (size_t i = 0; i < count; i++) {
        struct mq_argument *it = &thread->arguments[i];

        if (!it->doubtful && strcmp(it->name, "port_name") == 0
            && mq_target_read_string(target, (uint64_t)it->value, sizeof text,
                                     &ignored, text) == mq_ok
            && is_name_of_port(text))
            return mq_job_string(job, text, error, &it->meaning);
    }
    return mq_ok;
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
        result = mq_fail(error, "its handle DLL does not know a %s", kind);
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

/* Opens the handle DLL that is to be asked, or chooses one. */
static enum mq_result choose_handles(const struct mq_handle_wishes *wishes,
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

/* The same; ERROR says in full why there are none. */
static void open_handles(const struct mq_handle_wishes *wishes,
                         const char *queues, struct mq_target *target,
                         struct mq_error *error, struct mq_handles **handles)
{
    struct mq_error why;
    enum mq_result result = choose_handles(wishes, queues, target, &why,
                                           handles);

    if (result == mq_absent)
        mq_fail(error, "there is no handle DLL for it beside %s", queues);
    else if (result != mq_ok)
        mq_fail(error, "meaning of its handles: %s", why.text);
}

/* The handles that WISHES ask for; null: ERROR says why there are none. */
static enum mq_result meet(const struct mq_handle_wishes *wishes,
                           struct mq_handles *handles, struct mq_job *job,
                           struct mq_process *process, struct mq_error *error)
{
    enum mq_result result = mq_ok;

    if (handles == NULL)
        return mq_failed;
    if (wishes->all)
        result = mq_handles_annotate(handles, job, process, error);
    if (result == mq_absent)
        result = mq_fail(error, "its handle DLL cannot list communicators");
    if (result == mq_ok && wishes->one)
        result = answer(wishes, handles, job, process, error);
    return result;
}

/* Unknown handles become a remark: the process was read all the same.  It is an
 * error only where nothing else is asked.
 */
static enum mq_result meet_or_remark(const struct mq_handle_wishes *wishes,
                                     struct mq_handles *handles,
                                     struct mq_job *job,
                                     struct mq_process *process,
                                     const struct mq_error *closed,
                                     struct mq_error *error)
{
    struct mq_error why = *closed;
    const struct mq_remark remark = { why.text, wishes->one, -1, -1 };

    return meet(wishes, handles, job, process, &why) == mq_ok ? mq_ok
           : mq_process_remark(process, job, &remark, error);
}

enum mq_result mq_read_complete(const struct mq_handle_wishes *wishes,
                                const char *queues, struct mq_target *target,
                                struct mq_job *job, struct mq_error *error)
{
    struct mq_process *process = &job->processes[job->process_count - 1];
    bool has_arguments = process->thread_count > 0
                         && process->threads[0].argument_count > 0;
    struct mq_handles *handles = NULL;
    enum mq_result result;
    struct mq_error closed;

    if (has_arguments || wishes->all || wishes->one || wishes->worlds)
        open_handles(wishes, queues, target, &closed, &handles);
    /* Questions about handles do not change other results. */
    result = find_awaited(target, job, process, has_arguments ? handles : NULL,
                          error);
    if (result == mq_ok && handles != NULL)
        mq_handles_name_arguments(handles, process);
    if (result == mq_ok)
        result = name_port(target, job, process, error);
    if (result == mq_ok && wishes->worlds && handles != NULL)
        mq_handles_add_kinds(handles, process);
    if (result == mq_ok
        && ((wishes->all && process->communicator_count > 0) || wishes->one))
        result = meet_or_remark(wishes, handles, job, process, &closed, error);
    mq_handles_destroy(handles);
    return result;
}
