/* hang.c - MPI programs that hang, selected by name: hang NAME
 *
 * Each prints "ready RANK PID" to standard error before it hangs, and ends
 * itself after 15 minutes.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;
static int data[1 << 20], other[1 << 20];

/* Every rank receives from the one before it, and nobody sends. */
static void ring(void)
{
    MPI_Recv(data, 10, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

/* Two synchronous sends head to head. */
static void ssend(void)
{
    MPI_Ssend(data, 4, MPI_DOUBLE, rank ^ 1, 3, MPI_COMM_WORLD);
}

/* The same by a request of each kind, before they are waited for. */
static void kinds(void)
{
    MPI_Request requests[3];

    MPI_Issend(data, 1 << 20, MPI_INT, rank ^ 1, 3, MPI_COMM_WORLD, requests);
    MPI_Isend(data, 1 << 20, MPI_INT, rank ^ 1, 3, MPI_COMM_WORLD,
              requests + 1);
    MPI_Ssend_init(data, 1 << 20, MPI_INT, rank ^ 1, 3, MPI_COMM_WORLD,
                   requests + 2);
    MPI_Start(requests + 2);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

/* Large enough sends are synchronous in every MPI. */
static void large_send(void)
{
    MPI_Send(data, 1 << 20, MPI_INT, rank ^ 1, 3, MPI_COMM_WORLD);
}

static void waitall(void)
{
    MPI_Request requests[4];
    int to = (rank + 1) % size, from = (rank + size - 1) % size;

    MPI_Irecv(data, 5, MPI_INT, from, 17, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(other, 9, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
              &requests[1]);
    MPI_Issend(data + 100, 7, MPI_INT, to, 71, MPI_COMM_WORLD, &requests[2]);
    MPI_Irecv(data + 200, 8, MPI_INT, from, 18, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

/* With a send that is complete, and was not waited for. */
static void complete(void)
{
    MPI_Request sent, received;

    MPI_Irecv(other, 1, MPI_INT, (rank + size - 1) % size, 16, MPI_COMM_WORLD,
              &received);
    MPI_Isend(data, 1, MPI_INT, (rank + 1) % size, 16, MPI_COMM_WORLD, &sent);
    MPI_Wait(&received, MPI_STATUS_IGNORE);
    waitall();
}

static void waitany(void)
{
    MPI_Request requests[2];

    MPI_Irecv(data, 5, MPI_INT, rank ^ 1, 17, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(other, 5, MPI_INT, rank ^ 1, 18, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitany(2, requests, &(int){ 0 }, MPI_STATUS_IGNORE);
}

/* Rounds that work, then one that nobody answers. */
static void persistent(void)
{
    MPI_Request requests[2];
    int round;

    MPI_Recv_init(data, 3, MPI_INT, rank ^ 1, 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Ssend_init(other, 3, MPI_INT, rank ^ 1, 5, MPI_COMM_WORLD,
                   &requests[1]);
    for (round = 0; round < 3; round++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Start(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void sendrecv(void)
{
    MPI_Sendrecv(data, 10, MPI_INT, rank ^ 1, 20 + rank, other, 10, MPI_INT,
                 rank ^ 1, 30 + rank, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void any_source(void)
{
    MPI_Recv(data, 10, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

static void barrier(void)
{
    if (rank == 0)
        MPI_Recv(data, 1, MPI_INT, size - 1, 9, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void probe(void)
{
    MPI_Probe(rank ^ 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A message with another tag lies there. */
static void wrong_tag(void)
{
    MPI_Request request;

    MPI_Isend(other, 4, MPI_INT, rank ^ 1, 71, MPI_COMM_WORLD, &request);
    MPI_Recv(data, 4, MPI_INT, rank ^ 1, 17, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

/* One with another tag has arrived, and its send is long over. */
static void unexpected(void)
{
    MPI_Send(other, 4, MPI_INT, rank ^ 1, 71, MPI_COMM_WORLD);
    MPI_Send(other, 4, MPI_INT, rank ^ 1, 16, MPI_COMM_WORLD);
    MPI_Recv(data, 4, MPI_INT, rank ^ 1, 16, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Recv(data, 4, MPI_INT, rank ^ 1, 17, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

static void communicators(void)
{
    MPI_Comm copy, half, inter, gone;

    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_set_name(copy, "a copy");
    MPI_Comm_dup(copy, &gone);
    MPI_Comm_split(copy, rank % 2, -rank, &half);
    MPI_Comm_set_name(half, rank % 2 ? "odd" : "even");
    MPI_Intercomm_create(half, 0, copy, (size - 1) / 2 * 2 - (rank % 2) + 1
                         - (rank % 2 ? 0 : (size % 2 ? 2 : 0)), 8, &inter);
    MPI_Comm_set_name(inter, "between");
    MPI_Comm_free(&gone);
    MPI_Recv(data, 4, MPI_INT, 0, 11, inter, MPI_STATUS_IGNORE);
}

/* On a communicator that is freed, and whose handle is another one's. */
static void freed(void)
{
    MPI_Comm copy;
    MPI_Request request;

    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_set_name(copy, "freed");
    MPI_Irecv(data, 4, MPI_INT, rank ^ 1, 12, copy, &request);
    MPI_Comm_free(&copy);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_set_name(copy, "another one");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static MPI_Comm split(int color, int key, const char *name)
{
    MPI_Comm part;

    MPI_Comm_split(MPI_COMM_WORLD, color, key, &part);
    MPI_Comm_set_name(part, name);
    return part;
}

/* Ranks that ascend by two, descend, and do neither. */
static void groups(void)
{
    MPI_Comm every_second = split(rank % 2, rank, "every second");

    split(0, -rank, "backwards");
    split(0, (rank + 3) % size, "rotated");
    MPI_Recv(data, 4, MPI_INT, 1, 11, every_second, MPI_STATUS_IGNORE);
}

/* Different collective operations. */
static void mismatch(void)
{
    if (rank == 0)
        MPI_Bcast(data, 1 << 20, MPI_INT, 1, MPI_COMM_WORLD);
    else
        MPI_Allreduce(data, other, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(data, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

static void ibarrier(void)
{
    MPI_Request request;

    if (rank == 0)
        MPI_Recv(data, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static int tell_nothing(void *extra, MPI_Status *status)
{
    (void)extra, (void)status;
    return MPI_SUCCESS;
}

static int free_nothing(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int cancel_nothing(void *extra, int complete)
{
    (void)extra, (void)complete;
    return MPI_SUCCESS;
}

/* Rank 0 waits for a request that nobody completes. */
static void generalized(void)
{
    MPI_Request request;

    if (rank != 0)
        MPI_Recv(data, 1, MPI_INT, 0, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Grequest_start(tell_nothing, free_nothing, cancel_nothing, NULL,
                       &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* The same for a message of which rank 1 sends no part. */
static void partitioned(void)
{
#if MPI_VERSION >= 4
    MPI_Request request;

    if (rank != 0)
        MPI_Recv(data, 1, MPI_INT, 0, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Precv_init(data, 1, 1, MPI_INT, 1, 12, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
    generalized();
#endif
}

static void *receive_from_other(void *argument)
{
    MPI_Recv(data, 1, MPI_INT, 1 - rank, 13, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return argument;
}

static void join_thread(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, receive_from_other, NULL) != 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    pthread_join(thread, NULL);
}

static void *idle(void *argument)
{
    pause();
    return argument;
}

/* A thread that could send what the others wait for. */
static void idle_thread(void)
{
    pthread_t thread;

    if (rank == 0)
        pthread_create(&thread, NULL, idle, NULL);
    ring();
}

static pthread_barrier_t has_called;

static void call_mpi(void)
{
    int flag;

    MPI_Iprobe(0, 5, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    pthread_barrier_wait(&has_called);
}

static void *call_and_idle(void *argument)
{
    call_mpi();
    return idle(argument);
}

static void *call_and_sleep(void *argument)
{
    call_mpi();
    sleep(900);
    return argument;
}

static void ring_beside(void *(*run)(void *))
{
    pthread_t thread;

    if (rank == 0) {
        pthread_barrier_init(&has_called, NULL, 2);
        pthread_create(&thread, NULL, run, NULL);
        pthread_barrier_wait(&has_called);
    }
    ring();
}

/* The same of a thread that has called MPI before. */
static void used_thread(void)
{
    ring_beside(call_and_idle);
}

/* That one goes on by itself. */
static void asleep_thread(void)
{
    ring_beside(call_and_sleep);
}

static const struct {
    const char *name;
    void (*run)(void);
} programs[] = {
    { "ring", ring }, { "ssend", ssend }, { "kinds", kinds },
    { "large_send", large_send },
    { "waitall", waitall }, { "complete", complete }, { "waitany", waitany },
    { "persistent", persistent }, { "sendrecv", sendrecv },
    { "freed", freed },
    { "any_source", any_source }, { "barrier", barrier }, { "probe", probe },
    { "wrong_tag", wrong_tag }, { "unexpected", unexpected },
    { "communicators", communicators }, { "groups", groups },
    { "mismatch", mismatch }, { "ibarrier", ibarrier },
    { "generalized", generalized }, { "partitioned", partitioned },
    { "join_thread", join_thread }, { "idle_thread", idle_thread },
    { "used_thread", used_thread }, { "asleep_thread", asleep_thread }
};

int main(int argc, char **argv)
{
    size_t i;

    alarm(900);
    MPI_Init_thread(&argc, &argv, argc == 2 && strstr(argv[1], "thread") != NULL
                    ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &(int){ 0 });
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        if (argc == 2 && strcmp(argv[1], programs[i].name) == 0) {
            fprintf(stderr, "ready %d %d\n", rank, (int)getpid());
            programs[i].run();
        }
    }
    MPI_Finalize();
    return 0;
}
