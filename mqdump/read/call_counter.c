/* call_counter.c - MPI call counter of a running process */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/read/call_counter.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "include/mqwatch.h"

bool mq_call_counter_read(int pid, uint64_t counter_at, uint64_t *call,
                         uint64_t *counter)
{
    enum {
        distance = offsetof(struct mqwatch_thread, returned)
                   - offsetof(struct mqwatch_thread, call)
    };
    uint64_t words[distance / sizeof(uint64_t) + 1];
    char path[64];
    int file;
    ssize_t got;

    snprintf(path, sizeof path, "/proc/%d/mem", pid);
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    got = pread(file, words, sizeof words, (off_t)(counter_at - distance));
    close(file);
    if (got != (ssize_t)sizeof words)
        return false;
    *call = words[0];
    *counter = words[distance / sizeof(uint64_t)];
    return true;
}
