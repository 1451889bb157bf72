/* handle_session.c - a process in the handle DLL, and what it says as text */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/kit/handle_session.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kit/harness.h"

/* ---- The DLL ------------------------------------------------------------- */

typedef int query_ft(mqs_image *, mqs_image_info *, mqs_process *,
                     mqs_process_info *, mqs_taddr_t, void **);
typedef int f2c_ft(mqs_image *, mqs_image_info *, mqs_process *,
                   mqs_process_info *, mqs_taddr_t, mqs_taddr_t *);

static void *library;

void handle_entry(const char *name, void *pointer)
{
    void *found;

    if (library == NULL)
        library = dlopen(built("libtvmpich_handles.so"), RTLD_NOW);
    found = library != NULL ? dlsym(library, name) : NULL;
    if (found == NULL) {
        printf("%s\n", dlerror());
        exit(2);
    }
    memcpy(pointer, &found, sizeof found);
}

static const char *sentence(int code)
{
    char *(*error_string)(int);

    handle_entry("mpidbg_error_string", &error_string);
    return error_string(code);
}

/* ---- Open and close ------------------------------------------------------ */

void handle_session_open(struct handle_session *session,
                         struct mq_target *target)
{
    int (*once)(const mqs_basic_callbacks *);
    int (*image)(mqs_image *, const mqs_image_callbacks *,
                 struct mpidbg_handle_info_t *);
    int (*process)(mqs_process *, const mqs_process_callbacks *,
                   struct mpidbg_handle_info_t *);

    memset(session, 0, sizeof *session);
    handle_entry("mpidbg_init_once", &once);
    handle_entry("mpidbg_init_per_image", &image);
    handle_entry("mpidbg_init_per_process", &process);
    session->image.target = target;
    session->process.target = target;
    session->process.image = &session->image;
    once(&mq_basic_callbacks);
    session->status = image(&session->image, &mq_image_callbacks,
                            &session->types);
    if (session->status == MPIDBG_SUCCESS)
        session->status = process(&session->process, &mq_process_callbacks,
                                  &session->types);
}

void handle_session_close(struct handle_session *session)
{
    void (*image)(mqs_image *, mqs_image_info *);
    void (*process)(mqs_process *, mqs_process_info *);

    handle_entry("mpidbg_finalize_per_image", &image);
    handle_entry("mpidbg_finalize_per_process", &process);
    if (session->process.info != NULL)
        process(&session->process, session->process.info);
    if (session->image.info != NULL)
        image(&session->image, session->image.info);
    mq_image_forget(&session->image);
}

static void release(void *description)
{
    void (*give_back)(void *);

    handle_entry("mpidbg_release", &give_back);
    give_back(description);
}

/* ---- Text ---------------------------------------------------------------- */

static void say(struct handle_session *session, const char *format, ...)
    MQ_PRINTF(2, 3);

