/* state_coupled.c - two inter-communicators with the same numbers, crosswise
 *
 * usage: state_coupled FILE
 *
 * Rank 0 is coupled with rank 1, which has made a communicator more before, and
 * then with rank 2: the number that it has for the one can be the one that the
 * other side has for the other.  Ranks 0 and 1 wait for each other, and rank 2
 * for rank 0.  FILE.RANK says that it is about to, with the number of its
 * process.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>

#include <stdio.h>
#include <unistd.h>

static void tell(const char *file, int rank)
{
    char name[4096];
    FILE *stream;

    snprintf(name, sizeof name, "%s.%d", file, rank);
    stream = fopen(name, "w");
    if (stream == NULL || fprintf(stream, "%d\n", (int)getpid()) < 0
        || fclose(stream) != 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

static MPI_Comm couple(MPI_Comm own, int peer)
{
    MPI_Comm both;

    MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, peer, 3, &both);
    return both;
}

int main(int argc, char **argv)
{
    int rank, number = 0;
    MPI_Comm own, more, far = MPI_COMM_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &own);
    if (rank == 1)
        MPI_Comm_dup(own, &more);
    if (rank < 2)
        far = couple(own, 1 - rank);
    if (rank == 0)
        couple(own, 2);
    if (rank == 2)
        far = couple(own, 0);
    tell(argv[1], rank);
    MPI_Recv(&number, 1, MPI_INT, 0, 8, far, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
