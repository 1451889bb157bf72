/* returns.c - count of a call's returns, by a hardware breakpoint */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/returns.h"

#include <unistd.h>

/* A C library without the kernel's headers does without. */
#ifdef __has_include
#if __has_include(<linux/perf_event.h>)
#define HAS_EVENTS
#endif
#endif

#ifdef HAS_EVENTS
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>

enum mq_result mq_returns_open(int pid, uint64_t address, int *counter)
{
    struct perf_event_attr event;
    long descriptor;

    memset(&event, 0, sizeof event);
    event.size = sizeof event;
    event.type = PERF_TYPE_BREAKPOINT;
    event.bp_type = HW_BREAKPOINT_X;
    event.bp_addr = address;
    event.bp_len = sizeof(long);
    event.exclude_kernel = 1;
    event.exclude_hv = 1;
    descriptor = syscall(SYS_perf_event_open, &event, pid, -1, -1,
                         PERF_FLAG_FD_CLOEXEC);
    if (descriptor < 0)
        return mq_absent;
    *counter = (int)descriptor;
    return mq_ok;
}
#else
enum mq_result mq_returns_open(int pid, uint64_t address, int *counter)
{
    (void)pid, (void)address, (void)counter;
    return mq_absent;
}
#endif

enum mq_result mq_returns_read(int counter, uint64_t *count)
{
    return read(counter, count, sizeof *count) == (ssize_t)sizeof *count
           ? mq_ok : mq_absent;
}
