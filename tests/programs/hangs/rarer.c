/* rarer.c - hangs in rarely used functions, by name
 *
 * usage: rarer NAME [FILE]
 *
 * As hangs.c.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "ranks.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

enum { large = 1 << 20 };

static int numbers[large], others[large];
static MPI_Request requests[8];
static const char *file_name;

static void ready(void)
{
    appear(file_name);
}

static void receive(int source, int tag)
{
    MPI_Recv(numbers, 4, MPI_INT, source, tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

/* The even ranks and the odd ones. */
static MPI_Comm between(int tag)
{
    MPI_Comm half, inter;

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, tag, &inter);
    return inter;
}

static void inter_recv(void)
{
    MPI_Comm inter = between(1);

    ready();
    MPI_Recv(numbers, 4, MPI_INT, 0, 2, inter, MPI_STATUS_IGNORE);
}

static void inter_barrier(void)
{
    MPI_Comm inter = between(1);

    ready();
    if (rank == size - 1)
        receive(0, 3);
    MPI_Barrier(inter);
}

static void inter_bcast(void)
{
    MPI_Comm inter = between(1);

    ready();
    if (rank % 2 == 0)
        MPI_Bcast(numbers, large, MPI_INT, rank == 0 ? MPI_ROOT : MPI_PROC_NULL,
                  inter);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The leaders call each other by different tags. */
static void inter_create_tags(void)
{
    MPI_Comm half, inter;

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    ready();
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 4 + rank % 2,
                         &inter);
}

static MPI_Win window(void)
{
    MPI_Win win;

    MPI_Win_create(numbers, sizeof numbers, sizeof numbers[0], MPI_INFO_NULL,
                   MPI_COMM_WORLD, &win);
    return win;
}

static void fence_missing(void)
{
    MPI_Win win = window();

    MPI_Win_fence(0, win);
    ready();
    if (rank == size - 1)
        receive(0, 5);
    MPI_Put(others, 4, MPI_INT, right, 0, 4, MPI_INT, win);
    MPI_Win_fence(0, win);
}

