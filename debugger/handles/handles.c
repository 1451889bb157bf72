/* handles.c - what the handles of a process stand for, as a handle DLL says */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "handles/handles.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dll/callbacks.h"
#include "handles/handle_file.h"
#include "include/mpi_handles_interface.h"
#include "mpis/predefined.h"
#include "process/elf.h"
#include "target/platform.h"

const char *const mq_handle_kind_names[mq_handle_kinds] = {
    "comm", "datatype", "request", "group", "op", "errhandler"
};

/* What any DLL is given before it is believed no more. */
enum { most_communicators = 1 << 20, most_listed = 32, most_named = 64 };

typedef int query_ft(mqs_image *, mqs_image_info *, mqs_process *,
                     mqs_process_info *, mqs_taddr_t, void **);

/* The entry points; those of version 2 are null in a DLL of version 1. */
struct entries {
    int (*init_once)(const mqs_basic_callbacks *);
    int (*interface_version_compatibility)(void);
    int (*dll_taddr_width)(void);
    int (*init_per_image)(mqs_image *, const mqs_image_callbacks *,
                          struct mpidbg_handle_info_t *);
    void (*finalize_per_image)(mqs_image *, mqs_image_info *);
    int (*init_per_process)(mqs_process *, const mqs_process_callbacks *,
                            struct mpidbg_handle_info_t *);
    void (*finalize_per_process)(mqs_process *, mqs_process_info *);
    query_ft *comm_query, *request_query, *errhandler_query;

    query_ft *datatype_query, *group_query, *op_query;
    int (*comm_list)(mqs_image *, mqs_image_info *, mqs_process *,
                     mqs_process_info *, struct mpidbg_handle_list_t **);
    char *(*error_string)(int);
    void (*release)(void *);
    struct mpidbg_name_map_t **comm_name_map, **datatype_name_map;
};

struct mq_handles {
    struct mq_resolver resolver;        /* first: a resolver is its handles */
    struct entries dll;
    bool is_version_2;
    struct mqs_image_ image;
    struct mqs_process_ process;
    struct mpidbg_handle_info_t types;
    struct mpidbg_handle_list_t *communicators; /* null: not asked for yet */
};

/* ---- The DLL ------------------------------------------------------------- */

static const struct {
    const char *name;
    size_t place;
    bool is_needed;
} entry_points[] = {
#define NEEDED(name) { "mpidbg_" #name, offsetof(struct entries, name), true }
#define LATER(name) { "mpidbg_" #name, offsetof(struct entries, name), false }
    NEEDED(init_once), NEEDED(interface_version_compatibility),
    NEEDED(dll_taddr_width), NEEDED(init_per_image),
    NEEDED(finalize_per_image), NEEDED(init_per_process),
    NEEDED(finalize_per_process), NEEDED(comm_query), NEEDED(request_query),
    NEEDED(errhandler_query), LATER(datatype_query), LATER(group_query),
    LATER(op_query), LATER(comm_list), LATER(error_string), LATER(release),
    LATER(comm_name_map), LATER(datatype_name_map)
#undef NEEDED
#undef LATER
};

/* Which required entry points a file exports. */
struct exports {
    bool found[sizeof entry_points / sizeof entry_points[0]];
};

static void note_export(const struct mq_elf_symbol *symbol, void *closure)
{
    struct exports *exports = closure;

    for (size_t i = 0; i < sizeof entry_points / sizeof entry_points[0]; i++)
        exports->found[i] |= symbol->is_defined && symbol->is_visible
                             && strcmp(symbol->name, entry_points[i].name)
                                == 0;
}

/* Loading a library runs its code, so its file is asked first whether it is a
 * handle DLL at all.
 */
static enum mq_result check_file(const char *file, struct mq_error *error)
{
    struct exports exports = { { false } };
    enum mq_result result = mq_platform_check_library(file, error);

