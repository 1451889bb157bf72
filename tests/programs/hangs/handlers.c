/* handlers.c - deadlock of two ranks, one with a signal handler
 *
 * usage: handlers FILE
 *
 * KIND, when it is compiled, says which handler rank 0 has.  FILE.RANK comes
 * into being with the process in it where they hang.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "ranks.h"

#include <setjmp.h>
#include <signal.h>

#define kind_none 0
#define kind_flag 1
#define kind_prints 2
#define kind_ignores 3
#define kind_fault 4
#define kind_ends 5
#define kind_calls 6
#define kind_calls_deeply 7
#define kind_jumps 8
#define kind_pointer 9
#define kind_handed_on 10
#define kind_in_table 11
#define kind_sorts 12

static volatile sig_atomic_t flag;
static sigjmp_buf place;
static int one = 1, got;

/* Each program has one of them only. */
#if KIND == kind_flag || KIND == kind_fault
static void handle(int number)
{
    flag = number;
}
#elif KIND == kind_prints
static void handle(int number)
{
    char text[80];
    int length = snprintf(text, sizeof text, "signal %d\n", number);

    if (write(2, text, (size_t)length) < 0)
        flag = 1;
}
#elif KIND == kind_ends
static void handle(int number)
{
    MPI_Abort(MPI_COMM_WORLD, number);
}
#elif KIND == kind_jumps
static void handle(int number)
{
    siglongjmp(place, number);
}
#elif KIND == kind_pointer
static void (*volatile pointer)(int);

static void handle(int number)
{
    if (pointer != NULL)
        pointer(number);
}
#elif KIND == kind_sorts
static int compare(const void *left, const void *right)
{
    return *(const int *)left - *(const int *)right;
}

static void handle(int number)
{
    int numbers[3] = { number, one, got };

    qsort(numbers, 3, sizeof *numbers, compare);
    flag = numbers[0];
}
#elif KIND != kind_none && KIND != kind_ignores
__attribute__((noinline)) static void send_it(int tag)
{
    MPI_Send(&one, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
}

static void handle(int number)
{
    flag = number;
    send_it(17);
}
#endif

#if KIND == kind_handed_on
__attribute__((noinline)) static void set_handler(int number,
                                                  void (*handler)(int))
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigaction(number, &action, NULL);
}
#elif KIND == kind_in_table
static struct sigaction actions[] = { { .sa_handler = handle } };
#endif

static void install(void)
{
#if KIND == kind_ignores
    signal(SIGALRM, SIG_IGN);
#elif KIND == kind_fault
    signal(SIGFPE, handle);
#elif KIND == kind_handed_on
    set_handler(SIGALRM, handle);
#elif KIND == kind_in_table
    sigaction(SIGALRM, &actions[0], NULL);
#elif KIND == kind_calls_deeply
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    sigaction(SIGALRM, &action, NULL);
#elif KIND != kind_none
    signal(SIGALRM, handle);
#endif
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    find_place();
    if (argc < 2)
        MPI_Abort(MPI_COMM_WORLD, 2);
    if (rank == 0)
        install();
    appear(argv[1]);
    if (sigsetjmp(place, 1) == 0)
        MPI_Recv(&got, 1, MPI_INT, right, 18, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
