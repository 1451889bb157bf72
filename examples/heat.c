/* heat.c - heat equation with a deadlock by a wrong tag
 *
 * Each rank keeps a strip of the plate.  In each step it sends its upper edge
 * to the rank above and its lower edge to the rank below, and all add up how
 * much has changed.  Rank 2 has a typing error: it sends its upper edge with
 * tag 71, where the rank above expects 17.
 *
 *     mpicc -g -o heat heat.c; mpirun -n 4 ./heat
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <math.h>
#include <mpi.h>

enum { rows = 16, columns = 800, up = 17, down = 18 };

static double plate[rows + 2][columns];

static void exchange(int rank, int size, MPI_Comm strips)
{
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Request requests[4];

    MPI_Irecv(plate[rows + 1], columns, MPI_DOUBLE, below, up, strips,
              &requests[0]);
    MPI_Irecv(plate[0], columns, MPI_DOUBLE, above, down, strips,
              &requests[1]);
    MPI_Isend(plate[1], columns, MPI_DOUBLE, above, rank == 2 ? 71 : up,
              strips, &requests[2]);
    MPI_Isend(plate[rows], columns, MPI_DOUBLE, below, down, strips,
              &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static double cool(void)
{
    double change = 0;

    for (int i = 1; i <= rows; i++)
        for (int j = 1; j < columns - 1; j++) {
            double mean = (plate[i - 1][j] + plate[i + 1][j] + plate[i][j - 1]
                           + plate[i][j + 1]) / 4;

            change += fabs(mean - plate[i][j]);
            plate[i][j] = mean;
        }
    return change;
}

int main(int argc, char **argv)
{
    double change, total = 1;
    MPI_Comm strips;
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &strips);
    MPI_Comm_set_name(strips, "strips");
    MPI_Comm_rank(strips, &rank);
    MPI_Comm_size(strips, &size);
    plate[1][rank] = 100;
    while (total > 0.01) {
        exchange(rank, size, strips);
        change = cool();
        MPI_Allreduce(&change, &total, 1, MPI_DOUBLE, MPI_SUM, strips);
    }
    MPI_Finalize();
    return 0;
}
