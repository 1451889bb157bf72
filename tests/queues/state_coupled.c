/* state_coupled.c - two inter-communicators with crossed ids
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
#include "../programs/hangs/ranks.h"

static MPI_Comm couple(MPI_Comm own, int peer)
{
    MPI_Comm both;

    MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, peer, 3, &both);
    return both;
}

int main(int argc, char **argv)
{
    int number = 0;
    MPI_Comm own, more, far = MPI_COMM_NULL;

    MPI_Init(&argc, &argv);
    find_place();
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &own);
    if (rank == 1)
        MPI_Comm_dup(own, &more);
    if (rank < 2)
        far = couple(own, 1 - rank);
    if (rank == 0)
        couple(own, 2);
    if (rank == 2)
        far = couple(own, 0);
    appear(argv[1]);
    MPI_Recv(&number, 1, MPI_INT, 0, 8, far, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