    if (result == mq_ok)
        result = mq_elf_dynamic_symbols(file, note_export, &exports, error);
    if (result == mq_absent)
        return mq_fail(error, "%s: it has no symbols that can be read, so it "
                       "is no handle DLL", file);
    for (size_t i = 0; result == mq_ok
                       && i < sizeof entry_points / sizeof entry_points[0];
         i++)
        if (entry_points[i].is_needed && !exports.found[i])
            result = mq_fail(error, "%s: it lacks the entry point %s, so it is "
                             "no handle DLL", file, entry_points[i].name);
    return result;
}

static enum mq_result load(struct mq_handles *handles, const char *file,
                           struct mq_error *error)
{
    void *library;
    int version;

    if (check_file(file, error) != mq_ok)
        return mq_failed;
    library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return mq_fail(error, "%s: it cannot be loaded: %s", file, dlerror());
    for (size_t i = 0; i < sizeof entry_points / sizeof entry_points[0];
         i++) {
        void *symbol = dlsym(library, entry_points[i].name);

        memcpy((char *)&handles->dll + entry_points[i].place, &symbol,
               sizeof symbol);
    }
    version = handles->dll.interface_version_compatibility();
    if (version < 1 || handles->dll.dll_taddr_width()
                       != (int)sizeof(mqs_taddr_t))
        return mq_fail(error, "%s: its version or its width of addresses does "
                       "not fit this debugger", file);
    handles->is_version_2 = version >= MPIDBG_INTERFACE_VERSION;
    if (handles->dll.init_once(&mq_basic_callbacks) != MPIDBG_SUCCESS)
        return mq_fail(error, "%s: it does not start", file);
    return mq_ok;
}

/* The DLL's sentence for CODE. */
static const char *sentence(const struct mq_handles *handles, int code)
{
    const char *text = handles->dll.error_string != NULL
                       ? handles->dll.error_string(code) : NULL;

    return text != NULL && *text != '\0'
           ? text : "an error that the handle DLL does not explain";
}

/* Gives a description back; one of version 1 says not how. */
static void release(const struct mq_handles *handles, void *description)
{
    if (handles->dll.release != NULL)
        handles->dll.release(description);
}

/* ---- Open and close ------------------------------------------------------ */

static enum mq_result open_target(struct mq_handles *handles,
                                  struct mq_target *target,
                                  struct mq_error *error)
{
    int code;

    handles->image.target = target;
    handles->process.target = target;
    handles->process.image = &handles->image;
    code = handles->dll.init_per_image(&handles->image, &mq_image_callbacks,
                                       &handles->types);
    if (code == MPIDBG_SUCCESS)
        code = handles->dll.init_per_process(&handles->process,
                                             &mq_process_callbacks,
                                             &handles->types);
    if (handles->image.trouble.text[0] != '\0')
        return mq_fail(error, "%s", handles->image.trouble.text);
    if (code == MPIDBG_ERR_NOT_SUPPORTED)
        return mq_absent;
    return code == MPIDBG_SUCCESS
           ? mq_ok : mq_fail(error, "%s", sentence(handles, code));
}

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
    status = load(handles, file, error);
    if (status == mq_ok)
        status = open_target(handles, target, error);
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
        release(handles, handles->communicators);
    if (handles->process.info != NULL)
        handles->dll.finalize_per_process(&handles->process,
                                          handles->process.info);
    if (handles->image.info != NULL)
        handles->dll.finalize_per_image(&handles->image,
                                        handles->image.info);
    mq_image_forget(&handles->image);
    free(handles);
}

struct mq_resolver *mq_handles_resolver(struct mq_handles *handles)
{
    return &handles->resolver;
}

/* ---- Queries ------------------------------------------------------------- */

/* Asks for a description, which is to be released: mq_absent if the DLL has no
 * such query, mq_failed with its sentence.
 */
