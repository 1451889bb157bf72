/* wrong.c - erroneous MPI programs, by typical mistake
 *
 *     wrong NAME          runs it: each rank says "ready RANK PID" before
 *     wrong               lists them: name, ranks, and what shall be found
 *
 * What shall be found: the verdict; the kind of the finding that names the
 * mistake, with what differs; and for each rank the call that it is in, at the
 * line of the function of the program's name, "-" for none.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { large = 1 << 20, most = 64 };

static int rank, size, left, right, other;
static int data[large], more[large], counts[most], places[most];
static MPI_Request requests[8];
static MPI_Status statuses[8];
static MPI_Comm world, copy, half, inter;
static MPI_Datatype types[most];

#define IGNORE MPI_STATUS_IGNORE

static void send(int to, int tag)
{
    MPI_Send(data, 1, MPI_INT, to, tag, world);
}

static void receive(int from, int tag)
{
    MPI_Recv(more, 1, MPI_INT, from, tag, world, IGNORE);
}

/* ---- Messages ------------------------------------------------------------ */

static void both_receive(void)
{
    MPI_Recv(data, 1, MPI_INT, other, 1, world, IGNORE);
}

static void ring_receives(void)
{
    MPI_Recv(data, 1, MPI_INT, left, 2, world, IGNORE);
}

static void both_send_much(void)
{
    MPI_Send(data, large, MPI_INT, other, 3, world);
    receive(other, 3);
}

static void ring_sends_much(void)
{
    MPI_Send(data, large, MPI_INT, right, 4, world);
    receive(left, 4);
}

static void both_ssend(void)
{
    MPI_Ssend(data, 1, MPI_INT, other, 5, world);
}

static void ring_ssends(void)
{
    MPI_Ssend(data, 1, MPI_INT, right, 6, world);
}

static void isend_waits_first(void)
{
    MPI_Isend(data, large, MPI_INT, other, 7, world, &requests[0]);
    MPI_Wait(&requests[0], IGNORE);
    receive(other, 7);
}

static void wrong_tag(void)
{
    if (rank == 0)
        send(1, 81);
    MPI_Recv(data, 1, MPI_INT, other, 8, world, IGNORE);
}

static void wrong_source(void)
{
    if (rank == 1)
        send(0, 9);
    if (rank == 0)
        MPI_Recv(data, 1, MPI_INT, 2, 9, world, IGNORE);
    else
        MPI_Recv(data, 1, MPI_INT, 0, 9, world, IGNORE);
}

static void wrong_communicator(void)
{
    if (rank == 0)
        send(1, 10);
    MPI_Recv(data, 1, MPI_INT, other, 10, copy, IGNORE);
}

static void nobody_sends(void)
{
    if (rank == 0)
        MPI_Recv(data, 1, MPI_INT, 1, 11, world, IGNORE);
    else
        MPI_Barrier(world);
}

static void nobody_receives(void)
{
    if (rank == 0)
        MPI_Ssend(data, 1, MPI_INT, 1, 12, world);
    else
        MPI_Barrier(world);
}

static void one_too_many(void)
{
    if (rank == 0) {
        receive(1, 13);
        MPI_Recv(data, 1, MPI_INT, 1, 13, world, IGNORE);
    } else {
        send(0, 13);
        MPI_Recv(data, 1, MPI_INT, 0, 13, world, IGNORE);
    }
}

static void partner_finalizes(void)
{
    if (rank == 0)
        MPI_Recv(data, 1, MPI_INT, 1, 14, world, IGNORE);
}

static void all_receive_any(void)
{
    MPI_Recv(data, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, IGNORE);
}

/* The wildcard took what the second receive is for. */
static void wildcard_starves(void)
{
    if (rank == 1)
        send(0, 15);
    if (rank == 0) {
        receive(MPI_ANY_SOURCE, 15);
        MPI_Recv(data, 1, MPI_INT, 1, 15, world, IGNORE);
    } else
        MPI_Recv(data, 1, MPI_INT, 0, 15, world, IGNORE);
}

