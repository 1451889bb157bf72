/* halt.c - stopping all threads of a process */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/halt.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "base/array.h"
#include "base/clock.h"
#include "direct/restart.h"
#include "model/stack.h"
#include "process/proc_stat.h"
#include "process/refusal.h"

enum {
    most_rounds = 16            /* of looking for threads that are new */
};

static const double brief = 0.01;       /* seconds that the others wait for a
                                           thread in state D */

static bool is_known(const struct mq_halt *halt, pid_t thread)
{
    for (size_t i = 0; i < halt->count; i++)
        if (halt->threads[i].id == thread)
            return true;
    return false;
}

static enum mq_result fail_many(const struct mq_halt *halt,
                                struct mq_error *error)
{
    return mq_fail(error, "process %d has more than %d threads", halt->pid,
                   mq_most_threads);
}

static enum mq_result ask(struct mq_halt *halt, pid_t thread,
                          struct mq_error *error)
{
    struct mq_halted_thread asked = { .id = thread, .state = mq_halt_asked };

    if (halt->count == mq_most_threads)
        return fail_many(halt, error);
    if (mq_array_reserve(&halt->threads, sizeof asked, halt->count + 1,
                         &halt->room, "for threads", error) != mq_ok)
        return mq_failed;
    if (ptrace(PTRACE_SEIZE, thread, NULL, NULL) != 0)
        return errno == ESRCH ? mq_absent
               : errno == EPERM ? mq_refusal_explain(halt->pid, error)
               : mq_fail(error, "cannot stop thread %d of process %d: %s",
                         (int)thread, halt->pid, strerror(errno));
    mq_restart_prepare(thread, &asked.restart);
    halt->threads[halt->count++] = asked;
    ptrace(PTRACE_INTERRUPT, thread, NULL, NULL);
    return mq_ok;
}

/* Asks the threads that were not asked yet, and counts them. */
static enum mq_result ask_new(struct mq_halt *halt, struct mq_error *error,
                              size_t *asked)
{
    DIR *threads = mq_proc_threads(halt->pid);
    enum mq_result result = mq_ok;
    int thread;

    *asked = 0;
    if (threads == NULL)
        return mq_fail(error, "there is no process %d on this host",
                       halt->pid);
    while (result != mq_failed
           && (thread = mq_proc_next_thread(threads)) != 0) {
        if (is_known(halt, thread))
            continue;
        result = ask(halt, thread, error);
        *asked += result == mq_ok;
    }
    mq_proc_end_threads(threads);
    return result == mq_failed ? mq_failed : mq_ok;
}

enum mq_result mq_halt_ask(struct mq_halt *halt, int pid,
                           struct mq_error *error)
{
    struct mq_proc_stat stat = { .threads = 0 };
    size_t asked;

    halt->pid = pid;
    mq_proc_stat_read(pid, &stat);
    if (stat.threads > mq_most_threads) {
        fail_many(halt, error);
        mq_halt_end(halt);
        return mq_failed;
    }
    halt->in_kernel = mq_proc_thread_in_kernel(pid);
    if (halt->in_kernel != 0)
        return mq_ok;
    if (!is_known(halt, pid) && ask(halt, pid, error) == mq_failed) {
        mq_halt_end(halt);
        return mq_failed;
    }
    /* Threads that were kept may come before the main thread. */
    for (size_t i = 0; i < halt->count; i++) {
        const struct mq_halted_thread it = halt->threads[i];

        if (it.id == pid) {
            halt->threads[i] = halt->threads[0];
            halt->threads[0] = it;
        }
    }
    if (ask_new(halt, error, &asked) == mq_ok && halt->count > 0)
        return mq_ok;
    if (halt->count == 0)
        mq_fail(error, "there is no process %d on this host", pid);
    mq_halt_end(halt);
    return mq_failed;
}

static void note(struct mq_halt *halt, struct mq_halted_thread *thread,
                 int status)
{
    mq_restart_note(&thread->restart);
    if (!WIFSTOPPED(status)) {
        thread->state = mq_halt_ended;
        return;
    }
    thread->state = mq_halt_stopped;
    if (status >> 16 == 0)
        thread->signal = WSTOPSIG(status);
    else
        halt->was_stopped |= WSTOPSIG(status) != SIGTRAP;
}

/* One in state D is not waited for until the DEADLINE: then there is no error,
 * but halt->in_kernel.
 */
