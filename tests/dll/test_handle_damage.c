/* test_handle_damage.c - handle DLL: damaged, freed and large objects
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdlib.h>
#include <string.h>

#include "mqcheck/simulation/handle_scenario.h"
#include "tests/kit/handle_session.h"
#include "tests/kit/harness.h"

/* ---- Where things are ---------------------------------------------------- */

static const char comm[] = "MPIR_Communicator", group[] = "MPIR_GROUP";
static const char datatype[] = "MPIR_DATATYPE", node[] = "MPIR_HBT_node";

static uint64_t group_of(struct handle_scenario *s, uint64_t communicator)
{
    return sim_get_address(s->base.sim, communicator, comm, "local_group");
}

static uint64_t tree_of(struct handle_scenario *s, uint64_t communicator)
{
    return sim_get_address(s->base.sim, communicator, comm, "attr_cache");
}

static uint64_t root_of(struct handle_scenario *s, uint64_t communicator)
{
    return sim_get_address(s->base.sim, tree_of(s, communicator), "_MPIR_HBT",
                           "root");
}

static void set(struct handle_scenario *s, uint64_t object, const char *type,
                const char *member, int64_t value)
{
    sim_set(s->base.sim, object, type, member, value);
}

/* ---- Damage -------------------------------------------------------------- */

static void communicators_loop(struct handle_scenario *s)
{
    set(s, s->base.world, comm, "comm_next", (int64_t)s->base.inter);
}

/* The inter-communicator is the first of the list. */
static void not_on_the_list(struct handle_scenario *s)
{
    set(s, sim_symbol(s->base.sim, "MPIR_All_communicators"),
        "MPIR_Comm_list", "comm_first", (int64_t)s->base.evens);
}

static void handle_of_another(struct handle_scenario *s)
{
    not_on_the_list(s);
    sim_bind(s->base.sim, 143, s->base.inter);
}

static void handle_block_at_the_end(struct handle_scenario *s)
{
    set(s, sim_symbol(s->base.sim, "PtrBlocks"), "pointer", "to", -1);
}

static void communicator_freed(struct handle_scenario *s)
{
    set(s, s->base.copy, comm, "cookie", 0);
}

static void errhandler_freed(struct handle_scenario *s)
{
    set(s, sim_object(s->base.sim, 160), "MPIR_Errhandler", "cookie", 0);
}

static void many_references(struct handle_scenario *s)
{
    set(s, sim_object(s->base.sim, 160), "MPIR_Errhandler", "ref_count",
        100000);
}

static void few_references(struct handle_scenario *s)
{
    set(s, sim_object(s->base.sim, 160), "MPIR_Errhandler", "ref_count",
        -100000);
}

static void name_nowhere(struct handle_scenario *s)
{
    set(s, s->base.copy, comm, "comm_name",
        (int64_t)sim_nowhere(s->base.sim));
}

static void group_freed(struct handle_scenario *s)
{
    set(s, group_of(s, s->base.inter), group, "cookie", 0);
}

static void group_of_world_freed(struct handle_scenario *s)
{
    set(s, group_of(s, s->base.world), group, "cookie", 0);
}

static void group_negative(struct handle_scenario *s)
{
    set(s, group_of(s, s->base.evens), group, "np", -1);
}

static void group_too_large(struct handle_scenario *s)
{
    set(s, group_of(s, s->base.evens), group, "np", 1 << 23);
}

static void remote_group_too_large(struct handle_scenario *s)
{
    set(s, s->base.inter, comm, "np", 1 << 23);
}

static void rank_negative(struct handle_scenario *s)
{
    uint64_t table = sim_get_address(s->base.sim, group_of(s, s->base.evens),
                                     group, "lrank_to_grank");

    sim_write(s->base.sim, table, "\377\377\377\377", 4);
}

static void group_of_another(struct handle_scenario *s)
{
    sim_bind(s->base.sim, 204, group_of(s, s->base.evens));
}

