#include "child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "call.h"
#include "finding.h"

enum { DONE = 0, LINE_SIZE = 1024 };

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

/* The child's part.  Its last words tell that the work was done, since a DLL
 * may end the program by itself.
 */
static void be_child(void (*work)(const void *), const void *argument,
                     int descriptor)
{
    const struct rlimit no_core = { 0, 0 };

    setrlimit(RLIMIT_CORE, &no_core);
    findings_to(descriptor);
    calls_watch_output();
    work(argument);
    if (write(descriptor, "d\n", 2) != 2)
        _exit(2);
    _exit(DONE);
}

/* Reads lines until the child ends or time is up; whether it was done. */
struct reading {
    int descriptor, is_done;
    size_t length;
    char line[LINE_SIZE];
};

static void take_bytes(struct reading *reading, const char *bytes,
                       size_t count, void (*take)(void *, char *),
                       void *context)
{
    size_t i;

    for (i = 0; i < count; i++) {
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

/* Whether the child closed its end before DEADLINE. */
static int read_all(struct reading *reading, long deadline,
                    void (*take)(void *, char *), void *context)
{
    for (;;) {
        struct pollfd wait = { reading->descriptor, POLLIN, 0 };
        long left = deadline - milliseconds();
        char bytes[4096];
        ssize_t count;

        if (left <= 0)
            return 0;
        if (poll(&wait, 1, (int)left) <= 0)
            continue;
        count = read(reading->descriptor, bytes, sizeof bytes);
        if (count == 0)
            return 1;
        if (count > 0)
            take_bytes(reading, bytes, (size_t)count, take, context);
        else if (errno != EINTR)
            return 1;
    }
}

enum child_end child_run(void (*work)(const void *), const void *argument,
                         int seconds, void (*take)(void *, char *),
                         void *context)
{
    struct reading reading = { -1, 0, 0, "" };
    int ends[2], status = 0, is_closed;
    pid_t child;

    call_under_way[0] = '\0';
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
    is_closed = read_all(&reading, milliseconds() + 1000L * seconds, take,
                         context);
    close(ends[0]);
    if (!is_closed)
        kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    note_cause(status);
    if (!is_closed)
        return child_hung;
    return reading.is_done ? child_is_done : child_crashed;
}
