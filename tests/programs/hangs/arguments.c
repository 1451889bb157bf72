/* arguments.c - ranks that wait in calls whose arguments are known
 *
 * usage: arguments FILE FIRST
 *
 * Rank R makes call FIRST + R of the table, on a communicator that no other
 * rank uses or with a tag that none does, after it wrote the name and the
 * arguments of the call to FILE.R.  None returns.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { large = 1 << 20, most_ranks = 64 };

static FILE *file;
static int numbers[large], others[large];
static int counts[most_ranks], offsets[most_ranks];
static MPI_Request requests[3];
static MPI_Status statuses[3];
static MPI_Message message;
static MPI_Comm comm, made;
static int rank, size, next, found;

/* A handle is an int or a pointer. */
#define HANDLE(h) (sizeof (h) == 4 ? (long long)(unsigned)(uintptr_t)(h) \
                                   : (long long)(intptr_t)(h))

static void told(const char *name, long long value)
{
    fprintf(file, "%s %lld\n", name, value);
}

static void address(const char *name, const void *value)
{
    told(name, (long long)(intptr_t)value);
}

static void data(const char *which, const void *buffer, int count)
{
    char name[20];

    snprintf(name, sizeof name, "%sbuf", which);
    address(name, buffer);
    snprintf(name, sizeof name, "%scount", which);
    told(name, count);
    snprintf(name, sizeof name, "%s%s", which, *which ? "type" : "datatype");
    told(name, HANDLE(MPI_INT));
}

static void communicator(void)
{
    told("comm", HANDLE(comm));
}

static void envelope(const char *peer, int with, int tag)
{
    told(peer, with);
    told("tag", tag);
    communicator();
}

/* What was told stands in the file from here on. */
static void end(void)
{
    fprintf(file, "end 0\n");
    fclose(file);
}

static void do_recv(void)
{
    data("", numbers, 5);
    envelope("source", next, 17);
    address("status", statuses);
    end();
    MPI_Recv(numbers, 5, MPI_INT, next, 17, comm, statuses);
}

static void do_recv_any(void)
{
    data("", numbers, 6);
    envelope("source", MPI_ANY_SOURCE, MPI_ANY_TAG);
    address("status", MPI_STATUS_IGNORE);
    end();
    MPI_Recv(numbers, 6, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm,
             MPI_STATUS_IGNORE);
}

static void do_send(void)
{
    data("", numbers, large);
    envelope("dest", next, 18);
    end();
    MPI_Send(numbers, large, MPI_INT, next, 18, comm);
}

static void do_ssend(void)
{
    data("", numbers, 7);
    envelope("dest", next, 19);
    end();
    MPI_Ssend(numbers, 7, MPI_INT, next, 19, comm);
}

static void do_sendrecv(void)
{
    data("send", numbers, 8);
    told("dest", next);
    told("sendtag", 20);
    data("recv", others, 9);
    told("source", (next + 1) % size);
    told("recvtag", 21);
    communicator();
    address("status", statuses);
    end();
    MPI_Sendrecv(numbers, 8, MPI_INT, next, 20, others, 9, MPI_INT,
                 (next + 1) % size, 21, comm, statuses);
}

static void do_sendrecv_replace(void)
{
    data("", numbers, 8);
    told("dest", next);
    told("sendtag", 20);
    told("source", (next + 1) % size);
    told("recvtag", 21);
    communicator();
    address("status", statuses);
    end();
    MPI_Sendrecv_replace(numbers, 8, MPI_INT, next, 20, (next + 1) % size, 21,
                         comm, statuses);
}

static void do_probe(void)
{
    envelope("source", next, 22);
    address("status", statuses);
    end();
    MPI_Probe(next, 22, comm, statuses);
}

static void do_mprobe(void)
{
    envelope("source", next, 23);
    address("status", statuses);
    end();
    MPI_Mprobe(next, 23, comm, &message, statuses);
}

static void post(void)
{
    for (int i = 0; i < 3; i++)
        MPI_Irecv(numbers + i, 1, MPI_INT, next, 30 + i, comm, requests + i);
}

static void do_wait(void)
{
    post();
    told("request", HANDLE(requests[0]));
    address("status", statuses);
    end();
    MPI_Wait(requests, statuses);
}

static void do_waitall(void)
{
    post();
    told("count", 3);
    told("requests", HANDLE(requests[2]));      /* the last of them */
    address("statuses", statuses);
    end();
    MPI_Waitall(3, requests, statuses);
}

static void do_waitany(void)
{
    post();
    told("count", 3);
    told("requests", HANDLE(requests[2]));      /* the last of them */
    address("status", statuses);
    end();
    MPI_Waitany(3, requests, &found, statuses);
}

static void do_waitsome(void)
{
    post();
    told("incount", 3);
    told("requests", HANDLE(requests[2]));      /* the last of them */
    address("indices", counts);
    address("statuses", statuses);
    end();
    MPI_Waitsome(3, requests, &found, counts, statuses);
}

static void do_barrier(void)
{
    communicator();
    end();
    MPI_Barrier(comm);
}

static void do_bcast(void)
{
    int root = next != 0;       /* of what is compared, a byte is set */

    address("buffer", numbers);
    told("count", 5);
    told("datatype", HANDLE(MPI_INT));
    told("root", root);
    communicator();
    end();
    MPI_Bcast(numbers, 5, MPI_INT, root, comm);
}

