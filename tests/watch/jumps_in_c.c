/* jumps_in_c.c - C functions called by jumps.F90 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <mpi.h>
#include <setjmp.h>

void jump_out_of(void (*what)(void));
void jumped_barrier(void);

static jmp_buf before;

static void jump(MPI_Comm *comm, int *error, ...)
{
    (void)comm, (void)error;
    longjmp(before, 1);
}

/* Calls WHAT, in which MPI finds an error. */
void jump_out_of(void (*what)(void))
{
    MPI_Errhandler handler;

    MPI_Comm_create_errhandler(jump, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    if (setjmp(before) == 0)
        what();
}

void jumped_barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}
