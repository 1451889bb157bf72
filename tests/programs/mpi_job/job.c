/* job.c - a parallel program with something in every queue */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mpi_job.h"
#include "mpi.h"
#include "mpir_variables.h"

#include <pthread.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    large = 100000              /* bytes; longer than what is sent at once */
};

static int rank, size, right, left;
static MPI_Request *requests, *next_request;
static char buffer[large];
static int ints[64];

static MPI_Request *request(void)
{
    return next_request++;
}

static void learn_my_place(MPI_Comm comm)
{
    rank = MPI_Comm_rank(comm);
    size = MPI_Comm_size(comm);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
}

/* Operations that stay: what is sent is not what is received. */
static void on_world(void)
{
    MPI_Isend(ints, 12, MPI_BYTE, right, 100, MPI_COMM_WORLD, request());
    MPI_Isend(ints, 0, MPI_BYTE, right, 101, MPI_COMM_WORLD, request());
    MPI_Isend(buffer, large, MPI_BYTE, right, 102, MPI_COMM_WORLD, request());
    MPI_Irecv(ints, 40, MPI_BYTE,
              MPI_ANY_SOURCE, 9000, MPI_COMM_WORLD, request());
    MPI_Irecv(ints, 16, MPI_BYTE,
              right, 9001, MPI_COMM_WORLD, request());
    MPI_Recv_init(ints, 5, MPI_INT, right, 9002, MPI_COMM_WORLD, request());
    MPI_Start(next_request - 1);
}

static void on_duplicate(void)
{
    MPI_Datatype column;
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, "duplicate", &comm);
    MPI_Type_hvector(4, 1, 8 * sizeof(int), MPI_INT, &column);
    MPI_Irecv(ints, 1, column, left, 200, comm, request());
    MPI_Irecv(ints, 8, MPI_BYTE, right, MPI_ANY_TAG, comm, request());
    if (size > 2)
        MPI_Isend(ints, 8, MPI_BYTE, right, 201, comm, request());
}

static void on_halves(void)
{
    MPI_Comm halves, inter;
    int peer = rank / 2;

    if (size % 2 != 0)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 2, "halves", &halves);
    MPI_Intercomm_create(halves, MPI_COMM_WORLD, "between", &inter);
    MPI_Irecv(ints, 24, MPI_BYTE,
              MPI_ANY_SOURCE, MPI_ANY_TAG, halves, request());
    MPI_Isend(ints, 28, MPI_BYTE, peer, 300, inter, request());
    MPI_Irecv(ints, 32, MPI_BYTE, peer, 301, inter, request());
}

/* Half of it receives, a quarter each sent and so unexpected elsewhere. */
static void in_bulk(int operations)
{
    int i;

    for (i = 0; i < operations; i++)
        if (i % 4 == 3)
            MPI_Isend(ints, 4, MPI_BYTE, right, i, MPI_COMM_WORLD, request());
        else if (i % 4 != 2)
            MPI_Irecv(ints, 4, MPI_BYTE,
                      right, 100000 + i, MPI_COMM_WORLD,
                      request());
}

static void set_up(void)
{
    on_world();
    on_duplicate();
    on_halves();
    in_bulk(job_options.operations);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Issend(ints, 4, MPI_BYTE, rank, 103, MPI_COMM_WORLD, request());
    progress(0);
    progress_ready();
}

static void pending(void)
{
    set_up();
    MPI_Recv(ints, 4, MPI_BYTE, right, 7777, MPI_COMM_WORLD, NULL);
}

__attribute__((__noinline__)) static void compute(void)
{
    set_up();
    for (;;)
        progress(20);
}

/* Variables that a user might ask a debugger about. */
static MPI_Comm grid;
static MPI_Datatype plane;
static MPI_Request inactive, posted;
static int keyval, errhandler;
static double planes[100 * 64];

static void complain(MPI_Comm *comm, int *code)
{
    fprintf(stderr, "error %d on communicator %d\n", *code, *comm);
}

