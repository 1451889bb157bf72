/* record.c - jobs analysed from records: record CASE [FILE]
 *
 *     behind      117 times an Allreduce, and the last rank not the 118th
 *     ring, late  each waits for the one before it, late: once there is FILE
 *     exits       the last rank ends by itself, and the others wait for it
 *     ends        a child of fork comes and goes, and all end well
 *     parent      the same as behind, with a child of fork in each that stays
 *     healthy     messages and Allreduces without end
 *     polling     each looks in vain for a message
 *     leaves      the main thread ends alone
 *
 * Each rank says "ready RANK PID".
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, size, data[64], sum[64];

static void add_up(int count)
{
    for (int i = 0; i < count; i++)
        MPI_Allreduce(data, sum, 8, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void say_ready(void)
{
    fprintf(stderr, "ready %d %d\n", rank, (int)getpid());
}

static void receive(void)
{
    MPI_Recv(data, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

static void wait_for_file(const char *file)
{
    while (access(file, F_OK) != 0)
        usleep(1000);
}

static void poll(void)
{
    int flag = 0;

    while (!flag)
        MPI_Iprobe((rank + 1) % size, 9, MPI_COMM_WORLD, &flag,
                   MPI_STATUS_IGNORE);
}

static void exchange(void)
{
    for (;;) {
        MPI_Sendrecv(data, 8, MPI_INT, (rank + 1) % size, 3, sum, 8, MPI_INT,
                     (rank + size - 1) % size, 3, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        add_up(1);
    }
}

/* A child writes to all that it can and, unless it STAYS, ends. */
static void beget(int stays)
{
    pid_t child = fork();

    if (child == 0) {
        memset(data, 0xff, sizeof data);
        while (stays)
            pause();
        _exit(0);
    }
    if (!stays)
        waitpid(child, NULL, 0);
}

/* Whether the sums are right, on standard output. */
static int end_well(void)
{
    beget(0);
    for (int i = 0; i < 8; i++)
        data[i] = rank + i;
    add_up(200);
    if (rank == 0)
        printf("sums %d %d\n", sum[0], sum[7]);
    MPI_Finalize();
    return 0;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";

    alarm(600);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    add_up(117);
    say_ready();
    if (strcmp(name, "ends") == 0)
        return end_well();
    if (strcmp(name, "parent") == 0)
        beget(1);
    if (strcmp(name, "late") == 0 && argc > 2 && rank > 0)
        wait_for_file(argv[2]);
    if (strcmp(name, "ring") == 0 || strcmp(name, "late") == 0)
        receive();
    else if (strcmp(name, "polling") == 0)
        poll();
    else if (strcmp(name, "healthy") == 0)
        exchange();
    else if (rank < size - 1)
        add_up(1);
    else if (strcmp(name, "exits") == 0)
        _exit(0);
    if (strcmp(name, "leaves") == 0)
        pthread_exit(NULL);
    for (;;)
        pause();
}
