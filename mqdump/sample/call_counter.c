/* call_counter.c - MPI call counter of a running process */
/* SPDX-License-Identifier: BSD-2-Clause */
#define _FILE_OFFSET_BITS 64    /* addresses are offsets */
#include "mqdump/sample/call_counter.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "include/mqwatch.h"

bool mq_call_counter_read(int pid, uint64_t counter_at,
                          struct mq_call_count *count)
{
    enum {
        first = offsetof(struct mqwatch_thread, call),
        end = offsetof(struct mqwatch_thread, poll)
    };
    struct mqwatch_thread thread = { .next = 0 };
    char path[64];
    int file;
    ssize_t got;
    uint64_t ahead;             /* a poll that is about to return */

    snprintf(path, sizeof path, "/proc/%d/mem", pid);
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    got = pread(file, (char *)&thread + first, end - first,
                (off_t)(counter_at - offsetof(struct mqwatch_thread, returned)
                        + first));
    close(file);
    if (got != end - first)
        return false;
    ahead = thread.polls_until - thread.returned;
    count->call = thread.call;
    count->returned = thread.returned;
    count->polls = ahead <= 1 && thread.polls > ahead ? thread.polls - ahead
                                                      : 0;
    return true;
}
