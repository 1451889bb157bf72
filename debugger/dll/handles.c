/* handles.c - meaning of the MPI handles of a process */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/handles.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dll/handle_dll.h"
#include "dll/predefined.h"
#include "dll/trust.h"
#include "include/mpi_handles_interface.h"
#include "mpi/call.h"
#include "target/name.h"

/* ---- Candidates ---------------------------------------------------------- */

/* The address of the list's entry INDEX. */
static enum mq_result find_entry(struct mq_target *target, size_t index,
                                 struct mq_error *error, uint64_t *entry)
{
    uint64_t address, list;
    enum mq_result result = mq_target_find_symbol(target,
                                                  "mpidbg_dll_locations", error,
                                                  &address);

    if (result == mq_ok)
        result = mq_target_read_pointer(target, address, error, &list);
    if (result != mq_ok)
        return result;
    *entry = list + index * (uint64_t)target->sizes.pointer_size;
    return list != 0 ? mq_ok : mq_absent;
}

enum mq_result mq_handle_file_named(struct mq_target *target, size_t index,
                                    struct mq_error *error, char **file)
{
    struct mq_error why;
    uint64_t entry, name_at = 0;
    char *name = NULL;
    enum mq_result result;

    if (!target->may_name_dll)
        return mq_absent;
    result = find_entry(target, index, error, &entry);
    if (result == mq_ok)
        result = mq_target_read_pointer(target, entry, error, &name_at);
    if (result == mq_ok && name_at == 0)
        return mq_absent;
    if (result == mq_ok)
        result = mq_name_read(target, name_at, MQ_PATH_LIMIT, error, &name);
    if (result != mq_ok)
        return result;
    result = mq_trust_named(name, target->pid, geteuid(), &why, file);
    if (result == mq_absent)
        result = mq_fail(error, "mpidbg_dll_locations[%zu] names %s, but there "
                         "is no such file", index, name);
    else if (result == mq_failed)
        result = mq_fail(error, "mpidbg_dll_locations[%zu] names %s, which is "
                         "not loaded: %s", index, name, why.text);
    free(name);
    return result;
}

enum mq_result mq_handle_file_beside(const char *queues,
                                     struct mq_error *error, char **file)
{
    static const char suffix[] = "_handles.so";
    char folder[PATH_MAX], name[PATH_MAX];
    struct mq_error why;
    const char *slash = strrchr(queues, '/');
    size_t length = strlen(queues);
    int used;

    if (length < 3 || strcmp(queues + length - 3, ".so") != 0
        || slash == NULL)
        return mq_absent;
    used = snprintf(name, sizeof name, "%.*s", (int)(slash - queues + 1),
                    queues);
    if (used < 0 || (size_t)used >= sizeof name
        || realpath(name, folder) == NULL)
        return mq_absent;
    used = snprintf(name, sizeof name, "%s/%.*s%s", folder,
                    (int)(length - 3 - (size_t)(slash + 1 - queues)),
                    slash + 1, suffix);
    if (used < 0 || (size_t)used >= sizeof name || access(name, R_OK) != 0)
        return mq_absent;
    if (mq_trust_file(name, geteuid(), &why, file) == mq_ok)
        return mq_ok;
    return mq_fail(error, "%s is not loaded: %s", name, why.text);
}

const char *const mq_handle_kind_names[mq_handle_kinds] = {
    "comm", "datatype", "request", "group", "op", "errhandler"
};

/* Limits for any DLL. */
enum { most_communicators = 1 << 20, most_named = 64 };

/* ---- Open and close ------------------------------------------------------ */

static enum mq_result find_communicator(struct mq_resolver *,
                                        const struct mq_process *, uint64_t,
                                        struct mq_error *, size_t *);
static enum mq_result find_request(struct mq_resolver *,
                                   const struct mq_process *, uint64_t,
                                   struct mq_error *, uint32_t *);
static enum mq_result find_size(struct mq_resolver *, uint64_t,
                                struct mq_error *, uint64_t *);

enum mq_result mq_handles_open(const char *file, struct mq_target *target,
                               struct mq_error *error,
                               struct mq_handles **result)
{
    struct mq_handles *handles = calloc(1, sizeof *handles);
    enum mq_result status;

