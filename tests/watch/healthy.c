/* healthy.c - healthy program with many messages and threads
 *
 * healthy THREADS ROUNDS: ends with status 0 if all came through, and if the
 * memory of the process did not grow after the first tenth.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size, rounds;

static long pages(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long all, resident = 0;

    if (file == NULL || fscanf(file, "%ld %ld", &all, &resident) != 2)
        exit(3);
    fclose(file);
    return resident;
}

/* A round of everything on a communicator of the thread's own. */
static void round_of(MPI_Comm comm, int i)
{
    int to = (rank + 1) % size, from = (rank + size - 1) % size, flag = 0;
    int got[3] = { -1, -1, -1 }, sent[3] = { i, i + 1, i + 2 }, done[3];
    MPI_Request requests[6];
    MPI_Comm copy;
    int count, left = 6;

    MPI_Irecv(&got[0], 1, MPI_INT, from, i % 50, comm, &requests[0]);
    MPI_Irecv(&got[1], 1, MPI_INT, MPI_ANY_SOURCE, 100, comm, &requests[1]);
    MPI_Irecv(&got[2], 1, MPI_INT, from, 101, comm, &requests[2]);
    MPI_Isend(&sent[0], 1, MPI_INT, to, i % 50, comm, &requests[3]);
    MPI_Issend(&sent[1], 1, MPI_INT, to, 100, comm, &requests[4]);
    MPI_Isend(&sent[2], 1, MPI_INT, to, 101, comm, &requests[5]);
    if (i % 3 == 0)
        MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
    else if (i % 3 == 1)
        for (; left > 0; left -= count)
            MPI_Waitsome(6, requests, &count, (int[6]){ 0 },
                         MPI_STATUSES_IGNORE);
    else
        while (!flag)
            MPI_Testall(6, requests, &flag, MPI_STATUSES_IGNORE);
    if (memcmp(got, sent, sizeof got) != 0)
        MPI_Abort(comm, 4);
    MPI_Sendrecv(&sent[0], 1, MPI_INT, to, 7, &done[0], 1, MPI_INT, from, 7,
                 comm, MPI_STATUS_IGNORE);
    if (i % 100 == 0) {
        MPI_Comm_dup(comm, &copy);
        MPI_Barrier(copy);
        MPI_Comm_free(&copy);
    }
}

static void *work(void *comm)
{
    for (int i = 0; i < rounds; i++)
        round_of(*(MPI_Comm *)comm, i);
    return NULL;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 1, all, provided;
    pthread_t started[16];
    MPI_Comm comms[16];
    long before;

    alarm(900);
    all = argc > 2 ? atoi(argv[2]) : 1000;
    MPI_Init_thread(&argc, &argv, threads > 1 ? MPI_THREAD_MULTIPLE
                    : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < threads; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    rounds = all / 10;
    work(&comms[0]);
    before = pages();
    rounds = all;
    for (int i = 1; i < threads; i++)
        pthread_create(&started[i], NULL, work, &comms[i]);
    work(&comms[0]);
    for (int i = 1; i < threads; i++)
        pthread_join(started[i], NULL);
    if (threads == 1 && pages() - before > 256) {
        fprintf(stderr, "grew from %ld to %ld pages\n", before, pages());
        MPI_Abort(MPI_COMM_WORLD, 5);
    }
    MPI_Finalize();
    return 0;
}