static void dimensions_negative(struct handle_scenario *s)
{
    set(s, s->cartesian, "MPIR_CART_TOPOLOGY", "ndims", -1);
}

static void no_dimensions(struct handle_scenario *s)
{
    set(s, s->cartesian, "MPIR_CART_TOPOLOGY", "ndims", 0);
}

static void dimensions_many(struct handle_scenario *s)
{
    set(s, s->cartesian, "MPIR_CART_TOPOLOGY", "ndims", 1 << 21);
}

static void dimensions_at_the_end(struct handle_scenario *s)
{
    set(s, s->cartesian, "MPIR_CART_TOPOLOGY", "dims", -1);
}

static void topology_of_no_kind(struct handle_scenario *s)
{
    set(s, s->cartesian, "MPIR_CART_TOPOLOGY", "type", 9);
}

static uint64_t graph(struct handle_scenario *s)
{
    return sim_get_address(s->base.sim, root_of(s, s->base.evens), node,
                           "value");
}

static void nodes_negative(struct handle_scenario *s)
{
    set(s, graph(s), "MPIR_GRAPH_TOPOLOGY", "nnodes", -1);
}

static void nodes_many(struct handle_scenario *s)
{
    set(s, graph(s), "MPIR_GRAPH_TOPOLOGY", "nnodes", 1 << 21);
}

static void edges_negative(struct handle_scenario *s)
{
    set(s, graph(s), "MPIR_GRAPH_TOPOLOGY", "nedges", -1);
}

static void edges_many(struct handle_scenario *s)
{
    set(s, graph(s), "MPIR_GRAPH_TOPOLOGY", "nedges", 1 << 21);
}

static void attributes_freed(struct handle_scenario *s)
{
    set(s, tree_of(s, s->base.world), "_MPIR_HBT", "cookie", 0);
}

static void attribute_freed(struct handle_scenario *s)
{
    set(s, root_of(s, s->base.world), node, "cookie", 0);
}

static void keyval_freed(struct handle_scenario *s)
{
    set(s, sim_object(s->base.sim, 301), "MPIR_Attr_key", "cookie", 0);
}

static void attributes_loop(struct handle_scenario *s)
{
    uint64_t root = root_of(s, s->base.world);

    set(s, root, node, "left", (int64_t)root);
    set(s, root, node, "right", 0);
}

static void attributes_branch(struct handle_scenario *s)
{
    uint64_t root = root_of(s, s->base.world);

    set(s, root, node, "left", (int64_t)root);
    set(s, root, node, "right", (int64_t)root);
}

static void no_attributes(struct handle_scenario *s)
{
    set(s, tree_of(s, s->base.world), "_MPIR_HBT", "root", 0);
}

static void many_attributes(struct handle_scenario *s)
{
    for (int i = 0; i < 20; i++)
        sim_add_attribute(s->base.sim, s->base.world, 401 + 2 * i,
                          (uint64_t)(16 * i));
}

static void value_nowhere(struct handle_scenario *s)
{
    sim_add_attribute(s->base.sim, s->base.copy, 81,
                      sim_nowhere(s->base.sim));
}

static void sends_not_kept(struct handle_scenario *s)
{
    set(s, sim_symbol(s->base.sim, "MPIR_being_debugged"), "number", "value",
        0);
}

static void sends_lost(struct handle_scenario *s)
{
    set(s, sim_symbol(s->base.sim, "MPIR_Sendq"), "MPIR_SQUEUE", "sq_head",
        0);
}

static void receives_lost(struct handle_scenario *s)
{
    set(s, sim_symbol(s->base.sim, "MPID_recvs"), "MPID_QHDR", "posted.first",
        0);
}

static void receives_loop(struct handle_scenario *s)
{
    uint64_t queue = sim_symbol(s->base.sim, "MPID_recvs");
    uint64_t first = sim_get_address(s->base.sim, queue, "MPID_QHDR",
                                     "posted.first");

    set(s, first, "MPID_QEL", "next", (int64_t)first);
}

