/* rma.c - hanging and healthy one-sided programs, by name
 *
 * usage: rma NAME [FILE]
 *
 * FILE.RANK comes into being when a rank has come to where it waits, or in a
 * healthy program when it runs.  No process lasts longer than 15 minutes.  The
 * call where one rank waits is marked by the names of its programs.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "ranks.h"

static int numbers[4], *memory;
static const char *file_name;
static MPI_Win win, other;

static void ready(void)
{
    appear(file_name);
}

/* A call of the program's line, as marks need it. */
#define receive(source)                                                        \
    MPI_Recv(numbers, 4, MPI_INT, source, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)

static MPI_Win window(void)
{
    MPI_Win made;

    MPI_Win_allocate(4 * sizeof *memory, sizeof *memory, MPI_INFO_NULL,
                     MPI_COMM_WORLD, &memory, &made);
    return made;
}

static void put(int target)
{
    MPI_Put(numbers, 1, MPI_INT, target, 0, 1, MPI_INT, win);
}

static MPI_Group group_of(int count, int first, int second)
{
    int ranks[2] = { first, second };
    MPI_Group world, some;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, count, ranks, &some);
    return some;
}

/* Locks the part of TARGET, and shows that it has been granted. */
static void take(int kind, int target, MPI_Win of)
{
    MPI_Win_lock(kind, target, 0, of);
    MPI_Put(numbers, 1, MPI_INT, target, 0, 1, MPI_INT, of);
    MPI_Win_flush(target, of);
}

static void use(int kind, int target, MPI_Win of)
{
    MPI_Win_lock(kind, target, 0, of);
    MPI_Put(numbers, 1, MPI_INT, target, 0, 1, MPI_INT, of);
    MPI_Win_unlock(target, of);
}

static void compute(void)
{
    for (volatile int i = 0;; i++)
        ;
}

/* ---- Hangs: locks -------------------------------------------------------- */