static void on_handles(void)
{
    const int dims[] = { size, 1 }, periods[] = { 1, 0 };

    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, "grid", &grid);
    keyval = MPI_Keyval_create();
    MPI_Attr_put(grid, keyval, planes);
    MPI_Errhandler_create(complain, &errhandler);
    MPI_Errhandler_set(grid, errhandler);
    MPI_Type_hvector(100, 4, 512, MPI_DOUBLE, &plane);
    MPI_Irecv(planes, 1, plane, right, 76, grid, &posted);
    MPI_Recv_init(planes, 1, plane, 1, 77, grid, &inactive);
    progress_ready();
    MPI_Wait(&posted, NULL);
}

static void deadlock(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    progress_ready();
    MPI_Recv(ints, 4, MPI_BYTE, right, 1, MPI_COMM_WORLD, NULL);
    MPI_Ssend(ints, 4, MPI_BYTE, left, 1, MPI_COMM_WORLD);
}

/* One more send that nobody receives, again and again. */
static void stream(void)
{
    MPI_Request last;

    MPI_Barrier(MPI_COMM_WORLD);
    progress_ready();
    for (;;) {
        MPI_Isend(ints, 4, MPI_BYTE, right, 55, MPI_COMM_WORLD, &last);
        progress(0);
        poll(NULL, 0, 20);
        if (job_options.execute != NULL && MPIR_being_debugged)
            execl(job_options.execute, job_options.execute, (char *)NULL);
    }
}

/* Goes on for ever, and looks the same at every round.  An even number of
 * ranks.
 */
static void circle(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    progress_ready();
    for (;;) {
        if (rank % 2 == 0)
            MPI_Ssend(ints, 4, MPI_BYTE, right, 5, MPI_COMM_WORLD);
        MPI_Recv(ints, 4, MPI_BYTE, left, 5, MPI_COMM_WORLD, NULL);
        if (rank % 2 != 0)
            MPI_Ssend(ints, 4, MPI_BYTE, right, 5, MPI_COMM_WORLD);
    }
}

static volatile sig_atomic_t is_told;

static void note(int number)
{
    is_told = number;
}

/* The same until SIGUSR1 comes: then that rank waits for what is never sent,
 * and all others for it.
 */
static void circle_until_told(void)
{
    signal(SIGUSR1, note);
    MPI_Barrier(MPI_COMM_WORLD);
    progress_ready();
    for (;;) {
        if (is_told)
            MPI_Recv(ints, 4, MPI_BYTE, left, 6, MPI_COMM_WORLD, NULL);
        if (rank % 2 == 0)
            MPI_Ssend(ints, 4, MPI_BYTE, right, 5, MPI_COMM_WORLD);
        MPI_Recv(ints, 4, MPI_BYTE, left, 5, MPI_COMM_WORLD, NULL);
        if (rank % 2 != 0)
            MPI_Ssend(ints, 4, MPI_BYTE, right, 5, MPI_COMM_WORLD);
    }
}

static void abort_job(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    progress_ready();
    if (rank == size - 1)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Recv(ints, 4, MPI_BYTE, right, 1, MPI_COMM_WORLD, NULL);
}

static void finish(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*run)(void);
} scenarios[] = {
    { "pending", pending },
    { "compute", compute },
    { "handles", on_handles },
    { "deadlock", deadlock },
    { "circle", circle },
    { "stream", stream },
    { "until-told", circle_until_told },
    { "abort", abort_job },
    { "finish", finish },
};

/* What the main thread is in must not be taken from another one. */
static void *MPI_Helper(void *unused)
{
    for (;;)
        poll(NULL, 0, 1000);
    return unused;
}

/* Outside MPI. */
static void be_late(void)
{
    const char *own = getenv("JOB_RANK");

    while (job_options.late != NULL && own != NULL
           && atoi(own) == job_options.ranks - 1
           && access(job_options.late, F_OK) == 0)
        poll(NULL, 0, 10);
}

int main(int argc, char **argv)
{
    pthread_t helper;
    size_t i;

    job_read_options(argc, argv);
    alarm((unsigned)job_options.seconds);
    requests = next_request = calloc((size_t)job_options.operations + 64,
                                     sizeof *requests);
    be_late();
    MPI_Init();
    learn_my_place(MPI_COMM_WORLD);
    if (job_options.helper_thread)
        pthread_create(&helper, NULL, MPI_Helper, NULL);
    run_program(job_options.scenario);
    for (i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
        if (strcmp(job_options.scenario, scenarios[i].name) == 0)
            scenarios[i].run();
    MPI_Finalize();
    return 0;
}
