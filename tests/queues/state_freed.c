/* state_freed.c - messages on a freed communicator
 *
 * usage: state_freed FILE [anew]
 *
 * Rank 1 has sent rank 0 a message on a communicator that both have freed, and
 * one on MPI_COMM_WORLD; nobody receives them, and the two wait for each other.
 * If it is made anew, each is alone on one that may have the number of that.
 * FILE.RANK says that it is about to, with the number of its process.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "../programs/hangs/ranks.h"

int main(int argc, char **argv)
{
    int number = 0;
    MPI_Comm copy;

    MPI_Init(&argc, &argv);
    find_place();
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (rank == 1) {
        MPI_Send(&number, 1, MPI_INT, 0, 5, copy);
        MPI_Send(&number, 1, MPI_INT, 0, 6, MPI_COMM_WORLD);
    }
    MPI_Comm_free(&copy);
    if (argc > 2)
        MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &copy);
    if (rank == 0)
        MPI_Probe(1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    appear(argv[1]);
    MPI_Recv(&number, 1, MPI_INT, 1 - rank, 9, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
