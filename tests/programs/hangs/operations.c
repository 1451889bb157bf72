/* operations.c - runs the MPI operations that a file lists for each rank
 *
 * usage: operations PROGRAM PLACES
 *
 * PROGRAM has lines "RANK OPERATION NUMBER...", as random_programs.py writes
 * them.  PLACES is a file of one int for each rank: how many of its operations
 * the rank has begun; at the end of its list, one more.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { most_requests = 32, numbers = 4 };

static MPI_Comm comms[4];
static MPI_Request requests[most_requests];
static int data[most_requests][16], sent[16], received[16];
static volatile double busy = 1;

static int source(int rank) { return rank < 0 ? MPI_ANY_SOURCE : rank; }

static int tag(int number) { return number < 0 ? MPI_ANY_TAG : number; }

/* World, a duplicate, a half of it in reverse order, and between the halves. */
static void make_communicators(int rank, int size)
{
    int leader = rank % 2 ? (size - 1) / 2 * 2 : size / 2 * 2 - 1;

    comms[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &comms[2]);
    MPI_Intercomm_create(comms[2], 0, MPI_COMM_WORLD, leader, 0, &comms[3]);
}

static void compute(void)
{
    for (;;)
        busy = busy * 1.000001 + 1;
}

/* PEER, TAG, COMMUNICATOR and REQUEST, or COMMUNICATOR and REQUEST, or those of
 * a call that waits.
 */
static void run(const char *name, const int n[numbers])
{
    MPI_Message message;
    int index;

    if (strcmp(name, "ssend") == 0)
        MPI_Ssend(sent, 4, MPI_INT, n[0], n[1], comms[n[2]]);
    else if (strcmp(name, "recv") == 0)
        MPI_Recv(received, 16, MPI_INT, source(n[0]), tag(n[1]), comms[n[2]],
                 MPI_STATUS_IGNORE);
    else if (strcmp(name, "probe") == 0)
        MPI_Probe(source(n[0]), tag(n[1]), comms[n[2]], MPI_STATUS_IGNORE);
    else if (strcmp(name, "mprobe") == 0) {
        MPI_Mprobe(source(n[0]), tag(n[1]), comms[n[2]], &message,
                   MPI_STATUS_IGNORE);
        MPI_Mrecv(received, 16, MPI_INT, &message, MPI_STATUS_IGNORE);
    } else if (strcmp(name, "issend") == 0)
        MPI_Issend(data[n[3]], 4, MPI_INT, n[0], n[1], comms[n[2]],
                   &requests[n[3]]);
    else if (strcmp(name, "irecv") == 0)
        MPI_Irecv(data[n[3]], 16, MPI_INT, source(n[0]), tag(n[1]),
                  comms[n[2]], &requests[n[3]]);
    else if (strcmp(name, "wait") == 0)
        MPI_Wait(&requests[n[0]], MPI_STATUS_IGNORE);
    else if (strcmp(name, "waitall") == 0)
        MPI_Waitall(n[0], requests, MPI_STATUSES_IGNORE);
    else if (strcmp(name, "waitany") == 0)
        MPI_Waitany(n[0], requests, &index, MPI_STATUS_IGNORE);
    else if (strcmp(name, "barrier") == 0)
        MPI_Barrier(comms[n[0]]);
    else if (strcmp(name, "allreduce") == 0)
        MPI_Allreduce(sent, received, 4, MPI_INT, MPI_SUM, comms[n[0]]);
    else if (strcmp(name, "allgather") == 0)
        MPI_Allgather(sent, 1, MPI_INT, received, 1, MPI_INT, comms[n[0]]);
    else if (strcmp(name, "ibarrier") == 0)
        MPI_Ibarrier(comms[n[0]], &requests[n[1]]);
    else if (strcmp(name, "iallreduce") == 0)
        MPI_Iallreduce(sent, data[n[1]], 4, MPI_INT, MPI_SUM, comms[n[0]],
                       &requests[n[1]]);
    else if (strcmp(name, "compute") == 0)
        compute();
    else
        MPI_Abort(MPI_COMM_WORLD, 2);
}

static volatile int *map_places(const char *file)
{
    int descriptor = open(file, O_RDWR | O_CREAT, 0600);
    volatile int *places = MAP_FAILED;

    if (descriptor >= 0 && ftruncate(descriptor, 4096) == 0)
        places = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
                      descriptor, 0);
    if (places == MAP_FAILED)
        MPI_Abort(MPI_COMM_WORLD, 2);
    return places;
}

int main(int argc, char **argv)
{
    char line[128], name[16];
    volatile int *place;
    FILE *program;
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    make_communicators(rank, size);
    for (int i = 0; i < most_requests; i++)
        requests[i] = MPI_REQUEST_NULL;
    program = argc == 3 ? fopen(argv[1], "r") : NULL;
    if (program == NULL)
        MPI_Abort(MPI_COMM_WORLD, 2);
    place = map_places(argv[2]) + rank;
    while (fgets(line, sizeof line, program) != NULL) {
        int n[numbers] = { 0 }, of;

        if (sscanf(line, "%d %15s %d %d %d %d", &of, name, &n[0], &n[1], &n[2],
                   &n[3]) < 2 || of != rank)
            continue;
        ++*place;
        run(name, n);
    }
    ++*place;
    MPI_Finalize();
    return 0;
}
