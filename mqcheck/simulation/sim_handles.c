/* sim_handles.c - objects behind the handles of the simulation */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/simulation/sim_handles.h"

#include "mqcheck/simulation/sim_parts.h"

enum { BLOCKS = 256, BLOCK = 1024 };

/* Types that others embed come first. */
static const struct {
    const char *name, *members;
} types[] = {
    { "PtrToIdx", "int idx; void *ptr; PtrToIdx *next;" },
    { "_MPIR_HBT", "long cookie; MPIR_HBT_node *root; int height;"
                   "int ref_count;" },
    { "MPIR_HBT_node", "long cookie; void *value; MPIR_Attr_key *keyval;"
                       "short balance; MPIR_HBT_node *left;"
                       "MPIR_HBT_node *right;" },
    { "MPIR_Attr_key", "long cookie; void *copy_fn; void *delete_fn;"
                       "void *extra_state; int FortranCalling; int ref_count;"
                       "int permanent; int self;" },
    { "MPIR_DATATYPE",
      "enum dte_type; long cookie; int committed; int is_contig; int basic;"
      "int permanent; long ub; long lb; long real_ub; long real_lb;"
      "int has_ub; int has_lb; long extent; int size; int elements;"
      "int ref_count; int align; int count; long stride; long *indices;"
      "int blocklen; int *blocklens; MPIR_DATATYPE *old_type;"
      "MPIR_DATATYPE **old_types; int self;" },
    { "MPIR_OP", "long cookie; void *op; int commute; int permanent;" },
    { "MPIR_Errhandler", "long cookie; void *routine; int ref_count;" },
    { "MPIR_CART_TOPOLOGY", "long cookie; int type; int nnodes; int ndims;"
                            "int *dims; int *periods; int *position;" },
    { "MPIR_GRAPH_TOPOLOGY", "long cookie; int type; int nnodes; int nedges;"
                             "int *index; int *edges;" },
    { "MPIR_PSHANDLE", "MPIR_SHANDLE shandle; int active; int perm_tag;"
                       "int perm_dest; int perm_count; void *perm_buf;"
                       "void *perm_datatype; void *perm_comm;" },
    { "MPIR_PRHANDLE", "MPIR_RHANDLE rhandle; int active; int perm_tag;"
                       "int perm_source; int perm_count; void *perm_buf;"
                       "void *perm_datatype; void *perm_comm;" },
};

static uint64_t new_object(struct sim *sim, const char *type, int64_t cookie)
{
    const struct sim_struct *found = sim_type_find(sim->types, type);
    uint64_t object = sim_memory_append(&sim->memory, area_tables,
                                        found->size);

    if (sim_member_find(found, "cookie") != NULL)
        sim_set(sim, object, type, "cookie", cookie);
    return object;
}

static uint64_t add_ints(struct sim *sim, const int *values, int count)
{
    size_t width = (size_t)sim->target.sizes.int_size;
    uint64_t table = sim_memory_append(&sim->memory, area_tables,
                                       (size_t)count * width);

    for (int i = 0; i < count; i++)
        sim_put(sim, table + (uint64_t)i * width, width, (uint64_t)values[i]);
    return table;
}

/* ---- The table of handles ------------------------------------------------ */

/* The address of the pointer that HANDLE leads to. */
static uint64_t entry(struct sim *sim, int handle)
{
    size_t width = (size_t)sim->target.sizes.pointer_size;
    size_t size = sim_type_find(sim->types, "PtrToIdx")->size;
    uint64_t slot = sim_symbol(sim, "PtrBlocks")
                    + (uint64_t)(handle / BLOCK) * width;
    uint64_t block;

    if (sim_get(sim, slot, "pointer", "to") == 0) {
        block = sim_memory_append(&sim->memory, area_tables, BLOCK * size);
        sim_set(sim, slot, "pointer", "to", (int64_t)block);
    }
    block = sim_get_address(sim, slot, "pointer", "to");
    return block + (uint64_t)(handle % BLOCK) * size;
}

uint64_t sim_object(struct sim *sim, int handle)
{
    return sim_get_address(sim, entry(sim, handle), "PtrToIdx", "ptr");
}

void sim_bind(struct sim *sim, int handle, uint64_t object)
{
    uint64_t at;

    if (handle == 0)
        return;
    at = entry(sim, handle);
    sim_set(sim, at, "PtrToIdx", "idx", handle);
    sim_set(sim, at, "PtrToIdx", "ptr", (int64_t)object);
}

/* ---- Datatypes ----------------------------------------------------------- */

static uint64_t add_words(struct sim *sim, size_t width, size_t count)
{
    return sim_memory_append(&sim->memory, area_tables, count * width);
}

