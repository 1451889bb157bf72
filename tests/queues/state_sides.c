/* state_sides.c - two groups with two inter-communicators
 *
 * usage: state_sides FILE
 *
 * The lower ranks have made a communicator more before, so that the sides may
 * know these by different numbers, and the second one by that which the other
 * side knows the first by.  The lower ones wait on the first one for a message
 * that the others have sent on the second.  FILE.RANK says that it is about to,
 * with the number of its process.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "../programs/hangs/ranks.h"

int main(int argc, char **argv)
{
    int own, is_low, i, number = 0;
    MPI_Comm side, more, far[2];

    MPI_Init(&argc, &argv);
    find_place();
    is_low = rank < size / 2;
    MPI_Comm_split(MPI_COMM_WORLD, is_low, rank, &side);
    MPI_Comm_rank(side, &own);
    if (is_low)
        MPI_Comm_dup(side, &more);
    for (i = 0; i < 2; i++)
        MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, is_low ? size / 2 : 0, 3,
                             &far[i]);
    appear(argv[1]);
    if (is_low)
        MPI_Recv(&number, 1, MPI_INT, own, 8, far[0], MPI_STATUS_IGNORE);
    else
        MPI_Ssend(&number, 1, MPI_INT, own, 8, far[1]);
    MPI_Finalize();
    return 0;
}
