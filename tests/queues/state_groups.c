/* state_groups.c - communicators with all patterns of ranks
 *
 * usage: state_groups FILE
 *
 * FILE.RANK is the number of the process, and then by a line each
 * communicator's name and its members' ranks in MPI_COMM_WORLD: those to which
 * messages go.
 * Each rank waits for a message of the last one, which has the others as far
 * members.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>

#include <stdio.h>
#include <unistd.h>

static int rank;
static FILE *stream;

static void tell(MPI_Comm comm, const char *name)
{
    MPI_Group world, group;
    int is_far, size, i;

    MPI_Comm_set_name(comm, name);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_test_inter(comm, &is_far);
    if (is_far)
        MPI_Comm_remote_group(comm, &group);
    else
        MPI_Comm_group(comm, &group);
    MPI_Group_size(group, &size);
    fprintf(stream, "%s", name);
    for (i = 0; i < size; i++) {
        int place;

        MPI_Group_translate_ranks(group, 1, &i, world, &place);
        fprintf(stream, " %d", place);
    }
    fprintf(stream, "\n");
}

static void split(int colour, int key, const char *name)
{
    MPI_Comm part;

    MPI_Comm_split(MPI_COMM_WORLD, colour, key, &part);
    tell(part, name);
}

/* One rank is on the other side of all others. */
static MPI_Comm part_one_from_others(void)
{
    MPI_Comm part, far;

    MPI_Comm_split(MPI_COMM_WORLD, rank == 1, rank, &part);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, rank != 1, 3, &far);
    tell(far, "far");
    return far;
}

int main(int argc, char **argv)
{
    char name[4096];
    int number;
    MPI_Comm far;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%d", argv[1], rank);
    stream = fopen(name, "w");
    if (stream == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    fprintf(stream, "%d\n", (int)getpid());
    split(rank % 2, rank, "every other");
    split(rank % 2, -rank, "every other, backwards");
    split(rank / 2, rank, "pairs");
    split(rank % 4 < 2, rank, "two of four");
    split(rank % 3 == 0, rank, "some of three");
    split(0, -rank, "backwards");
    split(rank >= 2, rank, "the rest");
    split(rank, 0, "alone");
    far = part_one_from_others();
    if (fclose(stream) != 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Recv(&number, 1, MPI_INT, 0, 8, far, MPI_STATUS_IGNORE);
    return 0;
}