static enum mq_result ask(struct mq_handles *handles, query_ft *query,
                          uint64_t value, struct mq_error *error,
                          void **description)
{
    int code;

    if (query == NULL)
        return mq_absent;
    code = query(&handles->image, handles->image.info, &handles->process,
                 handles->process.info, (mqs_taddr_t)value, description);
    return code == MPIDBG_SUCCESS
           ? mq_ok : mq_fail(error, "%s", sentence(handles, code));
}

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

    if (argument->doubtful || argument->stands_for != NULL)
        return;
    if (strcmp(argument->name, "comm") == 0)
        argument->stands_for = name_of(handles->dll.comm_name_map, value);
    else if (mq_predefined_is_datatype(argument->name))
        argument->stands_for = name_of(handles->dll.datatype_name_map, value);
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

/* The index in PROCESS of the communicator whose object is at ID. */
static enum mq_result index_of(const struct mq_process *process, uint64_t id,
                               size_t *index)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        if (process->communicators[i].id == id) {
            *index = i;
            return mq_ok;
        }
    }
    return mq_absent;
}

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
            return index_of(process, all->list_objects[i], index);
    return mq_absent;
}

/* Where REQUEST stands in the queues of its communicator: the DLL lists them in
 * the order in which the queues' DLL shows them.  Not to be listed tells
 * nothing of a persistent send, since MPICH keeps none.
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
        || index_of(process, request->req_comm_object, &index) != mq_ok
        || ask(handles, handles->dll.comm_query, request->req_c_comm, &error,
               &description) != mq_ok)
        return mq_absent;
    info = description;
    queue = &process->communicators[index].queues[class];
    first = class == mq_sends ? info->comm_num_pending_receives : 0;
    end = class == mq_sends ? info->comm_num_pending_requests
                            : info->comm_num_pending_receives;
    for (i = first; i < end; i++)
        if (info->comm_pending_requests[i] == request->req_c_handle)
            break;
    release(handles, description);
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
        || ask(handles, handles->dll.request_query, handle, &why,
               &description) != mq_ok)
        return mq_absent;
    request = description;
    if (request->req_kind == MPIDBG_REQUEST_NULL
        || !(request->req_bitflags & MPIDBG_REQUEST_INFO_ACTIVE)
        || request->req_bitflags & MPIDBG_REQUEST_INFO_COMPLETE)
        *operation = MQ_NOT_LISTED;
    else
        result = find_pending(handles, process, request, operation);
    release(handles, description);
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
    if (ask(handles, handles->dll.datatype_query, handle, &why, &description)
        != mq_ok)
        return mq_absent;
    info = description;
    if (info->dt_object != 0 && info->dt_size >= 0) {
        *size = (uint64_t)info->dt_size;
        result = mq_ok;
    }
    release(handles, description);
    return result;
}

/* ---- Words --------------------------------------------------------------- */

/* A name as it came, without a line break in it; PLACEHOLDER if it is empty. */
static void add_name(struct mq_strbuf *words, const char *name,
                     const char *placeholder)
{
    const int length = (int)strnlen(name, MPIDBG_MAX_OBJECT_NAME);

    if (length == 0)
        mq_strbuf_add(words, "%s", placeholder);
    for (int i = 0; i < length; i++)
        mq_strbuf_add(words, "%c", name[i] != '\n' ? name[i] : ' ');
}

static void add_error(const struct mq_handles *handles, const char *what,
                      int code, struct mq_strbuf *words)
{
    if (code != MPIDBG_SUCCESS)
        mq_strbuf_add(words, "%s: %s\n", what, sentence(handles, code));
}

static void add_list(struct mq_strbuf *words, const int *numbers, int count,
                     const char *between)
{
    int shown = count < most_listed ? count : most_listed;

    for (int i = 0; i < shown; i++)
        mq_strbuf_add(words, "%s%d", i > 0 ? between : "", numbers[i]);
    if (count > shown)
        mq_strbuf_add(words, "%s...", between);
}