static void count_negative(struct handle_scenario *s)
{
    set(s, s->persistent_receive, "MPIR_PRHANDLE", "perm_count", -1);
}

static void size_negative(struct handle_scenario *s)
{
    set(s, s->vector, datatype, "size", -1);
}

static void receive_complete(struct handle_scenario *s)
{
    static const char type[] = "MPIR_RHANDLE";

    set(s, s->derived_receive, type, "is_complete", 1);
    set(s, s->derived_receive, type, "s.MPI_SOURCE", 3);
    set(s, s->derived_receive, type, "s.MPI_TAG", 99);
    set(s, s->derived_receive, type, "s.count", 3200);
}

static void request_freed(struct handle_scenario *s)
{
    set(s, s->derived_receive, "MPIR_RHANDLE", "cookie", 0);
}

static void request_of_no_kind(struct handle_scenario *s)
{
    set(s, s->derived_receive, "MPIR_RHANDLE", "handle_type", 4);
}

static void request_of_negative_kind(struct handle_scenario *s)
{
    set(s, s->derived_receive, "MPIR_RHANDLE", "handle_type", -1);
}

static void send_cancelled(struct handle_scenario *s)
{
    set(s, s->persistent_send, "MPIR_SHANDLE", "is_cancelled", 1);
}

static void index_of_another(struct handle_scenario *s)
{
    set(s, s->persistent_receive, "MPIR_RHANDLE", "self_index", 1101);
}

static void any_of_all(struct handle_scenario *s)
{
    set(s, s->persistent_receive, "MPIR_PRHANDLE", "perm_source", -2);
    set(s, s->persistent_receive, "MPIR_PRHANDLE", "perm_tag", -1);
}

static void of_no_process(struct handle_scenario *s)
{
    set(s, s->persistent_send, "MPIR_PSHANDLE", "perm_dest", -1);
}

/* ---- Datatypes ---- */

static void plain_vector(struct handle_scenario *s)
{
    set(s, s->vector, datatype, "dte_type", 13);
    set(s, s->vector, datatype, "count", 1);
    set(s, s->vector, datatype, "stride", -512);
}

static void plain_indexed(struct handle_scenario *s)
{
    set(s, s->indexed, datatype, "dte_type", 15);
}

static void no_handle(struct handle_scenario *s)
{
    set(s, s->vector, datatype, "self", 0);
}

static void handle_of_another_datatype(struct handle_scenario *s)
{
    sim_bind(s->base.sim, 154, s->vector);
}

static void kind_negative(struct handle_scenario *s)
{
    set(s, s->vector, datatype, "dte_type", -1);
}

static void block_negative(struct handle_scenario *s)
{
    set(s, s->vector, datatype, "blocklen", -1);
}

static void self_beyond(struct handle_scenario *s)
{
    set(s, sim_object(s->base.sim, 6), datatype, "self", 34);
}

static void parts_many(struct handle_scenario *s)
{
    set(s, s->structure, datatype, "count", (1 << 20) + 1);
}

static void lists_at_the_end(struct handle_scenario *s)
{
    set(s, s->indexed, datatype, "blocklens", -1);
}

static void inner_freed(struct handle_scenario *s)
{
    set(s, s->indexed, datatype, "cookie", 0);
}

static void nested(struct handle_scenario *s)
{
    set(s, s->contiguous, datatype, "old_type", (int64_t)s->contiguous);
}

/* Ten blocks, the last of them before the first. */
static void ten_blocks(struct handle_scenario *s)
{
    static const int lengths[10] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    static const long long places[10] = { -8 };

    sim_add_datatype(s->base.sim, &(struct sim_datatype){
        .handle = 155, .dte = sim_dte_hindexed, .count = 10,
        .block_lengths = lengths, .displacements = places,
        .inner = sim_object(s->base.sim, 6), .size = 40, .extent = 40 });
}

