/* calls_in_c.c - C functions called by calls.F90 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <mpi.h>

void barrier_in_c(void);

void barrier_in_c(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}
