/* job.c - deadlock of two Open MPI ranks
 *
 * The file that the argument names, with the rank behind it, says that the
 * receives but the last are posted.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>

#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Request requests[2];
    int rank, numbers[30];
    char name[4096];
    MPI_Comm copy;
    FILE *file;

    alarm(240);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_set_name(copy, "copy");
    MPI_Irecv(numbers, 10, MPI_INT, 1 - rank, 77, MPI_COMM_WORLD, requests);
    MPI_Irecv(numbers + 10, 3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, copy,
              requests + 1);
    snprintf(name, sizeof name, "%s.%d", argv[1], rank);
    file = fopen(name, "w");
    if (file == NULL || fprintf(file, "%d\n", (int)getpid()) < 0 ||
        fclose(file) != 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Recv(numbers + 20, 5, MPI_INT, 1 - rank, 99, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