/* Blocks that have no room in words. */
static void long_blocks(struct handle_scenario *s)
{
    static const int lengths[8] = { 2000000000, 2000000000, 2000000000,
        2000000000, 2000000000, 2000000000, 2000000000, 2000000000 };
    static const long long places[8] = { 2000000000, 2000000000, 2000000000,
        2000000000, 2000000000, 2000000000, 2000000000, 2000000000 };

    sim_add_datatype(s->base.sim, &(struct sim_datatype){
        .handle = 155, .dte = sim_dte_hindexed, .count = 8,
        .block_lengths = lengths, .displacements = places,
        .inner = s->structure, .size = 40, .extent = 40 });
}

/* ---- Cases --------------------------------------------------------------- */

enum object {
    by_value, derived_receive, persistent_receive, persistent_send, a_send,
    vector
};

static const struct damage {
    const char *what;
    void (*damage)(struct handle_scenario *);
    const char *kind;
    enum object object;
    mqs_taddr_t value;
    const char *wanted;
} cases[] = {
    { "communicators in a loop", communicators_loop, "comm", by_value, 999,
      "error: The list is damaged: it contains a cycle" },
    { "all communicators in a loop", communicators_loop, "list", by_value, 0,
      "142 141 0 140 0 92 0 91\nlist error: The list is damaged: it contains" },
    { "a communicator that is not on the list", not_on_the_list, "comm",
      by_value, 142, "handles: 142 142 group 203\n" },
    { "a handle of another communicator", handle_of_another, "comm", by_value,
      143, "error: Nothing was found" },
    { "handles at the end of memory", handle_block_at_the_end, "op", by_value,
      170, "error: An object of type PtrToIdx cannot be read" },
    { "a communicator without its cookie", communicator_freed, "comm",
      by_value, 140, "error: The communicator is damaged or was freed" },
    { "an error handler without its cookie", errhandler_freed, "errhandler",
      by_value, 160, "error: Nothing was found" },
    { "an error handler that is referred to often", many_references,
      "errhandler", by_value, 160, "references: 32767\n" },
    { "an error handler that is referred to too seldom", few_references,
      "errhandler", by_value, 160, "references: -32768\n" },
    { "no error handler", NULL, "errhandler", by_value, 0,
      "name: MPI_ERRHANDLER_NULL\nflags: 0x3\n" },
    { "no operation", NULL, "op", by_value, 0,
      "name: MPI_OP_NULL\nflags: 0x81\n" },
    { "a name that is nowhere", name_nowhere, "comm", by_value, 140,
      "name: \nflags: 0x2\n" },
    { "a local group without its cookie", group_freed, "comm", by_value, 142,
      "groups error: The group is damaged or was freed" },
    { "a group without its cookie", group_of_world_freed, "comm", by_value, 91,
      "rank: 2 of 4\nhandles: 91 91 group 0\nerrhandler: 119\n"
      "local: 0 1 2 3\n" },
    { "a group of -1", group_negative, "comm", by_value, 141,
      "groups error: The group is damaged" },
    { "a group of millions", group_too_large, "group", by_value, 202,
      "error: The group is damaged" },
    { "a remote group of millions", remote_group_too_large, "comm", by_value,
      142, "groups error: The group is damaged" },
    { "a rank of -1", rank_negative, "group", by_value, 202,
      "error: The group is damaged" },
    { "a handle of another group", group_of_another, "group", by_value, 204,
      "error: Nothing was found" },
    { "-1 dimensions", dimensions_negative, "comm", by_value, 140,
      "topology error: The communicator's topology is damaged" },
    { "no dimensions", no_dimensions, "comm", by_value, 140,
      "flags: 0x2\nrank: 2 of 4\nhandles: 140 140 group 200\n"
      "errhandler: 160\nlocal: 0 1 2 3\ndims:\nposition:\n" },
    { "a million dimensions", dimensions_many, "comm", by_value, 140,
      "topology error: The communicator's topology is damaged" },
    { "dimensions at the end of memory", dimensions_at_the_end, "comm",
      by_value, 140, "topology error: What MPIR_CART_TOPOLOGY.dims points to "
      "cannot be read" },
    { "a topology of no kind", topology_of_no_kind, "comm", by_value, 140,
      "topology error: The communicator's topology is damaged" },
    { "-1 nodes", nodes_negative, "comm", by_value, 141,
      "topology error: The communicator's topology is damaged" },
    { "millions of nodes", nodes_many, "comm", by_value, 141,
      "topology error: The communicator's topology is damaged" },
    { "-1 edges", edges_negative, "comm", by_value, 141,
      "topology error: The communicator's topology is damaged" },
    { "millions of edges", edges_many, "comm", by_value, 141,
      "topology error: The communicator's topology is damaged" },
    { "attributes without a cookie", attributes_freed, "comm", by_value, 91,
      "attributes error: The communicator's attributes are damaged" },
    { "an attribute without its cookie", attribute_freed, "comm", by_value, 91,
      "attributes error: The communicator's attributes are damaged" },
    { "a keyval without its cookie", keyval_freed, "comm", by_value, 91,
      "attributes error: The communicator's attributes are damaged" },
    { "attributes in a loop", attributes_loop, "comm", by_value, 91,
      "attributes error: The communicator's attributes are damaged" },
    { "attributes that branch without end", attributes_branch, "comm",
      by_value, 91,
      "attributes error: The communicator's attributes are damaged" },
    { "an empty tree of attributes", no_attributes, "comm", by_value, 91,
      "local: 0 1 2 3\nrequests: 5" },
    { "many attributes", many_attributes, "comm", by_value, 91,
      "attribute 439 -: 0x130\n" },
    { "an attribute's value that is nowhere", value_nowhere, "comm", by_value,
      140, "attribute 81 MPI_TAG_UB: 0x" },
    { "sends that are not kept", sends_not_kept, "comm", by_value, 91,
      "requests: 3, 3 receives\n"
      "requests error: Pending sends cannot be shown" },
    { "a send where they are not kept", sends_not_kept, "request", a_send, 0,
      "kind: send\nflags: 0x2\nfortran: 0\ncount: -1\n" },
    { "a send that is on no queue", sends_lost, "request", a_send, 0,
      "kind: send\nflags: 0x2\nfortran: 0\ncount: -1\n" },
    { "a receive that is on no queue", receives_lost, "request",
      derived_receive, 0, "kind: receive\nflags: 0x2\nfortran: 0\ncount: 1\n" },
    { "receives in a loop", receives_loop, "comm", by_value, 91,
      "requests error: The list is damaged: it contains a cycle" },
    { "a count of -1", count_negative, "request", persistent_receive, 0,
      "count: -1\nbytes: -1\n" },
    { "a datatype of size -1", size_negative, "request", persistent_receive, 0,
      "count: 2\nbytes: -1\n" },
    { "a receive that is complete", receive_complete, "request",
      derived_receive, 0, "status: source 3 tag 99 bytes 3200\n" },
    { "a request without its cookie", request_freed, "request",
      derived_receive, 0, "error: The request is damaged or was freed" },
    { "a request of no kind", request_of_no_kind, "request", derived_receive,
      0, "error: The request is damaged or was freed" },
    { "a request of a negative kind", request_of_negative_kind, "request",
      derived_receive, 0, "error: The request is damaged or was freed" },
    { "a send that was cancelled", send_cancelled, "request", persistent_send,
      0, "flags: 0x11e\n" },
    { "a Fortran handle of another request", index_of_another, "request",
      persistent_receive, 0, "fortran: 0\n" },
    { "from anybody with any tag", any_of_all, "request", persistent_receive,
      0, "flags: 0x164\n" },
    { "to MPI_PROC_NULL", of_no_process, "request", persistent_send, 0,
      "peer: -1\n" },
    { "a vector of one block", plain_vector, "datatype", by_value, 150,
      "vector of 1 block of 4 double, stride -512 bytes\n" },
    { "an indexed type by elements", plain_indexed, "datatype", by_value, 151,
      "kind: 4\nhandle: 151\n" },
    { "a datatype without a handle", no_handle, "object", vector, 0,
      "name: \nflags: 0x2\nkind: 3\nhandle: 0\n" },
    { "a handle of another datatype", handle_of_another_datatype, "datatype",
      by_value, 154, "error: Nothing was found" },
    { "a datatype of a negative kind", kind_negative, "object", vector, 0,
      "error: The datatype is damaged" },
    { "blocks of length -1", block_negative, "object", vector, 0,
      "error: The datatype is damaged" },
    { "a handle behind the predefined ones", self_beyond, "datatype", by_value,
      6, "error: Nothing was found" },
    { "millions of blocks", parts_many, "datatype", by_value, 152,
      "lists error: The limit on elements of one list was reached" },
    { "lists at the end of memory", lists_at_the_end, "datatype", by_value,
      151, "lists error: What MPIR_DATATYPE.blocklens points to cannot be "
      "read" },
    { "an inner type without its cookie", inner_freed, "datatype", by_value,
      152, "lists error: The datatype is damaged or was freed: it has no "
      "cookie, or an invalid number\n"
      "words: struct of 2 blocks: 1 (unreadable)\n" },
    { "a type in itself", nested, "datatype", by_value, 153,
      "(contiguous, 3 (contiguous, ...\n" },
    { "ten blocks", ten_blocks, "datatype", by_value, 155,
      "words: indexed, 10 blocks of int: 1 at byte -8, 1 at 0, 1 at 0, "
      "1 at 0, 1 at 0, 1 at 0, 1 at 0, 1 at 0, and 2 more\n" },
    { "more blocks than there is room for", long_blocks, "datatype", by_value,
      155, "2000000000 at 2000000000...\n" }
};

