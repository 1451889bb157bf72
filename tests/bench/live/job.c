/* job.c - benchmark job that waits, computes or sleeps
 *
 * usage: job wait|compute|sleep FILE
 *
 * Rank R writes at 16 R of FILE, in bytes, its process and, but for those that
 * wait, the longest time in nanoseconds in which it noticed nothing; who writes
 * 0 there begins anew.  No process lasts longer than 15 minutes.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct place {
    uint64_t pid, longest;
};

static uint64_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void notice(volatile struct place *place, int sleeps)
{
    const struct timespec moment = { 0, 1000000 };
    uint64_t before = now(), after;

    for (;; before = after) {
        if (sleeps)
            nanosleep(&moment, NULL);
        after = now();
        if (after - before > place->longest)
            place->longest = after - before;
    }
}

int main(int count, char **words)
{
    struct place *places;
    int rank, size, file, number;

    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    alarm(900);
    file = count == 3 ? open(words[2], O_RDWR) : -1;
    if (file < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    places = mmap(NULL, (size_t)size * sizeof *places, PROT_READ | PROT_WRITE,
                  MAP_SHARED, file, 0);
    if (places == MAP_FAILED)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    places[rank].pid = (uint64_t)getpid();
    if (strcmp(words[1], "wait") != 0)
        notice(&places[rank], strcmp(words[1], "sleep") == 0);
    MPI_Recv(&number, 1, MPI_INT, (rank + 1) % size, 17, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
