/* sim_contents.c - communicators and operations of the simulation */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "mqcheck/simulation/sim_parts.h"

/* ---- Any memory ---------------------------------------------------------- */

static const struct sim_struct *type_of(struct sim *sim, const char *name)
{
    const struct sim_struct *type = sim_type_find(sim->types, name);

    if (type == NULL)
        sim_die("there is no type %s", name);
    return type;
}

static unsigned char *bytes_at(struct sim *sim, uint64_t address,
                               size_t length)
{
    unsigned char *bytes = sim_memory_bytes(&sim->memory, address, length);

    if (bytes == NULL)
        sim_die("there is no memory at 0x%llx", (unsigned long long)address);
    return bytes;
}

/* The byte of a SIZE bytes wide scalar that holds bits 8 * I and up. */
static size_t byte_index(const struct sim *sim, size_t size, size_t i)
{
    return sim->target.byte_order == mq_little_endian ? i : size - 1 - i;
}

void sim_put(struct sim *sim, uint64_t address, size_t size, uint64_t value)
{
    unsigned char *bytes = bytes_at(sim, address, size);

    for (size_t i = 0; i < size; i++, value >>= 8)
        bytes[byte_index(sim, size, i)] = (unsigned char)(value & 255);
}

static int64_t get_scalar(struct sim *sim, uint64_t address, size_t size)
{
    const unsigned char *bytes = bytes_at(sim, address, size);
    uint64_t value = 0, sign = (uint64_t)1 << (8 * size - 1);

    for (size_t i = size; i-- > 0;)
        value = value << 8 | bytes[byte_index(sim, size, i)];
    return (int64_t)((value ^ sign) - sign);
}

int64_t sim_get(struct sim *sim, uint64_t address, const char *type,
                const char *member)
{
    size_t size;
    size_t offset = sim_member_place(type_of(sim, type), member, &size);

    return get_scalar(sim, address + offset, size);
}

void sim_set(struct sim *sim, uint64_t address, const char *type,
             const char *member, int64_t value)
{
    size_t size;
    size_t offset = sim_member_place(type_of(sim, type), member, &size);

    sim_put(sim, address + offset, size, (uint64_t)value);
}

uint64_t sim_get_address(struct sim *sim, uint64_t address, const char *type,
                         const char *member)
{
    uint64_t value = (uint64_t)sim_get(sim, address, type, member);

    return sim->target.sizes.pointer_size < 8 ? value & 0xffffffff : value;
}

bool sim_has(struct sim *sim, const char *type, const char *member)
{
    return sim_member_find(type_of(sim, type), member) != NULL;
}

/* Sets a member that not every layout has. */
static void set_if_any(struct sim *sim, uint64_t address, const char *type,
                       const char *member, int64_t value)
{
    if (sim_has(sim, type, member))
        sim_set(sim, address, type, member, value);
}

uint64_t sim_add_bytes(struct sim *sim, const void *bytes, size_t length)
{
    uint64_t address = sim_memory_edge(&sim->memory, length);

    if (bytes != NULL)
        sim_write(sim, address, bytes, length);
    return address;
}

void sim_write(struct sim *sim, uint64_t address, const void *bytes,
               size_t length)
{
    if (bytes != NULL)
        memcpy(bytes_at(sim, address, length), bytes, length);
    else
        memset(bytes_at(sim, address, length), SIM_GARBAGE, length);
}

void sim_unmap(struct sim *sim, uint64_t address, size_t length)
{
    struct sim_memory *memory = &sim->memory;

    if (memory->hole_count == sizeof memory->holes / sizeof memory->holes[0])
        sim_die("too many holes");
    memory->holes[memory->hole_count++] = (struct sim_hole){ address, length };
}

void sim_map_again(struct sim *sim, uint64_t address)
{
    struct sim_memory *memory = &sim->memory;

    for (size_t i = 0; i < memory->hole_count; i++)
        if (memory->holes[i].address == address) {
            memory->holes[i] = memory->holes[--memory->hole_count];
            return;
        }
    sim_die("there is no hole at 0x%llx", (unsigned long long)address);
}

uint64_t sim_nowhere(const struct sim *sim)
{
    return sim->memory.base + (area_count + 1) * sim->memory.spacing;
}

/* ---- Names --------------------------------------------------------------- */

struct sim_name *sim_name_find(struct sim *sim, const char *name)
{
    for (size_t i = 0; i < sim->name_count; i++)
        if (strcmp(sim->names[i].name, name) == 0)
            return &sim->names[i];
    return NULL;
}

