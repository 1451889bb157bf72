/* poll_two.c - endless polling with two calls
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int data = 0, done = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Irecv(&data, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, &request);
    while (!done) {
        MPI_Iprobe(0, 7, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
