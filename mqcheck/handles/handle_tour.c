/* handle_tour.c - complete listing of handles by the DLL, as text
 *
 * Asks a handle DLL everything, and writes down its answers.  A line is about
 * one thing and says of what it is, so that lines can be compared one by one;
 * addresses, which differ from process to process, are left out.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqcheck/handles/handle_tour.h"

#include <stdio.h>
#include <string.h>

#include "mqcheck/findings/finding.h"
#include "mqcheck/host/budget.h"
#include "mqcheck/host/entry_call.h"
#include "mqcheck/host/guarded_heap.h"

enum { LONGEST_WORDS = 4096, MOST_LISTED = 1 << 16 };

/* ---- Open and close ------------------------------------------------------ */

int leave_handle_code(int code)
{
    leave();
    keeps(rule_handle_codes, (code >= MPIDBG_SUCCESS
                              && code <= MPIDBG_ERR_NO_MEM) || is_error(code),
          "%s answered %d", call_under_way, code);
    keeps(rule_host_codes, code != HOST_CANNOT_READ, "%s answered %d, which is "
          "the debugger's error", call_under_way, code);
    return code;
}

int handle_subject_open_image(struct handle_subject *subject,
                              const struct mq_handle_entries *entries,
                              struct mq_target *target)
{
    const mqs_image_callbacks *table;

    memset(subject, 0, sizeof *subject);
    subject->entries = entries;
    table = mock_adopt_image(&subject->image, target);
    enter("mpidbg_init_per_image");
    return leave_handle_code(entries->init_per_image(
               &subject->image, table, &subject->types)) == MPIDBG_SUCCESS;
}

int handle_subject_open(struct handle_subject *subject,
                        const struct mq_handle_entries *entries,
                        struct mq_target *target)
{
    const mqs_process_callbacks *table;

    if (!handle_subject_open_image(subject, entries, target))
        return 0;
    budget_count_open();
    table = mock_adopt_process(&subject->process, &subject->image, target);
    enter("mpidbg_init_per_process");
    return leave_handle_code(entries->init_per_process(
               &subject->process, table, &subject->types)) == MPIDBG_SUCCESS;
}

void handle_subject_close(struct handle_subject *subject)
{
    if (subject->process.info != NULL) {
        enter("mpidbg_finalize_per_process");
        subject->entries->finalize_per_process(&subject->process,
                                               subject->process.info);
        leave();
    }
    mock_forget_process(&subject->process);
    if (subject->image.info != NULL) {
        enter("mpidbg_finalize_per_image");
        subject->entries->finalize_per_image(&subject->image,
                                             subject->image.info);
        leave();
    }
    mock_forget_image(&subject->image);
    subject->process.info = NULL;
    subject->image.info = NULL;
}

/* ---- Lines --------------------------------------------------------------- */

struct tour_lines {
    struct mq_strbuf *text;
    char about[80];             /* "comm 91" */
};

#define SAY(lines, ...)                                            \
    do {                                                           \
        mq_strbuf_add((lines)->text, "%s: ", (lines)->about);      \
        mq_strbuf_add((lines)->text, __VA_ARGS__);                 \
        mq_strbuf_add((lines)->text, "\n");                        \
    } while (0)

/* Whether COUNT elements of SIZE can be looked at. */
static int has_list(const struct tour_lines *lines, const char *what,
                    const void *list, int count, size_t size)
{
    if (count == 0 || list == NULL)
        return keeps(rule_handle_blocks, count == 0, "of %s it lists %d %s, "
                     "and no list of them", lines->about, count, what);
    return keeps(rule_handle_blocks, count > 0 && count <= MOST_LISTED
                 && store_has_room(list, (size_t)count * size),
                 "of %s it lists %d %s, and the list of them is shorter",
                 lines->about, count, what) && count > 0;
}

/* Whether TEXT, which may be null, can be read. */
static int has_text(const struct tour_lines *lines, const char *what,
                    const char *text, size_t room)
{
    if (text == NULL
        || !keeps(rule_handle_blocks, store_has_room(text, 1), "of %s it "
                  "shows a %s that is nowhere", lines->about, what))
        return 0;
    return keeps(rule_handle_terminated, memchr(text, '\0', room) != NULL,
                 "of %s it shows a %s that does not end", lines->about, what);
}

static void say_name(const struct tour_lines *lines, const char *name)
{
    if (has_text(lines, "name", name, MPIDBG_MAX_OBJECT_NAME)
        && name[0] != '\0')
        SAY(lines, "name %s", name);
}

static void say_flags(const struct tour_lines *lines, int flags)
{
    for (int i = 0; i < 31; i++)
        if (flags >> i & 1)
            SAY(lines, "flag 0x%x", 1u << i);
}

