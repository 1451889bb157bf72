/* tail_calls.c - ranks in a send called in tail position
 *
 * WAY: one that leads there is told.  In "either" two jumps of one function do,
 * and in "deep" those of another one, besides.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>
#include <string.h>

#define APART __attribute__((__noinline__))

static int numbers[4];
static volatile int touched;

static APART int put(int tag, int to, MPI_Comm comm)
{
    return MPI_Ssend(numbers, 4, MPI_INT, to, tag, comm);       /* in put */
}

static APART int pass(int to, int tag)
{
    return put(tag, to, MPI_COMM_WORLD);        /* in pass */
}

static APART int either(int to, int tag)
{
    if (tag > touched) {
        touched = 1;
        return MPI_Ssend(numbers, 4, MPI_INT, to, tag, MPI_COMM_WORLD);
    }
    touched = 2;
    return MPI_Ssend(numbers + 1, 3, MPI_INT, to, 5, MPI_COMM_WORLD);
}

static APART int deep(int to, int tag)
{
    if (tag > touched)
        return either(to, tag);
    touched = 3;
    return MPI_Ssend(numbers + 2, 2, MPI_INT, to, 4, MPI_COMM_WORLD);
}

static inline int put_inside(int to)
{
    return MPI_Ssend(numbers, 2, MPI_INT, to, 3, MPI_COMM_WORLD); /* inside */
}

static APART int around(int to)
{
    touched = to;
    return put_inside(to);      /* around */
}

static APART int plain(int to)
{
    int sent = MPI_Ssend(numbers, 1, MPI_INT, to, 2, MPI_COMM_WORLD);

    touched = sent;             /* so that the call is no jump */
    return sent;
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    int me, size, next, sent;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (me + 1) % size;
    if (strcmp(way, "pass") == 0)
        sent = pass(next, 7);   /* main: pass */
    else if (strcmp(way, "either") == 0)
        sent = either(next, 7); /* main: either */
    else if (strcmp(way, "deep") == 0)
        sent = deep(next, 7);   /* main: deep */
    else if (strcmp(way, "around") == 0)
        sent = around(next);    /* main: around */
    else
        sent = plain(next);     /* main: plain */
    MPI_Finalize();
    return sent;
}
