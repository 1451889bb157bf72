/* Threads that run are stopped by tracing them, and let go by its end. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "target/freeze.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/number.h"
#include "base/proc_stat.h"

/* Whether a thread of process PID is on a processor or wants to be. */
static bool is_running(int pid, int thread)
{
    struct mq_proc_stat stat;
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, thread);
    return mq_proc_stat_read(path, &stat) && stat.state == 'R';
}

/* The process may have become another one's while it was looked at. */
static void stop(const struct mq_owner *process, int thread)
{
    if (ptrace(PTRACE_SEIZE, thread, NULL, NULL) == 0
        && mq_owner_has_thread(process, thread))
        ptrace(PTRACE_INTERRUPT, thread, NULL, NULL);
}

static void stop_process(const struct mq_owner *process)
{
    const struct dirent *entry;
    char path[64];
    DIR *folder;
    int thread;

    snprintf(path, sizeof path, "/proc/%d/task", process->pid);
    folder = mq_owner_check(process, NULL) == mq_ok ? opendir(path) : NULL;
    if (folder == NULL)
        return;
    while ((entry = readdir(folder)) != NULL) {
        if (mq_number_is(entry->d_name, 1, 1 << 30, &thread)
            && is_running(process->pid, thread))
            stop(process, thread);
    }
    closedir(folder);
}

/* The child: its end is what lets go. */
MQ_NORETURN static void be_holder(const struct mq_owner *processes,
                                  size_t count, double seconds, pid_t parent)
{
    double end = mq_now() + seconds;
    size_t i;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (i = 0; i < count && getppid() == parent; i++)
        stop_process(&processes[i]);
    while (getppid() == parent && mq_now() < end)
        mq_nap(10);
    _exit(0);
}

void mq_freeze(struct mq_freeze *freeze, const struct mq_owner *processes,
               size_t count, double seconds)
{
    pid_t parent = getpid(), child = fork();

    if (child == 0)
        be_holder(processes, count, seconds, parent);
    freeze->holder = child > 0 ? child : 0;
}

void mq_thaw(struct mq_freeze *freeze)
{
    if (freeze->holder <= 0)
        return;
    kill(freeze->holder, SIGKILL);
    while (waitpid(freeze->holder, NULL, 0) < 0 && errno == EINTR)
        continue;
    freeze->holder = 0;
}
