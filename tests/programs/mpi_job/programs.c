/* programs.c - endless and hanging programs
 *
 * Each is a function of its own, so that its name is what a debugger has to
 * tell of where a rank is.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mpi_job.h"
#include "mpi.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    many = 50000                /* ints; longer than what is sent at once */
};

static int rank, size, right, left;
static int numbers[many], others[many], all[max_ranks * 1000];
static MPI_Request requests[4];

static void receive(int source, int tag)
{
    MPI_Recv(others, 4, MPI_INT, source, tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

/* A few milliseconds, others in each rank and round. */
static void work(void)
{
    static unsigned state;

    state = state * 1103515245u + 12345u + (unsigned)rank;
    poll(NULL, 0, (int)(state >> 16) % 5);
}

__attribute__((__noinline__)) static void relax_for_ever(void)
{
    for (;;)
        poll(NULL, 0, 100);
}

/* ---- They go on -------------------------------------------------------- */

static void master(void)
{
    for (;;) {
        MPI_Status status;

        MPI_Recv(numbers, 4, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
                 &status);
        work();
        MPI_Send(numbers, 4, MPI_INT, status.MPI_SOURCE, 2, MPI_COMM_WORLD);
    }
}

static void workers(void)
{
    if (rank == 0)
        master();
    for (;;) {
        MPI_Send(numbers, 4, MPI_INT, 0, 1, MPI_COMM_WORLD);
        receive(0, 2);
        work();
    }
}

static void halo(void)
{
    int sum;

    for (;;) {
        MPI_Irecv(others, many, MPI_INT, left, 3, MPI_COMM_WORLD,
                  &requests[0]);
        MPI_Isend(numbers, many, MPI_INT, right, 3, MPI_COMM_WORLD,
                  &requests[1]);
        MPI_Waitall(2, requests, NULL);
        work();
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
}

static void pairs(void)
{
    int other = rank ^ 1;

    for (;;) {
        if (rank % 2 == 0)
            MPI_Ssend(numbers, 4, MPI_INT, other, 4, MPI_COMM_WORLD);
        else
            receive(other, 4);
        work();
    }
}

static void shift(void)
{
    for (;;)
        MPI_Sendrecv(numbers, many, MPI_INT, right, 5, others, many, MPI_INT,
                     left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void bcasts(void)
{
    for (;;) {
        MPI_Bcast(numbers, many, MPI_INT, 0, MPI_COMM_WORLD);
        work();
    }
}

static void alltoalls(void)
{
    for (;;) {
        MPI_Alltoall(numbers, 1000, MPI_INT, all, 1000, MPI_INT,
                     MPI_COMM_WORLD);
        work();
    }
}

/* ---- They hang --------------------------------------------------------- */

static void ssend_ring(void)
{
    MPI_Ssend(numbers, 4, MPI_INT, right, 19, MPI_COMM_WORLD);
}

static void send_ring(void)
{
    MPI_Send(numbers, many, MPI_INT, right, 20, MPI_COMM_WORLD);
}

static void bsend_detach(void)
{
    MPI_Bsend(numbers, many, MPI_INT, right, 21, MPI_COMM_WORLD);
    MPI_Buffer_detach(numbers, &size);
}

static void recv_ring(void)
{
    receive(right, 17);
}

static void probe_ring(void)
{
    MPI_Probe(right, 18, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void sendrecv_ring(void)
{
    MPI_Sendrecv(numbers, 4, MPI_INT, right, 24, others, 4, MPI_INT, left, 25,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void waitall_ring(void)
{
    MPI_Irecv(others, 4, MPI_INT, left, 22, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(others, 4, MPI_INT, right, 22, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, NULL);
}

static void waitany_ring(void)
{
    MPI_Irecv(others, 4, MPI_INT, left, 23, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(others, 4, MPI_INT, right, 23, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitany(2, requests, &size, MPI_STATUS_IGNORE);
}

static void persistent_ring(void)
{
    MPI_Recv_init(others, 4, MPI_INT, left, 26, MPI_COMM_WORLD, &requests[0]);
    MPI_Start(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void persistent_sends(void)
{
    MPI_Ssend_init(numbers, 4, MPI_INT, right, 27, MPI_COMM_WORLD,
                   &requests[0]);
    MPI_Start(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void wrong_tag(void)
{
    if (rank == 1)
        MPI_Send(numbers, 4, MPI_INT, 0, 62, MPI_COMM_WORLD);
    receive(right, 26);
}

/* Rank 0 waits for rank 1, and the message comes from rank 2. */
static void wrong_source(void)
{
    if (rank == 2)
        MPI_Send(numbers, 4, MPI_INT, 0, 28, MPI_COMM_WORLD);
    receive(right, 28);
}

static void wrong_communicator(void)
{
    MPI_Comm copy;

    MPI_Comm_dup(MPI_COMM_WORLD, "copy", &copy);
    if (rank == 1)
        MPI_Send(numbers, 4, MPI_INT, 0, 34, copy);
    receive(right, 34);
}

/* The ranks of the other one count from its end. */
static void reversed_split(void)
{
    MPI_Comm reversed;

    MPI_Comm_reverse(MPI_COMM_WORLD, "reversed", &reversed);
    MPI_Recv(others, 4, MPI_INT, MPI_Comm_rank(reversed) ^ 1, 35, reversed,
             MPI_STATUS_IGNORE);
}

static void between_halves(void)
{
    MPI_Comm halves, inter;

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 2, "halves", &halves);
    MPI_Intercomm_create(halves, MPI_COMM_WORLD, "between", &inter);
    MPI_Recv(others, 4, MPI_INT, rank / 2, 36, inter, MPI_STATUS_IGNORE);
}

/* Each waits for one of another world, in which all do the same. */
static void bridge(void)
{
    MPI_Comm inter;

    MPI_Comm_connect(job_options.remote, "bridge", &inter);
    MPI_Recv(others, 4, MPI_INT, rank % job_options.remote, 37, inter,
             MPI_STATUS_IGNORE);
}

/* Nobody waits for anybody. */
static void idle_bridge(void)
{
    MPI_Comm inter;

    MPI_Comm_connect(job_options.remote, "bridge", &inter);
    for (;;)
        progress(20);
}

/* The last rank is what all others wait for. */
static int is_last(void)
{
    return rank == size - 1;
}

static void last_computes(void)
{
    if (is_last())
        relax_for_ever();
    receive(right, 40);
}

static void last_pauses(void)
{
    if (is_last())
        for (;;)
            pause();
    receive(right, 41);
}

static void last_tests(void)
{
    int flag = 0;

    MPI_Irecv(numbers, 4, MPI_INT, 0, 42, MPI_COMM_WORLD, &requests[0]);
    if (is_last())
        while (!flag)
            MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    receive(right, 43);
}

static void last_finalizes(void)
{
    if (!is_last())
        receive(right, 44);
    MPI_Finalize();
}

static void last_exits(void)
{
    if (is_last())
        exit(0);
    receive(right, 45);
}

static void last_barrier_missing(void)
{
    if (is_last())
        relax_for_ever();
    MPI_Barrier(MPI_COMM_WORLD);
}

static void different_operations(void)
{
    if (is_last())
        MPI_Bcast(numbers, many, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void different_roots(void)
{
    MPI_Bcast(numbers, many, MPI_INT, is_last() ? 0 : size - 1,
              MPI_COMM_WORLD);
}

static void different_orders(void)
{
    MPI_Comm copy;

    MPI_Comm_dup(MPI_COMM_WORLD, "copy", &copy);
    MPI_Barrier(rank == 0 ? copy : MPI_COMM_WORLD);
    MPI_Barrier(rank == 0 ? MPI_COMM_WORLD : copy);
}

static void barrier_and_finalize(void)
{
    if (!is_last())
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}

static void barrier_and_recv(void)
{
    if (is_last())
        receive(0, 46);
    MPI_Barrier(MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*run)(void);
} programs[] = {
    { "workers", workers },
    { "halo", halo },
    { "pairs", pairs },
    { "shift", shift },
    { "bcasts", bcasts },
    { "alltoalls", alltoalls },

    { "ssend_ring", ssend_ring },
    { "send_ring", send_ring },
    { "bsend_detach", bsend_detach },
    { "recv_ring", recv_ring },
    { "probe_ring", probe_ring },
    { "sendrecv_ring", sendrecv_ring },
    { "waitall_ring", waitall_ring },
    { "waitany_ring", waitany_ring },
    { "persistent_ring", persistent_ring },
    { "persistent_sends", persistent_sends },
    { "wrong_tag", wrong_tag },
    { "wrong_source", wrong_source },
    { "wrong_communicator", wrong_communicator },
    { "reversed_split", reversed_split },
    { "between_halves", between_halves },
    { "bridge", bridge },
    { "idle_bridge", idle_bridge },
    { "last_computes", last_computes },
    { "last_pauses", last_pauses },
    { "last_tests", last_tests },
    { "last_finalizes", last_finalizes },
    { "last_exits", last_exits },
    { "last_barrier_missing", last_barrier_missing },
    { "different_operations", different_operations },
    { "different_roots", different_roots },
    { "different_orders", different_orders },
    { "barrier_and_finalize", barrier_and_finalize },
    { "barrier_and_recv", barrier_and_recv },
};

void run_program(const char *name)
{
    size_t i;

    rank = MPI_Comm_rank(MPI_COMM_WORLD);
    size = MPI_Comm_size(MPI_COMM_WORLD);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    for (i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (strcmp(programs[i].name, name) == 0) {
            MPI_Barrier(MPI_COMM_WORLD);
            progress_ready();
            progress(0);
            programs[i].run();
        }
}
