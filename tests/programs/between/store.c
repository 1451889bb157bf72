/* store.c - library between a program and MPI */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <mpi.h>

int store_write(int rank);

__attribute__((noinline)) static int exchange(int rank)
{
    int value = 0;
    int result = MPI_Recv(&value, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD,
                          MPI_STATUS_IGNORE);

    return result + value;
}

__attribute__((noinline)) int store_write(int rank)
{
    return exchange(rank) + 1;
}
