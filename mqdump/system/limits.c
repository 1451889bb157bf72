/* limits.c - resource limits for the parsing of untrusted input */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/system/limits.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static const rlim_t most_memory = (rlim_t)4 << 30, usual_seconds = 300;

/* BOUNDS with the limit MOST, as far as their hard one lets it. */
static struct rlimit with_limit(struct rlimit bounds, rlim_t most)
{
    bounds.rlim_cur = most < bounds.rlim_max ? most : bounds.rlim_max;
    return bounds;
}

static void set_limits(rlim_t memory, rlim_t seconds)
{
    struct rlimit bounds;

    if (getrlimit(RLIMIT_DATA, &bounds) == 0) {
        bounds = with_limit(bounds, memory);
        setrlimit(RLIMIT_DATA, &bounds);
    }
    if (getrlimit(RLIMIT_CPU, &bounds) == 0) {
        bounds = with_limit(bounds, seconds);
        setrlimit(RLIMIT_CPU, &bounds);
    }
}

/* Bytes of data that this program has. */
static rlim_t used_memory(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long long pages = 0;

    if (file == NULL)
        return 0;
    if (fscanf(file, "%*s %*s %*s %*s %*s %llu", &pages) != 1)
        pages = 0;
    fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

void mq_limits_set(unsigned seconds)
{
    set_limits(used_memory() + most_memory, usual_seconds + seconds);
}

void mq_limits_lift(void)
{
    set_limits(RLIM_INFINITY, RLIM_INFINITY);
}