/* What is 0 where it is not known. */
static void say_known(const struct tour_lines *lines, const char *what,
                      long long value)
{
    if (value != 0)
        SAY(lines, "%s %lld", what, value);
}

static void say_error(const struct tour_lines *lines, const char *what,
                      int code)
{
    if (code != MPIDBG_SUCCESS)
        SAY(lines, "error: %s", what);
}

static void say_ints(const struct tour_lines *lines, const char *what,
                     const int *list, int count)
{
    if (!has_list(lines, what, list, count, sizeof list[0]))
        return;
    for (int i = 0; i < count; i++)
        SAY(lines, "%s %d is %d", what, i, list[i]);
}

static void say_ranks(const struct tour_lines *lines, const char *what,
                      const struct mpidbg_process_t *list, int count)
{
    if (!has_list(lines, what, list, count, sizeof list[0]))
        return;
    for (int i = 0; i < count; i++)
        SAY(lines, "%s %d is %d", what, i, list[i].mpi_comm_world_rank);
}

/* ---- Descriptions -------------------------------------------------------- */

static void describe_attributes(const struct tour_lines *lines,
                                const struct mpidbg_comm_info_t *it)
{
    const struct mpidbg_attribute_pair_t *pairs = it->comm_attrs;

    if (!has_list(lines, "attributes", pairs, it->comm_num_attrs,
                  sizeof pairs[0]))
        return;
    for (int i = 0; i < it->comm_num_attrs; i++) {
        if (has_text(lines, "name of a keyval", pairs[i].keyval_name,
                     LONGEST_WORDS))
            SAY(lines, "keyval %d is %s", pairs[i].keyval,
                pairs[i].keyval_name);
        if (has_text(lines, "value", pairs[i].value, LONGEST_WORDS))
            SAY(lines, "attribute %d", pairs[i].keyval);
    }
}

/* A list that a DLL may be without: then its count is a code. */
static void check_optional(const struct tour_lines *lines, const char *what,
                           const mqs_taddr_t *list, int count)
{
    if (count != MPIDBG_ERR_NOT_SUPPORTED || list != NULL)
        has_list(lines, what, list, count, sizeof *list);
}

static void describe_comm(const struct tour_lines *lines,
                          const void *description)
{
    const struct mpidbg_comm_info_t *it = description;

    say_name(lines, it->comm_name);
    say_flags(lines, (int)it->comm_bitflags);
    SAY(lines, "rank %d", it->comm_rank);
    if (it->comm_groups_error == MPIDBG_SUCCESS)
        SAY(lines, "size %d", it->comm_size);
    say_ranks(lines, "local rank", it->comm_local_procs,
              it->comm_num_local_procs);
    say_ranks(lines, "remote rank", it->comm_remote_procs,
              it->comm_num_remote_procs);
    if (it->comm_bitflags & MPIDBG_COMM_INFO_CARTESIAN) {
        say_ints(lines, "dimension", it->comm_cart_dims,
                 it->comm_cart_num_dims);
        say_ints(lines, "coordinate", it->comm_cart_position,
                 it->comm_cart_num_dims);
        if (has_list(lines, "period", it->comm_cart_periods,
                     it->comm_cart_num_dims, 1))
            for (int i = 0; i < it->comm_cart_num_dims; i++)
                SAY(lines, "period %d is %d", i, it->comm_cart_periods[i]);
    }
    if (it->comm_bitflags & MPIDBG_COMM_INFO_GRAPH) {
        say_ints(lines, "index", it->comm_graph_index,
                 it->comm_graph_num_nodes);
        say_ints(lines, "edge", it->comm_graph_edges,
                 it->comm_num_graph_edges);
    }
    say_known(lines, "Fortran handle", it->comm_fortran_handle);
    say_known(lines, "group", (long long)it->comm_c_group);
    say_known(lines, "error handler", (long long)it->comm_c_errhandler);
    describe_attributes(lines, it);
    has_list(lines, "requests", it->comm_pending_requests,
             it->comm_num_pending_requests, sizeof(mqs_taddr_t));
    check_optional(lines, "windows", it->comm_derived_windows,
                   it->comm_num_derived_windows);
    check_optional(lines, "files", it->comm_derived_files,
                   it->comm_num_derived_files);
    if (it->comm_requests_error == MPIDBG_SUCCESS)
        SAY(lines, "%d requests, %d receives", it->comm_num_pending_requests,
            it->comm_num_pending_receives);
    say_error(lines, "groups", it->comm_groups_error);
    say_error(lines, "topology", it->comm_topology_error);
    say_error(lines, "attributes", it->comm_attrs_error);
    say_error(lines, "requests", it->comm_requests_error);
}

