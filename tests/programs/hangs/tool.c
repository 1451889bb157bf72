/* tool.c - profiling library that counts messages */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <mpi.h>

int received;

int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag,
             MPI_Comm comm, MPI_Status *status)
{
    int result = PMPI_Recv(buf, count, datatype, source, tag, comm, status);

    received += count;
    return result;
}
