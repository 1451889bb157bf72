/* state_sends.c - two ranks blocked in unmatched sends
 *
 * usage: state_sends FILE
 *
 * Each waits for all of twelve: long ones, synchronous ones with data and
 * without, and persistent ones.  FILE.RANK says that it is about to, with the
 * number of its process.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "../programs/hangs/ranks.h"

enum { large = 1000000, count = 12 };

static char data[large];
static MPI_Request requests[count];

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
    int tag;

    MPI_Init(&argc, &argv);
    find_place();
    for (tag = 0; tag < count; tag++)
        start(1 - rank, tag);
    appear(argv[1]);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