static void describe_datatype(const struct tour_lines *lines,
                              const void *description)
{
    const struct mpidbg_datatype_info_t *it = description;

    say_name(lines, it->dt_name);
    if (it->dt_lists_error == MPIDBG_SUCCESS
        && has_text(lines, "description", it->dt_description, LONGEST_WORDS))
        SAY(lines, "%s", it->dt_description);
    if (it->dt_object != 0) {
        say_flags(lines, (int)it->dt_bitflags);
        SAY(lines, "kind %d, size %lld, extent %lld from %lld to %lld",
            (int)it->dt_kind, (long long)it->dt_size,
            (long long)it->dt_extent, (long long)it->dt_lb,
            (long long)it->dt_ub);
    }
    say_known(lines, "blocks", it->dt_count);
    if (it->dt_block_lengths != NULL)
        say_ints(lines, "block length", it->dt_block_lengths, it->dt_count);
    if (it->dt_displacements != NULL
        && has_list(lines, "displacements", it->dt_displacements,
                    it->dt_count, sizeof it->dt_displacements[0]))
        for (int i = 0; i < it->dt_count; i++)
            SAY(lines, "displacement %d is %lld", i,
                (long long)it->dt_displacements[i]);
    has_list(lines, "inner types", it->dt_inner, it->dt_num_inner,
             sizeof it->dt_inner[0]);
    say_error(lines, "lists", it->dt_lists_error);
}

static void describe_request(const struct tour_lines *lines,
                             const void *description)
{
    const struct mpidbg_request_info_t *it = description;

    SAY(lines, "kind %d", (int)it->req_kind);
    say_flags(lines, (int)it->req_bitflags);
    say_known(lines, "Fortran handle", it->req_fortran_handle);
    if (it->req_bitflags & MPIDBG_REQUEST_INFO_HAS_ENVELOPE)
        SAY(lines, "peer %d, tag %d", it->req_peer, it->req_tag);
    if (it->req_count >= 0)
        SAY(lines, "count %lld", (long long)it->req_count);
    if (it->req_bytes >= 0)
        SAY(lines, "bytes %lld", (long long)it->req_bytes);
    say_known(lines, "comm", (long long)it->req_c_comm);
    say_known(lines, "datatype", (long long)it->req_c_datatype);
    if (has_text(lines, "datatype", it->req_datatype, LONGEST_WORDS))
        SAY(lines, "%s", it->req_datatype);
}

static void describe_group(const struct tour_lines *lines,
                           const void *description)
{
    const struct mpidbg_group_info_t *it = description;

    say_name(lines, it->group_name);
    SAY(lines, "rank %d", it->group_rank);
    say_ranks(lines, "rank", it->group_procs, it->group_num_procs);
}

static void describe_op(const struct tour_lines *lines, const void *description)
{
    const struct mpidbg_op_info_t *it = description;

    say_name(lines, it->op_name);
    if (it->op_function != 0)
        SAY(lines, "function 0x%llx, %s", (long long)it->op_function,
            it->op_is_commutative ? "commutes" : "does not commute");
}

static void describe_errhandler(const struct tour_lines *lines,
                                const void *description)
{
    const struct mpidbg_errhandler_info_t *it = description;

    say_name(lines, it->eh_name);
    say_flags(lines, (int)it->eh_bitflags);
    if (it->eh_callback_func != 0)
        SAY(lines, "function 0x%llx", (long long)it->eh_callback_func);
}

static void describe_list(const struct tour_lines *lines,
                          const void *description)
{
    const struct mpidbg_handle_list_t *it = description;

    if (has_list(lines, "handles", it->list_handles, it->list_count,
                 sizeof it->list_handles[0])
        && has_list(lines, "objects", it->list_objects, it->list_count,
                    sizeof it->list_objects[0]))
        for (int i = 0; i < it->list_count; i++)
            SAY(lines, "%d is %lld", i, (long long)it->list_handles[i]);
    say_error(lines, "list", it->list_error);
}

/* ---- Questions ----------------------------------------------------------- */

enum kind { kind_comm, kind_datatype, kind_request, kind_group, kind_op,
            kind_errhandler };

