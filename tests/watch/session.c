/* session.c - a program of MPI sessions, without MPI_Init, that hangs: each
 * rank receives from the next, on the second of two communicators of one group
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    MPI_Comm twins[2];
    MPI_Session session;
    MPI_Group group;
    int rank, size, data;

    alarm(900);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    for (int i = 0; i < 2; i++)
        MPI_Comm_create_from_group(group, "twin", MPI_INFO_NULL,
                                   MPI_ERRORS_ARE_FATAL, &twins[i]);
    MPI_Comm_rank(twins[1], &rank);
    MPI_Comm_size(twins[1], &size);
    MPI_Barrier(twins[0]);
    fprintf(stderr, "ready %d %d\n", rank, (int)getpid());
    MPI_Recv(&data, 1, MPI_INT, (rank + 1) % size, 8, twins[1],
             MPI_STATUS_IGNORE);
    return 0;
}
