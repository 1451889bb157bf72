/* history.c - collective operations that do not fit, and one side of which is
 * over: each rank says "ready RANK PID", and waits
 *
 *     history CASE
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int data[64], more[64], counts[4], places[4];

/* The root of a Bcast of few bytes leaves it. */
static void bcast_or_barrier(int rank)
{
    if (rank == 0) {
        MPI_Bcast(data, 3, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Recv(more, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else
        MPI_Barrier(MPI_COMM_WORLD);
}

/* What rank 1 gives is more than rank 0 takes. */
static void gatherv(int rank)
{
    MPI_Request request;

    counts[0] = counts[1] = places[1] = 2;
    MPI_Igatherv(data, rank == 0 ? 2 : 5, MPI_INT, more, counts, places,
                 MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Recv(more, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* All fits, on a hundred of them, refused ones among them. */
static void many(int rank)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0)
        MPI_Bcast(data, -1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 98; i++)
        MPI_Allreduce(data, more, 1 + i % 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    counts[0] = 1 + rank;
    counts[1] = 2 + rank;
    places[1] = 8;
    MPI_Alltoallv(data, counts, places, MPI_INT, more,
                  (int[]){ 1 + rank, 2 + rank }, places, MPI_INT,
                  MPI_COMM_WORLD);
    MPI_Recv(more, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;

    alarm(600);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "ready %d %d\n", rank, (int)getpid());
    if (strcmp(argv[1], "bcast") == 0)
        bcast_or_barrier(rank);
    else if (strcmp(argv[1], "gatherv") == 0)
        gatherv(rank);
    else
        many(rank);
    MPI_Finalize();
    return 0;
}