    if (handles == NULL)
        return mq_fail_memory(error, "for a handle DLL");
    handles->resolver.communicator = find_communicator;
    handles->resolver.request = find_request;
    handles->resolver.datatype_size = find_size;
    status = mq_handle_dll_open(handles, file, target, error);
    if (status == mq_ok)
        *result = handles;
    else
        mq_handles_destroy(handles);
    return status;
}

/* The first of use of those that the process names; what is wrong with the
 * first that is not is mq_failed if there is none.
 */
static enum mq_result open_named(struct mq_target *target,
                                 struct mq_error *error, char **chosen,
                                 struct mq_handles **result)
{
    enum mq_result answer = mq_absent;

    for (size_t i = 0; i < most_named; i++) {
        struct mq_error why;
        char *file = NULL;
        enum mq_result status = mq_handle_file_named(target, i, &why, &file);

        if (status == mq_absent)
            break;
        if (status == mq_ok)
            status = mq_handles_open(file, target, &why, result);
        if (status == mq_ok) {
            *chosen = file;
            return mq_ok;
        }
        free(file);
        if (status == mq_failed && answer == mq_absent)
            answer = mq_fail(error, "%s", why.text);
    }
    return answer;
}

enum mq_result mq_handles_create(const char *queues, struct mq_target *target,
                                 struct mq_error *error, char **chosen,
                                 struct mq_handles **result)
{
    struct mq_error why;
    char *file = NULL;
    enum mq_result named = open_named(target, error, chosen, result), beside;

    if (named == mq_ok)
        return mq_ok;
    beside = mq_handle_file_beside(queues, &why, &file);
    if (beside == mq_ok)
        beside = mq_handles_open(file, target, &why, result);
    if (beside == mq_ok)
        *chosen = file;
    else
        free(file);
    if (beside == mq_absent)
        return named;
    return beside == mq_ok ? mq_ok : mq_fail(error, "%s", why.text);
}

void mq_handles_destroy(struct mq_handles *handles)
{
    if (handles == NULL)
        return;
    if (handles->communicators != NULL)
        mq_handle_release(handles, handles->communicators);
    mq_handle_dll_close(handles);
    free(handles);
}

struct mq_resolver *mq_handles_resolver(struct mq_handles *handles)
{
    return &handles->resolver;
}

/* ---- Queries ------------------------------------------------------------- */

/* The list of communicators, asked for once. */
static const struct mpidbg_handle_list_t *list(struct mq_handles *handles)
{
    if (handles->communicators == NULL && handles->dll.comm_list != NULL
        && handles->dll.comm_list(&handles->image, handles->image.info,
                                  &handles->process, handles->process.info,
                                  &handles->communicators) != MPIDBG_SUCCESS)
        handles->communicators = NULL;
    return handles->communicators;
}

/* ---- Names of predefined handles ----------------------------------------- */

/* Null if VALUE has none, or there is no MAP. */
static const char *name_of(struct mpidbg_name_map_t *const *map,
                           uint64_t value)
{
    if (map == NULL || *map == NULL)
        return NULL;
    for (size_t i = 0; (*map)[i].map_name != NULL; i++)
        if ((*map)[i].map_handle == (mqs_taddr_t)value)
            return (*map)[i].map_name;
    return NULL;
}

static void name_argument(const struct mq_handles *handles,
                          struct mq_argument *argument)
{
    uint64_t value = (uint64_t)argument->value;

    if (argument->doubtful || argument->meaning != NULL)
        return;
    if (strcmp(argument->name, "comm") == 0)
        argument->meaning = name_of(handles->dll.comm_name_map, value);
    else if (mq_parameter_type(argument->name) == mq_type_datatype)
        argument->meaning = name_of(handles->dll.datatype_name_map, value);
}

void mq_handles_name_arguments(const struct mq_handles *handles,
                               const struct mq_process *process)
{
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct mq_thread *thread = &process->threads[i];

        for (size_t j = 0; j < thread->argument_count; j++)
            name_argument(handles, &thread->arguments[j]);
    }
}

/* ---- Answers for mq_awaited_find ----------------------------------------- */

