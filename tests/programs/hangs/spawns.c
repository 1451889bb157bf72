/* spawns.c - deadlock of two spawned ranks
 *
 * usage: spawns FILE [one]
 *
 * Each waits for a message that nobody sends: those that were spawned from each
 * other, the others from them; with "one", only one is spawned, which waits for
 * the first of the others.  FILE.parent.RANK and FILE.child.RANK come into
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
    int count = argc > 2 ? 1 : 2;

    alarm(900);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL)
        wait_for(argv[1], "child", count - 1 - rank, 8,
                 count == 1 ? parent : MPI_COMM_WORLD);
    MPI_Comm_spawn(argv[0], argv + 1, count, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                   &children, MPI_ERRCODES_IGNORE);
    wait_for(argv[1], "parent", rank % count, 7, children);
    MPI_Finalize();
    return 0;
}
