/* shared.c - memory shared between child and parent */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/host/shared.h"

#include <sys/mman.h>

#include "mqcheck/findings/finding.h"

void *shared_allocate(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        give_up("out of memory");
    return memory;
}