/* "periodic in the first and third" */
static void add_periods(const struct mpidbg_comm_info_t *info,
                        struct mq_strbuf *words)
{
    static const char *const ordinals[] = {
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh",
        "eighth", "ninth", "tenth"
    };
    const int known = (int)(sizeof ordinals / sizeof ordinals[0]);
    int left = 0, added = 0;

    for (int i = 0; i < info->comm_cart_num_dims; i++)
        left += info->comm_cart_periods[i] != 0;
    mq_strbuf_add(words, left == 0 ? "not periodic" : "periodic in the ");
    for (int i = 0; i < info->comm_cart_num_dims && added < most_listed; i++) {
        if (info->comm_cart_periods[i] == 0)
            continue;
        mq_strbuf_add(words, "%s", added++ == 0 ? "" : --left > 1 ? ", "
                                                     : " and ");
        if (i < known)
            mq_strbuf_add(words, "%s", ordinals[i]);
        else
            mq_strbuf_add(words, "%dth", i + 1);
    }
}

static void add_topology(const struct mq_handles *handles,
                         const struct mpidbg_comm_info_t *info,
                         struct mq_strbuf *words)
{
    int rank = info->comm_rank, begin, end;

    if (info->comm_bitflags & MPIDBG_COMM_INFO_CARTESIAN) {
        mq_strbuf_add(words, "rank %d", rank);
        if (handles->is_version_2) {
            mq_strbuf_add(words, " at (");
            add_list(words, info->comm_cart_position,
                     info->comm_cart_num_dims, ",");
            mq_strbuf_add(words, ")");
        }
        mq_strbuf_add(words, " of ");
        add_list(words, info->comm_cart_dims, info->comm_cart_num_dims,
                 " x ");
        mq_strbuf_add(words, ", ");
        add_periods(info, words);
        mq_strbuf_add(words, "\n");
    }
    if (info->comm_bitflags & MPIDBG_COMM_INFO_GRAPH) {
        mq_strbuf_add(words, "rank %d of a graph with %d nodes", rank,
                      info->comm_graph_num_nodes);
        if (handles->is_version_2 && rank >= 0
            && rank < info->comm_graph_num_nodes) {
            begin = rank > 0 ? info->comm_graph_index[rank - 1] : 0;
            end = info->comm_graph_index[rank];
            if (begin >= 0 && begin < end
                && end <= info->comm_num_graph_edges) {
                mq_strbuf_add(words, ", neighbours ");
                add_list(words, info->comm_graph_edges + begin, end - begin,
                         ", ");
            }
        }
        mq_strbuf_add(words, "\n");
    }
}

static void add_errhandler(struct mq_handles *handles, uint64_t value,
                           struct mq_strbuf *words)
{
    const struct mpidbg_errhandler_info_t *info;
    struct mq_error why;
    void *description;

    if (ask(handles, handles->dll.errhandler_query, value, &why, &description)
        != mq_ok) {
        mq_strbuf_add(words, "error handler %" PRIu64 ": %s\n", value,
                      why.text);
        return;
    }
    info = description;
    mq_strbuf_add(words, "error handler ");
    add_name(words, info->eh_name, "of the user's");
    if (info->eh_callback_func != 0 && info->eh_name[0] == '\0')
        mq_strbuf_add(words, ", function 0x%" PRIx64,
                      (uint64_t)info->eh_callback_func);
    mq_strbuf_add(words, "\n");
    release(handles, description);
}

static void add_attributes(const struct mpidbg_comm_info_t *info,
                           struct mq_strbuf *words)
{
    for (int i = 0; i < info->comm_num_attrs; i++) {
        const struct mpidbg_attribute_pair_t *pair = &info->comm_attrs[i];

        if (i == most_listed) {
            mq_strbuf_add(words, "and %d more attributes\n",
                          info->comm_num_attrs - i);
            break;
        }
        if (pair->keyval_name != NULL)
            mq_strbuf_add(words, "attribute %s: %s\n", pair->keyval_name,
                          pair->value);
        else
            mq_strbuf_add(words, "attribute with keyval %d: %s\n",
                          pair->keyval, pair->value);
    }
}