static mqs_taddr_t value_of(const struct damage *it,
                            const struct handle_scenario *s, uint64_t send)
{
    switch (it->object) {
    case derived_receive: return (mqs_taddr_t)s->derived_receive;
    case persistent_receive: return (mqs_taddr_t)s->persistent_receive;
    case persistent_send: return (mqs_taddr_t)s->persistent_send;
    case a_send: return (mqs_taddr_t)send;
    case vector: return (mqs_taddr_t)s->vector;
    default: return it->value;
    }
}

static void test_damage(const struct sim_shape *shape, const struct damage *it)
{
    struct handle_scenario s;
    struct handle_session session;
    uint64_t element, send;

    test("%s: %s", shape->name, it->what);
    handle_scenario_create(&s, shape, NULL);
    element = sim_add_operation(s.base.sim, &(struct sim_operation){
        .queue = mq_sends, .communicator = s.base.evens, .peer = 1 });
    send = sim_handle(s.base.sim, mq_sends, element);
    if (it->damage != NULL)
        it->damage(&s);
    handle_session_open(&session, sim_target(s.base.sim));
    CHECK_INT(session.status, MPIDBG_SUCCESS);
    CHECK_CONTAINS(handle_show(&session, it->kind, value_of(it, &s, send)),
                   it->wanted);
    handle_session_close(&session);
    sim_destroy(s.base.sim);
    CHECK_INT(mq_store.blocks, 0);
}

