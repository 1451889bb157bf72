/* worlds.c - one communicator with ranks of two worlds
 *
 * usage: worlds FILE SHAPE
 *
 * Two ranks spawn two more.  FILE.parent.RANK and FILE.child.RANK come into
 * being before it is as SHAPE says, and a process lasts 15 minutes at most:
 *
 *   merged       rank 1 of the spawned waits for a message of rank 0 of the
 *                others, all of whom are in MPI_Comm_spawn of all four
 *   disconnect   it waits so, and all others are in MPI_Comm_disconnect
 *   exchange     all four pass numbers round for ever
 *   busy         the spawned wait for a message of rank 0, which computes for
 *                ever, and so does rank 1
 *   slow         the spawned are not in MPI_Init yet
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *file, *shape;
static int rank, is_child, number;

static int is(const char *name)
{
    return strcmp(shape, name) == 0;
}

static void tell(void)
{
    char name[4096];
    FILE *ready;

    snprintf(name, sizeof name, "%s.%s.%d", file, is_child ? "child" : "parent",
             rank);
    ready = fopen(name, "w");
    if (ready == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    fprintf(ready, "%d\n", (int)getpid());
    fclose(ready);
}

static void compute(void)
{
    for (volatile unsigned i = 0; ; i++)
        continue;
}

static void wait_for_message(MPI_Comm communicator)
{
    MPI_Recv(&number, 1, MPI_INT, 0, 3, communicator, MPI_STATUS_IGNORE);
}

static void pass_round(MPI_Comm all)
{
    int size, place;

    MPI_Comm_size(all, &size);
    MPI_Comm_rank(all, &place);
    for (;;)
        MPI_Sendrecv_replace(&number, 1, MPI_INT, (place + 1) % size, 4,
                             (place + size - 1) % size, 4, all,
                             MPI_STATUS_IGNORE);
}

static void spawn(MPI_Comm communicator, char *program, MPI_Comm *children)
{
    char *arguments[] = { (char *)file, (char *)shape, "spawned", NULL };

    MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, communicator,
                   children, MPI_ERRCODES_IGNORE);
}

/* The spawned have one argument more, which is no shape. */
int main(int argc, char **argv)
{
    MPI_Comm other, all;

    alarm(900);
    file = argv[1];
    shape = argv[2];
    is_child = argc > 3;
    if (is("slow") && is_child) {
        tell();
        compute();
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&other);
    if (other == MPI_COMM_NULL)
        spawn(MPI_COMM_WORLD, argv[0], &other);
    MPI_Intercomm_merge(other, is_child, &all);
    tell();
    if (is("busy") && !is_child)
        compute();
    if (is("busy") || (!is("exchange") && is_child && rank == 1))
        wait_for_message(is("merged") ? all : other);
    if (is("exchange"))
        pass_round(all);
    if (is("merged"))
        spawn(all, argv[0], &other);
    else
        MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return 0;
}
