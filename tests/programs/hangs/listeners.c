/* listeners.c - ranks with a listener thread
 *
 * usage: listeners PROGRAM FILE
 *
 * FILE.RANK comes into being with the process in it once the thread listens.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <math.h>
#include <pthread.h>

#include "ranks.h"

static volatile int heard;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static double field[100][100];
static volatile double sum;

static void *listen_for_ever(void *unused)
{
    int got;

    (void)unused;
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    pthread_mutex_lock(&mutex);
    heard = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

/* ---- What goes on ------------------------------------------------------- */

static void relaxes(void)
{
    for (;;)
        for (int i = 1; i < 99; i++)
            for (int j = 1; j < 99; j++)
                field[i][j] = 1 + 0.25 * (field[i - 1][j] + field[i + 1][j]
                                          + field[i][j - 1] + field[i][j + 1]);
}

static void calls_sines(void)
{
    for (double x = 0; sum < 1e300; x += 0.1)
        sum += sin(x) + 2;
}

static double step(double x, int depth)
{
    return depth == 0 ? x * 1.0001 + 1 : step(x, depth - 1) + depth;
}

static void calls_itself(void)
{
    for (;;)
        sum = sum < 1e9 ? step(sum, 5) : 0;
}

static void hashes(void)
{
    for (unsigned i = 0, hash = 0;; i++) {
        hash = hash * 31 + i;
        if (hash == 7)
            sum++;
    }
}

/* ---- What waits for the thread ------------------------------------------- */

static void spins(void)
{
    while (!heard)
        ;
}

static int is_heard(void)
{
    return heard;
}

static void spins_by_call(void)
{
    while (!is_heard())
        ;
}

static void naps(void)
{
    while (!heard)
        usleep(1000);
}

static void waits(void)
{
    pthread_mutex_lock(&mutex);
    while (!heard)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
}

static const struct program programs[] = {
    { "relaxes", relaxes }, { "calls_sines", calls_sines },
    { "calls_itself", calls_itself }, { "hashes", hashes },
    { "spins", spins }, { "spins_by_call", spins_by_call },
    { "naps", naps }, { "waits", waits }
};

int main(int argc, char **argv)
{
    pthread_t thread;
    int provided;

    if (argc != 3)
        return 2;
    alarm(900);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    find_place();
    pthread_create(&thread, NULL, listen_for_ever, NULL);
    usleep(100000);
    appear(argv[2]);
    run_program(programs, sizeof programs / sizeof programs[0], argv[1]);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
