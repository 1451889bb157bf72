/* sim_layout.c - struct layouts of the simulation */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "mqcheck/simulation/sim_parts.h"

const struct sim_shape sim_shapes[] = {
    { "le64", mq_little_endian, { 2, 4, 8, 8, 8 } },
    { "be64", mq_big_endian, { 2, 4, 8, 8, 8 } },
    { "le32", mq_little_endian, { 2, 4, 4, 8, 4 } },
    { "be32", mq_big_endian, { 2, 4, 4, 8, 4 } },
};
const size_t sim_shape_count = sizeof sim_shapes / sizeof sim_shapes[0];

/* ---- MPICH 1.2.7 --------------------------------------------------------- */

/* Types that others embed come first. */
static const struct sim_type base[] = {
    { "MPI_Status",
      "int count; int MPI_SOURCE; int MPI_TAG; int MPI_ERROR;" },
    { "MPID_QUEUE", "MPID_QEL *first; MPID_QEL **lastp;" },
    { "MPID_QHDR", "MPID_QUEUE unexpected; MPID_QUEUE posted;" },
    { "MPID_QEL",
      "int context_id; int tag; int tagmask; int lsrc; int srcmask;"
      "MPID_QEL *next; MPIR_RHANDLE *ptr;" },
    { "MPIR_RHANDLE",
      "enum handle_type; long cookie; int is_complete; int self_index;"
      "int ref_count; MPI_Status s; int contextid; void *buf; int len;"
      "int partner; int is_non_blocking; void *unex_buf; int from;"
      "void *start; int bytes_as_contig; int count;"
      "MPIR_DATATYPE *datatype; MPIR_COMMUNICATOR *comm; int msgrep;"
      "void *push; void *wait; void *finish;" },
    { "MPIR_SHANDLE",
      "enum handle_type; long cookie; int is_complete; int self_index;"
      "int ref_count; int is_cancelled; int partner; int errval;"
      "MPI_Status s; int is_non_blocking; void *start;"
      "int bytes_as_contig; void *push; void *wait; void *finish;" },
    { "MPIR_SQUEUE", "MPIR_SQEL *sq_head; MPIR_SQEL **sq_tailp;" },
    { "MPIR_SQEL",
      "MPIR_SHANDLE *db_shandle; MPIR_COMMUNICATOR *db_comm;"
      "int db_target; int db_tag; void *db_data; int db_byte_length;"
      "MPIR_SQEL *db_next;" },
    { "MPIR_Comm_list",
      "int sequence_number; MPIR_COMMUNICATOR *comm_first;" },
    { "MPIR_GROUP",
      "long cookie; int np; int local_rank; int ref_count; int permanent;"
      "int *lrank_to_grank; int *set_mark; int self;" },
    { "MPIR_Communicator",
      "long cookie; int np; int local_rank; int *lrank_to_grank;"
      "int send_context; int recv_context; void *ADIctx; enum comm_type;"
      "MPIR_GROUP *group; MPIR_GROUP *local_group;"
      "MPIR_COMMUNICATOR *comm_coll; int self; int ref_count;"
      "MPIR_HBT *attr_cache; int error_handler; void *collops;"
      "MPIR_COMMUNICATOR *comm_next; char *comm_name;" },
    { NULL, NULL }
};

/* ---- From declarations to offsets ---------------------------------------- */