static void name_add(struct sim *sim, const char *name, uint64_t address,
                     bool function)
{
    struct sim_name *added;

    if (mq_array_reserve(&sim->names, sizeof *added, sim->name_count + 1,
                         &sim->name_room, "", NULL) != mq_ok)
        sim_die("out of memory");
    added = &sim->names[sim->name_count++];
    *added = (struct sim_name){ .address = address, .function = function };
    snprintf(added->name, sizeof added->name, "%s", name);
}

uint64_t sim_symbol(struct sim *sim, const char *name)
{
    const struct sim_name *found = sim_name_find(sim, name);

    if (found == NULL)
        sim_die("there is no symbol %s", name);
    return found->address;
}

uint64_t sim_add_symbol(struct sim *sim, const char *name, const void *bytes,
                        size_t length)
{
    uint64_t address;

    address = sim_memory_append(&sim->memory, area_variables, length);
    if (bytes != NULL)
        sim_write(sim, address, bytes, length);
    name_add(sim, name, address, false);
    return address;
}

void sim_add_function(struct sim *sim, const char *name)
{
    name_add(sim, name, sim->memory.base - 16 * (sim->name_count + 1), true);
}

void sim_add_type(struct sim *sim, const char *name, const char *members)
{
    sim->types = sim_type_add(sim->types, sim->layout, &sim->target.sizes,
                              name, members);
}

static void add_int(struct sim *sim, const char *name, int value)
{
    size_t size = (size_t)sim->target.sizes.int_size;

    sim_put(sim, sim_add_symbol(sim, name, NULL, size), size,
               (uint64_t)value);
}

static void add_struct(struct sim *sim, const char *name, const char *type)
{
    size_t size = type_of(sim, type)->size;

    sim_add_symbol(sim, name, NULL, size);
}

void sim_hide(struct sim *sim, const char *name, const char *member,
              bool hidden)
{
    struct sim_name *symbol = sim_name_find(sim, name);
    struct sim_struct *type = sim_type_find(sim->types, name);
    struct sim_member *field = NULL;

    if (type != NULL && member != NULL)
        field = sim_member_find(type, member);
    if (field != NULL)
        field->hidden = hidden;
    else if (member != NULL)
        sim_die("there is no member %s of %s to hide", member, name);
    else if (symbol != NULL)
        symbol->hidden = hidden;
    else if (type != NULL)
        type->hidden = hidden;
    else
        sim_die("there is nothing called %s to hide", name);
}

/* ---- Communicators ------------------------------------------------------- */

static const char all_communicators[] = "MPIR_All_communicators";
static const char communicator_type[] = "MPIR_Communicator";

static uint64_t new_element(struct sim *sim, enum sim_area_name area,
                            const char *type)
{
    return sim_memory_element(&sim->memory, area, type_of(sim, type)->size);
}

/* An MPIR_GROUP with its table, which is null for 0, 1, 2, ... */
static uint64_t add_group(struct sim *sim, int size, const int *ranks,
                          int local_rank)
{
    uint64_t group = new_element(sim, area_groups, "MPIR_GROUP");
    size_t width = (size_t)sim->target.sizes.int_size;
    uint64_t table = sim_memory_append(&sim->memory, area_tables,
                                       (size_t)size * width);

    for (int i = 0; i < size; i++)
        sim_put(sim, table + (uint64_t)i * width, width,
                   (uint64_t)(ranks != NULL ? ranks[i] : i));
    set_if_any(sim, group, "MPIR_GROUP", "cookie", 0xea01beaf);
    set_if_any(sim, group, "MPIR_GROUP", "self", 0);
    sim_set(sim, group, "MPIR_GROUP", "np", size);
    sim_set(sim, group, "MPIR_GROUP", "local_rank", local_rank);
    sim_set(sim, group, "MPIR_GROUP", "lrank_to_grank", (int64_t)table);
    return group;
}

static void set_name(struct sim *sim, uint64_t communicator, const char *name)
{
    uint64_t address = 0;

    if (name != NULL) {
        address = sim_memory_append(&sim->memory, area_names,
                                    strlen(name) + 1);
        sim_write(sim, address, name, strlen(name) + 1);
    }
    sim_set(sim, communicator, communicator_type, "comm_name",
            (int64_t)address);
}

void sim_bump(struct sim *sim)
{
    uint64_t list = sim_symbol(sim, all_communicators);
    int64_t number = sim_get(sim, list, "MPIR_Comm_list", "sequence_number");

    sim_set(sim, list, "MPIR_Comm_list", "sequence_number", number + 1);
}