static void any_tag_starves(void)
{
    if (rank == 0) {
        receive(1, MPI_ANY_TAG);
        MPI_Recv(data, 1, MPI_INT, 1, 16, world, IGNORE);
    } else {
        send(0, 16);
        send(0, 17);
        MPI_Recv(data, 1, MPI_INT, 0, 16, world, IGNORE);
    }
}

static void probes(void)
{
    MPI_Probe(other, 18, world, IGNORE);
}

static void probes_any(void)
{
    MPI_Probe(MPI_ANY_SOURCE, 19, world, IGNORE);
}

static void matched_probes(void)
{
    MPI_Message message;

    MPI_Mprobe(other, 20, world, &message, IGNORE);
}

static void receives_from_itself(void)
{
    MPI_Recv(data, 1, MPI_INT, rank, 21, world, IGNORE);
}

static void sends_to_itself(void)
{
    MPI_Ssend(data, 1, MPI_INT, rank, 22, world);
}

static void crossed_sendrecv(void)
{
    MPI_Sendrecv(data, 1, MPI_INT, other, 23 + rank, more, 1, MPI_INT, other,
                 23 + rank, world, IGNORE);
}

static void ring_replaces(void)
{
    MPI_Sendrecv_replace(data, 1, MPI_INT, right, 25, right, 26, world,
                         IGNORE);
}

static void wrong_order(void)
{
    if (rank == 0) {
        MPI_Ssend(data, 1, MPI_INT, 1, 27, world);
        MPI_Ssend(data, 1, MPI_INT, 1, 28, world);
    } else {
        MPI_Recv(data, 1, MPI_INT, 0, 28, world, IGNORE);
        MPI_Recv(data, 1, MPI_INT, 0, 27, world, IGNORE);
    }
}

static void two_pairs(void)
{
    MPI_Recv(data, 1, MPI_INT, other, 29, world, IGNORE);
}

static void behind_a_pair(void)
{
    if (rank < 2)
        MPI_Recv(data, 1, MPI_INT, other, 30, world, IGNORE);
    else
        MPI_Recv(data, 1, MPI_INT, rank - 1, 30, world, IGNORE);
}

static void workers_are_not_told(void)
{
    if (rank == 0)
        MPI_Barrier(world);
    else
        MPI_Recv(data, 1, MPI_INT, 0, MPI_ANY_TAG, world, IGNORE);
}

/* ---- Requests ------------------------------------------------------------ */

static void wait_for_nobody(void)
{
    MPI_Irecv(data, 1, MPI_INT, other, 31, world, &requests[0]);
    MPI_Wait(&requests[0], IGNORE);
}

static void one_of_all(void)
{
    send(right, 32);
    MPI_Irecv(data, 1, MPI_INT, left, 32, world, &requests[0]);
    MPI_Irecv(more, 1, MPI_INT, right, 33, world, &requests[1]);
    MPI_Waitall(2, requests, statuses);
}

static void none_of_any(void)
{
    int i;

    MPI_Irecv(data, 1, MPI_INT, left, 34, world, &requests[0]);
    MPI_Irecv(more, 1, MPI_INT, right, 35, world, &requests[1]);
    MPI_Waitany(2, requests, &i, IGNORE);
}

static void none_of_some(void)
{
    int count, which[2];

    MPI_Irecv(data, 1, MPI_INT, left, 36, world, &requests[0]);
    MPI_Irecv(more, 1, MPI_INT, right, 37, world, &requests[1]);
    MPI_Waitsome(2, requests, &count, which, statuses);
}

static void issend_to_nobody(void)
{
    MPI_Issend(data, 1, MPI_INT, other, 38, world, &requests[0]);
    MPI_Wait(&requests[0], IGNORE);
}

/* The send is initialised, but not started. */
static void missing_start(void)
{
    if (rank == 0) {
        MPI_Send_init(data, 1, MPI_INT, 1, 39, world, &requests[0]);
        MPI_Recv(more, 1, MPI_INT, 1, 40, world, IGNORE);
    } else {
        MPI_Recv(more, 1, MPI_INT, 0, 39, world, IGNORE);
        send(0, 40);
    }
}

