/* state_sends.c - two ranks that wait for sends which nobody receives
 *
 * usage: state_sends FILE
 *
 * Each waits for all of twelve: long ones, synchronous ones with data and
 * without, and persistent ones.  FILE.RANK says that it is about to, with the
 * number of its process.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>

#include <stdio.h>
#include <unistd.h>

enum { large = 1000000, count = 12 };

static char data[large];
static MPI_Request requests[count];

static void tell(const char *file, int rank)
{
    char name[4096];
    FILE *stream;

    snprintf(name, sizeof name, "%s.%d", file, rank);
    stream = fopen(name, "w");
    if (stream == NULL || fprintf(stream, "%d\n", (int)getpid()) < 0
        || fclose(stream) != 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

static void start(int to, int tag)
{
    const MPI_Comm world = MPI_COMM_WORLD;
    MPI_Request *request = &requests[tag];

    switch (tag % 4) {
    case 0:
        MPI_Isend(data, large, MPI_CHAR, to, tag, world, request);
        break;
    case 1:
        MPI_Issend(data, 10 * tag - 10, MPI_CHAR, to, tag, world, request);
        break;
    case 2:
        MPI_Send_init(data, large, MPI_CHAR, to, tag, world, request);
        MPI_Start(request);
        break;
    default:
        MPI_Ssend_init(data, 16, MPI_CHAR, to, tag, world, request);
        MPI_Start(request);
    }
}

int main(int argc, char **argv)
{
    int rank, tag;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (tag = 0; tag < count; tag++)
        start(1 - rank, tag);
    tell(argv[1], rank);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
