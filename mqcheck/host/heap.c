/* heap.c - monitoring of libc's heap */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/host/heap.h"

#include <features.h>

#if defined __GLIBC__ && defined __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 33)
#include <malloc.h>
#define HAS_MALLINFO2
#endif
#endif

long heap_in_use(void)
{
#ifdef HAS_MALLINFO2
    struct mallinfo2 info = mallinfo2();

    return (long)(info.uordblks + info.hblkhd);
#else
    return 0;
#endif
}
