/* Whether processes have moved since they were read. */
#include "mqdump/second_look.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static bool read_counter(int pid, uint64_t address, uint64_t *counter)
{
    char path[64];
    int file;
    ssize_t got;

    snprintf(path, sizeof path, "/proc/%d/mem", pid);
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    got = pread(file, counter, sizeof *counter, (off_t)address);
    close(file);
    return got == (ssize_t)sizeof *counter;
}

void mq_second_look(struct mq_process *process, int pid, double seconds)
{
    uint64_t counter;

    if (process->counter_at == 0
        || !read_counter(pid, process->counter_at, &counter))
        return;
    process->movement = counter == process->counter ? mq_counted_still
                                                    : mq_moved;
    process->looks = 2;
    process->looked_for = seconds;
}
