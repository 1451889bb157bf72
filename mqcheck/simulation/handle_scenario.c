/* handle_scenario.c - simulated process with handles of every kind */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/simulation/handle_scenario.h"

static void add_datatypes(struct handle_scenario *s, struct sim *sim)
{
    static const int indexed_lengths[] = { 2, 1 }, lengths[] = { 1, 3 };
    static const long long indexed_places[] = { 0, 32 }, places[] = { 8, 64 };
    uint64_t inners[2];

    s->vector = sim_add_datatype(sim, &(struct sim_datatype){
        .handle = 150, .dte = sim_dte_hvector, .count = 100,
        .block_length = 4, .stride = 512, .inner = sim_object(sim, 11),
        .size = 3200, .extent = 99 * 512 + 32 });
    s->indexed = sim_add_datatype(sim, &(struct sim_datatype){
        .handle = 151, .dte = sim_dte_hindexed, .count = 2,
        .block_lengths = indexed_lengths, .displacements = indexed_places,
        .inner = sim_object(sim, 6), .size = 12, .extent = 36 });
    inners[0] = s->indexed;
    inners[1] = sim_object(sim, 1);
    s->structure = sim_add_datatype(sim, &(struct sim_datatype){
        .handle = 152, .dte = sim_dte_struct, .count = 2,
        .block_lengths = lengths, .displacements = places,
        .inners = inners, .size = 15, .extent = 67 });
    s->contiguous = sim_add_datatype(sim, &(struct sim_datatype){
        .handle = 153, .dte = sim_dte_contiguous, .count = 3,
        .inner = s->vector, .size = 9600, .extent = 3 * (99 * 512LL + 32) });
}

static void add_communicators(struct handle_scenario *s, struct sim *sim)
{
    static const int dims[] = { 2, 2 }, periods[] = { 1, 0 };
    static const int position[] = { 1, 0 };
    static const int index[] = { 1, 2 }, edges[] = { 1, 0 };
    size_t width = (size_t)sim_target(sim)->sizes.int_size;
    uint64_t tag_ub = sim_add_symbol(sim, "tag_ub", NULL, width);

    sim_add_type(sim, "number", "int value;");
    sim_set(sim, tag_ub, "number", "value", 4711);
    sim_name_communicator(sim, s->base.world, 91, 200, 119);
    sim_name_communicator(sim, s->base.self, 92, 201, 119);
    sim_name_communicator(sim, s->base.copy, 140, 200, 160);
    sim_name_communicator(sim, s->base.evens, 141, 202, 120);
    sim_name_communicator(sim, s->base.inter, 142, 203, 119);
    sim_add_attribute(sim, s->base.world, 301, 0x5150);
    sim_add_attribute(sim, s->base.world, 81, tag_ub);
    sim_add_attribute(sim, s->base.world, 80, 4711);
    sim_add_attribute(sim, s->base.world, 302, 0);
    s->cartesian = sim_add_cartesian(sim, s->base.copy, 2, dims, periods,
                                     position);
    sim_add_graph(sim, s->base.evens, 2, index, 2, edges);
}

static void add_requests(struct handle_scenario *s, struct sim *sim)
{
    uint64_t element;

    s->persistent_receive = sim_add_persistent(sim, &(struct sim_persistent){
        .receive = true, .handle = 1100, .peer = 1, .tag = 77, .count = 2,
        .buffer = 0x70000, .datatype = s->vector,
        .communicator = s->base.copy });
    s->persistent_send = sim_add_persistent(sim, &(struct sim_persistent){
        .handle = 1101, .active = true, .complete = true, .peer = 3,
        .tag = 78, .count = 10, .buffer = 0x71000,
        .datatype = sim_object(sim, 6), .communicator = s->base.world });
    element = sim_add_operation(sim, &(struct sim_operation){
        .queue = mq_receives, .communicator = s->base.world, .peer = 3,
        .tag = 99, .length = 3200, .buffer = 0x72000, .packed = 0x73000 });
    s->derived_receive = sim_handle(sim, mq_receives, element);
    sim_set_datatype(sim, s->derived_receive, s->vector, 1);
}

void handle_scenario_create(struct handle_scenario *s,
                            const struct sim_shape *shape,
                            const struct sim_layout *layout)
{
    struct sim *sim;

    scenario_create(&s->base, shape, layout, sim_contiguous);
    sim = s->base.sim;
    sim_add_handles(sim);
    add_datatypes(s, sim);
    add_communicators(s, sim);
    add_requests(s, sim);
    sim_add_errhandler(sim, 160, 0x4000);
    sim_add_op(sim, 170, 0x5000, true);
}