/* Everything but the name and the size, which the queues tell too. */
static void add_communicator(struct mq_handles *handles,
                             const struct mpidbg_comm_info_t *info,
                             struct mq_strbuf *words)
{
    add_topology(handles, info, words);
    add_attributes(info, words);
    if (!handles->is_version_2)
        return;
    if (info->comm_c_errhandler != 0)
        add_errhandler(handles, info->comm_c_errhandler, words);
    add_error(handles, "groups", info->comm_groups_error, words);
    add_error(handles, "topology", info->comm_topology_error, words);
    add_error(handles, "attributes", info->comm_attrs_error, words);
}

static void describe_comm(struct mq_handles *handles, const void *description,
                          struct mq_strbuf *words)
{
    const struct mpidbg_comm_info_t *info = description;

    add_name(words, info->comm_name, "a communicator without a name");
    if (info->comm_bitflags & MPIDBG_COMM_INFO_COMM_NULL) {
        mq_strbuf_add(words, "\n");
        return;
    }
    mq_strbuf_add(words, ", %srank %d of %d",
                  info->comm_bitflags & MPIDBG_COMM_INFO_INTERCOMM
                  ? "an inter-communicator, " : "", info->comm_rank,
                  info->comm_size);
    if (info->comm_num_remote_procs > 0)
        mq_strbuf_add(words, ", remote group of %d",
                      info->comm_num_remote_procs);
    mq_strbuf_add(words, "\n");
    add_communicator(handles, info, words);
    if (info->comm_num_pending_requests > 0)
        mq_strbuf_add(words, "%d pending operation%s\n",
                      info->comm_num_pending_requests,
                      info->comm_num_pending_requests == 1 ? "" : "s");
}

static void describe_datatype(struct mq_handles *handles,
                              const void *description,
                              struct mq_strbuf *words)
{
    const struct mpidbg_datatype_info_t *info = description;

    if (info->dt_bitflags & MPIDBG_DATATYPE_INFO_DATATYPE_NULL) {
        mq_strbuf_add(words, "MPI_DATATYPE_NULL\n");
        return;
    }
    if (info->dt_name[0] != '\0') {
        add_name(words, info->dt_name, "");
        mq_strbuf_add(words, ", ");
    }
    mq_strbuf_add(words, "%s\n", info->dt_description != NULL
                                 ? info->dt_description : "a datatype");
    if (info->dt_object == 0)
        return;
    mq_strbuf_add(words, "size %lld, extent %lld, from %lld to %lld bytes, "
                  "%s\n", (long long)info->dt_size,
                  (long long)info->dt_extent, (long long)info->dt_lb,
                  (long long)info->dt_ub,
                  info->dt_bitflags & MPIDBG_DATATYPE_INFO_COMMITTED
                  ? "committed" : "not committed");
    add_error(handles, "parts", info->dt_lists_error, words);
}

/* "inactive persistent receive of tag 77 from 1" */
static void add_request_kind(const struct mpidbg_request_info_t *info,
                             struct mq_strbuf *words)
{
    int flags = (int)info->req_bitflags;
    bool is_send = info->req_kind == MPIDBG_REQUEST_SEND;