static void say(struct handle_session *session, const char *format, ...)
{
    size_t used = strlen(session->text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(session->text + used, sizeof session->text - used, format,
              arguments);
    va_end(arguments);
}

static void say_error(struct handle_session *session, const char *what,
                      int code)
{
    if (code != MPIDBG_SUCCESS)
        say(session, "%s: %s\n", what, sentence(code));
}

static void say_ints(struct handle_session *session, const char *what,
                     int count, const int *values)
{
    if (values == NULL)
        return;
    say(session, "%s:", what);
    for (int i = 0; i < count && i < 40; i++)
        say(session, " %d", values[i]);
    say(session, "\n");
}

static void say_procs(struct handle_session *session, const char *what,
                      int count, const struct mpidbg_process_t *procs)
{
    if (procs == NULL)
        return;
    say(session, "%s:", what);
    for (int i = 0; i < count && i < 40; i++)
        say(session, " %d", procs[i].mpi_comm_world_rank);
    say(session, "\n");
}

static void show_comm(struct handle_session *session, const void *description)
{
    const struct mpidbg_comm_info_t *it = description;

    say(session, "name: %s\nflags: 0x%x\nrank: %d of %d\n", it->comm_name,
        (unsigned)it->comm_bitflags, it->comm_rank, it->comm_size);
    say(session, "handles: %" PRIu64 " %d group %" PRIu64 "\n",
        (uint64_t)it->comm_c_handle, it->comm_fortran_handle,
        (uint64_t)it->comm_c_group);
    say(session, "errhandler: %" PRIu64 "\n",
        (uint64_t)it->comm_c_errhandler);
    say_procs(session, "local", it->comm_num_local_procs,
              it->comm_local_procs);
    say_procs(session, "remote", it->comm_num_remote_procs,
              it->comm_remote_procs);
    say_ints(session, "dims", it->comm_cart_num_dims, it->comm_cart_dims);
    for (int i = 0; i < it->comm_cart_num_dims; i++)
        say(session, "period %d: %d\n", i, it->comm_cart_periods[i]);
    say_ints(session, "position", it->comm_cart_num_dims,
             it->comm_cart_position);
    say_ints(session, "index", it->comm_graph_num_nodes,
             it->comm_graph_index);
    say_ints(session, "edges", it->comm_num_graph_edges,
             it->comm_graph_edges);
    for (int i = 0; i < it->comm_num_attrs && i < 40; i++) {
        const struct mpidbg_attribute_pair_t *pair = &it->comm_attrs[i];

        say(session, "attribute %d %s: %s\n", pair->keyval,
            pair->keyval_name != NULL ? pair->keyval_name : "-", pair->value);
    }
    say(session, "requests: %d, %d receives\n", it->comm_num_pending_requests,
        it->comm_num_pending_receives);
    say_error(session, "groups error", it->comm_groups_error);
    say_error(session, "topology error", it->comm_topology_error);
    say_error(session, "attributes error", it->comm_attrs_error);
    say_error(session, "requests error", it->comm_requests_error);
}

static void show_group(struct handle_session *session,
                       const void *description)
{
    const struct mpidbg_group_info_t *it = description;

    say(session, "name: %s\nflags: 0x%x\nrank: %d\n", it->group_name,
        (unsigned)it->group_bitflags, it->group_rank);
    say_procs(session, "ranks", it->group_num_procs, it->group_procs);
}

static void show_errhandler(struct handle_session *session,
                            const void *description)
{
    const struct mpidbg_errhandler_info_t *it = description;

    say(session, "name: %s\nflags: 0x%x\nfunction: 0x%" PRIx64 "\n"
        "references: %d\n", it->eh_name, (unsigned)it->eh_bitflags,
        (uint64_t)it->eh_callback_func, it->eh_refcount);
}

static void show_op(struct handle_session *session, const void *description)
{
    const struct mpidbg_op_info_t *it = description;

    say(session, "name: %s\nflags: 0x%x\nfunction: 0x%" PRIx64 "\n"
        "commutes: %d\n", it->op_name, (unsigned)it->op_bitflags,
        (uint64_t)it->op_function, it->op_is_commutative);
}

static void show_status(struct handle_session *session,
                        const void *description)
{
    const struct mpidbg_status_info_t *it = description;

    say(session, "status: source %d tag %d bytes %lld\n", it->stat_source,
        it->stat_tag, (long long)it->stat_bytes);
}

static void show_request(struct handle_session *session,
                         const void *description)
{
    const struct mpidbg_request_info_t *it = description;
    static const char *const kinds[] = { "null", "send", "receive" };

    say(session, "kind: %s\nflags: 0x%x\nfortran: %d\n", kinds[it->req_kind],
        (unsigned)it->req_bitflags, it->req_fortran_handle);
    if (it->req_bitflags & MPIDBG_REQUEST_INFO_HAS_ENVELOPE)
        say(session, "peer: %d\ntag: %d\n", it->req_peer, it->req_tag);
    say(session, "count: %lld\nbytes: %lld\nbuffer: 0x%" PRIx64 "\n"
        "comm: %" PRIu64 "\n", (long long)it->req_count,
        (long long)it->req_bytes, (uint64_t)it->req_buffer,
        (uint64_t)it->req_c_comm);
    say(session, "datatype: %" PRIu64 " %s\n", (uint64_t)it->req_c_datatype,
        it->req_datatype != NULL ? it->req_datatype : "-");
    if (it->req_bitflags & MPIDBG_REQUEST_INFO_COMPLETE)
        show_status(session, &it->req_status);
}

static void show_datatype(struct handle_session *session,
                          const void *description)
{
    const struct mpidbg_datatype_info_t *it = description;

    say(session, "name: %s\nflags: 0x%x\nkind: %d\nhandle: %" PRIu64 "\n",
        it->dt_name, (unsigned)it->dt_bitflags, (int)it->dt_kind,
        (uint64_t)it->dt_c_handle);
    say(session, "size: %lld\nextent: %lld\nbounds: %lld %lld\n",
        (long long)it->dt_size, (long long)it->dt_extent,
        (long long)it->dt_lb, (long long)it->dt_ub);
    say(session, "count: %d\nstride: %lld\nblock: %d\n", it->dt_count,
        (long long)it->dt_stride, it->dt_block_length);
    say_ints(session, "blocks", it->dt_count, it->dt_block_lengths);
    for (int i = 0; it->dt_displacements != NULL && i < it->dt_count
                    && i < 40; i++)
        say(session, "displacement %d: %lld\n", i,
            (long long)it->dt_displacements[i]);
    say(session, "inner: %d\n", it->dt_num_inner);
    say_error(session, "lists error", it->dt_lists_error);
    say(session, "words: %s\n",
        it->dt_description != NULL ? it->dt_description : "-");
}

static void show_list(struct handle_session *session, const void *description)
{
    const struct mpidbg_handle_list_t *list = description;

    for (int i = 0; i < list->list_count && i < 40; i++)
        say(session, "%s%" PRIu64, i > 0 ? " " : "",
            (uint64_t)list->list_handles[i]);
    say(session, "\n");
    say_error(session, "list error", list->list_error);
}

/* ---- Queries ------------------------------------------------------------- */

static const struct {
    const char *kind, *entry;
    void (*show)(struct handle_session *, const void *);
} kinds[] = {
    { "comm", "mpidbg_comm_query", show_comm },
    { "group", "mpidbg_group_query", show_group },
    { "errhandler", "mpidbg_errhandler_query", show_errhandler },
    { "op", "mpidbg_op_query", show_op },
    { "request", "mpidbg_request_query", show_request },
    { "status", "mpidbg_status_query", show_status },
    { "datatype", "mpidbg_datatype_query", show_datatype },
    { "object", "mpidbg_datatype_query_object", show_datatype },
    { "list", "mpidbg_comm_list", show_list }
};

/* The list of all has no value that it is asked for. */
static int call(struct handle_session *session, const char *name,
                mqs_taddr_t value, void **description)
{
    int (*query_all)(mqs_image *, mqs_image_info *, mqs_process *,
                     mqs_process_info *, void **);
    query_ft *query;

    if (strcmp(name, "mpidbg_comm_list") != 0) {
        handle_entry(name, &query);
        return query(&session->image, session->image.info, &session->process,
                     session->process.info, value, description);
    }
    handle_entry(name, &query_all);
    return query_all(&session->image, session->image.info, &session->process,
                     session->process.info, description);
}

/* Shows the description and gives it back. */
static int ask(struct handle_session *session, const char *kind,
               mqs_taddr_t value)
{
    void *description = NULL;
    size_t i = 0;
    int status;

    while (strcmp(kinds[i].kind, kind) != 0)
        i++;
    session->text[0] = '\0';
    status = call(session, kinds[i].entry, value, &description);
    if (status == MPIDBG_SUCCESS)
        kinds[i].show(session, description);
    else
        say_error(session, "error", status);
    if (status != MPIDBG_SUCCESS && description != NULL)
        say(session, "A RESULT AFTER A FAILURE\n");
    if (status == MPIDBG_SUCCESS)
        release(description);
    if (mq_store.overruns > 0)
        say(session, "OVERRUNS OF BLOCKS: %zu\n", mq_store.overruns);
    return status;
}

const char *handle_show(struct handle_session *session, const char *kind,
                        mqs_taddr_t value)
{
    ask(session, kind, value);
    return session->text;
}

int handle_status(struct handle_session *session, const char *kind,
                  mqs_taddr_t value)
{
    return ask(session, kind, value);
}

const char *handle_convert(struct handle_session *session, const char *name,
                           mqs_taddr_t f77)
{
    f2c_ft *convert;
    mqs_taddr_t c = 0;
    int status;

    handle_entry(name, &convert);
    session->text[0] = '\0';
    status = convert(&session->image, session->image.info, &session->process,
                     session->process.info, f77, &c);
    say_error(session, "error", status);
    if (status == MPIDBG_SUCCESS)
        say(session, "%" PRIu64, (uint64_t)c);
    return session->text;
}