static void missing_start_of_receive(void)
{
    if (rank == 0) {
        MPI_Recv_init(data, 1, MPI_INT, 1, 41, world, &requests[0]);
        MPI_Recv(more, 1, MPI_INT, 1, 42, world, IGNORE);
    } else {
        MPI_Ssend(more, 1, MPI_INT, 0, 41, world);
        send(0, 42);
    }
}

static void started_for_nobody(void)
{
    MPI_Recv_init(data, 1, MPI_INT, other, 43, world, &requests[0]);
    MPI_Start(&requests[0]);
    MPI_Wait(&requests[0], IGNORE);
}

/* Rank 0 forgets that its first receive still takes what comes. */
static void missing_wait(void)
{
    if (rank == 0) {
        MPI_Irecv(more, 1, MPI_INT, 1, 44, world, &requests[0]);
        MPI_Recv(data, 1, MPI_INT, 1, 44, world, IGNORE);
    } else {
        send(0, 44);
        MPI_Recv(data, 1, MPI_INT, 0, 44, world, IGNORE);
    }
}

static void wait_in_wrong_order(void)
{
    MPI_Issend(data, 1, MPI_INT, other, 45, world, &requests[0]);
    MPI_Irecv(more, 1, MPI_INT, other, 46, world, &requests[1]);
    MPI_Wait(&requests[1], IGNORE);
}

/* ---- Collective operations: which ---------------------------------------- */

static void barrier_or_allreduce(void)
{
    if (rank == 0)
        MPI_Barrier(world);
    else
        MPI_Allreduce(data, more, 1, MPI_INT, MPI_SUM, world);
}

static void bcast_or_reduce(void)
{
    if (rank == 0)
        MPI_Bcast(data, 1, MPI_INT, 1, world);
    else
        MPI_Reduce(data, more, 1, MPI_INT, MPI_SUM, 1, world);
}

static void barrier_or_bcast(void)
{
    if (rank == 0)
        MPI_Barrier(world);
    else
        MPI_Bcast(data, 1, MPI_INT, 0, world);
}

static void gather_or_scatter(void)
{
    if (rank == 0)
        MPI_Gather(data, 1, MPI_INT, more, 1, MPI_INT, 0, world);
    else
        MPI_Scatter(data, 1, MPI_INT, more, 1, MPI_INT, 0, world);
}

static void gatherv_or_scatterv(void)
{
    if (rank == 0)
        MPI_Gatherv(data, 1, MPI_INT, more, counts, places, MPI_INT, 0, world);
    else
        MPI_Scatterv(data, counts, places, MPI_INT, more, 1, MPI_INT, 0,
                     world);
}

static void alltoall_or_allgather(void)
{
    if (rank == 0)
        MPI_Alltoall(data, 1, MPI_INT, more, 1, MPI_INT, world);
    else
        MPI_Allgather(data, 1, MPI_INT, more, 1, MPI_INT, world);
}

static void alltoallv_or_barrier(void)
{
    if (rank == 0)
        MPI_Alltoallv(data, counts, places, MPI_INT, more, counts, places,
                      MPI_INT, world);
    else
        MPI_Barrier(world);
}

static void alltoallw_or_allreduce(void)
{
    if (rank == 0)
        MPI_Alltoallw(data, counts, places, types, more, counts, places, types,
                      world);
    else
        MPI_Allreduce(data, more, 1, MPI_INT, MPI_SUM, world);
}

static void allgatherv_or_barrier(void)
{
    if (rank == 0)
        MPI_Allgatherv(data, 1, MPI_INT, more, counts, places, MPI_INT, world);
    else
        MPI_Barrier(world);
}

static void scan_or_allreduce(void)
{
    if (rank == 0)
        MPI_Allreduce(data, more, 1, MPI_INT, MPI_SUM, world);
    else
        MPI_Scan(data, more, 1, MPI_INT, MPI_SUM, world);
}

