/* handle_words.c - descriptions of handles */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/handle_dll.h"

#include <inttypes.h>
#include <string.h>

#include "dll/handles.h"

enum { most_listed = 32 };

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
        mq_strbuf_add(words, "%s: %s\n", what,
                      mq_handle_sentence(handles, code));
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

    if (mq_handle_ask(handles, handles->dll.errhandler_query, value, &why,
                      &description) != mq_ok) {
        mq_strbuf_add(words, "error handler %" PRIu64 ": %s\n", value,
                      why.text);
        return;
    }
    info = description;
    mq_strbuf_add(words, "error handler ");
    add_name(words, info->eh_name, "defined by the user");
    if (info->eh_callback_func != 0 && info->eh_name[0] == '\0')
        mq_strbuf_add(words, ", function 0x%" PRIx64,
                      (uint64_t)info->eh_callback_func);
    mq_strbuf_add(words, "\n");
    mq_handle_release(handles, description);
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

/* Everything but the name and the size, which the queues show too. */
void mq_handle_add_communicator(struct mq_handles *handles,
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
    mq_handle_add_communicator(handles, info, words);
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

    if (mq_handle_ask(handles, handles->dll.comm_query, value, &why,
                      &description) != mq_ok)
        return;
    info = description;
    mq_strbuf_add(words, " on ");
    if (info->comm_name[0] != '\0')
        add_name(words, info->comm_name, "");
    else
        mq_strbuf_add(words, "communicator %" PRIu64, (uint64_t)value);
    mq_handle_release(handles, description);
}

/* "2 of vector of ..." */
void mq_handle_add_contents(const struct mpidbg_request_info_t *info,
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
        mq_handle_add_contents(info, words);
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
    mq_strbuf_add(words, "a user-defined operation, function 0x%" PRIx64
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
#define KIND(name)                                                             \
        { offsetof(struct mq_handle_entries, name##_query), describe_##name }
        KIND(comm), KIND(datatype), KIND(request), KIND(group), KIND(op),
        KIND(errhandler)
#undef KIND
    };
    enum mq_result result;
    void *description;
    mq_handle_query *query;

    memcpy(&query, (char *)&handles->dll + kinds[kind].query, sizeof query);
    result = mq_handle_ask(handles, query, value, error, &description);
    if (result != mq_ok)
        return result;
    kinds[kind].describe(handles, description, words);
    mq_handle_release(handles, description);
    return words->failed ? mq_fail_memory(error, "for words") : mq_ok;
}
