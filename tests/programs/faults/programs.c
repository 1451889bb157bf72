/* programs.c - correct programs for fault injection
 *
 * usage: programs NAME ROUNDS [FILE]
 *
 * Each goes round ROUNDS times, 0 for as long as it is let; FILE.RANK comes
 * into being when a rank begins, with its process in it.  No process lasts
 * longer than 15 minutes.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "../hangs/ranks.h"

enum { count = 16, most = 64 };

static int data[count * most], results[count * most], edges[4][count];
static unsigned long rounds;

/* Whether there is one more round. */
static int goes_on(unsigned long *round)
{
    return rounds == 0 || (*round)++ < rounds;
}

/* A ring whose neighbours exchange their edges, until it has converged. */
static void halo(void)
{
    MPI_Request requests[4];
    MPI_Status statuses[4];

    for (unsigned long round = 0; goes_on(&round);) {
        MPI_Irecv(edges[0], count, MPI_INT, left, 1, MPI_COMM_WORLD, requests);
        MPI_Irecv(edges[1], count, MPI_INT, right, 2, MPI_COMM_WORLD,
                  requests + 1);
        MPI_Isend(edges[2], count, MPI_INT, right, 1, MPI_COMM_WORLD,
                  requests + 2);
        MPI_Isend(edges[3], count, MPI_INT, left, 2, MPI_COMM_WORLD,
                  requests + 3);
        MPI_Waitall(4, requests, statuses);
        MPI_Allreduce(data, results, count, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        MPI_Bcast(data, count, MPI_INT, 0, MPI_COMM_WORLD);
    }
}

/* A matrix in two columns of processes, multiplied by shifts along its rows. */
static void grid(void)
{
    MPI_Comm row, column;
    int row_size, row_rank;

    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &row);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &column);
    MPI_Comm_set_name(row, "row");
    MPI_Comm_set_name(column, "column");
    MPI_Comm_size(row, &row_size);
    MPI_Comm_rank(row, &row_rank);
    for (unsigned long round = 0; goes_on(&round);) {
        MPI_Bcast(data, count, MPI_INT, 0, row);
        MPI_Sendrecv(data, count, MPI_INT, (row_rank + 1) % row_size, 3,
                     results, count, MPI_INT,
                     (row_rank + row_size - 1) % row_size, 3, row,
                     MPI_STATUS_IGNORE);
        MPI_Reduce(data, results, count, MPI_INT, MPI_SUM, 0, column);
        MPI_Allreduce(data, results, count, MPI_INT, MPI_SUM, column);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
}

/* Hands out work to whoever is done, and ends when all is. */
static void master(void)
{
    int working = size - 1;
    unsigned long round = 0;
    MPI_Status status;

    while (working > 0) {
        MPI_Recv(results, count, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
                 MPI_COMM_WORLD, &status);
        data[0] = goes_on(&round);
        working -= data[0] == 0;
        MPI_Send(data, count, MPI_INT, status.MPI_SOURCE, 5, MPI_COMM_WORLD);
    }
}

static void worker(void)
{
    do {
        MPI_Send(data, count, MPI_INT, 0, 4, MPI_COMM_WORLD);
        MPI_Recv(data, count, MPI_INT, 0, 5, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    } while (data[0] != 0);
}

static void workers(void)
{
    MPI_Bcast(data, count, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        master();
    else
        worker();
    MPI_Reduce(data, results, count, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Gather(data, count, MPI_INT, results, count, MPI_INT, 0,
               MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Parts go from rank to rank while a sum of all is on its way. */
static void pipeline(void)
{
    int from = rank == 0 ? MPI_PROC_NULL : left;
    int to = rank == size - 1 ? MPI_PROC_NULL : right;
    int which;
    MPI_Request requests[2], sum;

    for (unsigned long round = 0; goes_on(&round);) {
        MPI_Iallreduce(data, results, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                       &sum);
        MPI_Recv(edges[0], count, MPI_INT, from, 6, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        MPI_Irecv(edges[1], count, MPI_INT, from, 7, MPI_COMM_WORLD, requests);
        MPI_Isend(edges[2], count, MPI_INT, to, 7, MPI_COMM_WORLD,
                  requests + 1);
        MPI_Send(edges[3], count, MPI_INT, to, 6, MPI_COMM_WORLD);
        MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
        MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
        MPI_Wait(&sum, MPI_STATUS_IGNORE);
        MPI_Reduce(data, results, count, MPI_INT, MPI_MAX, size - 1,
                   MPI_COMM_WORLD);
    }
}

/* What rank 0 decides, all compute, and a copy of the world transposes. */
static void mix(void)
{
    MPI_Comm copy;

    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    for (unsigned long round = 0; goes_on(&round);) {
        MPI_Bcast(data, count, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Allreduce(data, results, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Alltoall(data, count, MPI_INT, results, count, MPI_INT, copy);
        if (rank == 0)
            for (int i = 1; i < size; i++)
                MPI_Recv(results, count, MPI_INT, i, 8, copy,
                         MPI_STATUS_IGNORE);
        else
            MPI_Send(data, count, MPI_INT, 0, 8, copy);
        MPI_Gather(data, count, MPI_INT, results, count, MPI_INT, 0,
                   MPI_COMM_WORLD);
    }
    MPI_Comm_free(&copy);
}

static const struct program programs[] = {
    { "halo", halo },
    { "grid", grid },
    { "workers", workers },
    { "pipeline", pipeline },
    { "mix", mix }
};

int main(int argc, char **argv)
{
    alarm(900);
    MPI_Init(&argc, &argv);
    find_place();
    if (argc < 3 || size > most) {
        fprintf(stderr, "usage: programs NAME ROUNDS [FILE]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    rounds = strtoul(argv[2], NULL, 10);
    appear(argv[3]);
    run_program(programs, sizeof programs / sizeof programs[0], argv[1]);
    MPI_Finalize();
    return 0;
}