static void exscan_or_barrier(void)
{
    if (rank == 0)
        MPI_Barrier(world);
    else
        MPI_Exscan(data, more, 1, MPI_INT, MPI_SUM, world);
}

static void reduce_scatter_or_barrier(void)
{
    if (rank == 0)
        MPI_Reduce_scatter(data, more, counts, MPI_INT, MPI_SUM, world);
    else
        MPI_Barrier(world);
}

static void blocks_or_allgather(void)
{
    if (rank == 0)
        MPI_Reduce_scatter_block(data, more, 1, MPI_INT, MPI_SUM, world);
    else
        MPI_Allgather(data, 1, MPI_INT, more, 1, MPI_INT, world);
}

static void dup_or_barrier(void)
{
    if (rank == 0)
        MPI_Comm_dup(world, &half);
    else
        MPI_Barrier(world);
}

static void split_or_allreduce(void)
{
    if (rank == 0)
        MPI_Comm_split(world, 0, 0, &half);
    else
        MPI_Allreduce(data, more, 1, MPI_INT, MPI_SUM, world);
}

static void one_of_four(void)
{
    if (rank == 2)
        MPI_Barrier(world);
    else
        MPI_Allreduce(data, more, 1, MPI_INT, MPI_SUM, world);
}

/* ---- Collective operations: with whom ------------------------------------ */

static void bcast_roots(void)
{
    MPI_Bcast(data, 1, MPI_INT, other, world);
}

static void reduce_roots(void)
{
    MPI_Reduce(data, more, 1, MPI_INT, MPI_SUM, rank, world);
}

static void gather_roots(void)
{
    MPI_Gather(data, 1, MPI_INT, more, 1, MPI_INT, rank, world);
}

static void scatter_roots(void)
{
    MPI_Scatter(data, 1, MPI_INT, more, 1, MPI_INT, other, world);
}

static void gatherv_roots(void)
{
    MPI_Gatherv(data, 1, MPI_INT, more, counts, places, MPI_INT, rank, world);
}

static void reversed_barriers(void)
{
    if (rank == 0)
        MPI_Barrier(world);
    else
        MPI_Barrier(copy);
}

static void reversed_allreduces(void)
{
    if (rank == 0)
        MPI_Allreduce(data, more, 1, MPI_INT, MPI_SUM, copy);
    else
        MPI_Allreduce(data, more, 1, MPI_INT, MPI_SUM, world);
}

static void missing_in_barrier(void)
{
    if (rank == 2)
        MPI_Recv(data, 1, MPI_INT, 0, 47, world, IGNORE);
    else
        MPI_Barrier(world);
}

static void finalizes_early(void)
{
    if (rank < 2)
        MPI_Allreduce(data, more, 1, MPI_INT, MPI_SUM, world);
}

static void ssend_or_bcast(void)
{
    if (rank == 0)
        MPI_Bcast(data, 1, MPI_INT, 1, world);
    else
        MPI_Ssend(data, 1, MPI_INT, 0, 48, world);
}

static void half_in_world(void)
{
    if (rank == 2)
        MPI_Barrier(half);
    else
        MPI_Barrier(world);
}

static void mismatch_in_half(void)
{
    if (rank < 2)
        MPI_Barrier(half);
    else
        MPI_Allreduce(data, more, 1, MPI_INT, MPI_SUM, half);
}

/* Rank 0 begins what the others are in. */
static void nonblocking_or_blocking(void)
{
    MPI_Request request;

    if (rank == 0) {
        MPI_Iallreduce(data, more, 1, MPI_INT, MPI_SUM, world, &request);
        MPI_Wait(&request, IGNORE);
    } else
        MPI_Allreduce(data, more, 1, MPI_INT, MPI_SUM, world);
}

static void nonblocking_kinds(void)
{
    if (rank == 0)
        MPI_Igather(data, 1, MPI_INT, more, 1, MPI_INT, 0, world,
                    &requests[0]);
    else
        MPI_Iscatter(data, 1, MPI_INT, more, 1, MPI_INT, 0, world,
                     &requests[0]);
    MPI_Wait(&requests[0], IGNORE);
}