/* Ints of eight bytes can hold more than a description's. */
static void test_wide_ints(void)
{
    static const struct sim_shape wide = {
        "ints of 8 bytes", mq_little_endian, { 2, 8, 8, 8, 8 }
    };
    struct handle_scenario s;
    struct handle_session session;

    test("%s", wide.name);
    handle_scenario_create(&s, &wide, NULL);
    set(&s, s.persistent_receive, "MPIR_PRHANDLE", "perm_tag", INT64_MAX);
    set(&s, s.persistent_receive, "MPIR_PRHANDLE", "perm_source", INT64_MIN);
    set(&s, s.indexed, datatype, "count", INT64_MAX);
    handle_session_open(&session, sim_target(s.base.sim));
    CHECK_CONTAINS(handle_show(&session, "request",
                               (mqs_taddr_t)s.persistent_receive),
                   "peer: -2147483648\ntag: 2147483647\n");
    CHECK_CONTAINS(handle_show(&session, "datatype", 151),
                   "error: Nothing was found");
    handle_session_close(&session);
    sim_destroy(s.base.sim);
}

/* The last bytes of the address space can be read here, as one 0 each. */
static const struct mq_target_ops *own;

static enum mq_result read_the_end(struct mq_target *target, uint64_t address,
                                   size_t length, struct mq_error *error,
                                   void *bytes)
{
    if (address < UINT64_MAX - 4096)
        return own->read(target, address, length, error, bytes);
    memset(bytes, 0, length);
    return mq_ok;
}

