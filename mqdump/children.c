/* Children that record: made, waited for, interrupted, reaped. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/children.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "mqdump/interrupt.h"

enum {
    most_children = 64,         /* at a time */
    patience = 10               /* seconds, once they shall end */
};

/* ---- One child --------------------------------------------------------- */

/* The steps of recorder.h, by what the parent writes. */
static enum mq_result (*const steps[])(struct mq_recorder *) = {
    ['p'] = mq_recorder_prepare,
    ['s'] = mq_recorder_stop,
    ['r'] = mq_recorder_read,
    ['w'] = mq_recorder_settle
};

/* In a child: takes the steps that the parent asks for until one fails, or the
 * parent has no more.
 */
static void take_steps(struct mq_recorder *recorder, int link)
{
    unsigned char step;

    while (!mq_interrupted && read(link, &step, 1) == 1
           && step < sizeof steps / sizeof steps[0] && steps[step] != NULL
           && steps[step](recorder) == mq_ok) {
        if (send(link, &step, 1, MSG_NOSIGNAL) != 1)
            break;
    }
}

/* In a child: records and ends. */
static void record_in_child(const struct mq_gdb_subject *subject,
                            const struct mq_read_options *how,
                            struct mq_child *child, int link, pid_t parent)
{
    struct mq_read_options own = *how;
    struct mq_recorder recorder = {
        .subject = subject, .how = &own, .recording = &child->recording
    };

    own.choice.teller = &child->told.teller;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(1);
    take_steps(&recorder, link);
    mq_recorder_deinit(&recorder);
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
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return mq_fail(error, "cannot make a pipe: %s", strerror(errno));
    return mq_ok;
}

static enum mq_result start(const struct mq_gdb_subject *subject,
                            const struct mq_read_options *how,
                            struct mq_child *child, struct mq_error *error)
{
    pid_t parent = getpid();
    int ends[2];

