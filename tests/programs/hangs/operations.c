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

enum { most_requests = 32, numbers = 4, most = 1 << 18 };

static MPI_Comm comms[4];
static MPI_Win window;
static MPI_Request requests[most_requests];
static int data[most_requests][most], sent[most], received[most];
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

static void take_probed(int from, int with, MPI_Comm comm)
{
    MPI_Status status;

    MPI_Probe(from, with, comm, &status);
    MPI_Recv(received, most, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, comm,
             MPI_STATUS_IGNORE);
}

static void take_matched(int from, int with, MPI_Comm comm)
{
    MPI_Message message;

    MPI_Mprobe(from, with, comm, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(received, most, MPI_INT, &message, MPI_STATUS_IGNORE);
}

static void probe_until_there(int from, int with, MPI_Comm comm)
{
    int is_there = 0;

    while (!is_there)
        MPI_Iprobe(from, with, comm, &is_there, MPI_STATUS_IGNORE);
}

static void test_until_ended(int count)
{
    int have_ended = 0;

    while (!have_ended)
        MPI_Testall(count, requests, &have_ended, MPI_STATUSES_IGNORE);
}

static void wait_for_some(int count)
{
    int ended, indices[most_requests];

    MPI_Waitsome(count, requests, &ended, indices, MPI_STATUSES_IGNORE);
}

static void wait_for_any(int count)
{
    int index;

    MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
}

static void start_send(int *from, int to, int with, MPI_Comm comm,
                       MPI_Request *request)
{
    MPI_Ssend_init(from, 4, MPI_INT, to, with, comm, request);
    MPI_Start(request);
}

static void start_receive(int *into, int from, int with, MPI_Comm comm,
                          MPI_Request *request)
{
    MPI_Recv_init(into, most, MPI_INT, from, with, comm, request);
    MPI_Start(request);
}

static void duplicate(MPI_Comm comm)
{
    MPI_Comm copy;

    MPI_Comm_dup(comm, &copy);
}

static void split(MPI_Comm comm)
{
    MPI_Comm whole;

    MPI_Comm_split(comm, 0, 0, &whole);
}

static void renew(void)
{
    MPI_Comm_free(&comms[1]);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
}

static void sleep_for_ever(void)
{
    for (;;)
        usleep(10000);
}

static void compute(void)
{
    for (;;)
        busy = busy * 1.000001 + 1;
}

/* The operations that random_programs.py knows, with the numbers of a line:
 * PEER, TAG, COMMUNICATOR and REQUEST; COMMUNICATOR, ROOT and REQUEST, without
 * ROOT if it has none; or REQUEST, or COUNT of requests.
 */
#define TO n[0], n[1], comms[n[2]]
#define FROM source(n[0]), tag(n[1]), comms[n[2]]
#define FEW 4, MPI_INT
#define MANY most, MPI_INT
#define EACH(array) array, 1, MPI_INT
#define SUM FEW, MPI_SUM, comms[n[0]]

#define OPERATIONS(ROW)                                                     \
    ROW(ssend, MPI_Ssend(sent, FEW, TO))                                    \
    ROW(send, MPI_Send(sent, FEW, TO))                                      \
    ROW(large, MPI_Send(sent, MANY, TO))                                    \
    ROW(recv, MPI_Recv(received, MANY, FROM, MPI_STATUS_IGNORE))            \
    ROW(mprobe, take_matched(FROM))                                         \
    ROW(probe, take_probed(FROM))                                           \
    ROW(sendrecv, MPI_Sendrecv(sent, MANY, n[0], n[1], received, MANY,      \
                               FROM, MPI_STATUS_IGNORE))                    \
    ROW(peek, MPI_Probe(FROM, MPI_STATUS_IGNORE))                           \
    ROW(ipeek, probe_until_there(FROM))                                     \
    ROW(issend, MPI_Issend(data[n[3]], FEW, TO, &requests[n[3]]))           \
    ROW(isend, MPI_Isend(data[n[3]], FEW, TO, &requests[n[3]]))             \
    ROW(ilarge, MPI_Isend(data[n[3]], MANY, TO, &requests[n[3]]))           \
    ROW(pssend, start_send(data[n[3]], TO, &requests[n[3]]))                \
    ROW(irecv, MPI_Irecv(data[n[3]], MANY, FROM, &requests[n[3]]))          \
    ROW(precv, start_receive(data[n[3]], FROM, &requests[n[3]]))            \
    ROW(start, MPI_Start(&requests[n[0]]))                                  \
    ROW(cancel, MPI_Cancel(&requests[n[0]]))                                \
    ROW(wait, MPI_Wait(&requests[n[0]], MPI_STATUS_IGNORE))                 \
    ROW(waitall, MPI_Waitall(n[0], requests, MPI_STATUSES_IGNORE))          \
    ROW(testall, test_until_ended(n[0]))                                    \
    ROW(waitany, wait_for_any(n[0]))                                        \
    ROW(waitsome, wait_for_some(n[0]))                                      \
    ROW(barrier, MPI_Barrier(comms[n[0]]))                                  \
    ROW(allreduce, MPI_Allreduce(sent, received, SUM))                      \
    ROW(allgather, MPI_Allgather(EACH(sent), EACH(received), comms[n[0]]))  \
    ROW(alltoall, MPI_Alltoall(EACH(sent), EACH(received), comms[n[0]]))    \
    ROW(bigsum, MPI_Allreduce(sent, received, MANY, MPI_SUM,             \
                              comms[n[0]]))                                 \
    ROW(dup, duplicate(comms[n[0]]))                                        \
    ROW(renew, renew())                                                     \
    ROW(split, split(comms[n[0]]))                                          \
    ROW(fence, MPI_Win_fence(0, window))                                    \
    ROW(scan, MPI_Scan(sent, received, SUM))                                \
    ROW(exscan, MPI_Exscan(sent, received, SUM))                            \
    ROW(bcast, MPI_Bcast(received, FEW, n[1], comms[n[0]]))                 \
    ROW(scatter, MPI_Scatter(EACH(sent), EACH(received), n[1],              \
                             comms[n[0]]))                                  \
    ROW(reduce, MPI_Reduce(sent, received, FEW, MPI_SUM, n[1],              \
                           comms[n[0]]))                                    \
    ROW(gather, MPI_Gather(EACH(sent), EACH(received), n[1], comms[n[0]]))  \
    ROW(ibarrier, MPI_Ibarrier(comms[n[0]], &requests[n[1]]))               \
    ROW(iallreduce, MPI_Iallreduce(sent, data[n[1]], SUM, &requests[n[1]])) \
    ROW(ialltoall, MPI_Ialltoall(EACH(sent), EACH(data[n[1]]), comms[n[0]], \
                                 &requests[n[1]]))                          \
    ROW(iscan, MPI_Iscan(sent, data[n[1]], SUM, &requests[n[1]]))           \
    ROW(ibcast, MPI_Ibcast(data[n[2]], FEW, n[1], comms[n[0]],              \
                           &requests[n[2]]))                                \
    ROW(igather, MPI_Igather(EACH(sent), EACH(data[n[2]]), n[1],            \
                             comms[n[0]], &requests[n[2]]))                 \
    ROW(sleep, sleep_for_ever())                                            \
    ROW(compute, compute())

static void run(const char *name, const int n[numbers])
{
#define RUN(operation, call)             \
    if (strcmp(name, #operation) == 0) { \
        call;                            \
        return;                          \
    }
    OPERATIONS(RUN)
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
    MPI_Win_create(data, sizeof data[0], 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                   &window);
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
