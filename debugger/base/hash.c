/* hash.c - hash functions */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/hash.h"

#include <sys/random.h>
#include <time.h>

uint64_t mq_hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;

    for (size_t i = 0; i < length; i++)
        /* The analyser loses sight of a number's bytes but the first. */
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t mq_hash_number(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

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