static void reduction(int count)
{
    address("sendbuf", numbers);
    address("recvbuf", others);
    told("count", count);
    told("datatype", HANDLE(MPI_INT));
    told("op", HANDLE(MPI_SUM));
}

static void do_reduce(void)
{
    reduction(4);
    told("root", rank);
    communicator();
    end();
    MPI_Reduce(numbers, others, 4, MPI_INT, MPI_SUM, rank, comm);
}

static void do_allreduce(void)
{
    reduction(3);
    communicator();
    end();
    MPI_Allreduce(numbers, others, 3, MPI_INT, MPI_SUM, comm);
}

static void do_scan(void)
{
    reduction(3);
    communicator();
    end();
    MPI_Scan(numbers, others, 3, MPI_INT, MPI_SUM, comm);
}

static void do_gather(void)
{
    data("send", numbers, 2);
    data("recv", others, 2);
    told("root", rank);
    communicator();
    end();
    MPI_Gather(numbers, 2, MPI_INT, others, 2, MPI_INT, rank, comm);
}

static void do_scatter(void)
{
    data("send", numbers, 2);
    data("recv", others, 2);
    told("root", next);
    communicator();
    end();
    MPI_Scatter(numbers, 2, MPI_INT, others, 2, MPI_INT, next, comm);
}

static void do_gatherv(void)
{
    for (int i = 0; i < size; i++)
        offsets[i] = i * (counts[i] = 2);
    data("send", numbers, 2);
    address("recvbuf", others);
    address("recvcounts", counts);
    address("displs", offsets);
    told("recvtype", HANDLE(MPI_INT));
    told("root", rank);
    communicator();
    end();
    MPI_Gatherv(numbers, 2, MPI_INT, others, counts, offsets, MPI_INT, rank,
                comm);
}

static void do_allgather(void)
{
    data("send", numbers, 2);
    data("recv", others, 2);
    communicator();
    end();
    MPI_Allgather(numbers, 2, MPI_INT, others, 2, MPI_INT, comm);
}

static void do_alltoall(void)
{
    data("send", numbers, 2);
    data("recv", others, 2);
    communicator();
    end();
    MPI_Alltoall(numbers, 2, MPI_INT, others, 2, MPI_INT, comm);
}

static void do_reduce_scatter_block(void)
{
    address("sendbuf", numbers);
    address("recvbuf", others);
    told("recvcount", 2);
    told("datatype", HANDLE(MPI_INT));
    told("op", HANDLE(MPI_SUM));
    communicator();
    end();
    MPI_Reduce_scatter_block(numbers, others, 2, MPI_INT, MPI_SUM, comm);
}

static void do_comm_split(void)
{
    communicator();
    told("color", 1);
    told("key", 5);
    end();
    MPI_Comm_split(comm, 1, 5, &made);
}

static void do_comm_dup(void)
{
    communicator();
    end();
    MPI_Comm_dup(comm, &made);
}

/* What is handed over is computed for the call and kept nowhere. */
static __attribute__((noinline)) void receive_around(void)
{
    int me, all;

    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &all);
    MPI_Recv(numbers, 5, MPI_INT, (me + all - 1) % all, 24, comm, statuses);
}

static void do_ring(void)
{
    data("", numbers, 5);
    envelope("source", (rank + size - 1) % size, 24);
    address("status", statuses);
    end();
    receive_around();
}

static const struct {
    const char *name;
    void (*call)(void);
} calls[] = {
    { "Recv", do_recv },
    { "Recv", do_recv_any },
    { "Send", do_send },
    { "Ssend", do_ssend },
    { "Sendrecv", do_sendrecv },
    { "Sendrecv_replace", do_sendrecv_replace },
    { "Probe", do_probe },
    { "Mprobe", do_mprobe },
    { "Wait", do_wait },
    { "Waitall", do_waitall },
    { "Waitany", do_waitany },
    { "Waitsome", do_waitsome },
    { "Barrier", do_barrier },
    { "Bcast", do_bcast },
    { "Reduce", do_reduce },
    { "Allreduce", do_allreduce },
    { "Scan", do_scan },
    { "Gather", do_gather },
    { "Scatter", do_scatter },
    { "Gatherv", do_gatherv },
    { "Allgather", do_allgather },
    { "Alltoall", do_alltoall },
    { "Reduce_scatter_block", do_reduce_scatter_block },
    { "Comm_split", do_comm_split },
    { "Comm_dup", do_comm_dup },
    { "Recv", do_ring }
};

enum { call_count = sizeof calls / sizeof calls[0] };

int main(int argc, char **argv)
{
    char name[4096];
    int number;

    alarm(900);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    for (int i = 0; i < size; i++) {
        MPI_Comm copy;

        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        if (i == rank)
            comm = copy;
    }
    number = (atoi(argv[2]) + rank) % call_count;
    if (number % 2 == 0 && number < 12)         /* not a collective one */
        comm = MPI_COMM_WORLD;
    snprintf(name, sizeof name, "%s.%d", argv[1], rank);
    file = fopen(name, "w");
    if (file == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    fprintf(file, "pid %d\ncall MPI_%s\n", (int)getpid(),
            calls[number].name);
    calls[number].call();
    return 1;
}