    child->is_of_host = subject->kind == mq_gdb_process;
    if (prepare(child, ends, error) != mq_ok)
        return mq_failed;
    child->pid = fork();
    if (child->pid == 0)
        record_in_child(subject, how, child, ends[1], parent);
    close(ends[1]);
    child->link = ends[0];
    if (child->pid > 0)
        return mq_ok;
    child->pid = 0;
    close(child->link);
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

/* Waits until one of COUNT children has answered or ended, or MILLISECONDS. */
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
        ends[waiting].fd = children[j].link;
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
        outcome->result = mq_fail(&outcome->error, "%s: its reader exited "
                                  "before it had finished: the DLL must have "
                                  "called exit; try another one with --dll",
                                  child->recording.name);
    mq_mark_end(&outcome->mark, NULL);
    child->pid = 0;
    child->is_busy = false;
    close(child->link);
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

/* Takes the answer of a child; one without an answer has ended. */
static void take_answer(struct mq_child *child)
{
    unsigned char step;

    child->is_busy = false;
    if (read(child->link, &step, 1) != 1)
        reap(child);
}

static size_t count_running(const struct mq_child *children, size_t count)
{
    size_t i, running = 0;

    for (i = 0; i < count; i++)
        running += children[i].pid != 0;
    return running;
}

/* Has the children that still run end, and waits for them. */
static void end_all(struct mq_child *children, size_t count)
{
    double deadline = mq_now() + patience;
    size_t i;

    for (i = 0; i < count; i++) {
        if (children[i].pid != 0)
            shutdown(children[i].link, SHUT_WR);
    }
    if (mq_interrupted)
        signal_all(children, count, SIGTERM);
    while (count_running(children, count) > 0) {
        struct mq_child *answered = wait_for_one(children, count, 100);

        if (answered != NULL)
            take_answer(answered);
        else if (mq_now() > deadline)
            signal_all(children, count, SIGKILL);
    }
}

/* A line that is written again and again on a terminal, else a line each. */
static void tell_progress(size_t done, size_t count,
                          const struct mq_live_settings *settings)
{
    if (count < 2 || settings->quiet)
        return;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\rmqdump: %zu of %zu processes read", done, count);
    else if (settings->progress)
        fprintf(stderr, "mqdump: %zu of %zu processes read\n", done, count);
    fflush(stderr);
}

static void end_progress(size_t count, const struct mq_live_settings *settings)
{
    if (count > 1 && !settings->quiet && isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

static size_t limit_of(const struct mq_live_settings *settings)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    long limit = settings->parallel > 0 ? settings->parallel : processors;

    return limit < 1 ? 1 : limit > most_children ? most_children
                                                 : (size_t)limit;
}

/* ---- Steps ------------------------------------------------------------- */

static bool begin_step(struct mq_child *child, char step)
{
    child->is_busy = child->pid != 0
                     && send(child->link, &step, 1, MSG_NOSIGNAL) == 1;
    return child->is_busy;
}

/* Has all children that still run take STEP, at most LIMIT at a time. */
static void take_step(struct mq_child *children, size_t count, size_t limit,
                      char step)
{
    size_t next = 0, busy = 0;

    while (!mq_interrupted && (busy > 0 || next < count)) {
        struct mq_child *answered;

        if (next < count && busy < limit) {
            busy += begin_step(&children[next++], step);
            continue;
        }
        answered = wait_for_one(children, count, 1000);
        if (answered == NULL)
            continue;
        busy -= answered->is_busy;
        take_answer(answered);
    }
}

/* Whether one more look can tell anything.  Those that looked the same are
 * looked at more often than asked for, unless it is proven or the user has said
 * how often.
 */
static bool needs_look(const struct mq_child *children, size_t count,
                       const struct mq_live_settings *settings)
{
    uint32_t usual = settings->looks > 0 ? (uint32_t)settings->looks
                                         : mq_looks_usual;
    uint32_t most = settings->looks > 0 ? usual : mq_looks_most;
    size_t i;

    for (i = 0; i < count; i++) {
        const struct mq_looks *looks = &children[i].recording.outcome->looks;

        if (children[i].pid != 0 && children[i].is_of_host
            && looks->movement != mq_moved
            && looks->count < (looks->movement == mq_looks_equal ? most
                                                                 : usual))
            return true;
    }
    return false;
}

/* Looks at all children's processes, until that is enough. */
static void look(struct mq_child *children, size_t count, size_t limit,
                 const struct mq_read_options *how)
{
    double begin;

    take_step(children, count, limit, 'p');
    for (;;) {
        begin = mq_now();
        take_step(children, count, count, 's');
        take_step(children, count, limit, 'r');
        mq_tell(how->choice.teller, mq_story, "%zu process%s stood still for "
                "%.2f s", count, count == 1 ? "" : "es", mq_now() - begin);
        if (mq_interrupted || !needs_look(children, count, how->live))
            break;
        take_step(children, count, count, 'w');
    }
}

/* Records as many subjects as can be stopped together. */
static enum mq_result record_some(struct mq_child *children,
                                  const struct mq_gdb_subject *subjects,
                                  size_t count,
                                  const struct mq_read_options *how,
                                  struct mq_error *error)
{
    enum mq_result result = mq_ok;
    size_t made = 0;

    while (made < count && result == mq_ok) {
        result = start(&subjects[made], how, &children[made], error);
        made += result == mq_ok;
    }
    if (result == mq_ok)
        look(children, count, limit_of(how->live), how);
    end_all(children, made);
    return result;
}

static enum mq_result record_all(struct mq_child *children,
                                 const struct mq_gdb_subject *subjects,
                                 size_t count,
                                 const struct mq_read_options *how,
                                 struct mq_error *error)
{
    enum mq_result result = mq_ok;
    size_t done = 0;

    while (!mq_interrupted && result == mq_ok && done < count) {
        size_t some = count - done < most_children ? count - done
                                                   : most_children;

        tell_progress(done, count, how->live);
        result = record_some(children + done, subjects + done, some, how,
                             error);
        done += some;
    }
    end_progress(count, how->live);
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
