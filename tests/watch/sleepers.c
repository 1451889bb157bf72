/* sleepers.c - ranks with a sleeping thread
 *
 * Nobody sends anything before that one goes on.  With HANDLES a signal's
 * handler of the program's may let it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include <limits.h>
#include <linux/futex.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int rank;

/* What is there for one process alone, and for several. */
static struct things {
    sem_t semaphore;
    pthread_barrier_t barrier;
    pthread_rwlock_t lock;
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    int word;
} own, *shared, *things = &own;

static void send(void)
{
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 11, MPI_COMM_WORLD);
}

static void receive(void)
{
    int got;

    MPI_Recv(&got, 1, MPI_INT, 1 - rank, 11, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

static void sleep_at(int operation)
{
    while (things->word == 0)
        syscall(SYS_futex, &things->word, operation, 0, NULL, NULL, 0);
}

/* As std::atomic waits, and std::counting_semaphore. */
static void word(void) { sleep_at(FUTEX_WAIT_PRIVATE); }

/* As std::future waits. */
static void any_word(void) { sleep_at(FUTEX_WAIT); }

static void semaphore(void)
{
    while (sem_wait(&things->semaphore) != 0)
        continue;
}

static void timed(void)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 3600;
    sem_timedwait(&things->semaphore, &until);
}

static void barrier(void) { pthread_barrier_wait(&things->barrier); }

static void lock(void) { pthread_rwlock_wrlock(&things->lock); }

static void condition(void)
{
    pthread_mutex_lock(&things->mutex);
    while (things->word == 0)
        pthread_cond_wait(&things->condition, &things->mutex);
    pthread_mutex_unlock(&things->mutex);
}

static const struct shape {
    const char *name;
    void (*sleep)(void);
} shapes[] = {
    { "word", word }, { "any_word", any_word }, { "semaphore", semaphore },
    { "timed", timed }, { "barrier", barrier }, { "lock", lock },
    { "condition", condition }
};
static const struct shape *shape;

static void make_things(int may_be_shared)
{
    pthread_mutexattr_t of_mutex;
    pthread_condattr_t of_condition;
    pthread_barrierattr_t of_barrier;

    pthread_mutexattr_init(&of_mutex);
    pthread_condattr_init(&of_condition);
    pthread_barrierattr_init(&of_barrier);
    pthread_mutexattr_setpshared(&of_mutex, may_be_shared);
    pthread_condattr_setpshared(&of_condition, may_be_shared);
    pthread_barrierattr_setpshared(&of_barrier, may_be_shared);
    sem_init(&things->semaphore, may_be_shared, 0);
    pthread_barrier_init(&things->barrier, &of_barrier, 2);
    pthread_rwlock_init(&things->lock, NULL);
    pthread_mutex_init(&things->mutex, &of_mutex);
    pthread_cond_init(&things->condition, &of_condition);
    pthread_rwlock_rdlock(&things->lock);
}

static void wake(void)
{
    pthread_mutex_lock(&things->mutex);
    things->word = 1;
    pthread_cond_broadcast(&things->condition);
    pthread_mutex_unlock(&things->mutex);
    syscall(SYS_futex, &things->word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    sem_post(&things->semaphore);
    pthread_barrier_wait(&things->barrier);
    pthread_rwlock_unlock(&things->lock);
}

static void *sleep_and_send(void *unused)
{
    (void)unused;
    shape->sleep();
    send();
    return NULL;
}

static void *receive_and_wake(void *unused)
{
    (void)unused;
    receive();
    wake();
    return NULL;
}

static void on_signal(int number)
{
    (void)number;
    sem_post(&own.semaphore);
}

/* sleepers SHAPE own|unshared|shared main|other: which thread sleeps. */
int main(int argc, char **argv)
{
    const int sleeps = strcmp(argv[3], "main") == 0;
    pthread_t thread;
    int provided;

#ifdef HANDLES
    signal(SIGUSR2, on_signal);
#endif
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (strcmp(argv[2], "shared") == 0)
        things = shared;
    make_things(strcmp(argv[2], "own") != 0);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        if (strcmp(argv[1], shapes[i].name) == 0)
            shape = &shapes[i];
    fprintf(stderr, "ready %d %d\n", rank, (int)getpid());
    pthread_create(&thread, NULL, sleeps ? receive_and_wake : sleep_and_send,
                   NULL);
    if (sleeps)
        sleep_and_send(NULL);
    else
        receive_and_wake(NULL);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