static void lock_kept(void)
{
    MPI_Win win = window();

    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Put(others, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
        MPI_Win_flush(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    ready();
    if (rank == 0)
        receive(1, 6);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Put(others, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
    MPI_Win_unlock(1, win);
    MPI_Send(numbers, 4, MPI_INT, 0, 6, MPI_COMM_WORLD);
}

static void complete_without_post(void)
{
    MPI_Win win = window();
    MPI_Group world, one;
    int peer = 1;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &one);
    ready();
    if (rank == 0) {
        MPI_Win_start(one, 0, win);
        MPI_Put(others, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
        MPI_Win_complete(win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void post_without_start(void)
{
    MPI_Win win = window();
    MPI_Group world, one;
    int peer = 1;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &one);
    ready();
    if (rank == 0) {
        MPI_Win_post(one, 0, win);
        MPI_Win_wait(win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void window_free(void)
{
    MPI_Win win = window();

    ready();
    if (rank == size - 1)
        receive(0, 7);
    MPI_Win_free(&win);
}

static void write_all(void)
{
    MPI_File file;
    char name[4096];

    snprintf(name, sizeof name, "%s.data", file_name);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR,
                  MPI_INFO_NULL, &file);
    MPI_File_set_view(file, rank * 4, MPI_INT, MPI_INT, "native",
                      MPI_INFO_NULL);
    ready();
    if (rank == size - 1)
        receive(0, 8);
    MPI_File_write_all(file, numbers, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

static void file_close(void)
{
    MPI_File file;
    char name[4096];

    snprintf(name, sizeof name, "%s.data", file_name);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR,
                  MPI_INFO_NULL, &file);
    ready();
    if (rank == size - 1)
        receive(0, 9);
    MPI_File_close(&file);
}

static MPI_Comm ring(void)
{
    int periods = 1;
    MPI_Comm cart;

    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periods, 0, &cart);
    return cart;
}

static void neighbor_missing(void)
{
    MPI_Comm cart = ring();

    ready();
    if (rank == size - 1)
        receive(0, 10);
    MPI_Neighbor_alltoall(numbers, 4, MPI_INT, others, 4, MPI_INT, cart);
    MPI_Barrier(cart);
}

/* Everybody receives from where it sends to. */
static void shift_error(void)
{
    MPI_Comm cart;
    int source, to, none = 0;

    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &none, 0, &cart);
    MPI_Cart_shift(cart, 0, 1, &source, &to);
    ready();
    MPI_Sendrecv(numbers, 4, MPI_INT, to, 11, others, 4, MPI_INT, to, 11, cart,
                 MPI_STATUS_IGNORE);
    MPI_Barrier(cart);
}

static void split_missing(void)
{
    MPI_Comm half;

    ready();
    if (rank == size - 1)
        receive(0, 12);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
}

static void create_group_missing(void)
{
    MPI_Group world;
    MPI_Comm made;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    ready();
    if (rank == size - 1)
        receive(0, 13);
    MPI_Comm_create_group(MPI_COMM_WORLD, world, 14, &made);
}

static void persistent_ring(void)
{
    MPI_Recv_init(others, 4, MPI_INT, left, 15, MPI_COMM_WORLD, requests);
    MPI_Ssend_init(numbers, 4, MPI_INT, right, 16, MPI_COMM_WORLD,
                   requests + 1);
    MPI_Startall(2, requests);
    ready();
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

#if MPI_VERSION >= 4
static void partitioned(void)
{
    if (rank == 0)
        MPI_Psend_init(numbers, 4, 100, MPI_INT, 1, 17, MPI_COMM_WORLD,
                       MPI_INFO_NULL, requests);
    else if (rank == 1)
        MPI_Precv_init(others, 4, 100, MPI_INT, 0, 17, MPI_COMM_WORLD,
                       MPI_INFO_NULL, requests);
    if (rank < 2)
        MPI_Start(requests);
    if (rank == 0)
        MPI_Pready_range(0, 2, requests[0]);
    ready();
    if (rank < 2)
        MPI_Wait(requests, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void persistent_barrier(void)
{
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, requests);
    ready();
    if (rank == size - 1)
        receive(0, 18);
    MPI_Start(requests);
    MPI_Wait(requests, MPI_STATUS_IGNORE);
}
#endif

/* Round three or more ranks. */
static void ssend_any_tag(void)
{
    ready();
    MPI_Ssend(numbers, 4, MPI_INT, right, 19, MPI_COMM_WORLD);
    receive(left, MPI_ANY_TAG);
}

static void probe_other_tag(void)
{
    if (rank == 1)
        MPI_Send(numbers, 4, MPI_INT, 0, 20, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Probe(1, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    ready();
    if (rank == 0)
        receive(1, 21);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void accept_alone(void)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm other;

    if (rank == 0)
        MPI_Open_port(MPI_INFO_NULL, port);
    ready();
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other);
}

static void scatterv_counts(void)
{
    static int counts[64], places[64];

    for (int i = 0; i < size && i < 64; i++)
        counts[i] = i == 1 ? 0 : 4;
    ready();
    MPI_Scatterv(numbers, counts, places, MPI_INT, others, 4, MPI_INT, 0,
                 MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void *receive_in_thread(void *tag)
{
    receive(left, *(int *)tag);
    return NULL;
}

static void thread_many(void)
{
    static int tags[] = { 22, 23 };
    pthread_t thread;

    for (int i = 0; i < 2; i++)
        if (pthread_create(&thread, NULL, receive_in_thread, &tags[i]) != 0)
            MPI_Abort(MPI_COMM_WORLD, 3);
    ready();
    MPI_Barrier(MPI_COMM_WORLD);
    receive(left, 24);
}

static void poll_ibarrier(void)
{
    int done = 0;

    ready();
    if (rank == size - 1)
        receive(0, 25);
    MPI_Ibarrier(MPI_COMM_WORLD, requests);
    while (!done) {
        MPI_Test(requests, &done, MPI_STATUS_IGNORE);
        usleep(1000);
    }
}

static void gather_roots(void)
{
    ready();
    MPI_Gather(numbers, 4, MPI_INT, others, 4, MPI_INT, rank == 0 ? 0 : 1,
               MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void detach(void)
{
    static char buffer[sizeof numbers + MPI_BSEND_OVERHEAD];
    void *place;
    int bytes;

    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Bsend(numbers, large, MPI_INT, right, 26, MPI_COMM_WORLD);
    ready();
    MPI_Buffer_detach(&place, &bytes);
}

static void self_send(void)
{
    ready();
    MPI_Send(numbers, large, MPI_INT, rank, 27, MPI_COMM_WORLD);
}

static void scan_missing(void)
{
    ready();
    if (rank == 0)
        receive(size - 1, 28);
    MPI_Scan(numbers, others, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void idup_missing(void)
{
    MPI_Comm copy;

    ready();
    if (rank == size - 1)
        receive(0, 29);
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, requests);
    MPI_Wait(requests, MPI_STATUS_IGNORE);
}

static void spawn_no_mpi(void)
{
    MPI_Comm child;
    char *arguments[] = { "900", NULL };

    ready();
    MPI_Comm_spawn("sleep", arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                   &child, MPI_ERRCODES_IGNORE);
}

/* One that nobody receives keeps a rank from its end. */
static void finalize_isend(void)
{
    if (rank == 0)
        MPI_Isend(numbers, large, MPI_INT, 1, 30, MPI_COMM_WORLD, requests);
    ready();
    if (rank == 1)
        receive(0, 31);
    MPI_Finalize();
    exit(0);
}

static void reduce_scatter_counts(void)
{
    static int counts[64];

    for (int i = 0; i < size && i < 64; i++)
        counts[i] = rank == 0 ? 4 : i == 0 ? large / 64 : 4;
    ready();
    if (rank == 1)
        receive(0, 32);
    MPI_Reduce_scatter(numbers, others, counts, MPI_INT, MPI_SUM,
                       MPI_COMM_WORLD);
}

static void mprobe_lost(void)
{
    MPI_Message message;

    if (rank == 1)
        MPI_Send(numbers, 4, MPI_INT, 0, 33, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Mprobe(1, 33, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    ready();
    if (rank == 0)
        receive(1, 33);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void poll_improbe(void)
{
    MPI_Message message;
    int done = 0;

    ready();
    while (!done) {
        MPI_Improbe(left, 34, MPI_COMM_WORLD, &done, &message,
                    MPI_STATUS_IGNORE);
        usleep(100);
    }
}

/* A lock of shared memory that is never let go, asked for again and again. */
static void spin_on_flag(void)
{
    MPI_Win win = window();
    int one = 1, zero = 0, before = 1;

    numbers[0] = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    ready();
    while (before != 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Compare_and_swap(&one, &zero, &before, MPI_INT, 0, 0, win);
        MPI_Win_unlock(0, win);
    }
}

/* The same in one epoch: no call waits, and each returns. */
static void spin_on_swap(void)
{
    MPI_Win win = window();
    int one = 1, zero = 0, before = 1;

    numbers[0] = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    ready();
    while (before != 0) {
        MPI_Compare_and_swap(&one, &zero, &before, MPI_INT, 0, 0, win);
        MPI_Win_flush(0, win);
    }
}

/* A ticket that is never called up. */
static void spin_on_fetch(void)
{
    MPI_Win win = window();
    int now = 0;

    MPI_Win_lock_all(0, win);
    ready();
    while (now == 0) {
        MPI_Fetch_and_op(NULL, &now, MPI_INT, 0, 0, MPI_NO_OP, win);
        MPI_Win_flush(0, win);
    }
}

/* Most of the time is spent in between. */
static void poll_yield(void)
{
    int done = 0;

    MPI_Irecv(others, 4, MPI_INT, left, 38, MPI_COMM_WORLD, requests);
    MPI_Irecv(others + 4, 4, MPI_INT, right, 39, MPI_COMM_WORLD, requests + 1);
    ready();
    while (done == 0) {
        MPI_Testsome(2, requests, &done, numbers, MPI_STATUSES_IGNORE);
        sched_yield();
    }
}

/* Asks once for what never comes, takes its request back, and asks anew. */
static void ask_anew(void)
{
    int done = 0;

    ready();
    while (done == 0) {
        MPI_Irecv(numbers, 4, MPI_INT, left, 41, MPI_COMM_WORLD, requests);
        MPI_Test(requests, &done, MPI_STATUS_IGNORE);
        if (done == 0) {
            MPI_Cancel(requests);
            MPI_Wait(requests, MPI_STATUS_IGNORE);
        }
    }
}

/* The same, with requests that are freed. */
static void ask_and_free(void)
{
    int done = 0;

    ready();
    while (done == 0) {
        MPI_Irecv(numbers, 4, MPI_INT, left, 42, MPI_COMM_WORLD, requests);
        MPI_Test(requests, &done, MPI_STATUS_IGNORE);
        if (done == 0) {
            MPI_Cancel(requests);
            MPI_Request_free(requests);
        }
    }
}

/* Polls so rarely that no look finds it in MPI. */
static void poll_and_compute(void)
{
    int done = 0;

    ready();
    MPI_Irecv(numbers, 4, MPI_INT, left, 43, MPI_COMM_WORLD, requests);
    while (done == 0) {
        MPI_Test(requests, &done, MPI_STATUS_IGNORE);
        for (volatile int i = 0; i < 20000; i++)
            ;
    }
}

static int ends[2];

static void *receive_and_write(void *nothing)
{
    receive(left, 40);
    if (write(ends[1], "x", 1) != 1)
        MPI_Abort(MPI_COMM_WORLD, 3);
    return nothing;
}

/* The main thread reads what the one that receives will write. */
static void thread_pipe(void)
{
    pthread_t thread;
    char told;

    if (pipe(ends) != 0
        || pthread_create(&thread, NULL, receive_and_write, NULL) != 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    ready();
    if (read(ends[0], &told, 1) != 1)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

static void wait_status_get(void)
{
    int done = 0;

    MPI_Irecv(others, 4, MPI_INT, left, 35, MPI_COMM_WORLD, requests);
    ready();
    while (!done)
        MPI_Request_get_status(requests[0], &done, MPI_STATUS_IGNORE);
}

static void sendrecv_replace(void)
{
    ready();
    MPI_Sendrecv_replace(numbers, 4, MPI_INT, right, 36, left, 37,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* One of two has come, and is asked for again with the other. */
static void poll_each(void)
{
    int done[2] = { 0, 0 };

    MPI_Irecv(others, 4, MPI_INT, left, 46, MPI_COMM_WORLD, requests);
    MPI_Irecv(others + 4, 4, MPI_INT, left, 47, MPI_COMM_WORLD, requests + 1);
    MPI_Send(numbers, 4, MPI_INT, right, 46, MPI_COMM_WORLD);
    ready();
    while (done[0] == 0 || done[1] == 0)
        for (int i = 0; i < 2; i++)
            MPI_Test(&requests[i], &done[i], MPI_STATUS_IGNORE);
}

/* The same with persistent requests. */
static void poll_each_started(void)
{
    int done[2] = { 0, 0 };

    MPI_Recv_init(others, 4, MPI_INT, left, 46, MPI_COMM_WORLD, requests);
    MPI_Recv_init(others + 4, 4, MPI_INT, left, 47, MPI_COMM_WORLD,
                  requests + 1);
    MPI_Startall(2, requests);
    MPI_Send(numbers, 4, MPI_INT, right, 46, MPI_COMM_WORLD);
    ready();
    while (done[0] == 0 || done[1] == 0)
        for (int i = 0; i < 2; i++)
            MPI_Test(&requests[i], &done[i], MPI_STATUS_IGNORE);
}

static void sleep_on(int signal)
{
    (void)signal;
    for (;;)
        pause();
}

/* A signal comes while a message is waited for, which is sent then. */
static void in_handler(void)
{
    ready();
    if (rank == 0) {
        sleep(2);
        MPI_Send(numbers, 4, MPI_INT, 1, 44, MPI_COMM_WORLD);
        receive(1, 44);
    } else if (rank == 1) {
        signal(SIGALRM, sleep_on);
        alarm(1);
        receive(0, 44);
        MPI_Send(numbers, 4, MPI_INT, 0, 44, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void never_add(void *in, void *sum, int *count, MPI_Datatype *type)
{
    (void)in, (void)sum, (void)count, (void)type;
    for (;;)
        pause();
}

/* The sum takes its time. */
static void in_operation(void)
{
    MPI_Op add;

    MPI_Op_create(never_add, 1, &add);
    ready();
    MPI_Reduce(numbers, others, 4, MPI_INT, add, size - 1, MPI_COMM_WORLD);
    receive(size - 1, 45);
}

/* The first rank begins MPI_Ibarrier on a duplicate, the others on all. */
static void begin_barriers(void)
{
    MPI_Comm copy;

    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    ready();
    MPI_Ibarrier(rank == 0 ? copy : MPI_COMM_WORLD, requests);
}

static void waitany_joined(void)
{
    int i;

    requests[1] = MPI_REQUEST_NULL;
    begin_barriers();
    MPI_Waitany(2, requests, &i, MPI_STATUS_IGNORE);
}

/* What has been sent is on no list, and the barrier is. */
static void waitall_joined(void)
{
    requests[1] = MPI_REQUEST_NULL;
    if (rank == 0)
        MPI_Irecv(others, 4, MPI_INT, 1, 48, MPI_COMM_WORLD, requests + 1);
    if (rank == 1)
        MPI_Isend(numbers, 4, MPI_INT, 0, 48, MPI_COMM_WORLD, requests + 1);
    begin_barriers();
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* The root has nothing for who takes something, and goes on. */
static void scatter_none(void)
{
    ready();
    MPI_Scatter(numbers, 0, MPI_INT, others, 1, MPI_INT, 1, MPI_COMM_WORLD);
}

static void *enter_barrier(void *unused)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return unused;
}

/* Two threads are in barriers of one communicator. */
static void thread_barriers(void)
{
    pthread_t thread;

    if (rank == 0) {
        pthread_create(&thread, NULL, enter_barrier, NULL);
        usleep(100000);
        ready();
        MPI_Barrier(MPI_COMM_WORLD);
        pthread_join(thread, NULL);
    } else {
        ready();
        receive(0, 49);
    }
}

/* A loop that handles what comes: its polls are far apart. */
static void poll_wide(void)
{
    MPI_Status status;
    int found = 0, done = 0, count;

    ready();
    if (rank == 1)
        receive(MPI_ANY_SOURCE, 50);
    MPI_Irecv(others, 4, MPI_INT, 1, 51, MPI_COMM_WORLD, requests);
    while (!done) {
        MPI_Iprobe(MPI_ANY_SOURCE, 52, MPI_COMM_WORLD, &found, &status);
        while (found) {
            MPI_Get_count(&status, MPI_INT, &count);
            MPI_Recv(numbers, count, MPI_INT, status.MPI_SOURCE, 52,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int i = 0; i < count; i++)
                numbers[i] = numbers[i] * 3 + rank;
            if (count > 4)
                printf("rank %d: much from %d\n", rank, status.MPI_SOURCE);
            MPI_Send(numbers, count, MPI_INT, status.MPI_SOURCE, 51,
                     MPI_COMM_WORLD);
            MPI_Iprobe(MPI_ANY_SOURCE, 52, MPI_COMM_WORLD, &found, &status);
        }
        MPI_Testall(1, requests, &done, MPI_STATUSES_IGNORE);
    }
}

/* The last rank looks at its window's memory now and then, where nobody lets
 * MPI progress.
 */
static void poll_memory(void)
{
    MPI_Win win;
    int *memory;

    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL,
                     MPI_COMM_WORLD, &memory, &win);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    ready();
    if (rank == 0) {
        numbers[0] = 1;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, size - 1, 0, win);
        MPI_Put(numbers, 1, MPI_INT, size - 1, 0, 1, MPI_INT, win);
        MPI_Win_unlock(size - 1, win);
    } else
        while (*(volatile int *)memory != 1)
            sleep(1);
    MPI_Barrier(MPI_COMM_WORLD);
}

static int sleep_for_ever(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    for (;;)
        pause();
    return MPI_SUCCESS;
}

/* MPI_Finalize of the last rank deletes an attribute, whose callback stays. */
static void ending_callback(void)
{
    int key;

    ready();
    if (rank == size - 1) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, sleep_for_ever, &key,
                               NULL);
        MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    }
}

static const struct program programs[] = {
    { "inter_recv", inter_recv }, { "inter_barrier", inter_barrier },
    { "inter_bcast", inter_bcast }, { "inter_create_tags", inter_create_tags },
    { "fence_missing", fence_missing }, { "lock_kept", lock_kept },
    { "complete_without_post", complete_without_post },
    { "post_without_start", post_without_start },
    { "window_free", window_free }, { "write_all", write_all },
    { "file_close", file_close }, { "neighbor_missing", neighbor_missing },
    { "shift_error", shift_error }, { "split_missing", split_missing },
    { "create_group_missing", create_group_missing },
    { "persistent_ring", persistent_ring },
#if MPI_VERSION >= 4
    { "partitioned", partitioned },
    { "persistent_barrier", persistent_barrier },
#endif
    { "ssend_any_tag", ssend_any_tag }, { "probe_other_tag", probe_other_tag },
    { "accept_alone", accept_alone }, { "scatterv_counts", scatterv_counts },
    { "thread_many", thread_many }, { "poll_ibarrier", poll_ibarrier },
    { "gather_roots", gather_roots }, { "detach", detach },
    { "self_send", self_send }, { "scan_missing", scan_missing },
    { "idup_missing", idup_missing }, { "spawn_no_mpi", spawn_no_mpi },
    { "finalize_isend", finalize_isend },
    { "reduce_scatter_counts", reduce_scatter_counts },
    { "mprobe_lost", mprobe_lost }, { "poll_improbe", poll_improbe },
    { "spin_on_flag", spin_on_flag }, { "spin_on_swap", spin_on_swap },
    { "spin_on_fetch", spin_on_fetch }, { "wait_status_get", wait_status_get },
    { "sendrecv_replace", sendrecv_replace },
    { "poll_yield", poll_yield }, { "ask_anew", ask_anew },
    { "ask_and_free", ask_and_free }, { "thread_pipe", thread_pipe },
    { "poll_and_compute", poll_and_compute },
    { "poll_each", poll_each }, { "poll_each_started", poll_each_started },
    { "in_handler", in_handler }, { "in_operation", in_operation },
    { "waitany_joined", waitany_joined }, { "waitall_joined", waitall_joined },
    { "scatter_none", scatter_none }, { "thread_barriers", thread_barriers },
    { "poll_memory", poll_memory }, { "poll_wide", poll_wide },
    { "ending_callback", ending_callback }
};

int main(int argc, char **argv)
{
    alarm(900);
    if (argc > 1 && strstr(argv[1], "thread") != NULL)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &size);
    else
        MPI_Init(&argc, &argv);
    find_place();
    file_name = argc > 2 ? argv[2] : NULL;
    if (argc > 1)
        run_program(programs, sizeof programs / sizeof programs[0], argv[1]);
    MPI_Finalize();
    return 0;
}
