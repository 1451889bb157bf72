/* Children that record: made, waited for, interrupted, reaped. */
#include "mqdump/children.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "mqdump/interrupt.h"

enum {
    most_children = 64,         /* at a time */
    patience = 10               /* seconds, once they shall end */
};

/* ---- One child --------------------------------------------------------- */

/* In a child: records and ends. */
static void record_in_child(const struct mq_gdb_subject *subject,
                            const struct mq_read_options *how,
                            struct mq_child *child, pid_t parent)
{
    struct mq_read_options own = *how;

    own.choice.teller = &child->told.teller;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(1);
    mq_recorder_record_subject(subject, &own, &child->recording);
    child->recording.outcome->is_complete = true;
    _exit(0);
}

/* Makes what parent and child share. */
static enum mq_result prepare(struct mq_child *child, int ends[2],
                              struct mq_error *error)
{
    struct mq_recording *recording = &child->recording;
    void *shared;

    recording->file = tmpfile();
    if (recording->file == NULL)
        return mq_fail(error, "cannot make a temporary file: %s",
                       strerror(errno));
    if (mq_transcript_begin(&child->told, error) != mq_ok)
        return mq_failed;
    shared = mmap(NULL, sizeof *recording->outcome, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return mq_fail_memory(error, "for a process");
    recording->outcome = shared;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return mq_fail(error, "cannot make a pipe: %s", strerror(errno));
    return mq_ok;
}

static enum mq_result start(const struct mq_gdb_subject *subject,
                            const struct mq_read_options *how,
                            struct mq_child *child, struct mq_error *error)
{
    pid_t parent = getpid();
    int ends[2];

    if (prepare(child, ends, error) != mq_ok)
        return mq_failed;
    child->pid = fork();
    if (child->pid == 0)
        record_in_child(subject, how, child, parent);
    close(ends[1]);
    child->end = ends[0];
    if (child->pid > 0)
        return mq_ok;
    child->pid = 0;
    close(child->end);
    return mq_fail(error, "cannot start a process: %s", strerror(errno));
}

void mq_child_deinit(struct mq_child *child)
{
    struct mq_recording *recording = &child->recording;

    mq_transcript_end(&child->told);
    if (recording->file != NULL)
        fclose(recording->file);
    if (recording->outcome != NULL)
        munmap(recording->outcome, sizeof *recording->outcome);
}

/* ---- All of them ------------------------------------------------------- */

/* Waits until one of COUNT children has ended, or MILLISECONDS. */
static struct mq_child *wait_for_one(struct mq_child *children, size_t count,
                                     int milliseconds)
{
    struct pollfd ends[most_children];
    struct mq_child *whose[most_children];
    nfds_t waiting = 0, i;
    size_t j;

    for (j = 0; j < count && waiting < most_children; j++) {
        if (children[j].pid == 0)
            continue;
        ends[waiting].fd = children[j].end;
        ends[waiting].events = POLLIN;
        whose[waiting++] = &children[j];
    }
    if (poll(ends, waiting, milliseconds) <= 0)
        return NULL;
    for (i = 0; i < waiting; i++) {
        if (ends[i].revents != 0)
            return whose[i];
    }
    return NULL;
}

static void reap(struct mq_child *child)
{
    struct mq_outcome *outcome = child->recording.outcome;
    int status = 0;

    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFSIGNALED(status))
        outcome->result = mq_fail(&outcome->error, "%s: its reader was killed "
                                  "by signal %d (%s)%s%.300s",
                                  child->recording.name, WTERMSIG(status),
                                  strsignal(WTERMSIG(status)),
                                  outcome->dll[0] != '\0' ? " while it used "
                                  : "", outcome->dll);
    else if (!outcome->is_complete)
        outcome->result = mq_fail(&outcome->error, "%s: its reader did not "
                                  "come to its end: the DLL must have called "
                                  "exit; try another one with --dll",
                                  child->recording.name);
    child->pid = 0;
    close(child->end);
}

static void signal_all(const struct mq_child *children, size_t count,
                       int number)
{
    size_t i;

    for (i = 0; i < count; i++) {
        if (children[i].pid != 0)
            kill(children[i].pid, number);
    }
}

/* Has the children that still run end, and waits for them. */
static void end_all(struct mq_child *children, size_t count, size_t running)
{
    double deadline = mq_now() + patience;

    signal_all(children, count, SIGTERM);
    while (running > 0) {
        struct mq_child *ended = wait_for_one(children, count, 100);

        if (ended != NULL) {
            reap(ended);
            running--;
        } else if (mq_now() > deadline) {
            signal_all(children, count, SIGKILL);
        }
    }
}

/* A line that is written again and again on a terminal, else a line each. */
static void tell_progress(size_t done, size_t count,
                          const struct mq_live_settings *settings)
{
    if (count < 2)
        return;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\rmqdump: %zu of %zu processes read", done, count);
    else if (settings->progress)
        fprintf(stderr, "mqdump: %zu of %zu processes read\n", done, count);
    fflush(stderr);
}

static void end_progress(size_t count)
{
    if (count > 1 && isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

static size_t limit_of(const struct mq_live_settings *settings)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    long limit = settings->parallel > 0 ? settings->parallel : processors;

    return limit < 1 ? 1 : limit > most_children ? most_children
                                                 : (size_t)limit;
}

/* Records all subjects, some at a time. */
static enum mq_result record_all(struct mq_child *children,
                                 const struct mq_gdb_subject *subjects,
                                 size_t count,
                                 const struct mq_read_options *how,
                                 struct mq_error *error)
{
    size_t next = 0, running = 0, limit = limit_of(how->live);
    enum mq_result result = mq_ok;

    while (!mq_interrupted && result == mq_ok &&
           (running > 0 || next < count)) {
        struct mq_child *ended = NULL;

        if (next < count && running < limit) {
            result = start(&subjects[next], how, &children[next], error);
            running += result == mq_ok;
            next++;
            continue;
        }
        ended = wait_for_one(children, next, 1000);
        if (ended == NULL)
            continue;
        reap(ended);
        running--;
        tell_progress(next - running, count, how->live);
    }
    end_progress(count);
    end_all(children, next, running);
    return result;
}

enum mq_result mq_children_record(struct mq_child *children,
                                  const struct mq_gdb_subject *subjects,
                                  size_t count,
                                  const struct mq_read_options *how,
                                  struct mq_error *error)
{
    struct sigaction before[mq_interrupt_signals];
    enum mq_result result;

    mq_interrupt_catch(before);
    result = record_all(children, subjects, count, how, error);
    mq_interrupt_release(before);
    if (result == mq_ok && mq_interrupted)
        return mq_fail(error, "interrupted while processes were read");
    return result;
}
