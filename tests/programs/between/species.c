/* species.c - two ranks that wait for each other inside a library, called from
 * two lines, or with a second argument from the first of them.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <unistd.h>

#include <mpi.h>

int store_write(int rank);

/* The test looks for the lines of the two calls. */
__attribute__((noinline)) static int write_species(int rank, int same)
{
    int result;

    if (same || rank == 0)
        result = store_write(rank);     /* first */
    else
        result = store_write(rank);     /* second */
    return result + 1;
}

int main(int argc, char **argv)
{
    char name[4096];
    FILE *ready;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%d", argv[1], rank);
    ready = fopen(name, "w");
    fprintf(ready, "%d\n", (int)getpid());
    fclose(ready);
    rank = write_species(rank, argc > 2);
    MPI_Finalize();
    return rank == 0;
}