void sim_rename(struct sim *sim, uint64_t communicator, const char *name)
{
    set_name(sim, communicator, name);
    sim_bump(sim);
}

/* Puts one communicator with its groups at the head of the list. */
static uint64_t add_one(struct sim *sim,
                        const struct sim_communicator *description,
                        uint64_t group, uint64_t local_group)
{
    const char *const type = communicator_type;
    uint64_t list = sim_symbol(sim, all_communicators);
    uint64_t added = new_element(sim, area_communicators, type);
    int send_context = description->send_context;

    set_if_any(sim, added, type, "cookie", 0xea02beaf);
    sim_set(sim, added, type, "np", sim_get(sim, group, "MPIR_GROUP", "np"));
    sim_set(sim, added, type, "local_rank", description->local_rank);
    sim_set(sim, added, type, "lrank_to_grank",
            sim_get(sim, group, "MPIR_GROUP", "lrank_to_grank"));
    sim_set(sim, added, type, "recv_context", description->context);
    sim_set(sim, added, type, "send_context",
            send_context != 0 ? send_context : description->context);
    sim_set(sim, added, type, "comm_type", description->inter ? 2 : 1);
    sim_set(sim, added, type, "group", (int64_t)group);
    sim_set(sim, added, type, "local_group", (int64_t)local_group);
    sim_set(sim, added, type, "comm_coll", (int64_t)added);
    set_if_any(sim, added, type, "self", 0);
    set_if_any(sim, added, type, "attr_cache", 0);
    set_if_any(sim, added, type, "error_handler", 119);
    set_name(sim, added, description->name);
    sim_set(sim, added, type, "comm_next",
            sim_get(sim, list, "MPIR_Comm_list", "comm_first"));
    sim_set(sim, list, "MPIR_Comm_list", "comm_first", (int64_t)added);
    return added;
}

uint64_t sim_add_communicator(struct sim *sim,
                              const struct sim_communicator *description)
{
    struct sim_communicator twin = *description;
    uint64_t group, local_group, hidden = 0, added;
    char name[256];

    if (description->table_of != 0)
        group = sim_get_address(sim, description->table_of,
                                communicator_type, "group");
    else
        group = add_group(sim, description->size, description->ranks,
                          description->local_rank);
    local_group = group;
    if (description->inter)
        local_group = add_group(sim, description->local_size,
                                description->local_ranks,
                                description->local_rank);
    if (description->twin) {
        snprintf(name, sizeof name, "%s_collective", description->name);
        twin.name = description->name != NULL ? name : NULL;
        twin.context++;
        twin.send_context += twin.send_context != 0;
        hidden = add_one(sim, &twin, group, local_group);
    }
    added = add_one(sim, description, group, local_group);
    if (hidden != 0)
        sim_set(sim, added, communicator_type, "comm_coll", (int64_t)hidden);
    sim_bump(sim);
    return added;
}

/* Takes the element at ADDRESS out of the list that LINK, the address of a
 * pointer, leads to, and gives the address of the pointer that led to it.
 */
static uint64_t unlink_element(struct sim *sim, uint64_t link,
                               uint64_t address, const char *type,
                               const char *next)
{
    size_t width;
    size_t offset = sim_member_place(type_of(sim, type), next, &width);
    uint64_t mask = width < 8 ? 0xffffffff : UINT64_MAX;

    for (;;) {
        uint64_t element = (uint64_t)get_scalar(sim, link, width) & mask;

        if (element == 0)
            sim_die("0x%llx is not on the list", (unsigned long long)address);
        if (element == address)
            break;
        link = element + offset;
    }
    sim_put(sim, link, width,
               (uint64_t)get_scalar(sim, address + offset, width));
    return link;
}

static uint64_t place(struct sim *sim, uint64_t address, const char *type,
                      const char *member)
{
    size_t size;

    return address + sim_member_place(type_of(sim, type), member, &size);
}

/* A twin has none of its own. */
/* NOLINTNEXTLINE(misc-no-recursion) */
void sim_free_communicator(struct sim *sim, uint64_t communicator)
{
    const char *const type = communicator_type;
    uint64_t list = sim_symbol(sim, all_communicators);
    uint64_t twin = sim_get_address(sim, communicator, type, "comm_coll");

    if (twin != communicator)
        sim_free_communicator(sim, twin);
    unlink_element(sim, place(sim, list, "MPIR_Comm_list", "comm_first"),
                   communicator, type, "comm_next");
    sim_memory_free_element(&sim->memory, area_communicators, communicator,
                            type_of(sim, type)->size);
    sim_bump(sim);
}

