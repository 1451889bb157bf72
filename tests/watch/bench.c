/* bench.c - benchmark: cost of libmqwatch
 *
 * Prints nanoseconds per call, one measure a line: the lower quartile of many
 * rounds that are shorter than what a scheduler gives a process at a time.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rounds = 401, most_outstanding = 10000 };
static char buffer[1 << 16], other[1 << 16];
static int rank, outstanding;
static MPI_Request many[most_outstanding];

static void blocking(int count)
{
    for (int i = 0; i < count; i++) {
        MPI_Send(buffer, 0, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    }
}

/* A message that is listed and counted, both as sent and as received. */
static void sendrecv(int count)
{
    for (int i = 0; i < count; i++)
        MPI_Sendrecv(buffer, 8, MPI_CHAR, 0, 0, other, 8, MPI_CHAR, 0, 0,
                     MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

static void swap(int peer, int tag, MPI_Comm comm)
{
    MPI_Request requests[2];

    MPI_Irecv(other, 8, MPI_CHAR, peer, tag, comm, &requests[0]);
    MPI_Isend(buffer, 8, MPI_CHAR, peer, tag, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void to_self(int count)
{
    for (int i = 0; i < count; i++)
        swap(0, 0, MPI_COMM_SELF);
}

static int next_tag(int many)
{
    static int tag;

    return tag = (tag + 1) % many;
}

static void to_self_100_tags(int count)
{
    for (int i = 0; i < count; i++)
        swap(0, next_tag(100), MPI_COMM_SELF);
}

static void to_self_30000_tags(int count)
{
    for (int i = 0; i < count; i++)
        swap(0, next_tag(30000), MPI_COMM_SELF);
}

static void to_other(int count)
{
    for (int i = 0; i < count; i++)
        swap(1 - rank, 0, MPI_COMM_WORLD);
}

static void to_other_30000_tags(int count)
{
    for (int i = 0; i < count; i++)
        swap(1 - rank, next_tag(30000), MPI_COMM_WORLD);
}

static void ping_pong(int count, int length)
{
    for (int i = 0; i < count; i++) {
        if (rank == 0) {
            MPI_Send(buffer, length, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(buffer, length, MPI_CHAR, 1, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(buffer, length, MPI_CHAR, 0, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
            MPI_Send(buffer, length, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        }
    }
}

static void small(int count) { ping_pong(count, 8); }
static void large(int count) { ping_pong(count, sizeof buffer); }

/* With many receives outstanding, one that is answered by a send. */
static void waitany(int count)
{
    int i, done;

    for (i = 0; i < count; i++) {
        MPI_Send(buffer, 8, MPI_CHAR, 0, i % outstanding, MPI_COMM_SELF);
        MPI_Waitany(outstanding, many, &done, MPI_STATUS_IGNORE);
        MPI_Irecv(other, 8, MPI_CHAR, 0, done, MPI_COMM_SELF, &many[done]);
    }
}

static void post(int count)
{
    outstanding = count;
    for (int i = 0; i < outstanding; i++)
        MPI_Irecv(other, 8, MPI_CHAR, 0, i, MPI_COMM_SELF, &many[i]);
}

static void withdraw(void)
{
    for (int i = 0; i < outstanding; i++) {
        MPI_Cancel(&many[i]);
        MPI_Wait(&many[i], MPI_STATUS_IGNORE);
    }
}

static MPI_Win win;

static void fence(int count)
{
    for (int i = 0; i < count; i++)
        MPI_Win_fence(0, win);
}

static void lock_and_unlock(int count)
{
    for (int i = 0; i < count; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Win_unlock(0, win);
    }
}

static void put(int count)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    for (int i = 0; i < count; i++)
        MPI_Put(other, 8, MPI_CHAR, 0, 0, 8, MPI_CHAR, win);
    MPI_Win_unlock(0, win);
}

static void post_to_wait(int count)
{
    MPI_Group self;

    MPI_Comm_group(MPI_COMM_SELF, &self);
    for (int i = 0; i < count; i++) {
        MPI_Win_post(self, 0, win);
        MPI_Win_start(self, 0, win);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
    }
    MPI_Group_free(&self);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void measure(const char *name, void (*run)(int), int count)
{
    double seconds[rounds];
    int i;

    run(count / 10 + 1);
    for (i = 0; i < rounds; i++) {
        double begin = MPI_Wtime();

        run(count);
        seconds[i] = MPI_Wtime() - begin;
    }
    qsort(seconds, rounds, sizeof *seconds, ascending);
    if (rank == 0)
        printf("%s %.2f\n", name, seconds[rounds / 4] / count * 1e9);
}

int main(int argc, char **argv)
{
    int size, provided;
    char *memory;

    MPI_Init_thread(&argc, &argv, argc > 1 && strcmp(argv[1], "multiple") == 0
                    ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size == 1) {
        measure("blocking", blocking, 10000);
        measure("sendrecv", sendrecv, 1000);
        measure("irecv+isend+waitall", to_self, 1000);
        measure("with_100_tags", to_self_100_tags, 1000);
        measure("with_30000_tags", to_self_30000_tags, 1000);
        post(100);
        measure("waitany_of_100", waitany, 100);
        withdraw();
        post(1000);
        measure("waitany_of_1000", waitany, 30);
        withdraw();
        post(most_outstanding);
        measure("waitany_of_10000", waitany, 3);
        withdraw();
        MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_SELF, &memory, &win);
        measure("fence", fence, 1000);
        measure("lock+unlock", lock_and_unlock, 1000);
        measure("put", put, 1000);
        measure("post+start+complete+wait", post_to_wait, 1000);
        MPI_Win_free(&win);
    } else {
        measure("exchange", to_other, 100);
        measure("exchange_with_30000_tags", to_other_30000_tags, 100);
        measure("ping_pong_8", small, 100);
        measure("ping_pong_65536", large, 10);
    }
    MPI_Finalize();
    return 0;
}