static void lock_cycle(void)
{
    if (rank < 2)
        take(MPI_LOCK_EXCLUSIVE, rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    ready();
    if (rank < 2)
        use(MPI_LOCK_EXCLUSIVE, 1 - rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void lock_in_barrier(void)
{
    if (rank == 0)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    ready();
    if (rank == 1)
        use(MPI_LOCK_EXCLUSIVE, 0, win);
    MPI_Barrier(MPI_COMM_WORLD);        /* 0: lock_in_barrier */
}

static void lock_all_waits(void)
{
    if (rank == 0)
        take(MPI_LOCK_EXCLUSIVE, 2, win);
    MPI_Barrier(MPI_COMM_WORLD);
    ready();
    if (rank == 1) {
        MPI_Win_lock_all(0, win);
        put(2);
        MPI_Win_unlock_all(win);
    }
    receive(left);                      /* 0: lock_all_waits */
}

static void shared_waits(void)
{
    if (rank == 0)
        take(MPI_LOCK_EXCLUSIVE, 2, win);
    MPI_Barrier(MPI_COMM_WORLD);
    ready();
    if (rank == 1)
        use(MPI_LOCK_SHARED, 2, win);
    receive(left);                      /* 0: shared_waits */
}

static void exclusive_waits(void)
{
    if (rank != 1)
        take(MPI_LOCK_SHARED, 2, win);
    MPI_Barrier(MPI_COMM_WORLD);
    ready();
    if (rank == 1)
        use(MPI_LOCK_EXCLUSIVE, 2, win);
    MPI_Barrier(MPI_COMM_WORLD);        /* 0: exclusive_waits */
}

static void lock_and_compute(void)
{
    if (rank == 0)
        take(MPI_LOCK_EXCLUSIVE, 2, win);
    MPI_Barrier(MPI_COMM_WORLD);
    ready();
    if (rank == 0)
        compute();
    if (rank == 1)
        use(MPI_LOCK_EXCLUSIVE, 2, win);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void rput_waits(void)
{
    MPI_Request request;

    if (rank == 0)
        take(MPI_LOCK_EXCLUSIVE, 0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    ready();
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Rput(numbers, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);        /* 0: rput_waits */
}

/* Rank 0 has the lock and waits for a message of rank 1, which waits for it. */
static void cross_chain(void)
{
    if (rank == 0)
        take(MPI_LOCK_EXCLUSIVE, 0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    ready();
    if (rank == 1)
        use(MPI_LOCK_EXCLUSIVE, 0, win);
    receive(right);                     /* 0: cross_chain */
}

static void two_windows(void)
{
    if (rank < 2)
        take(MPI_LOCK_EXCLUSIVE, 2, rank == 0 ? win : other);
    MPI_Barrier(MPI_COMM_WORLD);
    ready();
    if (rank < 2)
        use(MPI_LOCK_EXCLUSIVE, 2, rank == 0 ? other : win);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- Hangs: post, start, complete, wait ---------------------------------- */

static void reach(int target)
{
    MPI_Win_start(group_of(1, target, 0), 0, win);
    put(target);
    MPI_Win_complete(win);
}

static void start_without_post(void)
{
    ready();
    if (rank == 0)
        reach(1);
    receive(0);                         /* 1: start_without_post */
}

static void start_without_one(void)
{
    if (rank == 1)
        MPI_Win_post(group_of(1, 0, 0), 0, win);
    ready();
    if (rank == 0) {
        MPI_Win_start(group_of(2, 1, 2), 0, win);
        put(1);
        MPI_Win_complete(win);
    } else if (rank == 1)
        MPI_Win_wait(win);
    else
        receive(0);                     /* 2: start_without_one */
}

static void wait_without_complete(void)
{
    if (rank == 0)
        MPI_Win_post(group_of(1, 1, 0), 0, win);
    if (rank == 1)
        MPI_Win_start(group_of(1, 0, 0), 0, win);
    ready();
    if (rank == 0)
        MPI_Win_wait(win);
    receive(0);                         /* 1: wait_without_complete */
}

static void test_without_complete(void)
{
    int flag = 0;

    if (rank == 0)
        MPI_Win_post(group_of(1, 1, 0), 0, win);
    ready();
    while (rank == 0 && !flag)
        MPI_Win_test(win, &flag);
    receive(0);                         /* 1: test_without_complete */
}

static void post_to_other(void)
{
    ready();
    if (rank == 0) {
        MPI_Win_post(group_of(1, 2, 0), 0, win);
        MPI_Win_wait(win);              /* 0: post_to_other */
    } else if (rank == 1)
        reach(0);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The second group may have the handle of the first. */
static void post_after_free(void)
{
    MPI_Group group = group_of(1, 1, 0);

    ready();
    if (rank == 0) {
        MPI_Win_post(group, 0, win);
        MPI_Win_wait(win);
        MPI_Group_free(&group);
        MPI_Win_post(group_of(1, 2, 0), 0, win);
        MPI_Win_wait(win);              /* 0: post_after_free */
    } else if (rank == 1) {
        reach(0);
        reach(0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- Hangs: collective operations ---------------------------------------- */

static void fence(void)
{
    put(right);
    MPI_Win_fence(0, win);
}

static void fence_against_barrier(void)
{
    MPI_Win_fence(0, win);
    ready();
    if (rank == 0)
        fence();
    MPI_Barrier(MPI_COMM_WORLD);        /* 1: fence_against_barrier */
}

static void fence_missed(void)
{
    MPI_Win_fence(0, win);
    ready();
    if (rank == 1)
        receive(0);                     /* 1: fence_missed */
    fence();
}

static void fence_twice(void)
{
    MPI_Win_fence(0, win);
    ready();
    if (rank == 0)
        fence();
    fence();
}

static void free_against_fence(void)
{
    MPI_Win_fence(0, win);
    ready();
    if (rank == 0) {
        fence();
        MPI_Win_fence(0, win);
    }
    MPI_Win_free(&win);
}

static void free_missed(void)
{
    ready();
    if (rank == 1)
        receive(0);                     /* 1: free_missed */
    MPI_Win_free(&win);
}

static void create_missed(void)
{
    ready();
    if (rank == 1)
        receive(0);                     /* 1: create_missed */
    window();
}

static void fence_of_others(void)
{
    MPI_Win_fence(0, win);
    MPI_Win_fence(0, other);
    ready();
    if (rank == 1)
        MPI_Win_fence(0, other);        /* 1: fence_of_others */
    fence();
}

/* ---- Programs that do not hang ------------------------------------------- */

static void locks(void)
{
    for (int i = 0;; i++) {
        use(rank == 0 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, 0, win);
        if (i == 9)
            ready();
    }
}

static void locks_of_all(void)
{
    for (int i = 0;; i++) {
        MPI_Win_lock_all(0, win);
        put(right);
        MPI_Win_flush(right, win);
        MPI_Win_unlock_all(win);
        if (i == 9)
            ready();
    }
}

static void epochs(void)
{
    int flag;

    for (int i = 0;; i++) {
        MPI_Win_post(group_of(1, left, 0), 0, win);
        reach(right);
        if (i % 2)
            MPI_Win_wait(win);
        else
            do
                MPI_Win_test(win, &flag);
            while (!flag);
        if (i == 9)
            ready();
    }
}

static void fences(void)
{
    MPI_Win_fence(0, win);
    for (int i = 0;; i++) {
        fence();
        if (i == 9)
            ready();
    }
}

static void windows(void)
{
    for (int i = 0;; i++) {
        MPI_Win made = window();

        MPI_Win_fence(0, made);
        MPI_Win_free(&made);
        if (i == 9)
            ready();
    }
}

/* The holder of the lock computes for a while. */
static void slow_locks(void)
{
    for (int i = 0;; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        put(0);
        MPI_Win_flush(0, win);
        for (volatile int j = 0; j < 100000000; j++)
            ;
        MPI_Win_unlock(0, win);
        if (i == 0)
            ready();
    }
}

/* Asks for no more than before, but puts something there each time. */
static void put_and_sleep(void)
{
    for (int i = 0; rank == 1; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        put(0);
        MPI_Win_flush(0, win);
        if (i == 2) {
            ready();
            sleep(900);
        }
        MPI_Win_unlock(0, win);
    }
    ready();
    MPI_Barrier(MPI_COMM_WORLD);
}

static const struct program programs[] = {
    { "lock_cycle", lock_cycle }, { "lock_in_barrier", lock_in_barrier },
    { "lock_all_waits", lock_all_waits }, { "shared_waits", shared_waits },
    { "exclusive_waits", exclusive_waits },
    { "lock_and_compute", lock_and_compute }, { "rput_waits", rput_waits },
    { "cross_chain", cross_chain }, { "two_windows", two_windows },
    { "start_without_post", start_without_post },
    { "start_without_one", start_without_one },
    { "wait_without_complete", wait_without_complete },
    { "test_without_complete", test_without_complete },
    { "post_to_other", post_to_other },
    { "post_after_free", post_after_free },
    { "fence_against_barrier", fence_against_barrier },
    { "fence_missed", fence_missed }, { "fence_twice", fence_twice },
    { "free_against_fence", free_against_fence },
    { "free_missed", free_missed }, { "create_missed", create_missed },
    { "fence_of_others", fence_of_others },
    { "locks", locks }, { "locks_of_all", locks_of_all }, { "epochs", epochs },
    { "fences", fences }, { "windows", windows }, { "slow_locks", slow_locks },
    { "put_and_sleep", put_and_sleep }
};

int main(int argc, char **argv)
{
    alarm(900);
    MPI_Init(&argc, &argv);
    find_place();
    file_name = argc > 2 ? argv[2] : NULL;
    win = window();
    other = window();
    if (argc > 1)
        run_program(programs, sizeof programs / sizeof programs[0], argv[1]);
    MPI_Finalize();
    return 0;
}
