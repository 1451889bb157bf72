/* proc_stat.c - reader of /proc/PID/stat */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/proc_stat.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/number.h"

/* The numbers behind the state, in their order. */
enum {
    parent_at = 0, flags_at = 5, user_at = 10, system_at = 11, threads_at = 16,
    start_at = 18, memory_at = 19, signals_at = 27, status_at = 48, numbers
};

enum {
    flag_ends = 4,              /* in its flags */
    signal_kills = 1 << (SIGKILL - 1)   /* among those that wait for it */
};

static bool read_stat(const char *path, struct mq_proc_stat *stat)
{
    char text[1024], *at, *end;
    uint64_t number[numbers] = { [memory_at] = UINT64_MAX };
    ssize_t length;
    int file = open(path, O_RDONLY | O_CLOEXEC);

    if (file < 0)
        return false;
    length = read(file, text, sizeof text - 1);         /* it comes at once */
    close(file);
    text[length > 0 ? length : 0] = '\0';
    at = strrchr(text, ')');            /* the name is in front: ") S 4711" */
    if (at == NULL || strlen(at) < 3)
        return false;
    stat->state = at[2];
    at += 3;
    for (size_t i = 0; i < numbers; i++, at = end) {
        number[i] = strtoull(at, &end, 10);
        if (end == at)
            break;
    }
    stat->parent = number[parent_at] <= INT_MAX ? (int)number[parent_at] : 0;
    stat->ticks = number[user_at] + number[system_at];
    stat->threads = number[threads_at];
    stat->start = number[start_at];
    stat->memory = number[memory_at];
    stat->status = (int)(number[status_at] & 0xffff);
    stat->ends = (number[flags_at] & flag_ends) != 0
                 || (number[signals_at] & signal_kills) != 0;
    return true;
}

FILE *mq_proc_open(int pid, const char *name)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    return fopen(path, "re");
}

/* Data of all threads of a process are those of one thread here, which costs
 * less where there are many.
 */
static bool read_thread(int thread, struct mq_proc_stat *stat)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", thread, thread);
    return read_stat(path, stat);
}

bool mq_proc_stat_read_in(const char *proc, int pid, struct mq_proc_stat *stat)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%d/stat", proc, pid);
    return read_stat(path, stat);
}

bool mq_proc_stat_read(int number, struct mq_proc_stat *stat)
{
    return mq_proc_stat_read_in("/proc", number, stat);
}

char mq_proc_state(int number)
{
    struct mq_proc_stat stat = { .state = '\0' };

    read_thread(number, &stat);
    return stat.state;
}

void mq_proc_name(int pid, char name[16])
{
    FILE *file = mq_proc_open(pid, "comm");
    size_t length = file != NULL ? fread(name, 1, 15, file) : 0;

    name[length] = '\0';
    name[strcspn(name, "\n")] = '\0';
    if (file != NULL)
        fclose(file);
}

bool mq_proc_end_words(int pid, size_t room, char *text)
{
    struct mq_proc_stat stat;

    if (!mq_proc_stat_read(pid, &stat) || stat.state != 'Z' || stat.status == 0)
        return false;
    if (WIFSIGNALED(stat.status))
        snprintf(text, room, "its process was killed by signal %d",
                 WTERMSIG(stat.status));
    else
        snprintf(text, room, "its process ended with exit status %d",
                 WEXITSTATUS(stat.status));
    return true;
}

int mq_proc_parent(const char *proc, int pid)
{
    struct mq_proc_stat stat = { .parent = 0 };

    mq_proc_stat_read_in(proc, pid, &stat);
    return stat.parent;
}

DIR *mq_proc_threads_of(const char *proc, int pid)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%d/task", proc, pid);
    return opendir(path);
}

DIR *mq_proc_threads(int pid)
{
    return mq_proc_threads_of("/proc", pid);
}

int mq_proc_next_thread(DIR *threads)
{
    const struct dirent *entry;
    int thread;

    while (threads != NULL && (entry = readdir(threads)) != NULL)
        if (mq_number_is(entry->d_name, 1, INT_MAX, &thread))
            return thread;
    return 0;
}

void mq_proc_end_threads(DIR *threads)
{
    if (threads != NULL)
        closedir(threads);
}

int mq_proc_thread_in_kernel(int pid)
{
    DIR *threads = mq_proc_threads(pid);
    int thread;

    while ((thread = mq_proc_next_thread(threads)) != 0)
        if (mq_proc_state(thread) == 'D')
            break;
    mq_proc_end_threads(threads);
    return thread;
}

/* Whether its other threads end, too: all threads of a process that is killed
 * have the signal, until they end.  Between the signal and the end there is a
 * moment in which that is not visible.
 */
static bool ends_soon(int pid)
{
    enum { most_naps = 20, nap = 5 /* milliseconds */ };

    for (int naps = 0;; naps++) {
        DIR *threads = mq_proc_threads(pid);
        struct mq_proc_stat stat = { .ends = true };
        int thread;

        while (stat.ends && (thread = mq_proc_next_thread(threads)) != 0)
            read_thread(thread, &stat);
        mq_proc_end_threads(threads);
        if (stat.ends || naps == most_naps)
            return stat.ends;
        mq_nap(nap);
    }
}

bool mq_proc_sched_read(int thread, struct mq_proc_sched *sched)
{
    struct mq_proc_sched found;
    FILE *file = mq_proc_open(thread, "schedstat");
    bool is_read = file != NULL && fscanf(file, "%lf %lf %lf", &found.used,
                                          &found.waited, &found.slices) == 3;

    if (file != NULL)
        fclose(file);
    if (!is_read)
        return false;
    found.used *= 1e-9;                 /* nanoseconds, unlike ticks */
    found.waited *= 1e-9;
    *sched = found;
    return true;
}

bool mq_proc_has_ended(int pid)
{
    struct mq_proc_stat stat;

    /* One that is waited for in between cannot be read, but is known then. */
    if (!mq_proc_stat_read(pid, &stat))
        return kill(pid, 0) != 0 && errno == ESRCH;
    /* Its first thread may have ended alone. */
    return (stat.state == 'Z' || stat.state == 'X' || stat.memory == 0)
           && ends_soon(pid);
}
