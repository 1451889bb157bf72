/* tool_demo.c - writes the four processes of a job that hangs:
 * FOLDER/heat.RANK.mqsnap.
 *
 * Each rank keeps a strip of a heated plate and passes its edge to the next one
 * around a ring, with tag 17, on a communicator in which the ranks stand in the
 * opposite order.  Then all add up the heat with MPI_Allreduce.  Rank 2 has a
 * typing error: it sends its edge with tag 71.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdio.h>

#include "mqcheck/simulation/sim.h"

enum { ranks = 4, edge = 6400, edge_tag = 17, wrong_tag = 71,
       reduce_tag = 11, broadcast_tag = 2 };

struct heat {
    struct sim *sim;
    uint64_t world, twin, ring;
};

/* ---- What the processes have in common ----------------------------------- */

static void add_communicators(struct heat *heat, int rank)
{
    static const int backwards[ranks] = { 3, 2, 1, 0 };
    struct sim_communicator c = { .name = "MPI_COMM_WORLD",
                                  .local_rank = rank, .size = ranks,
                                  .twin = true };

    heat->world = sim_add_communicator(heat->sim, &c);
    heat->twin = sim_get_address(heat->sim, heat->world,
                                 "MPIR_Communicator", "comm_coll");
    c = (struct sim_communicator){ .name = "MPI_COMM_SELF", .context = 2,
                                   .size = 1, .ranks = &rank,
                                   .twin = true };
    sim_add_communicator(heat->sim, &c);
    c = (struct sim_communicator){ .name = "ring", .context = 4,
                                   .local_rank = ranks - 1 - rank,
                                   .size = ranks, .ranks = backwards,
                                   .twin = true };
    heat->ring = sim_add_communicator(heat->sim, &c);
}

/* Each rank can be told to stop by rank 0 at any time. */
static void add_stop_receive(const struct heat *heat)
{
    const struct sim_operation receive = {
        .queue = mq_receives, .communicator = heat->world, .peer = 0,
        .tag = SIM_ANY, .length = 4, .buffer = 0x601040, .persistent = true
    };

    sim_add_operation(heat->sim, &receive);
}

static void add(const struct heat *heat, enum mq_queue_class queue,
                uint64_t communicator, int peer, int tag, int length,
                uint64_t buffer)
{
    const struct sim_operation operation = {
        .queue = queue, .communicator = communicator, .peer = peer,
        .tag = tag, .length = length, .buffer = buffer
    };

    sim_add_operation(heat->sim, &operation);
}

/* ---- Where each of them hangs -------------------------------------------- */

/* The others' sums have come in, but for rank 1's. */
static void stop_rank_0(struct heat *heat)
{
    add(heat, mq_receives, heat->twin, 1, reduce_tag, 8, 0x7ffd3c20);
    sim_target(heat->sim)->call = "MPI_Allreduce";
}

/* Waits for the edge of global rank 2, local rank 1, which lies there with
 * another tag.
 */
static void stop_rank_1(struct heat *heat)
{
    add(heat, mq_receives, heat->ring, 1, edge_tag, edge, 0x1a40e00);
    add(heat, mq_unexpected, heat->ring, 1, wrong_tag, edge, 0x1a61c40);
    sim_target(heat->sim)->call = "MPI_Waitall";
}

/* Waits until its edge is taken; rank 3 is through already. */
static void stop_rank_2(struct heat *heat)
{
    add(heat, mq_sends, heat->ring, 2, wrong_tag, edge, 0x1a3f500);
    add(heat, mq_unexpected, heat->twin, 3, reduce_tag, 8, 0x1a61c40);
    sim_target(heat->sim)->call = "MPI_Waitall";
}

/* Waits for the sum. */
static void stop_rank_3(struct heat *heat)
{
    add(heat, mq_receives, heat->twin, 2, broadcast_tag, 8, 0x7ffd3c20);
    sim_target(heat->sim)->call = "MPI_Allreduce";
}

static void (*const stops[ranks])(struct heat *) = {
    stop_rank_0, stop_rank_1, stop_rank_2, stop_rank_3
};

/* ---- Files --------------------------------------------------------------- */

static int write_rank(const char *folder, int rank)
{
    struct heat heat = { .sim = sim_create(NULL, NULL, sim_contiguous, rank,
                                           ranks) };
    char path[512];
    FILE *file;
    int failed;

    sim_target(heat.sim)->image = "heat";
    add_communicators(&heat, rank);
    if (rank > 0)
        add_stop_receive(&heat);
    stops[rank](&heat);
    snprintf(path, sizeof path, "%s/heat.%d.mqsnap", folder, rank);
    file = fopen(path, "w");
    if (file != NULL)
        sim_write_snapshot(heat.sim, file);
    failed = file == NULL || ferror(file);
    failed |= file != NULL && fclose(file) != 0;
    if (failed)
        perror(path);
    sim_destroy(heat.sim);
    return failed;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: demo FOLDER\n", stderr);
        return 2;
    }
    for (int rank = 0; rank < ranks; rank++)
        if (write_rank(argv[1], rank))
            return 2;
    return 0;
}
