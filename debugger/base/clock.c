/* clock.c - monotonic clock */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/clock.h"

#include <time.h>

double mq_now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void mq_nap(int milliseconds)
{
    const struct timespec time = {
        milliseconds / 1000, milliseconds % 1000 * 1000000L
    };

    nanosleep(&time, NULL);
}
