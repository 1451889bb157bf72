/* stand_in.c - library function that waits or computes
 *
 * Compiled as a library with the name of its FUNCTION, and HOW it passes the
 * time: spins, sleeps, computes.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <time.h>
#include <unistd.h>

/* For so many milliseconds; 0: for ever. */
int FUNCTION(int milliseconds);

static volatile double sum;

static int is_over(const struct timespec *begin, int milliseconds)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return milliseconds != 0
           && (now.tv_sec - begin->tv_sec) * 1000
              + (now.tv_nsec - begin->tv_nsec) / 1000000 >= milliseconds;
}

static void spins(void)
{
}

static void sleeps(void)
{
    usleep(1000);
}

static void computes(void)
{
    for (int i = 0; i < 100000; i++)
        sum = sum * 0.5 + i;
}

int FUNCTION(int milliseconds)
{
    void (*const ways[])(void) = { spins, sleeps, computes };
    struct timespec begin;

    clock_gettime(CLOCK_MONOTONIC, &begin);
    while (!is_over(&begin, milliseconds))
        ways[HOW]();
    return 0;
}