    mq_strbuf_add(words, "%s%s%s",
                  !(flags & MPIDBG_REQUEST_INFO_ACTIVE) ? "inactive "
                  : flags & MPIDBG_REQUEST_INFO_CANCELLED ? "cancelled "
                  : flags & MPIDBG_REQUEST_INFO_COMPLETE ? "complete "
                  : "pending ",
                  flags & MPIDBG_REQUEST_INFO_PERSISTENT ? "persistent " : "",
                  is_send ? "send" : "receive");
    if (!(flags & MPIDBG_REQUEST_INFO_HAS_ENVELOPE))
        return;
    if (flags & MPIDBG_REQUEST_INFO_ANY_TAG)
        mq_strbuf_add(words, " of any tag");
    else
        mq_strbuf_add(words, " of tag %d", info->req_tag);
    mq_strbuf_add(words, is_send ? " to " : " from ");
    if (flags & MPIDBG_REQUEST_INFO_ANY_SOURCE)
        mq_strbuf_add(words, "any");
    else if (flags & MPIDBG_REQUEST_INFO_PROC_NULL)
        mq_strbuf_add(words, "MPI_PROC_NULL");
    else
        mq_strbuf_add(words, "%d", info->req_peer);
}

/* The communicator's name, or its handle. */
static void add_communicator_name(struct mq_handles *handles,
                                  mqs_taddr_t value, struct mq_strbuf *words)
{
    const struct mpidbg_comm_info_t *info;
    struct mq_error why;
    void *description;

    if (ask(handles, handles->dll.comm_query, value, &why, &description)
        != mq_ok)
        return;
    info = description;
    mq_strbuf_add(words, " on ");
    if (info->comm_name[0] != '\0')
        add_name(words, info->comm_name, "");
    else
        mq_strbuf_add(words, "communicator %" PRIu64, (uint64_t)value);
    release(handles, description);
}

/* "2 of vector of ..." */
static void add_contents(const struct mpidbg_request_info_t *info,
                         struct mq_strbuf *words)
{
    if (info->req_count >= 0)
        mq_strbuf_add(words, "%lld of ", (long long)info->req_count);
    mq_strbuf_add(words, "%s", info->req_datatype);
}

static void describe_request(struct mq_handles *handles,
                             const void *description, struct mq_strbuf *words)
{
    const struct mpidbg_request_info_t *info = description;

    if (info->req_bitflags & MPIDBG_REQUEST_INFO_PREDEFINED) {
        mq_strbuf_add(words, "MPI_REQUEST_NULL\n");
        return;
    }
    if (!handles->is_version_2) {
        mq_strbuf_add(words, "a request\n");
        return;
    }
    add_request_kind(info, words);
    if (info->req_c_comm != 0)
        add_communicator_name(handles, info->req_c_comm, words);
    mq_strbuf_add(words, "\n");
    if (info->req_datatype != NULL) {
        add_contents(info, words);
        mq_strbuf_add(words, "\n");
    }
    if (info->req_bytes >= 0)
        mq_strbuf_add(words, "%lld bytes at 0x%" PRIx64 "\n",
                      (long long)info->req_bytes, (uint64_t)info->req_buffer);
    if (info->req_kind == MPIDBG_REQUEST_RECEIVE
        && info->req_bitflags & MPIDBG_REQUEST_INFO_COMPLETE)
        mq_strbuf_add(words, "%lld bytes of tag %d came from %d\n",
                      (long long)info->req_status.stat_bytes,
                      info->req_status.stat_tag,
                      info->req_status.stat_source);
}

static void describe_group(struct mq_handles *handles,
                           const void *description, struct mq_strbuf *words)
{
    const struct mpidbg_group_info_t *info = description;
    int shown = info->group_num_procs < most_listed ? info->group_num_procs
                                                    : most_listed;

    (void)handles;
    add_name(words, info->group_name, "a group");
    mq_strbuf_add(words, " of %d", info->group_num_procs);
    for (int i = 0; i < shown; i++)
        mq_strbuf_add(words, "%s%d", i == 0 ? ": ranks " : ", ",
                      info->group_procs[i].mpi_comm_world_rank);
    mq_strbuf_add(words, "%s\n", shown < info->group_num_procs ? ", ..."
                                                               : "");
}

static void describe_op(struct mq_handles *handles, const void *description,
                        struct mq_strbuf *words)
{
    const struct mpidbg_op_info_t *info = description;