static void nonblocking_roots(void)
{
    MPI_Ibcast(data, large, MPI_INT, other, world, &requests[0]);
    MPI_Wait(&requests[0], IGNORE);
}

static void nonblocking_order(void)
{
    MPI_Ibarrier(rank == 0 ? world : copy, &requests[0]);
    MPI_Wait(&requests[0], IGNORE);
}

/* Others went on to what rank 1 has begun too early. */
static void one_is_left_out(void)
{
    int root = size - 1;

    if (rank != 1)
        MPI_Reduce(data, more, 1, MPI_INT, MPI_SUM, root, world);
    MPI_Barrier(world);
}

static void dup_is_begun_by_one(void)
{
    if (rank == 0) {
        MPI_Comm_idup(world, &half, &requests[0]);
        MPI_Wait(&requests[0], IGNORE);
    } else
        MPI_Recv(data, 1, MPI_INT, 0, 63, world, IGNORE);
}

/* All begin the first; only rank 0 begins the second. */
static void second_is_not_begun(void)
{
    MPI_Iallreduce(data, more, 1, MPI_INT, MPI_SUM, world, &requests[0]);
    if (rank == 0) {
        MPI_Ialltoall(data, 1, MPI_INT, more + most, 1, MPI_INT, world,
                      &requests[1]);
        MPI_Waitall(2, requests, statuses);
    } else {
        MPI_Wait(&requests[0], IGNORE);
        MPI_Recv(data, 1, MPI_INT, 0, 61, world, IGNORE);
    }
}

/* ---- Inter-communicators ------------------------------------------------- */

static void inter_receives(void)
{
    MPI_Recv(data, 1, MPI_INT, rank / 2, 50, inter, IGNORE);
}

static void inter_ssends(void)
{
    MPI_Ssend(data, 1, MPI_INT, rank / 2, 51, inter);
}

static void inter_wrong_rank(void)
{
    if (rank == 0)
        MPI_Send(data, 1, MPI_INT, 1, 52, inter);
    MPI_Recv(data, 1, MPI_INT, 0, 52, inter, IGNORE);
}

static void inter_wrong_tag(void)
{
    if (rank == 0)
        MPI_Send(data, 1, MPI_INT, 0, 53, inter);
    MPI_Recv(data, 1, MPI_INT, 0, 54, inter, IGNORE);
}

static void inter_or_world(void)
{
    if (rank == 0)
        MPI_Barrier(world);
    else
        MPI_Barrier(inter);
}

static void inter_mismatch(void)
{
    if (rank % 2 == 0)
        MPI_Barrier(inter);
    else
        MPI_Alltoall(data, 1, MPI_INT, more, 1, MPI_INT, inter);
}

/* Two communicators that only their members can tell apart. */
static void inter_made_twice(void)
{
    MPI_Comm twin;

    MPI_Intercomm_create(half, 0, copy, 1 - rank % 2, 60, &twin);
    if (rank == 1)
        MPI_Send(data, 1, MPI_INT, 0, 55, twin);
    if (rank == 0)
        MPI_Recv(data, 1, MPI_INT, 0, 55, inter, IGNORE);
    else
        MPI_Barrier(world);
}

static void same_group_twice(void)
{
    MPI_Comm twins[2];
    MPI_Group all;

    MPI_Comm_group(world, &all);
    MPI_Comm_create_group(world, all, 62, &twins[0]);
    MPI_Comm_create_group(world, all, 62, &twins[1]);
    if (rank == 1)
        MPI_Send(data, 1, MPI_INT, 0, 56, twins[1]);
    if (rank == 0)
        MPI_Recv(data, 1, MPI_INT, 1, 56, twins[0], IGNORE);
    else
        MPI_Barrier(world);
}

/* ---- Threads ------------------------------------------------------------- */

static void *second(void *unused)
{
    MPI_Recv(more, 1, MPI_INT, other, 57, copy, IGNORE);
    return unused;
}