/* ---- Operations ---------------------------------------------------------- */

/* Where each queue's parts are. */
static const struct {
    const char *symbol, *head_type, *head, *tail;
    const char *element, *next, *handle, *handle_type;
    enum sim_area_name elements, handles;
} queues[mq_queue_classes] = {
    [mq_sends] = { "MPIR_Sendq", "MPIR_SQUEUE", "sq_head", "sq_tailp",
                   "MPIR_SQEL", "db_next", "db_shandle", "MPIR_SHANDLE",
                   area_send_elements, area_sends },
    [mq_receives] = { "MPID_recvs", "MPID_QHDR", "posted.first",
                      "posted.lastp", "MPID_QEL", "next", "ptr",
                      "MPIR_RHANDLE", area_elements, area_receives },
    [mq_unexpected] = { "MPID_recvs", "MPID_QHDR", "unexpected.first",
                        "unexpected.lastp", "MPID_QEL", "next", "ptr",
                        "MPIR_RHANDLE", area_elements, area_receives },
};

/* What leads to the first element of a queue. */
static uint64_t queue_head(struct sim *sim, enum mq_queue_class queue)
{
    return place(sim, sim_symbol(sim, queues[queue].symbol),
                 queues[queue].head_type, queues[queue].head);
}

static void set_tail(struct sim *sim, enum mq_queue_class queue,
                     uint64_t tail)
{
    sim->tails[queue] = tail;
    sim_set(sim, sim_symbol(sim, queues[queue].symbol),
            queues[queue].head_type, queues[queue].tail, (int64_t)tail);
}

static void set_handle_kind(struct sim *sim, uint64_t handle,
                            const struct sim_operation *operation)
{
    const char *type = queues[operation->queue].handle_type;

    sim_set(sim, handle, type, "handle_type",
            (operation->queue == mq_sends ? 0 : 1) +
                (operation->persistent ? 2 : 0));
    set_if_any(sim, handle, type, "cookie", 0xe0a1beaf);
    sim_set(sim, handle, type, "is_complete", operation->complete);
}

static uint64_t add_datatype(struct sim *sim)
{
    size_t width = (size_t)sim->target.sizes.long_size;
    uint64_t datatype = sim_memory_append(&sim->memory, area_tables, 64);

    sim_put(sim, datatype, width, 0xea31beaf);
    return datatype;
}

static uint64_t add_receive_handle(struct sim *sim,
                                   const struct sim_operation *operation)
{
    const char *const type = "MPIR_RHANDLE";
    uint64_t handle = new_element(sim, area_receives, type);
    bool arrived = operation->queue == mq_unexpected || operation->complete;
    bool has_start = sim_has(sim, type, "start");
    uint64_t buffer = operation->buffer, packed = operation->packed;

    set_handle_kind(sim, handle, operation);
    if (arrived) {
        sim_set(sim, handle, type, "s.count", operation->length);
        sim_set(sim, handle, type, "s.MPI_SOURCE", operation->peer);
        sim_set(sim, handle, type, "s.MPI_TAG", operation->tag);
    }
    if (operation->queue == mq_receives) {
        sim_set(sim, handle, type, "buf",
                (int64_t)(packed != 0 ? packed : buffer));
        sim_set(sim, handle, type, "len", operation->length);
        sim_set(sim, handle, type, "datatype",
                packed != 0 ? (int64_t)add_datatype(sim) : 0);
    } else if (!has_start) {
        sim_set(sim, handle, type, "buf", (int64_t)buffer);
    }
    if (has_start)
        sim_set(sim, handle, type, "start", (int64_t)buffer);
    return handle;
}

static void describe_element(struct sim *sim, uint64_t element,
                             const struct sim_operation *operation)
{
    const char *const type = "MPID_QEL";
    int64_t context = sim_get(sim, operation->communicator,
                              communicator_type, "recv_context");

    sim_set(sim, element, type, "context_id", context);
    if (operation->tag != SIM_ANY)
        sim_set(sim, element, type, "tag", operation->tag);
    sim_set(sim, element, type, "tagmask",
            operation->tag != SIM_ANY ? -1 : 0);
    if (operation->peer != SIM_ANY)
        sim_set(sim, element, type, "lsrc", operation->peer);
    sim_set(sim, element, type, "srcmask",
            operation->peer != SIM_ANY ? -1 : 0);
}