    (void)handles;
    if (info->op_name[0] != '\0') {
        add_name(words, info->op_name, "");
        mq_strbuf_add(words, "\n");
        return;
    }
    mq_strbuf_add(words, "an operation of the user's, function 0x%" PRIx64
                  ", which %s\n", (uint64_t)info->op_function,
                  info->op_is_commutative ? "commutes" : "does not commute");
}

static void describe_errhandler(struct mq_handles *handles,
                                const void *description,
                                struct mq_strbuf *words)
{
    const struct mpidbg_errhandler_info_t *info = description;

    add_errhandler(handles, info->eh_c_handle, words);
}

enum mq_result mq_handles_describe(struct mq_handles *handles,
                                   enum mq_handle_kind kind, uint64_t value,
                                   struct mq_error *error,
                                   struct mq_strbuf *words)
{
    static const struct {
        size_t query;
        void (*describe)(struct mq_handles *, const void *,
                         struct mq_strbuf *);
    } kinds[mq_handle_kinds] = {
#define KIND(name) { offsetof(struct entries, name##_query), describe_##name }
        KIND(comm), KIND(datatype), KIND(request), KIND(group), KIND(op),
        KIND(errhandler)
#undef KIND
    };
    enum mq_result result;
    void *description;
    query_ft *query;

    memcpy(&query, (char *)&handles->dll + kinds[kind].query, sizeof query);
    result = ask(handles, query, value, error, &description);
    if (result != mq_ok)
        return result;
    kinds[kind].describe(handles, description, words);
    release(handles, description);
    return words->failed ? mq_fail_memory(error, "for words") : mq_ok;
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

    if (ask(handles, handles->dll.request_query, request, &why, &description)
        != mq_ok)
        return mq_ok;
    info = description;
    if (info->req_datatype != NULL) {
        add_contents(info, &words);
        result = words.failed ? mq_fail_memory(error, "for words")
                 : mq_job_string(job, mq_strbuf_text(&words), error,
                                 &operation->datatype);
    }
    mq_strbuf_deinit(&words);
    release(handles, description);
    return result;
}

/* The operations of both queues that requests stand for, in the same order. */
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
    if (ask(handles, handles->dll.comm_query, handle, &why, &description)
        != mq_ok)
        mq_strbuf_add(&words, "%s\n", why.text);
    else
        add_communicator(handles, description, &words);
    result = words.failed ? mq_fail_memory(error, "for words")
             : mq_job_string(job, mq_strbuf_text(&words), error, &it->about);
    mq_strbuf_deinit(&words);
    if (description == NULL)
        return result;
    if (result == mq_ok)
        result = annotate_operations(handles, job, process, it, description,
                                     error);
    release(handles, description);
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
            && index_of(process, all->list_objects[i], &index) == mq_ok)
            result = annotate_communicator(handles, job, process,
                                           &process->communicators[index],
                                           all->list_handles[i], error);
    }
    return result;
}

static void tell_kind(struct mq_handles *handles, uint64_t handle,
                      struct mq_communicator *it)
{
    const struct mpidbg_comm_info_t *info;
    struct mq_error why;
    void *description;

    if (ask(handles, handles->dll.comm_query, handle, &why, &description)
        != mq_ok)
        return;
    info = description;
    it->kind = info->comm_bitflags & MPIDBG_COMM_INFO_INTERCOMM
               ? mq_kind_inter : mq_kind_intra;
    release(handles, description);
}

void mq_handles_tell_kinds(struct mq_handles *handles,
                           struct mq_process *process)
{
    const struct mpidbg_handle_list_t *all = list(handles);
    size_t index;

    for (int i = 0; all != NULL && i < all->list_count
                    && i < most_communicators; i++)
        if (all->list_handles[i] != 0
            && index_of(process, all->list_objects[i], &index) == mq_ok)
            tell_kind(handles, all->list_handles[i],
                      &process->communicators[index]);
}