static void both_threads_receive(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, second, NULL);
    MPI_Recv(data, 1, MPI_INT, other, 58, world, IGNORE);
    pthread_join(thread, NULL);
}

/* ---- The list ------------------------------------------------------------ */

#define PROGRAM(name) #name, name

static const struct {
    const char *name;
    void (*run)(void);
    int ranks;
    const char *verdict, *finding, *calls;
} programs[] = {
    { PROGRAM(both_receive), 2, "deadlock", "deadlock", "Recv Recv" },
    { PROGRAM(ring_receives), 3, "deadlock", "deadlock", "Recv Recv Recv" },
    { PROGRAM(both_send_much), 2, "deadlock", "deadlock", "Send Send" },
    { PROGRAM(ring_sends_much), 3, "deadlock", "deadlock", "Send Send Send" },
    { PROGRAM(both_ssend), 2, "deadlock", "deadlock", "Ssend Ssend" },
    { PROGRAM(ring_ssends), 3, "deadlock", "deadlock", "Ssend Ssend Ssend" },
    { PROGRAM(isend_waits_first), 2, "deadlock", "deadlock", "Wait Wait" },
    { PROGRAM(wrong_tag), 2, "deadlock", "near-miss/tag", "Recv Recv" },
    { PROGRAM(wrong_source), 3, "deadlock", "near-miss/source",
      "Recv Recv Recv" },
    { PROGRAM(wrong_communicator), 2, "deadlock", "near-miss/communicator",
      "Recv Recv" },
    { PROGRAM(nobody_sends), 2, "deadlock", "deadlock", "Recv Barrier" },
    { PROGRAM(nobody_receives), 2, "deadlock", "deadlock", "Ssend Barrier" },
    { PROGRAM(one_too_many), 2, "deadlock", "deadlock", "Recv Recv" },
    { PROGRAM(partner_finalizes), 2, "stuck", "stuck", "Recv -" },
    { PROGRAM(all_receive_any), 3, "deadlock", "deadlock", "Recv Recv Recv" },
    { PROGRAM(wildcard_starves), 2, "deadlock", "deadlock", "Recv Recv" },
    { PROGRAM(any_tag_starves), 2, "deadlock", "near-miss/tag", "Recv Recv" },
    { PROGRAM(probes), 2, "deadlock", "deadlock", "Probe Probe" },
    { PROGRAM(probes_any), 3, "deadlock", "deadlock", "Probe Probe Probe" },
    { PROGRAM(matched_probes), 2, "deadlock", "deadlock", "Mprobe Mprobe" },
    { PROGRAM(receives_from_itself), 1, "deadlock", "deadlock", "Recv" },
    { PROGRAM(sends_to_itself), 1, "deadlock", "deadlock", "Ssend" },
    { PROGRAM(crossed_sendrecv), 2, "deadlock", "near-miss/tag",
      "Sendrecv Sendrecv" },
    { PROGRAM(ring_replaces), 3, "deadlock", "deadlock",
      "Sendrecv_replace Sendrecv_replace Sendrecv_replace" },
    { PROGRAM(wrong_order), 2, "deadlock", "near-miss/tag", "Ssend Recv" },
    { PROGRAM(two_pairs), 4, "deadlock", "deadlock", "Recv Recv Recv Recv" },
    { PROGRAM(behind_a_pair), 4, "deadlock", "deadlock",
      "Recv Recv Recv Recv" },
    { PROGRAM(workers_are_not_told), 3, "deadlock", "deadlock",
      "Barrier Recv Recv" },

    { PROGRAM(wait_for_nobody), 2, "deadlock", "deadlock", "Wait Wait" },
    { PROGRAM(one_of_all), 3, "deadlock", "deadlock",
      "Waitall Waitall Waitall" },
    { PROGRAM(none_of_any), 3, "deadlock", "deadlock",
      "Waitany Waitany Waitany" },
    { PROGRAM(none_of_some), 3, "deadlock", "deadlock",
      "Waitsome Waitsome Waitsome" },
    { PROGRAM(issend_to_nobody), 2, "deadlock", "deadlock", "Wait Wait" },
    { PROGRAM(missing_start), 2, "deadlock", "deadlock", "Recv Recv" },
    { PROGRAM(missing_start_of_receive), 2, "deadlock", "near-miss/tag",
      "Recv Ssend" },
    { PROGRAM(started_for_nobody), 2, "deadlock", "deadlock", "Wait Wait" },
    { PROGRAM(missing_wait), 2, "deadlock", "deadlock", "Recv Recv" },
    { PROGRAM(wait_in_wrong_order), 2, "deadlock", "near-miss/tag",
      "Wait Wait" },

    { PROGRAM(barrier_or_allreduce), 2, "deadlock",
      "collective-mismatch/operation", "Barrier Allreduce" },
    { PROGRAM(bcast_or_reduce), 2, "deadlock",
      "collective-mismatch/operation", "Bcast Reduce" },
    { PROGRAM(barrier_or_bcast), 2, "deadlock",
      "collective-mismatch/operation", "Barrier Bcast" },
    { PROGRAM(gather_or_scatter), 2, "deadlock",
      "collective-mismatch/operation", "Gather Scatter" },
    { PROGRAM(gatherv_or_scatterv), 2, "deadlock",
      "collective-mismatch/operation", "Gatherv Scatterv" },
    { PROGRAM(alltoall_or_allgather), 2, "deadlock",
      "collective-mismatch/operation", "Alltoall Allgather" },
    { PROGRAM(alltoallv_or_barrier), 2, "deadlock",
      "collective-mismatch/operation", "Alltoallv Barrier" },
    { PROGRAM(alltoallw_or_allreduce), 2, "deadlock",
      "collective-mismatch/operation", "Alltoallw Allreduce" },
    { PROGRAM(allgatherv_or_barrier), 2, "deadlock",
      "collective-mismatch/operation", "Allgatherv Barrier" },
    { PROGRAM(scan_or_allreduce), 2, "deadlock",
      "collective-mismatch/operation", "Allreduce Scan" },
    { PROGRAM(exscan_or_barrier), 2, "deadlock",
      "collective-mismatch/operation", "Barrier Exscan" },
    { PROGRAM(reduce_scatter_or_barrier), 2, "deadlock",
      "collective-mismatch/operation", "Reduce_scatter Barrier" },
    { PROGRAM(blocks_or_allgather), 2, "deadlock",
      "collective-mismatch/operation", "Reduce_scatter_block Allgather" },
    { PROGRAM(dup_or_barrier), 2, "deadlock",
      "collective-mismatch/operation", "Comm_dup Barrier" },
    { PROGRAM(split_or_allreduce), 2, "deadlock",
      "collective-mismatch/operation", "Comm_split Allreduce" },
    { PROGRAM(one_of_four), 4, "deadlock", "collective-mismatch/operation",
      "Allreduce Allreduce Barrier Allreduce" },

    { PROGRAM(bcast_roots), 2, "deadlock", "collective-mismatch/root",
      "Bcast Bcast" },
    { PROGRAM(reduce_roots), 2, "deadlock", "collective-mismatch/root",
      "Reduce Reduce" },
    { PROGRAM(gather_roots), 2, "deadlock", "collective-mismatch/root",
      "Gather Gather" },
    { PROGRAM(scatter_roots), 2, "deadlock", "collective-mismatch/root",
      "Scatter Scatter" },
    { PROGRAM(gatherv_roots), 2, "deadlock", "collective-mismatch/root",
      "Gatherv Gatherv" },
    { PROGRAM(reversed_barriers), 2, "deadlock", "collective-mismatch/order",
      "Barrier Barrier" },
    { PROGRAM(reversed_allreduces), 2, "deadlock",
      "collective-mismatch/order", "Allreduce Allreduce" },
    { PROGRAM(missing_in_barrier), 3, "deadlock", "deadlock",
      "Barrier Barrier Recv" },
    { PROGRAM(finalizes_early), 3, "stuck", "stuck", "Allreduce Allreduce -" },
    { PROGRAM(ssend_or_bcast), 2, "deadlock", "deadlock", "Bcast Ssend" },
    { PROGRAM(half_in_world), 4, "deadlock", "collective-mismatch/order",
      "Barrier Barrier Barrier Barrier" },
    { PROGRAM(nonblocking_or_blocking), 3, "deadlock",
      "collective-mismatch/operation", "Wait Allreduce Allreduce" },
    { PROGRAM(nonblocking_kinds), 2, "deadlock",
      "collective-mismatch/operation", "Wait Wait" },
    { PROGRAM(nonblocking_roots), 2, "deadlock", "collective-mismatch/root",
      "Wait Wait" },
    { PROGRAM(nonblocking_order), 2, "deadlock", "collective-mismatch/order",
      "Wait Wait" },
    { PROGRAM(one_is_left_out), 4, "deadlock",
      "collective-mismatch/operation", "Barrier Barrier Barrier Reduce" },
    { PROGRAM(dup_is_begun_by_one), 2, "deadlock", "deadlock", "Wait Recv" },
    { PROGRAM(second_is_not_begun), 2, "deadlock", "deadlock",
      "Waitall Recv" },
    { PROGRAM(mismatch_in_half), 4, "deadlock",
      "collective-mismatch/operation", "Barrier Barrier Allreduce Allreduce" },

    { PROGRAM(inter_receives), 4, "deadlock", "deadlock",
      "Recv Recv Recv Recv" },
    { PROGRAM(inter_ssends), 4, "deadlock", "deadlock",
      "Ssend Ssend Ssend Ssend" },
    { PROGRAM(inter_wrong_rank), 4, "deadlock", "deadlock",
      "Recv Recv Recv -" },
    { PROGRAM(inter_wrong_tag), 4, "deadlock", "near-miss/tag",
      "Recv Recv Recv Recv" },
    { PROGRAM(inter_or_world), 4, "deadlock", "collective-mismatch/order",
      "Barrier Barrier Barrier Barrier" },
    { PROGRAM(inter_mismatch), 4, "deadlock",
      "collective-mismatch/operation", "Barrier Alltoall Barrier Alltoall" },
    { PROGRAM(inter_made_twice), 4, "deadlock", "near-miss/communicator",
      "Recv Barrier Barrier Barrier" },
    { PROGRAM(same_group_twice), 2, "deadlock", "near-miss/communicator",
      "Recv Barrier" },

    { PROGRAM(both_threads_receive), 2, "deadlock", "deadlock", "Recv Recv" }
};

