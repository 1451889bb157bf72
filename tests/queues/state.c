/* state.c - three ranks that stop with messages of all kinds
 *
 * usage: state FILE [slow]
 *
 * Each rank has receives posted on three communicators, messages that have
 * arrived, and sends that wait; or, if it is slow, rank 1 receives a long
 * message of rank 0, which does not go on with that.  FILE.RANK says that it
 * has come so far, with the number of its process.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "../programs/hangs/ranks.h"

enum { large = 1000000 };

static int space[400], numbers[large];

/* Takes in what arrives meanwhile. */
static void make_progress(void)
{
    for (int i = 0; i < 300; i++) {
        int flag;

        MPI_Iprobe(MPI_ANY_SOURCE, 12345, MPI_COMM_WORLD, &flag,
                   MPI_STATUS_IGNORE);
        usleep(1000);
    }
}

static void be_slow(const char *file)
{
    MPI_Request request;

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Isend(numbers, large, MPI_INT, 1, 117, MPI_COMM_WORLD, &request);
    if (rank == 1)
        MPI_Irecv(numbers, large, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
                  MPI_COMM_WORLD, &request);
    if (rank == 1)
        make_progress();
    appear(file);
    pause();
}

static void stop_with_messages(const char *file)
{
    MPI_Request requests[9];
    MPI_Comm copy, half;

    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_set_name(copy, "my dup");
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Irecv(space, 5, MPI_INT, right, 77, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(space + 25, 6, MPI_INT, MPI_ANY_SOURCE, 78, copy, &requests[1]);
    MPI_Irecv(space + 50, 7, MPI_INT, right, MPI_ANY_TAG, copy, &requests[2]);
    MPI_Irecv(numbers, 700000, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, half,
              &requests[3]);
    MPI_Isend(space, 9, MPI_INT, right, 111, MPI_COMM_WORLD, &requests[4]);
    MPI_Isend(numbers, 900000, MPI_INT, right, 112, copy, &requests[5]);
    MPI_Isend(space, 0, MPI_INT, left, 113, MPI_COMM_WORLD, &requests[6]);
    MPI_Isend(space, 7, MPI_INT, left, 114, copy, &requests[7]);
    MPI_Send_init(space, 30, MPI_INT, left, 115, copy, &requests[8]);
    make_progress();
    appear(file);
    if (rank == 0)
        MPI_Ssend(space, 10, MPI_INT, right, 200, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Barrier(copy);
    else
        MPI_Recv(space, 10, MPI_INT, 0, 201, copy, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    alarm(300);
    MPI_Init(&argc, &argv);
    find_place();
    if (argc == 3 && strcmp(argv[2], "slow") == 0)
        be_slow(argv[1]);
    else
        stop_with_messages(argv[1]);
    return 0;
}
