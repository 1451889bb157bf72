/* foreign_mpi.c - stands in for an MPI whose handles are as wide as a pointer
 * and whose version begins as MPICH's does: MPICH 5's libmpi_abi.so.1
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdint.h>
#include <string.h>

/* What the program passes on, see foreign.c. */
static const uintptr_t comm = (uintptr_t)-0x11223344 << 8 >> 1,
                       type = (uintptr_t)-0x55667788 << 8 >> 1;

#define MPI(name, parameters)                                                  \
    int PMPI_##name parameters __attribute__((alias("MPI_" #name)));           \
    int MPI_##name parameters

MPI(Init, (int *argc, char ***argv))
{
    (void)argc, (void)argv;
    return 0;
}

MPI(Get_library_version, (char *version, int *length))
{
    strcpy(version, "MPICH Version:\t5.0.0");
    *length = (int)strlen(version);
    return 0;
}

/* Open MPI's build of libmqwatch looks for variables of this name. */
char ompi_mpi_comm_world[8];

MPI(Send, (const void *buffer, int count, uintptr_t datatype, int to, int tag,
           uintptr_t where))
{
    return buffer != NULL && count == 1 && datatype == type && to == 2
           && tag == 3 && where == comm ? 0 : 1;
}

MPI(Comm_dup, (uintptr_t of, uintptr_t *made))
{
    *made = of + 1;
    return of == comm ? 0 : 1;
}

MPI(Finalize, (void))
{
    return 0;
}