static enum mq_result find_communicator(struct mq_resolver *resolver,
                                        const struct mq_process *process,
                                        uint64_t handle,
                                        struct mq_error *error,
                                        size_t *index)
{
    struct mq_handles *handles = (struct mq_handles *)resolver;
    const struct mpidbg_handle_list_t *all = list(handles);

    (void)error;
    for (int i = 0; handle != 0 && all != NULL && i < all->list_count; i++)
        if (all->list_handles[i] == (mqs_taddr_t)handle)
            return mq_communicator_find(process, all->list_objects[i], index);
    return mq_absent;
}

/* The place of REQUEST in the queues of its communicator: the DLL lists them in
 * the order in which the queues' DLL shows them.  Not being listed proves
 * nothing for a persistent send, since MPICH keeps none.
 */
static enum mq_result find_pending(struct mq_handles *handles,
                                   const struct mq_process *process,
                                   const struct mpidbg_request_info_t *request,
                                   uint32_t *operation)
{
    enum mq_queue_class class = request->req_kind == MPIDBG_REQUEST_SEND
                                ? mq_sends : mq_receives;
    const struct mpidbg_comm_info_t *info;
    const struct mq_queue *queue;
    struct mq_error error;
    void *description;
    size_t index;
    int i, first, end;

    if (request->req_c_comm == 0
        || mq_communicator_find(process, request->req_comm_object, &index)
           != mq_ok
        || mq_handle_ask(handles, handles->dll.comm_query, request->req_c_comm,
                         &error, &description) != mq_ok)
        return mq_absent;
    info = description;
    queue = &process->communicators[index].queues[class];
    first = class == mq_sends ? info->comm_num_pending_receives : 0;
    end = class == mq_sends ? info->comm_num_pending_requests
                            : info->comm_num_pending_receives;
    for (i = first; i < end; i++)
        if (info->comm_pending_requests[i] == request->req_c_handle)
            break;
    mq_handle_release(handles, description);
    if (queue->state != mq_ok || (uint32_t)(end - first) != queue->count
        || (i == end && class == mq_sends
            && request->req_bitflags & MPIDBG_REQUEST_INFO_PERSISTENT))
        return mq_absent;
    *operation = i < end ? queue->first + (uint32_t)(i - first)
                         : MQ_NOT_LISTED;
    return mq_ok;
}

static enum mq_result find_request(struct mq_resolver *resolver,
                                   const struct mq_process *process,
                                   uint64_t handle, struct mq_error *error,
                                   uint32_t *operation)
{
    struct mq_handles *handles = (struct mq_handles *)resolver;
    const struct mpidbg_request_info_t *request;
    enum mq_result result = mq_ok;
    struct mq_error why;
    void *description;

    (void)error;
    if (!handles->is_version_2
        || mq_handle_ask(handles, handles->dll.request_query, handle, &why,
                         &description) != mq_ok)
        return mq_absent;
    request = description;
    if (request->req_kind == MPIDBG_REQUEST_NULL
        || !(request->req_bitflags & MPIDBG_REQUEST_INFO_ACTIVE)
        || request->req_bitflags & MPIDBG_REQUEST_INFO_COMPLETE)
        *operation = MQ_NOT_LISTED;
    else
        result = find_pending(handles, process, request, operation);
    mq_handle_release(handles, description);
    return result;
}

static enum mq_result find_size(struct mq_resolver *resolver, uint64_t handle,
                                struct mq_error *error, uint64_t *size)
{
    struct mq_handles *handles = (struct mq_handles *)resolver;
    const struct mpidbg_datatype_info_t *info;
    enum mq_result result = mq_absent;
    struct mq_error why;
    void *description;

    (void)error;
    if (mq_handle_ask(handles, handles->dll.datatype_query, handle, &why,
                      &description) != mq_ok)
        return mq_absent;
    info = description;
    if (info->dt_object != 0 && info->dt_size >= 0) {
        *size = (uint64_t)info->dt_size;
        result = mq_ok;
    }
    mq_handle_release(handles, description);
    return result;
}

/* ---- All of a process ---------------------------------------------------- */

/* The words for the datatype of one request, as a string of the job's. */
static enum mq_result annotate_operation(struct mq_handles *handles,
                                         struct mq_job *job,
                                         mqs_taddr_t request,
                                         struct mq_operation *operation,
                                         struct mq_error *error)
{
    const struct mpidbg_request_info_t *info;
    enum mq_result result = mq_ok;
    struct mq_strbuf words = {0};
    struct mq_error why;
    void *description;