static void set_lists(struct sim *sim, uint64_t object,
                      const struct sim_datatype *description)
{
    static const char type[] = "MPIR_DATATYPE";
    size_t count = (size_t)description->count;
    size_t wide = (size_t)sim->target.sizes.long_size;
    size_t pointer = (size_t)sim->target.sizes.pointer_size;
    uint64_t table;

    if (description->block_lengths != NULL) {
        sim_set(sim, object, type, "blocklens",
                (int64_t)add_ints(sim, description->block_lengths,
                                  description->count));
        table = add_words(sim, wide, count);
        for (size_t i = 0; i < count; i++)
            sim_put(sim, table + i * wide, wide,
                    (uint64_t)description->displacements[i]);
        sim_set(sim, object, type, "indices", (int64_t)table);
    }
    if (description->inners != NULL) {
        table = add_words(sim, pointer, count);
        for (size_t i = 0; i < count; i++)
            sim_put(sim, table + i * pointer, pointer,
                    description->inners[i]);
        sim_set(sim, object, type, "old_types", (int64_t)table);
    }
}

uint64_t sim_add_datatype(struct sim *sim,
                          const struct sim_datatype *description)
{
    static const char type[] = "MPIR_DATATYPE";
    uint64_t object = new_object(sim, type, 0xea31beaf);
    bool is_basic = description->dte < sim_dte_contiguous;

    sim_set(sim, object, type, "dte_type", description->dte);
    sim_set(sim, object, type, "committed", 1);
    sim_set(sim, object, type, "is_contig",
            description->size == description->extent);
    sim_set(sim, object, type, "basic", is_basic);
    sim_set(sim, object, type, "ub", description->extent);
    sim_set(sim, object, type, "extent", description->extent);
    sim_set(sim, object, type, "size", description->size);
    sim_set(sim, object, type, "ref_count", 1);
    sim_set(sim, object, type, "count", description->count);
    sim_set(sim, object, type, "stride", description->stride);
    sim_set(sim, object, type, "blocklen", description->block_length);
    sim_set(sim, object, type, "old_type", (int64_t)description->inner);
    sim_set(sim, object, type, "self", description->handle);
    set_lists(sim, object, description);
    sim_bind(sim, description->handle, object);
    return object;
}

void sim_set_datatype(struct sim *sim, uint64_t handle, uint64_t datatype,
                      int count)
{
    static const char type[] = "MPIR_RHANDLE";

    sim_set(sim, handle, type, "datatype", (int64_t)datatype);
    if (sim_has(sim, type, "count"))
        sim_set(sim, handle, type, "count", count);
}

/* ---- Communicators ------------------------------------------------------- */

void sim_name_communicator(struct sim *sim, uint64_t communicator, int handle,
                           int group, int errhandler)
{
    static const char type[] = "MPIR_Communicator";
    uint64_t members = sim_get_address(sim, communicator, type,
                                       "local_group");

    sim_set(sim, communicator, type, "self", handle);
    sim_set(sim, communicator, type, "error_handler", errhandler);
    sim_set(sim, communicator, type, "ref_count", 1);
    sim_set(sim, members, "MPIR_GROUP", "self", group);
    sim_set(sim, members, "MPIR_GROUP", "ref_count", 1);
    sim_bind(sim, handle, communicator);
    sim_bind(sim, group, members);
}

/* The keyval's object, which all attributes with that keyval share. */
static uint64_t key_object(struct sim *sim, int keyval)
{
    uint64_t key = sim_object(sim, keyval);

    if (key == 0) {
        key = new_object(sim, "MPIR_Attr_key", 0xa774c003);
        sim_set(sim, key, "MPIR_Attr_key", "self", keyval);
        sim_bind(sim, keyval, key);
    }
    return key;
}

/* A tree whose nodes have smaller keyvals on their left. */
void sim_add_attribute(struct sim *sim, uint64_t communicator, int keyval,
                       uint64_t value)
{
    static const char type[] = "MPIR_HBT_node";
    uint64_t tree = sim_get_address(sim, communicator, "MPIR_Communicator",
                                    "attr_cache");
    uint64_t node = new_object(sim, type, 0x03b740de), at;

    sim_set(sim, node, type, "keyval", (int64_t)key_object(sim, keyval));
    sim_set(sim, node, type, "value", (int64_t)value);
    if (tree == 0) {
        tree = new_object(sim, "_MPIR_HBT", 0x03b7c007);
        sim_set(sim, communicator, "MPIR_Communicator", "attr_cache",
                (int64_t)tree);
    }
    at = sim_get_address(sim, tree, "_MPIR_HBT", "root");
    if (at == 0) {
        sim_set(sim, tree, "_MPIR_HBT", "root", (int64_t)node);
        return;
    }
    for (;;) {
        uint64_t key = sim_get_address(sim, at, type, "keyval");
        const char *side = sim_get(sim, key, "MPIR_Attr_key", "self") > keyval
                           ? "left" : "right";
        uint64_t next = sim_get_address(sim, at, type, side);

        if (next == 0) {
            sim_set(sim, at, type, side, (int64_t)node);
            return;
        }
        at = next;
    }
}

