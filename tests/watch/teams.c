/* teams.c - ranks with threads that call MPI, or that wait for one that does
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
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

static void begin_beside(int tag)
{
    static int kept;
    pthread_t thread;

    kept = tag;
    pthread_create(&thread, NULL, receive_beside, &kept);
}

/* Each thread of each rank waits for a message that nobody sends. */
static void cycle(void)
{
    begin_beside(22);
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
        { "cycle", cycle }, { "lost", lost }, { "team", team },
        { "relay", relay }, { "healthy", healthy }
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
