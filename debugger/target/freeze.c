/* Threads that run are stopped by tracing them, and let go. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "target/freeze.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/number.h"
#include "base/proc_stat.h"

enum {
    stop_event = 128            /* PTRACE_EVENT_STOP, which the C library's
                                   header lacks */
};

/* Whether a thread of process PID is on a processor or wants to be. */
static bool is_running(int pid, int thread)
{
    struct mq_proc_stat stat;
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, thread);
    return mq_proc_stat_read(path, &stat) && stat.state == 'R';
}

static void stop(struct mq_freeze *freeze, int thread)
{
    if (mq_array_reserve(&freeze->threads, sizeof freeze->threads[0],
                         freeze->count + 1, &freeze->room, "for threads", NULL)
        != mq_ok || ptrace(PTRACE_SEIZE, thread, NULL, NULL) != 0)
        return;
    ptrace(PTRACE_INTERRUPT, thread, NULL, NULL);
    freeze->threads[freeze->count++] = thread;
}

void mq_freeze(struct mq_freeze *freeze, int pid)
{
    const struct dirent *entry;
    char path[64];
    DIR *folder;
    int thread;

    snprintf(path, sizeof path, "/proc/%d/task", pid);
    folder = opendir(path);
    if (folder == NULL)
        return;
    while ((entry = readdir(folder)) != NULL) {
        if (mq_number_is(entry->d_name, 1, 1 << 30, &thread)
            && is_running(pid, thread))
            stop(freeze, thread);
    }
    closedir(folder);
}

/* A thread must have stopped to be let go, which may take it a moment.  A
 * signal that came in between is its own.
 */
static void let_go(pid_t thread)
{
    double deadline = mq_now() + 1;
    int status = 0;
    long signal;
    pid_t got;

    while ((got = waitpid(thread, &status, __WALL | WNOHANG)) == 0
           && mq_now() < deadline)
        mq_nap(1);
    if (got != thread || !WIFSTOPPED(status))
        return;
    signal = status >> 16 == stop_event ? 0 : WSTOPSIG(status);
    ptrace(PTRACE_DETACH, thread, 0L, signal);
}

void mq_thaw(struct mq_freeze *freeze)
{
    while (freeze->count > 0)
        let_go(freeze->threads[--freeze->count]);
    free(freeze->threads);
    memset(freeze, 0, sizeof *freeze);
}