static enum mq_result wait_for(struct mq_halt *halt,
                               struct mq_halted_thread *thread,
                               double deadline, struct mq_error *error)
{
    double begin = mq_now();
    int status;
    pid_t got;

    while (thread->state == mq_halt_asked) {
        got = waitpid(thread->id, &status, __WALL | WNOHANG);
        if (got == thread->id)
            note(halt, thread, status);
        else if (got < 0 && errno != EINTR)
            note(halt, thread, 0);
        else if (mq_now() > begin + brief && mq_proc_state(thread->id) == 'D') {
            halt->in_kernel = thread->id;
            return mq_failed;
        } else if (mq_now() > deadline)
            return mq_fail(error, "process %d cannot be stopped: its thread %d "
                           "has not done so for seconds", halt->pid,
                           (int)thread->id);
        else
            mq_nap(1);
    }
    return mq_ok;
}

/* Only threads that run make new ones: those are soon all stopped. */
static enum mq_result stop_all(struct mq_halt *halt, double deadline,
                               struct mq_error *error)
{
    size_t asked;

    for (int round = 0; round < most_rounds; round++) {
        for (size_t i = 0; i < halt->count; i++)
            if (wait_for(halt, &halt->threads[i], deadline, error) != mq_ok)
                return mq_failed;
        if (halt->count == 0 || halt->threads[0].state == mq_halt_ended)
            return mq_absent;
        if (ask_new(halt, error, &asked) != mq_ok)
            return mq_failed;
        if (asked == 0)
            return mq_ok;
    }
    return mq_fail(error, "process %d cannot be stopped: it makes new threads "
                   "all the time", halt->pid);
}

static void resume_stopped(struct mq_halt *halt)
{
    size_t kept = 0;

    for (size_t i = 0; i < halt->count; i++) {
        const struct mq_halted_thread *it = &halt->threads[i];

        if (it->state == mq_halt_stopped && !halt->was_stopped)
            mq_restart_call(it->id, it->signal, &it->restart);
        if (it->state == mq_halt_stopped)
            ptrace(PTRACE_DETACH, it->id, 0L, (long)it->signal);
        else if (it->state == mq_halt_asked)
            halt->threads[kept++] = *it;
    }
    halt->count = kept;
    halt->was_stopped = false;
}

/* Asks again, as soon as no thread is in the kernel: until then all that can
 * run do.
 */
static enum mq_result ask_again(struct mq_halt *halt, double deadline,
                                struct mq_error *error)
{
    resume_stopped(halt);
    while (halt->in_kernel != 0) {
        if (mq_now() > deadline)
            return mq_refusal_explain_wait(halt->pid, halt->in_kernel, error);
        mq_nap(1);
        if (mq_halt_ask(halt, halt->pid, error) != mq_ok)
            return mq_proc_has_ended(halt->pid) ? mq_absent : mq_failed;
    }
    return mq_ok;
}

enum mq_result mq_halt_wait(struct mq_halt *halt, double seconds,
                            struct mq_error *error)
{
    double deadline = mq_now() + seconds;
    enum mq_result result;

    do {
        result = halt->in_kernel == 0 ? mq_ok
                 : ask_again(halt, deadline, error);
        if (result != mq_ok)
            break;
        result = stop_all(halt, deadline, error);
    } while (result == mq_failed && halt->in_kernel != 0);
    if (result != mq_ok)
        mq_halt_end(halt);
    return result;
}

bool mq_halt_has_stopped(struct mq_halt *halt, double seconds)
{
    double deadline = mq_now() + seconds;
    struct mq_error ignored;

    if (halt->in_kernel != 0 && ask_again(halt, deadline, &ignored) != mq_ok)
        return false;
    for (size_t i = 0; i < halt->count; i++)
        if (wait_for(halt, &halt->threads[i], deadline, &ignored) != mq_ok) {
            if (halt->in_kernel != 0)
                resume_stopped(halt);
            return false;
        }
    return true;
}

/* A thread must have stopped to be resumed, which may take it a moment; or it
 * is kept.
 */
void mq_halt_end(struct mq_halt *halt)
{
    const double moment = 0.1;          /* seconds */
    struct mq_error ignored;

    resume_stopped(halt);
    for (size_t i = 0; i < halt->count; i++)
        wait_for(halt, &halt->threads[i], mq_now() + moment, &ignored);
    resume_stopped(halt);
    halt->in_kernel = 0;
    if (halt->count == 0) {
        free(halt->threads);
        memset(halt, 0, sizeof *halt);
    }
}

void mq_halt_deinit(struct mq_halt *halt)
{
    mq_halt_end(halt);
    free(halt->threads);
    memset(halt, 0, sizeof *halt);
}