    if (mq_handle_ask(handles, handles->dll.request_query, request, &why,
                      &description) != mq_ok)
        return mq_ok;
    info = description;
    if (info->req_datatype != NULL) {
        mq_handle_add_contents(info, &words);
        result = words.failed ? mq_fail_memory(error, "for words")
                 : mq_job_string(job, mq_strbuf_text(&words), error,
                                 &operation->datatype);
    }
    mq_strbuf_deinit(&words);
    mq_handle_release(handles, description);
    return result;
}

/* The operations of the requests in both queues, in the same order. */
static enum mq_result annotate_operations(struct mq_handles *handles,
                                          struct mq_job *job,
                                          struct mq_process *process,
                                          const struct mq_communicator *it,
                                          const struct mpidbg_comm_info_t *info,
                                          struct mq_error *error)
{
    int receives = info->comm_num_pending_receives;
    const struct mq_queue *queue;
    enum mq_result result = mq_ok;

    for (int i = 0; i < info->comm_num_pending_requests && result == mq_ok;
         i++) {
        bool is_send = i >= receives;
        uint32_t place = (uint32_t)(is_send ? i - receives : i);
        uint32_t count = (uint32_t)(is_send
                         ? info->comm_num_pending_requests - receives
                         : receives);

        queue = &it->queues[is_send ? mq_sends : mq_receives];
        if (queue->count == count)
            result = annotate_operation(
                handles, job, info->comm_pending_requests[i],
                &process->operations[queue->first + place], error);
    }
    return result;
}

static enum mq_result annotate_communicator(struct mq_handles *handles,
                                            struct mq_job *job,
                                            struct mq_process *process,
                                            struct mq_communicator *it,
                                            uint64_t handle,
                                            struct mq_error *error)
{
    struct mq_strbuf words = {0};
    enum mq_result result = mq_ok;
    struct mq_error why;
    void *description = NULL;

    mq_strbuf_add(&words, "handle %" PRIu64 "\n", handle);
    if (mq_handle_ask(handles, handles->dll.comm_query, handle, &why,
                      &description) != mq_ok)
        mq_strbuf_add(&words, "%s\n", why.text);
    else
        mq_handle_add_communicator(handles, description, &words);
    result = words.failed ? mq_fail_memory(error, "for words")
             : mq_job_string(job, mq_strbuf_text(&words), error, &it->about);
    mq_strbuf_deinit(&words);
    if (description == NULL)
        return result;
    if (result == mq_ok)
        result = annotate_operations(handles, job, process, it, description,
                                     error);
    mq_handle_release(handles, description);
    return result;
}

enum mq_result mq_handles_annotate(struct mq_handles *handles,
                                   struct mq_job *job,
                                   struct mq_process *process,
                                   struct mq_error *error)
{
    const struct mpidbg_handle_list_t *all = list(handles);
    enum mq_result result = mq_ok;

    if (all == NULL)
        return mq_absent;
    for (int i = 0; i < all->list_count && i < most_communicators
                    && result == mq_ok; i++) {
        size_t index;

        if (all->list_handles[i] != 0
            && mq_communicator_find(process, all->list_objects[i], &index)
               == mq_ok)
            result = annotate_communicator(handles, job, process,
                                           &process->communicators[index],
                                           all->list_handles[i], error);
    }
    return result;
}

static void add_kind(struct mq_handles *handles, uint64_t handle,
                     struct mq_communicator *it)
{
    const struct mpidbg_comm_info_t *info;
    struct mq_error why;
    void *description;

    if (mq_handle_ask(handles, handles->dll.comm_query, handle, &why,
                      &description) != mq_ok)
        return;
    info = description;
    it->kind = info->comm_bitflags & MPIDBG_COMM_INFO_INTERCOMM
               ? mq_kind_inter : mq_kind_intra;
    mq_handle_release(handles, description);
}

void mq_handles_add_kinds(struct mq_handles *handles,
                          struct mq_process *process)
{
    const struct mpidbg_handle_list_t *all = list(handles);
    size_t index;

    for (int i = 0; all != NULL && i < all->list_count
                    && i < most_communicators; i++)
        if (all->list_handles[i] != 0
            && mq_communicator_find(process, all->list_objects[i], &index)
               == mq_ok)
            add_kind(handles, all->list_handles[i],
                     &process->communicators[index]);
}
