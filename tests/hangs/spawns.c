/* spawns.c - two ranks that spawn two more, of which each waits for the other
 *
 * usage: spawns FILE
 *
 * Each waits for a message that nobody sends: those that were spawned from each
 * other, the others from them.  FILE.parent.RANK and FILE.child.RANK come into
 * being before.  No process lasts longer than 15 minutes.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>

#include <stdio.h>
#include <unistd.h>

static int number, rank;

static void wait_for(const char *file, const char *who, int source, int tag,
                     MPI_Comm communicator)
{
    char name[4096];
    FILE *ready;

    snprintf(name, sizeof name, "%s.%s.%d", file, who, rank);
    ready = fopen(name, "w");
    if (ready == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    fprintf(ready, "%d\n", (int)getpid());
    fclose(ready);
    MPI_Recv(&number, 1, MPI_INT, source, tag, communicator,
             MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Comm parent, children;

    alarm(900);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL)
        wait_for(argv[1], "child", 1 - rank, 8, MPI_COMM_WORLD);
    MPI_Comm_spawn(argv[0], argv + 1, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                   &children, MPI_ERRCODES_IGNORE);
    wait_for(argv[1], "parent", rank, 7, children);
    MPI_Finalize();
    return 0;
}