enum { program_count = sizeof programs / sizeof programs[0] };

/* The communicators: halves of the ranks, each other's remote group. */
static void prepare(void)
{
    int i;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    other = (rank ^ 1) % size;
    world = MPI_COMM_WORLD;
    for (i = 0; i < most; i++) {
        counts[i] = 1;
        places[i] = i;
        types[i] = MPI_INT;
    }
    MPI_Comm_dup(world, &copy);
    MPI_Comm_set_name(copy, "copy");
    MPI_Comm_split(world, rank % 2, rank, &half);
    MPI_Comm_set_name(half, "half");
    if (size > 1)
        MPI_Intercomm_create(half, 0, copy, 1 - rank % 2, 60, &inter);
    MPI_Barrier(copy);
}

int main(int argc, char **argv)
{
    int i, provided;

    for (i = 0; argc < 2 && i < program_count; i++)
        printf("%s %d %s %s %s\n", programs[i].name, programs[i].ranks,
               programs[i].verdict, programs[i].finding, programs[i].calls);
    if (argc < 2)
        return 0;
    alarm(900);
    MPI_Init_thread(&argc, &argv, strstr(argv[1], "thread") != NULL
                    ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    prepare();
    fprintf(stderr, "ready %d %d\n", rank, (int)getpid());
    for (i = 0; i < program_count; i++) {
        if (strcmp(argv[1], programs[i].name) == 0)
            programs[i].run();
    }
    MPI_Finalize();
    return 0;
}