uint64_t sim_add_cartesian(struct sim *sim, uint64_t communicator, int ndims,
                           const int *dims, const int *periods,
                           const int *position)
{
    static const char type[] = "MPIR_CART_TOPOLOGY";
    uint64_t object = new_object(sim, type, 0x0102beaf);

    sim_set(sim, object, type, "type", 2);
    sim_set(sim, object, type, "ndims", ndims);
    sim_set(sim, object, type, "dims", (int64_t)add_ints(sim, dims, ndims));
    sim_set(sim, object, type, "periods",
            (int64_t)add_ints(sim, periods, ndims));
    sim_set(sim, object, type, "position",
            (int64_t)add_ints(sim, position, ndims));
    sim_add_attribute(sim, communicator, SIM_TOPOLOGY_KEYVAL, object);
    return object;
}

uint64_t sim_add_graph(struct sim *sim, uint64_t communicator, int nodes,
                       const int *index, int edges, const int *ends)
{
    static const char type[] = "MPIR_GRAPH_TOPOLOGY";
    uint64_t object = new_object(sim, type, 0x0101beaf);

    sim_set(sim, object, type, "type", 1);
    sim_set(sim, object, type, "nnodes", nodes);
    sim_set(sim, object, type, "nedges", edges);
    sim_set(sim, object, type, "index", (int64_t)add_ints(sim, index, nodes));
    sim_set(sim, object, type, "edges", (int64_t)add_ints(sim, ends, edges));
    sim_add_attribute(sim, communicator, SIM_TOPOLOGY_KEYVAL, object);
    return object;
}

/* ---- The others ---------------------------------------------------------- */

uint64_t sim_add_op(struct sim *sim, int handle, uint64_t function,
                    bool commutes)
{
    uint64_t object = new_object(sim, "MPIR_OP", 0xca01beaf);

    sim_set(sim, object, "MPIR_OP", "op", (int64_t)function);
    sim_set(sim, object, "MPIR_OP", "commute", commutes);
    sim_bind(sim, handle, object);
    return object;
}

uint64_t sim_add_errhandler(struct sim *sim, int handle, uint64_t function)
{
    uint64_t object = new_object(sim, "MPIR_Errhandler", 0xe443a2dd);

    sim_set(sim, object, "MPIR_Errhandler", "routine", (int64_t)function);
    sim_set(sim, object, "MPIR_Errhandler", "ref_count", 3);
    sim_bind(sim, handle, object);
    return object;
}

uint64_t sim_add_persistent(struct sim *sim, const struct sim_persistent *it)
{
    const char *type = it->receive ? "MPIR_PRHANDLE" : "MPIR_PSHANDLE";
    const char *begin = it->receive ? "MPIR_RHANDLE" : "MPIR_SHANDLE";
    uint64_t object = new_object(sim, type, 0);
    size_t size, offset = sim_member_place(sim_type_find(sim->types, type),
                                           it->receive ? "rhandle"
                                                       : "shandle", &size);
    uint64_t handle = object + offset;

    sim_set(sim, handle, begin, "handle_type", it->receive ? 3 : 2);
    if (sim_has(sim, begin, "cookie"))
        sim_set(sim, handle, begin, "cookie", 0xe0a1beaf);
    if (sim_has(sim, begin, "self_index"))
        sim_set(sim, handle, begin, "self_index", it->handle);
    sim_set(sim, handle, begin, "is_complete", it->complete);
    sim_set(sim, object, type, "active", it->active);
    sim_set(sim, object, type, "perm_tag", it->tag);
    sim_set(sim, object, type, it->receive ? "perm_source" : "perm_dest",
            it->peer);
    sim_set(sim, object, type, "perm_count", it->count);
    sim_set(sim, object, type, "perm_buf", (int64_t)it->buffer);
    sim_set(sim, object, type, "perm_datatype", (int64_t)it->datatype);
    sim_set(sim, object, type, "perm_comm", (int64_t)it->communicator);
    sim_bind(sim, it->handle, handle);
    return handle;
}

/* ---- The process --------------------------------------------------------- */

static void add_predefined(struct sim *sim)
{
    static const struct {
        int handle;
        enum sim_dte dte;
        int size;
    } basic[] = { { 1, sim_dte_char, 1 }, { 6, sim_dte_int, 4 },
                  { 11, sim_dte_double, 8 } };

    for (size_t i = 0; i < sizeof basic / sizeof basic[0]; i++)
        sim_add_datatype(sim, &(struct sim_datatype){
            .handle = basic[i].handle, .dte = basic[i].dte, .count = 1,
            .size = basic[i].size, .extent = basic[i].size });
}

void sim_add_handles(struct sim *sim)
{
    size_t width = (size_t)sim->target.sizes.int_size;
    uint64_t keyval;

    sim_add_type(sim, "pointer", "void *to;");
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        sim_add_type(sim, types[i].name, types[i].members);
    sim_add_symbol(sim, "PtrBlocks", NULL,
                   BLOCKS * (size_t)sim->target.sizes.pointer_size);
    keyval = sim_add_symbol(sim, "MPIR_TOPOLOGY_KEYVAL", NULL, width);
    sim_put(sim, keyval, width, SIM_TOPOLOGY_KEYVAL);
    add_predefined(sim);
}