static const struct {
    const char *name, *entry;
    size_t place;               /* in struct mq_handle_entries */
    size_t size;
    void (*describe)(const struct tour_lines *, const void *);
} kinds[] = {
#define KIND(name)                                                      \
    { #name, "mpidbg_" #name "_query",                                  \
      offsetof(struct mq_handle_entries, name##_query),                    \
      sizeof(struct mpidbg_##name##_info_t), describe_##name }
    KIND(comm), KIND(datatype), KIND(request), KIND(group), KIND(op),
    KIND(errhandler)
#undef KIND
};

static void release(const struct mq_handle_entries *entries, void *description)
{
    if (entries->release == NULL)
        return;
    enter("mpidbg_release");
    entries->release(description);
    leave();
}

/* What came with CODE: shows it, and gives it back. */
static void take_answer(const struct mq_handle_entries *entries,
                        const struct tour_lines *lines, int code, int is_new,
                        void *description, size_t size,
                        void (*describe)(const struct tour_lines *,
                                         const void *))
{
    if (code != MPIDBG_SUCCESS) {
        keeps(rule_handle_untouched, !is_new, "for %s it answered %d, and "
              "handed something over", lines->about, code);
        SAY(lines, "error");
        return;
    }
    if (!keeps(rule_handle_untouched, is_new && description != NULL,
               "for %s it answered 0, and handed nothing over", lines->about)
        || !keeps(rule_handle_blocks, store_has_room(description, size),
                  "for %s it handed over a block that is too small",
                  lines->about))
        return;
    describe(lines, description);
    release(entries, description);
}

static void ask(struct handle_subject *subject, struct mq_strbuf *text,
                enum kind kind, const char *what, mqs_taddr_t value)
{
    const struct mq_handle_entries *entries = subject->entries;
    struct tour_lines lines = { text, "" };
    void *description = &lines;
    mq_handle_query *query;
    int code;

    snprintf(lines.about, sizeof lines.about, "%s %s", kinds[kind].name, what);
    memcpy(&query, (const char *)entries + kinds[kind].place, sizeof query);
    if (query == NULL)
        return;
    enter(kinds[kind].entry);
    code = leave_handle_code(query(&subject->image, subject->image.info,
                                   &subject->process, subject->process.info,
                                   value, &description));
    take_answer(entries, &lines, code, description != &lines, description,
                kinds[kind].size, kinds[kind].describe);
}

static void ask_number(struct handle_subject *subject, struct mq_strbuf *text,
                       enum kind kind, mqs_taddr_t value)
{
    char what[32];

    snprintf(what, sizeof what, "%llu", (unsigned long long)value);
    ask(subject, text, kind, what, value);
}

static void ask_list(struct handle_subject *subject, struct mq_strbuf *text)
{
    const struct mq_handle_entries *entries = subject->entries;
    struct tour_lines lines = { text, "all communicators" };
    struct mpidbg_handle_list_t nothing, *list = &nothing;
    int code;

    if (entries->comm_list == NULL)
        return;
    enter("mpidbg_comm_list");
    code = leave_handle_code(entries->comm_list(
        &subject->image, subject->image.info, &subject->process,
        subject->process.info, &list));
    take_answer(entries, &lines, code, list != &nothing, list, sizeof *list,
                describe_list);
}

/* The predefined handles, as the DLL's own maps have them. */
static void ask_map(struct handle_subject *subject, struct mq_strbuf *text,
                    enum kind kind, struct mpidbg_name_map_t *const *map)
{
    const struct mpidbg_name_map_t *entry = map != NULL ? *map : NULL;

    for (int i = 0; entry != NULL && entry[i].map_name != NULL && i < 1000;
         i++)
        ask_number(subject, text, kind, entry[i].map_handle);
}

static void ask_scenario(struct handle_subject *subject,
                         const struct handle_scenario *scenario,
                         struct mq_strbuf *text)
{
    static const mqs_taddr_t comms[] = { 140, 141, 142 };
    static const mqs_taddr_t datatypes[] = { 150, 151, 152, 153 };

    for (size_t i = 0; i < sizeof comms / sizeof comms[0]; i++)
        ask_number(subject, text, kind_comm, comms[i]);
    for (size_t i = 0; i < sizeof datatypes / sizeof datatypes[0]; i++)
        ask_number(subject, text, kind_datatype, datatypes[i]);
    ask_number(subject, text, kind_group, 202);
    ask_number(subject, text, kind_op, 170);
    ask_number(subject, text, kind_errhandler, 160);
    ask(subject, text, kind_request, "a persistent receive",
        (mqs_taddr_t)scenario->persistent_receive);
    ask(subject, text, kind_request, "a persistent send",
        (mqs_taddr_t)scenario->persistent_send);
    ask(subject, text, kind_request, "a posted receive",
        (mqs_taddr_t)scenario->derived_receive);
}

void handle_tour_take(struct handle_subject *subject,
                      const struct handle_scenario *scenario,
                      struct mq_strbuf *text)
{
    const struct mq_handle_entries *entries = subject->entries;

    budget_count_walk();
    ask_list(subject, text);
    ask_map(subject, text, kind_comm, entries->comm_name_map);
    ask_map(subject, text, kind_errhandler, entries->errhandler_name_map);
    ask_map(subject, text, kind_datatype, entries->datatype_name_map);
    ask_map(subject, text, kind_group, entries->group_name_map);
    ask_map(subject, text, kind_op, entries->op_name_map);
    if (scenario != NULL)
        ask_scenario(subject, scenario, text);
}
