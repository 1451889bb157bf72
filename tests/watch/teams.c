/* teams.c - ranks with several threads in or behind MPI
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int rank;
static volatile double sum;

static void compute(int rounds)
{
    for (int i = 0; i < rounds; i++)
        sum += i;
}

static void receive(int tag)
{
    int got;

    MPI_Recv(&got, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

static void *receive_beside(void *tag)
{
    int got;

    MPI_Recv(&got, 1, MPI_INT, 1 - rank, *(int *)tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return NULL;
}

static pthread_t begin_beside(int tag)
{
    static int kept;
    pthread_t thread;

    kept = tag;
    pthread_create(&thread, NULL, receive_beside, &kept);
    return thread;
}

/* Each thread of each rank waits for a message that nobody sends. */
static void cycle(void)
{
    begin_beside(22);
    receive(11);
}

static void *send_beside(void *unused)
{
    static int much[1 << 20];

    MPI_Send(much, 1 << 20, MPI_INT, 1 - rank, 33, MPI_COMM_WORLD);
    return unused;
}

/* The same, while one sends what nobody receives. */
static void sender(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, send_beside, NULL);
    receive(11);
}

static void *receive_two(void *unused)
{
    MPI_Request requests[2];
    int got[2];

    for (int i = 0; i < 2; i++)
        MPI_Irecv(&got[i], 1, MPI_INT, 1 - rank, 44 + i, MPI_COMM_WORLD,
                  &requests[i]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    return unused;
}

/* The same, while one waits for two messages. */
static void two(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, receive_two, NULL);
    receive(11);
}

/* One thread does, while the other ones go on. */
static void lost(void)
{
    if (rank == 0)
        begin_beside(99);
    for (int i = 0;; i++) {
        MPI_Sendrecv_replace(&i, 1, MPI_INT, 1 - rank, 1, 1 - rank, 1,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        compute(1000000);
    }
}

/* Three wait for the one that is in MPI. */
static void team(void)
{
    #pragma omp parallel num_threads(4)
    {
        #pragma omp master
        receive(11);
        #pragma omp barrier
    }
}

static void *pass_on(void *unused)
{
    (void)unused;
    for (int i = 0;; i++) {
        receive(2);
        MPI_Send(&i, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
    }
}

/* A rank waits for itself: its other thread, for a rank that computes. */
static void relay(void)
{
    pthread_t thread;

    if (rank == 0)
        pthread_create(&thread, NULL, pass_on, NULL);
    for (int i = 0;; i++) {
        if (rank == 0) {
            MPI_Recv(&i, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            compute(2000000000);
            MPI_Send(&i, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        }
    }
}

static void send(int tag)
{
    MPI_Send(&tag, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD);
}

/* What the other rank waits for is sent once this has waited long enough. */
static void patience(void)
{
    struct timespec until = { 0 };
    pthread_t thread = begin_beside(11);

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 3600;
    pthread_timedjoin_np(thread, NULL, &until);
    send(11);
}

static void *look_in_vain(void *unused)
{
    int flag;

    for (;;) {
        MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag,
                   MPI_STATUS_IGNORE);
        usleep(1000);
    }
    return unused;
}

/* That one thread looks for what is not there brings the other one nothing. */
static void vain(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, look_in_vain, NULL);
    receive(11);
}

static void *answer(void *unused)
{
    for (int i = 0;; i++) {
        MPI_Recv(&i, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        if (rank == 1)
            sleep(2);
        send(3);
    }
    return unused;
}

/* Most of the time all but one of the threads wait for each other. */
static void slow(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, answer, NULL);
    if (rank == 0)
        send(3);
    receive(11);
}

static void send_in_time(union sigval tag)
{
    send(tag.sival_int);
}

/* What the other rank waits for is sent by a thread that the C library begins
 * then.
 */
static void timer(void)
{
    struct sigevent event = { .sigev_notify = SIGEV_THREAD,
                              .sigev_notify_function = send_in_time,
                              .sigev_value = { .sival_int = 11 } };
    const struct itimerspec time = { .it_value.tv_sec = 3600 };
    timer_t timer;

    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &time, NULL);
    receive(11);
}

/* All go on. */
static void healthy(void)
{
    for (;;) {
        #pragma omp parallel num_threads(3)
        {
            #pragma omp master
            for (int i = 0; i < 10; i++) {
                int got = i;

                MPI_Sendrecv_replace(&got, 1, MPI_INT, 1 - rank, 1, 1 - rank,
                                     1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                compute(rank * 1000000);
            }
            #pragma omp barrier
            compute(10000000);
        }
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } shapes[] = {
        { "cycle", cycle }, { "sender", sender }, { "two", two },
        { "lost", lost }, { "team", team },
        { "relay", relay }, { "patience", patience }, { "timer", timer },
        { "vain", vain }, { "slow", slow }, { "healthy", healthy }
    };
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "ready %d %d\n", rank, (int)getpid());
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        if (strcmp(argv[1], shapes[i].name) == 0)
            shapes[i].run();
    MPI_Finalize();
    return 0;
}
