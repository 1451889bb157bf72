/* processor.c - a processor that a test and its children share */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/kit/processor.h"

#include <sched.h>

#include "tests/kit/harness.h"

void share_one_processor(void)
{
    cpu_set_t all, one;

    CHECK(sched_getaffinity(0, sizeof all, &all) == 0);
    CPU_ZERO(&one);
    for (size_t i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &all) && CPU_COUNT(&one) == 0)
            CPU_SET(i, &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
}
