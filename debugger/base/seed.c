/* seed.c - numbers that nobody can foresee */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/seed.h"

#include <sys/random.h>
#include <time.h>

uint64_t mq_seed(void)
{
    uint64_t seed;
    struct timespec now;

    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        seed = (uint64_t)now.tv_nsec ^ (uint64_t)(uintptr_t)&now << 20;
    }
    return seed | 1;
}
