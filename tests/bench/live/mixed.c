/* mixed.c - benchmark job: a little of many operations
 *
 * usage: mixed SECONDS FILE
 *
 * Its rounds are computing, files, sleep, a child, a pipe that stays empty for
 * long, a late rank, large collectives, and polls with naps between them.  Four
 * ranks wait inside MPI; all others nap between two looks at what they wait
 * for, so that many may share a machine.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { few = 4, amount = 1 << 20 };

static int rank, size;
static MPI_Comm group;          /* of the few, or MPI_COMM_NULL */
static double numbers[amount], sums[amount];
static const char *file_name;

/* Waits for all as programs do that want the processor for something else. */
static void meet(void)
{
    MPI_Request request;
    int is_done = 0;

    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (!is_done) {
        MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
        usleep(50000);
    }
}

static void compute(int seconds)
{
    double end = MPI_Wtime() + seconds;

    for (volatile unsigned i = 0; MPI_Wtime() < end; i++)
        ;
}

/* One computes for long while few wait for it. */
static void one_computes(int round)
{
    if (group == MPI_COMM_NULL)
        return;
    if (rank == round % few)
        compute(45);
    MPI_Barrier(group);
}

static void one_sleeps(int round)
{
    if (group == MPI_COMM_NULL)
        return;
    if (rank == round % few)
        sleep(45);
    MPI_Allreduce(MPI_IN_PLACE, numbers, 8, MPI_DOUBLE, MPI_SUM, group);
}

/* One waits for a child, and one for what that writes. */
static void one_has_a_child(int round)
{
    char byte;
    int ends[2];

    if (group == MPI_COMM_NULL)
        return;
    if (rank == round % few) {
        if (pipe(ends) != 0)
            MPI_Abort(MPI_COMM_WORLD, 2);
        if (fork() == 0) {
            double end = MPI_Wtime() + 30;

            while (MPI_Wtime() < end)
                usleep(10000);
            _exit(write(ends[1], "", 1) != 1);
        }
        wait(NULL);
        if (read(ends[0], &byte, 1) != 1)
            MPI_Abort(MPI_COMM_WORLD, 2);
        close(ends[0]);
        close(ends[1]);
    }
    MPI_Bcast(numbers, 8, MPI_DOUBLE, round % few, group);
}

static void use_files(void)
{
    char name[4096];
    int file;

    snprintf(name, sizeof name, "%s.%d", file_name, rank);
    file = open(name, O_CREAT | O_RDWR | O_TRUNC, 0600);
    if (file < 0 || write(file, numbers, 1 << 16) != 1 << 16
        || fsync(file) != 0 || lseek(file, 0, SEEK_SET) != 0
        || read(file, numbers, 1 << 16) != 1 << 16)
        MPI_Abort(MPI_COMM_WORLD, 2);
    close(file);
    unlink(name);
}

/* Operations that take long, one after the other. */
static void move_much(void)
{
    for (int i = 0; i < 10 && group != MPI_COMM_NULL; i++) {
        MPI_Allreduce(numbers, sums, amount, MPI_DOUBLE, MPI_MAX, group);
        MPI_Alltoall(numbers, amount / few, MPI_DOUBLE, sums, amount / few,
                     MPI_DOUBLE, group);
    }
}

/* Each gives the next one something, that looks now and then. */
static void pass_on(void)
{
    int there = 0, right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Request request;

    MPI_Isend(numbers, 100, MPI_DOUBLE, right, 5, MPI_COMM_WORLD, &request);
    while (!there) {
        MPI_Iprobe(left, 5, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        usleep(20000);
    }
    MPI_Recv(sums, 100, MPI_DOUBLE, left, 5, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void do_round(int round)
{
    one_computes(round);
    meet();
    use_files();
    one_sleeps(round);
    pass_on();
    move_much();
    sleep((unsigned)(round + rank) % 7);
    one_has_a_child(round);
    meet();
}

int main(int argc, char **argv)
{
    double end;
    int is_over = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank < few ? 0 : MPI_UNDEFINED, rank,
                   &group);
    if (argc != 3 || size < few)
        MPI_Abort(MPI_COMM_WORLD, 2);
    end = MPI_Wtime() + atof(argv[1]);
    file_name = argv[2];
    for (int round = 0; !is_over; round++) {
        do_round(round);
        is_over = MPI_Wtime() > end;
        MPI_Bcast(&is_over, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
