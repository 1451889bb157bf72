/* hangs.c - hanging and healthy programs, by name
 *
 * usage: hangs NAME [FILE]
 *
 * FILE.RANK comes into being when a rank has come to where it waits, or in a
 * healthy program when it runs.  No process lasts longer than 15 minutes.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "ranks.h"

#include <pthread.h>
#include <semaphore.h>
#include <sys/stat.h>

enum { large = 1 << 20 };

static int numbers[large], others[large];
static MPI_Request requests[8];
static MPI_Status statuses[8];
static const char *file_name;

static void ready(void)
{
    appear(file_name);
}

static void receive(int source, int tag)
{
    MPI_Recv(numbers, 4, MPI_INT, source, tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

/* ---- Hangs ------------------------------------------------------------- */

static void ring_recv(void)
{
    ready();
    receive(left, 17);
}

static void ring_probe(void)
{
    ready();
    MPI_Probe(left, 18, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void ring_ssend(void)
{
    ready();
    MPI_Ssend(numbers, 4, MPI_INT, right, 19, MPI_COMM_WORLD);
}

static void head_to_head_send(void)
{
    int other = rank ^ 1;

    ready();
    if (other < size) {
        MPI_Send(numbers, large, MPI_INT, other, 20, MPI_COMM_WORLD);
        receive(other, 20);
    }
}

static void ring_wait(void)
{
    MPI_Irecv(others, 4, MPI_INT, left, 21, MPI_COMM_WORLD, requests);
    ready();
    MPI_Wait(requests, MPI_STATUS_IGNORE);
}

static void ring_waitall(void)
{
    MPI_Irecv(others, 4, MPI_INT, left, 22, MPI_COMM_WORLD, requests);
    MPI_Irecv(others + 4, 4, MPI_INT, right, 22, MPI_COMM_WORLD,
              requests + 1);
    ready();
    MPI_Waitall(2, requests, statuses);
}

static void ring_waitany(void)
{
    MPI_Irecv(others, 4, MPI_INT, left, 23, MPI_COMM_WORLD, requests);
    MPI_Irecv(others + 4, 4, MPI_INT, right, 23, MPI_COMM_WORLD,
              requests + 1);
    ready();
    MPI_Waitany(2, requests, numbers, MPI_STATUS_IGNORE);
}

static void ring_sendrecv(void)
{
    ready();
    MPI_Sendrecv(numbers, 4, MPI_INT, right, 24, others, 4, MPI_INT, left,
                 25, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void wrong_tag(void)
{
    ready();
    if (rank == 0)
        receive(1, 26);
    else if (rank == 1) {
        MPI_Send(numbers, 4, MPI_INT, 0, 62, MPI_COMM_WORLD);
        receive(0, 26);
    } else
        MPI_Barrier(MPI_COMM_WORLD);
}

static void recv_against_barrier(void)
{
    ready();
    if (rank == 0)
        receive(1, 27);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void recv_any(void)
{
    ready();
    receive(MPI_ANY_SOURCE, 28);
}

static void recv_from_finished(void)
{
    ready();
    if (rank == 0)
        receive(1, 29);
}

static void missing_in_barrier(void)
{
    ready();
    if (rank == size - 1)
        for (;;)
            pause();
    MPI_Barrier(MPI_COMM_WORLD);
}

static void missing_in_reduce(void)
{
    ready();
    if (rank == 1)
        receive(0, 30);
    MPI_Allreduce(numbers, others, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void mismatched(void)
{
    ready();
    if (rank == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    else
        MPI_Allreduce(numbers, others, large, MPI_INT, MPI_SUM,
                      MPI_COMM_WORLD);
}

static void mismatched_roots(void)
{
    ready();
    MPI_Bcast(numbers, large, MPI_INT, rank == 0 ? 1 : 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void self_recv(void)
{
    ready();
    receive(rank, 31);
}

static void self_ssend(void)
{
    ready();
    MPI_Ssend(numbers, 4, MPI_INT, rank, 32, MPI_COMM_WORLD);
}

static void chain(void)
{
    ready();
    if (rank < size - 1)
        receive(rank + 1, 33);
    else
        receive(0, 33);
}

static void other_communicator(void)
{
    MPI_Comm copy;

    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    ready();
    if (rank == 0)
        MPI_Recv(numbers, 4, MPI_INT, 1, 34, copy, MPI_STATUS_IGNORE);
    else if (rank == 1) {
        MPI_Send(numbers, 4, MPI_INT, 0, 34, MPI_COMM_WORLD);
        receive(0, 35);
    } else
        MPI_Barrier(MPI_COMM_WORLD);
}

static void stuck_finalize(void)
{
    ready();
    if (rank == 0)
        receive(1, 36);
    MPI_Finalize();
    exit(0);
}

static void in_place(void)
{
    ready();
    if (rank == 1)
        receive(0, 37);
    MPI_Allreduce(MPI_IN_PLACE, others, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void *receive_in_thread(void *nothing)
{
    receive(left, 38);
    return nothing;
}

/* The main thread only waits for the one that receives. */
static void thread_recv(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, receive_in_thread, NULL) != 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    ready();
    pthread_join(thread, NULL);
}

/* All workers but the last are told that there is no more work. */
static void lost_termination(void)
{
    MPI_Status status;

    ready();
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            MPI_Send(numbers, 1, MPI_INT, i, 39, MPI_COMM_WORLD);
        for (int i = 1; i < size; i++)
            receive(MPI_ANY_SOURCE, 40);
        for (int i = 1; i < size - 1; i++)
            MPI_Send(numbers, 0, MPI_INT, i, 41, MPI_COMM_WORLD);
        return;
    }
    for (;;) {
        MPI_Recv(numbers, 4, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == 41)
            return;
        MPI_Send(numbers, 1, MPI_INT, 0, 40, MPI_COMM_WORLD);
    }
}

/* What rank 0 has probed for, it receives twice. */
static void consumed_probe(void)
{
    MPI_Status status;

    ready();
    if (rank == 0) {
        MPI_Probe(MPI_ANY_SOURCE, 42, MPI_COMM_WORLD, &status);
        receive(MPI_ANY_SOURCE, 42);
        receive(status.MPI_SOURCE, 42);
    } else if (rank == 1) {
        MPI_Send(numbers, 4, MPI_INT, 0, 42, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void issend_wait(void)
{
    int other = rank ^ 1;

    if (other < size)
        MPI_Issend(numbers, 4, MPI_INT, other, 43, MPI_COMM_WORLD, requests);
    ready();
    if (other < size) {
        MPI_Wait(requests, MPI_STATUS_IGNORE);
        receive(other, 43);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The root waits for data that rank 1 says it does not have. */
static void gatherv_counts(void)
{
    static int counts[64], places[64];

    for (int i = 0; i < size && i < 64; i++) {
        counts[i] = 4;
        places[i] = 4 * i;
    }
    ready();
    MPI_Gatherv(numbers, rank == 1 ? 0 : 4, MPI_INT, others, counts, places,
                MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Rank 0 uses the copies of the communicator in another order. */
static void nested_order(void)
{
    MPI_Comm one, other;

    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    ready();
    MPI_Barrier(rank == 0 ? one : other);
    MPI_Barrier(rank == 0 ? other : one);
}

static void dup_alone(void)
{
    MPI_Comm copy;

    ready();
    if (rank == 0)
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    else
        receive(0, 44);
}

/* The last rank takes itself for its right neighbour. */
static void wrong_neighbour(void)
{
    int next = rank == size - 1 ? rank : right;

    MPI_Irecv(others, 4, MPI_INT, left, 45, MPI_COMM_WORLD, requests);
    MPI_Irecv(others + 4, 4, MPI_INT, next, 46, MPI_COMM_WORLD, requests + 1);
    MPI_Isend(numbers, 4, MPI_INT, left, 46, MPI_COMM_WORLD, requests + 2);
    MPI_Isend(numbers, 4, MPI_INT, next, 45, MPI_COMM_WORLD, requests + 3);
    ready();
    MPI_Waitall(4, requests, statuses);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void ireduce_against_barrier(void)
{
    ready();
    if (rank == 0) {
        MPI_Ireduce(numbers, others, 4, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD,
                    requests);
        MPI_Wait(requests, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Rank 0 waits for itself instead of the last rank. */
static void sendrecv_partner(void)
{
    int source = rank == 0 ? 0 : left;

    ready();
    MPI_Sendrecv(numbers, large / 4, MPI_INT, right, 47, others, large / 4,
                 MPI_INT, source, 47, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void ssend_against_barrier(void)
{
    ready();
    if (rank == 0)
        MPI_Ssend(numbers, 4, MPI_INT, 1, 48, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* On a copy of the world, one rank does not come. */
static void dup_against_recv(void)
{
    MPI_Comm copy;

    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    ready();
    if (rank == size - 1)
        receive(0, 49);
    MPI_Allreduce(numbers, others, 4, MPI_INT, MPI_SUM, copy);
}

/* The root has left the operation that the others do not come to. */
static void bcast_passed(void)
{
    ready();
    if (rank == 0) {
        MPI_Bcast(numbers, 1, MPI_INT, 0, MPI_COMM_WORLD);
        receive(1, 50);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast_against_barrier(void)
{
    ready();
    if (rank == 0)
        MPI_Bcast(numbers, large, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void iallgather_against_ireduce(void)
{
    if (rank == 0)
        MPI_Iallgather(numbers, 4, MPI_INT, others, 4, MPI_INT,
                       MPI_COMM_WORLD, requests);
    else
        MPI_Ireduce(numbers, others, 4, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD,
                    requests);
    ready();
    MPI_Wait(requests, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void ibcast_against_ialltoall(void)
{
    if (rank == 0)
        MPI_Ibcast(numbers, 4, MPI_INT, 0, MPI_COMM_WORLD, requests);
    else
        MPI_Ialltoall(numbers, large / 16, MPI_INT, others, large / 16,
                      MPI_INT, MPI_COMM_WORLD, requests);
    ready();
    MPI_Wait(requests, MPI_STATUS_IGNORE);
    if (rank == 0)
        receive(1, 51);
}

/* What rank 1 gives is sent at once, and it ends. */
static void igather_and_finalize(void)
{
    if (rank == 0)
        MPI_Iallgather(numbers, 4, MPI_INT, others, 4, MPI_INT,
                       MPI_COMM_WORLD, requests);
    else
        MPI_Igather(numbers, 4, MPI_INT, others, 4, MPI_INT, 0,
                    MPI_COMM_WORLD, requests);
    ready();
    MPI_Wait(requests, MPI_STATUS_IGNORE);
    if (rank == 0)
        receive(1, 52);
}

/* Rank 0 waits for data that rank 1 says it does not have. */
static void alltoallv_counts(void)
{
    static int counts[64], none[64], places[64];

    for (int i = 0; i < size && i < 64; i++) {
        counts[i] = large / 64;
        places[i] = large / 64 * i;
    }
    ready();
    if (rank == 1)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Alltoallv(numbers, rank == 1 ? none : counts, places, MPI_INT, others,
                  counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A receive from anybody has taken what rank 0 waits for. */
static void wildcard_took_it(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Irecv(others, 4, MPI_INT, MPI_ANY_SOURCE, 53, MPI_COMM_WORLD,
                  requests);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(numbers, 1, MPI_INT, 1, 53, MPI_COMM_WORLD);
        MPI_Recv(numbers, 4, MPI_INT, 1, 54, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        MPI_Send(numbers, 1, MPI_INT, size - 1, 53, MPI_COMM_WORLD);
        ready();
        receive(1, 53);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1 || rank == size - 1) {
            receive(0, 53);
            MPI_Send(numbers, 4, MPI_INT, 0, 53, MPI_COMM_WORLD);
        }
        if (rank == 1)
            MPI_Send(numbers, 4, MPI_INT, 0, 54, MPI_COMM_WORLD);
        ready();
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Hangs where the MPI is told to buffer nothing. */
static void ring_send(void)
{
    ready();
    MPI_Send(numbers, 32, MPI_INT, right, 69, MPI_COMM_WORLD);
    MPI_Recv(others, 32, MPI_INT, left, 69, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void ring_waitsome(void)
{
    MPI_Irecv(others, 4, MPI_INT, left, 55, MPI_COMM_WORLD, requests);
    MPI_Irecv(others + 4, 4, MPI_INT, right, 55, MPI_COMM_WORLD,
              requests + 1);
    ready();
    MPI_Waitsome(2, requests, numbers, others + 8, statuses);
}

static void poll_testall(void)
{
    int done = 0;

    MPI_Irecv(others, 4, MPI_INT, left, 56, MPI_COMM_WORLD, requests);
    ready();
    while (!done)
        MPI_Testall(1, requests, &done, statuses);
}

static void poll_testany(void)
{
    int done = 0, which;

    MPI_Irecv(others, 4, MPI_INT, left, 57, MPI_COMM_WORLD, requests);
    MPI_Irecv(others + 4, 4, MPI_INT, right, 57, MPI_COMM_WORLD,
              requests + 1);
    ready();
    while (!done) {
        MPI_Testany(2, requests, &which, &done, MPI_STATUS_IGNORE);
        usleep(10000);
    }
}

static void poll_iprobe(void)
{
    int done = 0;

    ready();
    while (!done)
        MPI_Iprobe(left, 58, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
}

/* The main thread cannot go on before the one that receives. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static volatile int received, begun;

static void *receive_and_tell(void *nothing)
{
    pthread_mutex_lock(&mutex);
    begun = 1;
    receive(left, 59);
    received = 1;
    pthread_cond_broadcast(&condition);
    sem_post(&semaphore);
    pthread_mutex_unlock(&mutex);
    return nothing;
}

static void start_receiver(void)
{
    pthread_t thread;

    sem_init(&semaphore, 0, 0);
    if (pthread_create(&thread, NULL, receive_and_tell, NULL) != 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    while (!begun)
        usleep(1000);
    ready();
}

static void thread_mutex(void)
{
    start_receiver();
    pthread_mutex_lock(&mutex);
}

static void thread_condition(void)
{
    static pthread_mutex_t another = PTHREAD_MUTEX_INITIALIZER;

    start_receiver();
    pthread_mutex_lock(&another);
    while (!received)
        pthread_cond_wait(&condition, &another);
}

static void thread_semaphore(void)
{
    start_receiver();
    sem_wait(&semaphore);
}

static void thread_spin(void)
{
    start_receiver();
    while (!received)
        ;
}

/* A thread that naps and wakes brings no message. */
static void *nap(void *nothing)
{
    for (;;)
        usleep(5000);
    return nothing;
}

static void thread_naps(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, nap, NULL) != 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    ready();
    receive(left, 61);
}

static void thread_openmp(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        ready();
#pragma omp single nowait
        receive(left, 60);
#pragma omp barrier
    }
}

static void disconnect_dup(void)
{
    MPI_Comm copy;

    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    ready();
    if (rank == 0)
        MPI_Comm_disconnect(&copy);
    else
        receive(0, 63);
}

/* More tags than anybody keeps apart. */
static void many_tags(void)
{
    for (int tag = 1000; tag < 3000; tag++)
        MPI_Sendrecv(numbers, 4, MPI_INT, right, tag, others, 4, MPI_INT,
                     left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    ready();
    receive(left, 3000);
}

/* The last rank has come to its end, and all others wait for each other. */
static void finalize_beside(void)
{
    ready();
    if (rank == size - 1)
        return;
    receive(rank == 0 ? size - 2 : rank - 1, 64);
}

static void two_sites(void)
{
    ready();
    if (rank % 2 == 0)
        MPI_Recv(numbers, 4, MPI_INT, left, 65, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    else
        MPI_Recv(others, 4, MPI_INT, left, 70, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

/* The last rank has not come to what the members of a grid compute. */
static void cart_against_sendrecv(void)
{
    int periods = 1;
    MPI_Comm cart;

    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periods, 0, &cart);
    MPI_Comm_set_name(cart, "cart");
    ready();
    if (rank == size - 1)
        MPI_Sendrecv(numbers, 4, MPI_INT, left, 66, others, 4, MPI_INT, left,
                     66, cart, MPI_STATUS_IGNORE);
    MPI_Allreduce(numbers, others, 4, MPI_INT, MPI_SUM, cart);
}

/* Rank 1 has another tag than the others at the same line. */
static void odd_tag(void)
{
    int tag = rank == 1 ? 59 : 5;

    ready();
    MPI_Sendrecv(numbers, 4, MPI_INT, right, tag, others, 4, MPI_INT, left,
                 tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The same, and nobody gets further. */
static void odd_ring(void)
{
    ready();
    receive(left, rank == 1 ? 59 : 5);
}

/* The last rank waits for somebody to open the other end. */
static void held_by_open(void)
{
    char name[4096];

    snprintf(name, sizeof name, "%s.pipe.%d", file_name, rank);
    if (mkfifo(name, 0600) != 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    ready();
    if (rank == size - 1)
        fopen(name, "r");
    receive(left, 67);
}

static void held_by_loop(void)
{
    ready();
    if (rank == size - 1)
        while (!received)
            ;
    receive(left, 68);
}

/* Ranks 0 and 1 hang beside others, of which no two looks see the same. */
static void pair_beside_others(void)
{
    int other = rank ^ 1;

    ready();
    if (rank < 2)
        receive(other, 69);
    for (int tag = 0; other < size; tag = (tag + 1) % 10007)
        MPI_Sendrecv(numbers, 4, MPI_INT, other, tag, others, 4, MPI_INT,
                     other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* ---- No hangs ---------------------------------------------------------- */

static void ping_pong(void)
{
    ready();
    for (;;) {
        if (rank % 2 == 0 && rank + 1 < size) {
            MPI_Send(numbers, 4, MPI_INT, rank + 1, 1, MPI_COMM_WORLD);
            receive(rank + 1, 1);
        } else if (rank % 2 == 1) {
            receive(rank - 1, 1);
            MPI_Send(numbers, 4, MPI_INT, rank - 1, 1, MPI_COMM_WORLD);
        } else
            usleep(1000);
    }
}

static void shift(void)
{
    ready();
    for (;;)
        MPI_Sendrecv(numbers, 4, MPI_INT, right, 2, others, 4, MPI_INT, left,
                     2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void barriers(void)
{
    ready();
    for (;;)
        MPI_Barrier(MPI_COMM_WORLD);
}

static void reductions(void)
{
    ready();
    for (;;)
        MPI_Allreduce(numbers, others, 1000, MPI_INT, MPI_MAX,
                      MPI_COMM_WORLD);
}

static void workers(void)
{
    ready();
    for (;;)
        if (rank == 0)
            for (int i = 1; i < size; i++)
                receive(MPI_ANY_SOURCE, 3);
        else {
            usleep(1000);
            MPI_Ssend(numbers, 4, MPI_INT, 0, 3, MPI_COMM_WORLD);
        }
}

static void computing(void)
{
    ready();
    for (;;)
        usleep(1000);
}

static void *compute_and_send(void *nothing)
{
    for (volatile unsigned i = 0; i < 4000000000u; i++)
        ;
    MPI_Send(numbers, 4, MPI_INT, right, 47, MPI_COMM_WORLD);
    return nothing;
}

/* The main threads wait for what another thread computes. */
static void busy_thread(void)
{
    pthread_t thread;

    if (rank == 0
        && pthread_create(&thread, NULL, compute_and_send, NULL) != 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    ready();
    receive(left, 47);
    if (rank != 0)
        MPI_Send(numbers, 4, MPI_INT, right, 47, MPI_COMM_WORLD);
    computing();
}

/* Each takes what it has probed for, and what comes in its turn. */
static void mprobes(void)
{
    MPI_Message message;

    ready();
    for (;;)
        if (rank == 0)
            for (int i = 1; i < size; i++) {
                MPI_Mprobe(i, MPI_ANY_TAG, MPI_COMM_WORLD, &message,
                           MPI_STATUS_IGNORE);
                MPI_Mrecv(others, 4, MPI_INT, &message, MPI_STATUS_IGNORE);
            }
        else {
            usleep(1000 * (size - rank));
            MPI_Send(numbers, 4, MPI_INT, 0, rank, MPI_COMM_WORLD);
        }
}

/* All count on one of them. */
static void counting(void)
{
    MPI_Win win;
    int one = 1, before;

    MPI_Win_create(numbers, sizeof numbers, sizeof numbers[0], MPI_INFO_NULL,
                   MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    ready();
    for (;;) {
        MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 0, MPI_SUM, win);
        MPI_Win_flush(0, win);
        for (volatile int i = 0; i < before % 10000; i++)
            ;
    }
}

static const struct program programs[] = {
    { "ring_recv", ring_recv },
    { "ring_probe", ring_probe },
    { "ring_ssend", ring_ssend },
    { "head_to_head_send", head_to_head_send },
    { "ring_wait", ring_wait },
    { "ring_waitall", ring_waitall },
    { "ring_waitany", ring_waitany },
    { "ring_sendrecv", ring_sendrecv },
    { "wrong_tag", wrong_tag },
    { "recv_against_barrier", recv_against_barrier },
    { "recv_any", recv_any },
    { "recv_from_finished", recv_from_finished },
    { "missing_in_barrier", missing_in_barrier },
    { "missing_in_reduce", missing_in_reduce },
    { "mismatched", mismatched },
    { "mismatched_roots", mismatched_roots },
    { "self_recv", self_recv },
    { "self_ssend", self_ssend },
    { "chain", chain },
    { "other_communicator", other_communicator },
    { "stuck_finalize", stuck_finalize },
    { "in_place", in_place },
    { "thread_recv", thread_recv },
    { "lost_termination", lost_termination },
    { "consumed_probe", consumed_probe },
    { "issend_wait", issend_wait },
    { "gatherv_counts", gatherv_counts },
    { "nested_order", nested_order },
    { "dup_alone", dup_alone },
    { "wrong_neighbour", wrong_neighbour },
    { "ireduce_against_barrier", ireduce_against_barrier },
    { "sendrecv_partner", sendrecv_partner },
    { "ssend_against_barrier", ssend_against_barrier },
    { "dup_against_recv", dup_against_recv },
    { "bcast_passed", bcast_passed },
    { "bcast_against_barrier", bcast_against_barrier },
    { "iallgather_against_ireduce", iallgather_against_ireduce },
    { "ibcast_against_ialltoall", ibcast_against_ialltoall },
    { "igather_and_finalize", igather_and_finalize },
    { "alltoallv_counts", alltoallv_counts },
    { "wildcard_took_it", wildcard_took_it },
    { "ring_send", ring_send },
    { "ring_waitsome", ring_waitsome },
    { "poll_testall", poll_testall },
    { "poll_testany", poll_testany },
    { "poll_iprobe", poll_iprobe },
    { "thread_mutex", thread_mutex },
    { "thread_condition", thread_condition },
    { "thread_semaphore", thread_semaphore },
    { "thread_spin", thread_spin },
    { "thread_naps", thread_naps },
    { "thread_openmp", thread_openmp },
    { "disconnect_dup", disconnect_dup },
    { "many_tags", many_tags },
    { "finalize_beside", finalize_beside },
    { "two_sites", two_sites },
    { "cart_against_sendrecv", cart_against_sendrecv },
    { "odd_tag", odd_tag },
    { "odd_ring", odd_ring },
    { "held_by_open", held_by_open },
    { "held_by_loop", held_by_loop },
    { "pair_beside_others", pair_beside_others },

    { "ping_pong", ping_pong },
    { "shift", shift },
    { "barriers", barriers },
    { "reductions", reductions },
    { "workers", workers },
    { "computing", computing },
    { "busy_thread", busy_thread },
    { "mprobes", mprobes },
    { "counting", counting }
};

int main(int argc, char **argv)
{
    alarm(900);
    if (argc > 1 && strstr(argv[1], "thread") != NULL)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &size);
    else
        MPI_Init(&argc, &argv);
    find_place();
    file_name = argc > 2 ? argv[2] : NULL;
    if (argc > 1)
        run_program(programs, sizeof programs / sizeof programs[0], argv[1]);
    MPI_Finalize();
    return 0;
}
