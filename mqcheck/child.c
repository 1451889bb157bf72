/* child.c - work in a child process that a DLL may crash or block */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "mqcheck/findings/finding.h"
#include "mqcheck/host/entry_call.h"

enum {
    DONE = 0, LINE_SIZE = 1024,
    WAIT = 100,                 /* milliseconds, between looks at the child */
    MOST_ROUNDS = 1000          /* of ending what is left behind */
};

static char cause[80];

const char *child_cause(void)
{
    return cause;
}

static void note_cause(int status)
{
    if (WIFSIGNALED(status))
        snprintf(cause, sizeof cause, "signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(cause, sizeof cause, "exit with status %d",
                 WEXITSTATUS(status));
}

static long milliseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void be_child(void (*work)(const void *), const void *argument,
                     int descriptor)
{
    const struct rlimit no_core = { 0, 0 };
    int ends[2];

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &no_core);
    findings_to(descriptor);
    /* A DLL that waits for input waits forever. */
    if (pipe(ends) != 0 || dup2(ends[0], STDIN_FILENO) < 0)
        give_up("the input cannot be redirected");
    calls_watch_output();
    work(argument);
    /* The work was done: a DLL may end the program by itself. */
    if (write(descriptor, "d\n", 2) != 2)
        _exit(2);
    _exit(DONE);
}

/* What was read of the child's lines, and whether the last one has come. */
struct reading {
    int descriptor, is_done;
    size_t length;
    char line[LINE_SIZE];
};

static void take_bytes(struct reading *reading, const char *bytes,
                       size_t count, void (*take)(void *, char *),
                       void *context)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != '\n') {
            if (reading->length < LINE_SIZE - 1)
                reading->line[reading->length++] = bytes[i];
            continue;
        }
        reading->line[reading->length] = '\0';
        reading->length = 0;
        if (strcmp(reading->line, "d") == 0)
            reading->is_done = 1;
        else
            take(context, reading->line);
    }
}

/* Reads what there is; whether there can be more. */
static int read_some(struct reading *reading, void (*take)(void *, char *),
                     void *context)
{
    char bytes[4096];
    ssize_t count = read(reading->descriptor, bytes, sizeof bytes);

    if (count <= 0)
        return count < 0 && errno == EINTR;
    take_bytes(reading, bytes, (size_t)count, take, context);
    return !reading->is_done;
}

/* Whether the child came to its end, without a call that took LIMIT
 * milliseconds.
 */
static int read_all(struct reading *reading, long limit,
                    void (*take)(void *, char *), void (*look)(void *),
                    void *context)
{
    struct pollfd wait = { reading->descriptor, POLLIN, 0 };
    unsigned long calls = calls_made();
    long taken = 0, before = milliseconds();

    for (;;) {
        long now;

        if (poll(&wait, 1, WAIT) > 0 && !read_some(reading, take, context))
            return 1;
        look(context);
        /* Looks are WAIT apart, and where it is more, the machine or both
         * processes were paused, or others had the processors.
         */
        now = milliseconds();
        taken += now - before < WAIT ? now - before : WAIT;
        before = now;
        if (calls != calls_made()) {
            calls = calls_made();
            taken = 0;
        }
        if (taken >= limit)
            return 0;
    }
}

/* Kills all children of this process that there are now; 0 if there are none.
 */
static int kill_children(void)
{
    char path[64];
    long child;
    int count = 0;
    FILE *list;

    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    list = fopen(path, "r");
    if (list == NULL)
        return 0;
    while (fscanf(list, "%ld", &child) == 1) {
        kill((pid_t)child, SIGKILL);
        count++;
    }
    fclose(list);
    return count;
}

/* What a DLL has started and cut loose is this process's child now, and each
 * that is killed may leave children of its own.
 */
static void end_leftovers(void)
{
    int rounds = MOST_ROUNDS;

    while (kill_children() > 0 && rounds-- > 0) {
        while (waitpid(-1, NULL, 0) > 0)
            ;
    }
}

enum child_end child_run(void (*work)(const void *), const void *argument,
                         int seconds, void (*take)(void *, char *),
                         void (*look)(void *), void *context)
{
    struct reading reading = { -1, 0, 0, "" };
    int ends[2], status = 0, has_ended;
    pid_t child;

    call_under_way[0] = '\0';
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (pipe(ends) != 0 || (child = fork()) < 0) {
        give_up("no child process can be made: %s", strerror(errno));
        return child_crashed;
    }
    if (child == 0) {
        close(ends[0]);
        be_child(work, argument, ends[1]);
    }
    close(ends[1]);
    reading.descriptor = ends[0];
    has_ended = read_all(&reading, 1000L * seconds, take, look,
                         context);
    close(ends[0]);
    if (!has_ended)
        kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    note_cause(status);
    kill(-child, SIGKILL);
    end_leftovers();
    if (!has_ended)
        return child_hung;
    return reading.is_done ? child_is_done : child_crashed;
}