static void describe_send(struct sim *sim, uint64_t element,
                          const struct sim_operation *operation)
{
    const char *const type = "MPIR_SQEL";

    sim_set(sim, element, type, "db_comm",
            (int64_t)operation->communicator);
    sim_set(sim, element, type, "db_target", operation->peer);
    sim_set(sim, element, type, "db_tag", operation->tag);
    sim_set(sim, element, type, "db_data", (int64_t)operation->buffer);
    sim_set(sim, element, type, "db_byte_length", operation->length);
}

uint64_t sim_add_operation(struct sim *sim,
                           const struct sim_operation *operation)
{
    enum mq_queue_class queue = operation->queue;
    const char *type = queues[queue].element;
    uint64_t element = new_element(sim, queues[queue].elements, type), handle;
    size_t width = (size_t)sim->target.sizes.pointer_size;

    if (queue == mq_sends) {
        describe_send(sim, element, operation);
        handle = new_element(sim, area_sends, "MPIR_SHANDLE");
        set_handle_kind(sim, handle, operation);
        set_if_any(sim, handle, "MPIR_SHANDLE", "is_cancelled", 0);
    } else {
        describe_element(sim, element, operation);
        handle = add_receive_handle(sim, operation);
    }
    sim_set(sim, element, type, queues[queue].handle, (int64_t)handle);
    sim_set(sim, element, type, queues[queue].next, 0);
    sim_put(sim, sim->tails[queue], width, element);
    set_tail(sim, queue, place(sim, element, type, queues[queue].next));
    return element;
}

uint64_t sim_handle(struct sim *sim, enum mq_queue_class queue,
                    uint64_t element)
{
    return sim_get_address(sim, element, queues[queue].element,
                           queues[queue].handle);
}

void sim_remove_operation(struct sim *sim, enum mq_queue_class queue,
                          uint64_t element)
{
    const char *type = queues[queue].element;
    uint64_t handle = sim_handle(sim, queue, element);
    uint64_t link = unlink_element(sim, queue_head(sim, queue), element, type,
                                   queues[queue].next);

    if (sim->tails[queue] == place(sim, element, type, queues[queue].next))
        set_tail(sim, queue, link);
    sim_memory_free_element(&sim->memory, queues[queue].elements, element,
                            type_of(sim, type)->size);
    sim_memory_free_element(
        &sim->memory, queues[queue].handles, handle,
        type_of(sim, queues[queue].handle_type)->size);
}

/* ---- The process --------------------------------------------------------- */

static void add_variables(struct sim *sim, int rank, int size)
{
    static const char dll[] = "/usr/local/mpich/lib/libtvmpich.so";

    sim_add_function(sim, "MPIR_Breakpoint");
    add_struct(sim, all_communicators, "MPIR_Comm_list");
    add_struct(sim, "MPID_recvs", "MPID_QHDR");
    add_struct(sim, "MPIR_Sendq", "MPIR_SQUEUE");
    add_int(sim, "MPIR_being_debugged", 1);
    add_int(sim, "MPID_MyWorldRank", rank);
    add_int(sim, "MPID_MyWorldSize", size);
    sim_add_symbol(sim, "MPIR_dll_name", dll, sizeof dll);
    for (enum mq_queue_class queue = 0; queue < mq_queue_classes; queue++)
        set_tail(sim, queue, queue_head(sim, queue));
}

static const struct sim_layout mpich_1_2_7 = { .name = "MPICH 1.2.7" };

struct sim *sim_create(const struct sim_shape *shape,
                       const struct sim_layout *layout,
                       enum sim_placement placement, int rank, int size)
{
    struct sim *sim = sim_allocate(sizeof *sim);

    if (shape == NULL)
        shape = &sim_shapes[0];
    sim->layout = layout != NULL ? layout : &mpich_1_2_7;
    sim->target = (struct mq_target){
        .ops = &sim_target_ops,
        .name = "sim",
        .image = "job",
        .byte_order = shape->byte_order,
        .sizes = shape->sizes,
        .rank = rank,
    };
    sim->types = sim_types_create(sim->layout, &shape->sizes);
    sim_memory_init(&sim->memory, placement, shape->sizes.pointer_size);
    add_variables(sim, rank, size);
    for (const char *const *p = sim->layout->hidden; *p != NULL; p++)
        sim_hide(sim, *p, NULL, true);
    return sim;
}

void sim_destroy(struct sim *sim)
{
    sim_memory_clear(&sim->memory);
    sim_types_destroy(sim->types);
    free(sim->names);
    free(sim);
}

struct mq_target *sim_target(struct sim *sim)
{
    return &sim->target;
}

struct sim_counts *sim_counts(struct sim *sim)
{
    return &sim->counts;
}