/* A list whose second entry would lie behind the end of memory. */
static void test_list_at_the_end(void)
{
    struct mq_target_ops changed;
    struct handle_scenario s;
    struct handle_session session;

    test("a list across the end of memory");
    handle_scenario_create(&s, NULL, NULL);
    own = sim_target(s.base.sim)->ops;
    changed = *own;
    changed.read = read_the_end;
    sim_target(s.base.sim)->ops = &changed;
    set(&s, s.indexed, datatype, "blocklens", -4);
    handle_session_open(&session, sim_target(s.base.sim));
    CHECK_CONTAINS(handle_show(&session, "datatype", 151),
                   "words: indexed, 2 blocks of int: 0 at byte 0, "
                   "(unreadable)\n");
    handle_session_close(&session);
    sim_target(s.base.sim)->ops = own;
    sim_destroy(s.base.sim);
}

/* Damage is told, but a want of memory is told before it. */
static void test_damage_without_memory(void)
{
    struct handle_scenario s;
    struct handle_session session;
    int status, done = 0;

    test("receives in a loop, and no memory for sends");
    handle_scenario_create(&s, NULL, NULL);
    receives_loop(&s);
    sim_add_operation(s.base.sim, &(struct sim_operation){
        .queue = mq_sends, .communicator = s.base.evens, .peer = 1 });
    handle_session_open(&session, sim_target(s.base.sim));
    for (uint64_t n = 1; n < 100 && !done; n++) {
        mq_store.fail_at = mq_store.allocations + n;
        status = handle_status(&session, "comm", 141);
        done = mq_store.allocations < mq_store.fail_at;
        CHECK_INT(status, done ? MPIDBG_SUCCESS : MPIDBG_ERR_NO_MEM);
    }
    mq_store.fail_at = 0;
    CHECK_CONTAINS(session.text, "requests: 1, 0 receives\n"
                   "requests error: The list is damaged");
    handle_session_close(&session);
    sim_destroy(s.base.sim);
    CHECK_INT(mq_store.blocks, 0);
}

/* More elements than any process has are cut, with a sentence. */
static void test_long_list(void)
{
    struct handle_scenario s;
    struct handle_session session;

    test("more receives than are read");
    handle_scenario_create(&s, NULL, NULL);
    for (int i = 0; i < (1 << 17) + 1; i++)
        sim_add_operation(s.base.sim, &(struct sim_operation){
            .queue = mq_receives, .communicator = s.base.world });
    handle_session_open(&session, sim_target(s.base.sim));
    CHECK_CONTAINS(handle_show(&session, "comm", 91),
                   "requests error: The limit on elements of one list was "
                   "reached");
    handle_session_close(&session);
    sim_destroy(s.base.sim);
}

int main(void)
{
    for (size_t i = 0; i < sim_shape_count; i++)
        for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
            test_damage(&sim_shapes[i], &cases[k]);
    test_wide_ints();
    test_list_at_the_end();
    test_damage_without_memory();
    test_long_list();
    return tests_end();
}