void sim_die(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fputs("simulated process: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

void *sim_allocate(size_t size)
{
    void *block = calloc(1, size);

    if (block == NULL)
        sim_die("out of memory");
    return block;
}

/* One declaration, "KIND [*]NAME[COUNT]" or "enum NAME". */
struct declaration {
    char kind[32], name[32];
    bool pointer;
    size_t count;
};

/* Reads the declaration at TEXT and gives the rest, or null at the end. */
static const char *next_declaration(const char *text, struct declaration *d)
{
    char copy[80], stars[4] = "", *bracket;
    const char *end = strchr(text, ';');

    if (end == NULL)
        return NULL;
    snprintf(copy, sizeof copy, "%.*s", (int)(end - text), text);
    bracket = strchr(copy, '[');
    d->count = bracket != NULL ? strtoul(bracket + 1, NULL, 10) : 1;
    if (bracket != NULL)
        *bracket = '\0';
    if (sscanf(copy, " %31s %3[*]%31s", d->kind, stars, d->name) != 3 &&
        sscanf(copy, " %31s %31s", d->kind, d->name) != 2)
        sim_die("'%s' is not a declaration", copy);
    d->pointer = strchr(copy, '*') != NULL;
    return end + 1;
}

static size_t scalar_size(const struct declaration *d,
                          const struct mq_type_sizes *sizes)
{
    if (d->pointer)
        return (size_t)sizes->pointer_size;
    if (strcmp(d->kind, "long") == 0)
        return (size_t)sizes->long_size;
    if (strcmp(d->kind, "int") == 0 || strcmp(d->kind, "enum") == 0)
        return (size_t)sizes->int_size;
    if (strcmp(d->kind, "short") == 0)
        return (size_t)sizes->short_size;
    return strcmp(d->kind, "char") == 0;
}

/* UNIT is a power of two. */
static size_t round_up(size_t value, size_t unit)
{
    return (value + unit - 1) & ~(unit - 1);
}

/* Appends the member with its alignment in place of its offset. */
static void append_member(struct sim_struct *type, const struct declaration *d,
                          const struct sim_layout *layout,
                          const struct mq_type_sizes *sizes)
{
    struct sim_member *member = &type->members[type->member_count++];
    size_t size = scalar_size(d, sizes), alignment = size;

    memcpy(member->name, d->name, sizeof member->name);
    if (size == 0) {
        member->type = sim_type_find(type->next, d->kind);
        if (member->type == NULL)
            sim_die("%s embeds the unknown type %s", type->name, d->kind);
        size = member->type->size;
        alignment = member->type->alignment;
    }
    if (layout->alignment > 0 && alignment > (size_t)layout->alignment)
        alignment = (size_t)layout->alignment;
    member->size = size * d->count;
    member->offset = alignment;
}

static void place_members(struct sim_struct *type, bool reversed)
{
    size_t end = 0;

    type->alignment = 1;
    for (size_t i = 0; i < type->member_count; i++) {
        size_t index = reversed ? type->member_count - 1 - i : i;
        struct sim_member *member = &type->members[index];
        size_t alignment = member->offset;

        member->offset = round_up(end, alignment);
        end = member->offset + member->size;
        if (alignment > type->alignment)
            type->alignment = alignment;
    }
    type->size = round_up(end, type->alignment);
}

struct sim_struct *sim_type_add(struct sim_struct *types,
                                const struct sim_layout *layout,
                                const struct mq_type_sizes *sizes,
                                const char *name, const char *members)
{
    struct sim_struct *type = sim_allocate(sizeof *type);
    struct declaration d;
    size_t count = 0;

    for (const char *p = members; *p != '\0'; p++)
        count += *p == ';';
    snprintf(type->name, sizeof type->name, "%s", name);
    type->next = types;
    type->members = sim_allocate(count * sizeof type->members[0] + 1);
    while ((members = next_declaration(members, &d)) != NULL)
        append_member(type, &d, layout, sizes);
    place_members(type, layout->reversed);
    return type;
}

static const char *members_of(const struct sim_layout *layout,
                              const struct sim_type *type)
{
    for (const struct sim_type *t = layout->types; t->name != NULL; t++)
        if (strcmp(t->name, type->name) == 0)
            return t->members;
    return type->members;
}

struct sim_struct *sim_types_create(const struct sim_layout *layout,
                                    const struct mq_type_sizes *sizes)
{
    struct sim_struct *types = NULL;

    for (const struct sim_type *type = base; type->name != NULL; type++) {
        const char *members = members_of(layout, type);

        types = sim_type_add(types, layout, sizes, type->name, members);
    }
    return types;
}

void sim_types_destroy(struct sim_struct *types)
{
    while (types != NULL) {
        struct sim_struct *next = types->next;

        free(types->members);
        free(types);
        types = next;
    }
}

/* ---- Look-ups ------------------------------------------------------------ */

struct sim_struct *sim_type_find(struct sim_struct *types,
                                 const char *name)
{
    while (types != NULL && strcmp(types->name, name) != 0)
        types = types->next;
    return types;
}

struct sim_member *sim_member_find(const struct sim_struct *type,
                                   const char *name)
{
    for (size_t i = 0; i < type->member_count; i++)
        if (strcmp(type->members[i].name, name) == 0)
            return &type->members[i];
    return NULL;
}

/* A name has few dots. */
/* NOLINTNEXTLINE(misc-no-recursion) */
size_t sim_member_place(const struct sim_struct *type, const char *name,
                        size_t *size)
{
    const char *dot = strchr(name, '.');
    char head[32];
    const struct sim_member *member;

    snprintf(head, sizeof head, "%.*s",
             dot != NULL ? (int)(dot - name) : (int)sizeof head - 1, name);
    member = sim_member_find(type, head);
    if (member == NULL || (dot != NULL && member->type == NULL))
        sim_die("%s has no member %s", type->name, name);
    if (dot != NULL)
        return member->offset + sim_member_place(member->type, dot + 1, size);
    *size = member->size;
    return member->offset;
}
