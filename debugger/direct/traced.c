/* traced.c - a traced process with breakpoints
 *
 * Threads that run to breakpoints.
 *
 * While a process is stopped it has no breakpoints in it.  A thread that has
 * come to one is at once taken out of the signal that this is, which would end
 * the process if this program ended.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "direct/traced.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "direct/halt.h"
#include "direct/restart.h"
#include "process/proc_stat.h"
#include "target/memory.h"

#if defined(__x86_64__) || defined(__aarch64__)

enum { most_tries = 16 };

static const double patience = 5;       /* seconds until all have stopped */

/* ==== Machines ========================================================== */

/* A jump leads to itself, and a thread is behind a breakpoint that it has met
 * on one machine, and at it on the other.
 */
#ifdef __x86_64__

static const unsigned char breakpoint[] = { 0xcc }, spin[] = { 0xeb, 0xfe };

/* Of processes of 32 bits, too. */
enum { pc = offsetof(struct user, regs.rip) };

static uint64_t breakpoint_of(pid_t thread)
{
    return (uint64_t)ptrace(PTRACE_PEEKUSER, thread, pc, NULL) - 1;
}

static void set_back(pid_t thread, uint64_t address)
{
    ptrace(PTRACE_POKEUSER, thread, pc, address);
}

#else

static const unsigned char breakpoint[] = { 0x00, 0x00, 0x20, 0xd4 },
                           spin[] = { 0x00, 0x00, 0x00, 0x14 };

static uint64_t breakpoint_of(pid_t thread)
{
    struct user_regs_struct registers = { .pc = 0 };
    struct iovec all = { &registers, sizeof registers };

    ptrace(PTRACE_GETREGSET, thread, (void *)NT_PRSTATUS, &all);
    return registers.pc;
}

static void set_back(pid_t thread, uint64_t address)
{
    (void)thread, (void)address;
}

#endif

/* ==== Places ============================================================ */

enum mq_result mq_traced_add(struct mq_traced *traced, uint64_t address,
                             struct mq_error *error)
{
    struct mq_code_patch made = {
        .address = address, .length = sizeof breakpoint
    };

    for (size_t i = 0; i < traced->place_count; i++)
        if (traced->places[i].address == address)
            return mq_ok;
    if (traced->place_count == mq_most_places)
        return mq_fail(error, "process %d has too many places to stop at",
                       traced->pid);
    memcpy(made.after, breakpoint, sizeof breakpoint);
    if (traced->memory->ops->read(traced->memory, address, made.length, error,
                                  made.before) != mq_ok)
        return mq_failed;
    if (memcmp(made.before, breakpoint, sizeof breakpoint) == 0)
        return mq_fail(error, "process %d has a breakpoint already",
                       traced->pid);
    if (traced->guard->notify(traced->guard, traced->memory, &made, error)
        != mq_ok)
        return mq_failed;
    traced->places[traced->place_count++] = made;
    return mq_ok;
}

void mq_traced_drop(struct mq_traced *traced, uint64_t address)
{
    for (size_t i = 0; i < traced->place_count; i++)
        if (traced->places[i].address == address)
            traced->places[i--] = traced->places[--traced->place_count];
}

/* Code that the process has unloaded meanwhile, so that there is other code, is
 * no place any more.
 */
static void set_places(struct mq_traced *traced)
{
    struct mq_target *memory = traced->memory;
    size_t i = 0;

    while (i < traced->place_count) {
        const struct mq_code_patch *place = &traced->places[i];
        unsigned char now[sizeof breakpoint];

        if (memory->ops->read(memory, place->address, sizeof now, NULL, now)
            == mq_ok
            && memcmp(now, place->before, sizeof now) == 0
            && memory->ops->write(memory, place->address, sizeof now,
                                  place->after, NULL) == mq_ok)
            i++;
        else
            mq_traced_drop(traced, place->address);
    }
}

static void clear_places(const struct mq_traced *traced,
                         struct mq_target *memory)
{
    for (size_t i = 0; i < traced->place_count; i++)
        mq_code_patch_undo(&traced->places[i], memory, NULL);
}

/* ==== Events of threads ================================================= */

static struct mq_traced_thread *add_thread(struct mq_traced *traced, pid_t id)
{
    const struct mq_traced_thread thread = { .id = id };

    return mq_array_add(&traced->threads, sizeof thread, &traced->count,
                        &traced->room, &thread, "for threads", NULL) == mq_ok
           ? &traced->threads[traced->count - 1] : NULL;
}

/* The event of THREAD; false if nothing, or if there is none.  That a child of
 * this program has ended is left to be asked for.
 */
static bool ask(const struct mq_traced *traced, pid_t thread, bool waits,
                int *status)
{
    const int kinds = WEXITED | WSTOPPED | WNOWAIT | __WALL;
    siginfo_t said = { .si_pid = 0 };
    int result;

    do
        result = waitid(P_PID, (id_t)thread, &said,
                        kinds | (waits ? 0 : WNOHANG));
    while (result != 0 && errno == EINTR);
    if (result != 0) {
        *status = 0;
        return true;            /* it has gone without a word */
    }
    if (said.si_pid == 0)
        return false;
    if (traced->is_child && thread == traced->pid
        && (said.si_code == CLD_EXITED || said.si_code == CLD_KILLED
            || said.si_code == CLD_DUMPED)) {
        *status = said.si_code == CLD_EXITED ? said.si_status << 8
                                             : said.si_status;
        return true;
    }
    return waitpid(thread, status, __WALL) == thread;
}

/* It has become another program, whose memory is another one, in one thread. */
static void take_program(struct mq_traced *traced,
                         struct mq_traced_thread *thread)
{
    struct mq_traced_thread first = *thread;

    first.id = traced->pid;
    first.at = 0;
    traced->threads[0] = first;
    traced->count = 1;
    traced->place_count = 0;
    traced->has_executed = true;
    mq_target_destroy(traced->memory);
    traced->memory = NULL;
    mq_memory_open(traced->pid, NULL, &traced->memory);
}

/* A new process goes its way, with the code that the first had. */
static void release_child(struct mq_traced *traced, pid_t child, bool is_copy)
{
    struct mq_target *memory;
    int status;

    while (waitpid(child, &status, __WALL) < 0 && errno == EINTR)
        continue;
    if (is_copy && mq_memory_open(child, NULL, &memory) == mq_ok) {
        clear_places(traced, memory);
        mq_target_destroy(memory);
    }
    ptrace(PTRACE_DETACH, child, NULL, NULL);
}

static void take_new(struct mq_traced *traced, pid_t parent, int event)
{
    unsigned long message = 0;
    char path[64];
    pid_t id;

    if (ptrace(PTRACE_GETEVENTMSG, parent, NULL, &message) != 0)
        return;
    id = (pid_t)message;
    snprintf(path, sizeof path, "/proc/%d/task/%d", traced->pid, (int)id);
    if (event != PTRACE_EVENT_CLONE || access(path, F_OK) != 0)
        release_child(traced, id, event == PTRACE_EVENT_FORK);
    else if (add_thread(traced, id) == NULL)
        release_child(traced, id, false);
}

static void end_thread(struct mq_traced *traced, size_t number, int status)
{
    traced->threads[number].state = mq_traced_ended;
    traced->threads[number].at = 0;
    if (number == 0) {
        traced->has_ended = true;
        traced->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
}

/* Whether a thread has come to a place: then it is stopped there, asked to stop
 * once more before it does anything, and no signal is on its way to it.
 */
static bool take_place(struct mq_traced *traced, size_t number)
{
    struct mq_traced_thread *thread = &traced->threads[number];
    uint64_t address = breakpoint_of(thread->id);
    int status;
    size_t i;

    for (i = 0; i < traced->place_count; i++)
        if (traced->places[i].address == address)
            break;
    if (i == traced->place_count)
        return false;
    set_back(thread->id, address);
    thread->at = address;
    thread->is_reported = false;
    ptrace(PTRACE_INTERRUPT, thread->id, NULL, NULL);
    ptrace(PTRACE_CONT, thread->id, NULL, NULL);
    if (!ask(traced, thread->id, true, &status))
        return true;
    if (!WIFSTOPPED(status))
        end_thread(traced, number, status);
    else if (status >> 16 == 0)
        thread->signal = WSTOPSIG(status);
    return true;
}

static void take(struct mq_traced *traced, size_t number, int status)
{
    struct mq_traced_thread *thread = &traced->threads[number];
    int event = status >> 16, signal = WSTOPSIG(status);

    mq_restart_note(&thread->restart);
    if (!WIFSTOPPED(status)) {
        end_thread(traced, number, status);
        return;
    }
    thread->state = mq_traced_stopped;
    if (event == PTRACE_EVENT_EXEC)
        take_program(traced, thread);
    else if (event == PTRACE_EVENT_STOP)
        thread->is_held_by_signal = signal != SIGTRAP;
    else if (event != 0)
        take_new(traced, thread->id, event);
    else if (signal != SIGTRAP || !take_place(traced, number))
        thread->signal = signal;
}

/* Resumes a stopped thread, untraced if that is the END. */
static void let_run(const struct mq_traced_thread *thread, bool end)
{
    if (!thread->is_held_by_signal)
        mq_restart_call(thread->id, thread->signal, &thread->restart);
    ptrace(end ? PTRACE_DETACH : PTRACE_CONT, thread->id, NULL,
           (long)thread->signal);
}

/* Resumes a thread, unless it has an event to report. */
static void resume(struct mq_traced_thread *thread)
{
    if (thread->state != mq_traced_stopped
        || (thread->at != 0 && !thread->is_reported))
        return;
    if (thread->is_held_by_signal)
        ptrace(PTRACE_LISTEN, thread->id, NULL, NULL);
    else
        let_run(thread, false);
    thread->signal = 0;
    thread->at = 0;
    thread->state = mq_traced_runs;
}

/* Takes note of events of threads, without waiting; whether one runs. */
static bool look(struct mq_traced *traced)
{
    int status;

    for (size_t i = 0; i < traced->count && !traced->has_ended; i++)
        if (traced->threads[i].state == mq_traced_runs
            && ask(traced, traced->threads[i].id, false, &status))
            take(traced, i, status);
    for (size_t i = 0; i < traced->count; i++)
        if (traced->threads[i].state == mq_traced_runs)
            return true;
    return false;
}

static void drop_ended(struct mq_traced *traced)
{
    size_t i = 1;               /* the first stays */

    while (i < traced->count) {
        if (traced->threads[i].state == mq_traced_ended)
            traced->threads[i] = traced->threads[--traced->count];
        else
            i++;
    }
}

/* ==== Running =========================================================== */

/* Steps THREAD over its current instruction; other signals wait. */
static void step(struct mq_traced *traced, struct mq_traced_thread *thread)
{
    int tries, status, waiting = thread->signal;

    for (tries = 0; tries < most_tries; tries++) {
        if (ptrace(PTRACE_SINGLESTEP, thread->id, NULL, NULL) != 0
            || !ask(traced, thread->id, true, &status))
            return;
        if (status >> 16 == 0 && WIFSTOPPED(status)
            && WSTOPSIG(status) == SIGTRAP)
            break;
        if (!WIFSTOPPED(status)) {
            end_thread(traced, (size_t)(thread - traced->threads), status);
            return;
        }
        if (status >> 16 == 0)
            waiting = WSTOPSIG(status);
    }
    thread->signal = waiting;
    thread->at = 0;
}

void mq_traced_go(struct mq_traced *traced)
{
    for (size_t i = 0; i < traced->count; i++) {
        struct mq_traced_thread *thread = &traced->threads[i];

        if (thread->state == mq_traced_stopped && thread->at != 0
            && thread->is_reported)
            step(traced, thread);
    }
    if (traced->has_ended)
        return;
    set_places(traced);
    for (size_t i = 0; i < traced->count; i++)
        resume(&traced->threads[i]);
}

void mq_traced_look(struct mq_traced *traced)
{
    look(traced);
    drop_ended(traced);
    for (size_t i = 0; i < traced->count && !traced->has_executed; i++)
        resume(&traced->threads[i]);
}

enum mq_result mq_traced_stop(struct mq_traced *traced, struct mq_error *error)
{
    double deadline = mq_now() + patience;
    enum mq_result result = mq_ok;

    for (size_t i = 0; i < traced->count; i++)
        if (traced->threads[i].state == mq_traced_runs) {
            struct mq_traced_thread *thread = &traced->threads[i];

            mq_restart_prepare(thread->id, &thread->restart);
            ptrace(PTRACE_INTERRUPT, thread->id, NULL, NULL);
        }
    while (look(traced) && !traced->has_ended && result == mq_ok) {
        if (mq_now() > deadline)
            result = mq_fail(error, "process %d cannot be stopped: a thread of "
                             "it is in the kernel, or there is no processor "
                             "for it", traced->pid);
        mq_nap(1);
    }
    drop_ended(traced);
    if (traced->memory != NULL && !traced->has_ended)
        clear_places(traced, traced->memory);
    return result;
}

bool mq_traced_arrived(struct mq_traced *traced, uint64_t *address)
{
    for (size_t i = 0; i < traced->count; i++) {
        struct mq_traced_thread *thread = &traced->threads[i];

        if (thread->at != 0 && !thread->is_reported) {
            thread->is_reported = true;
            *address = thread->at;
            return true;
        }
    }
    return false;
}

/* ==== Begin and end ===================================================== */

/* Takes over the threads that HALT has stopped. */
static enum mq_result adopt(struct mq_traced *traced, struct mq_halt *halt,
                            struct mq_error *error)
{
    const long options = PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE
                         | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;

    for (size_t i = 0; i < halt->count; i++) {
        const struct mq_halted_thread *halted = &halt->threads[i];
        struct mq_traced_thread *thread;

        if (halted->state != mq_halt_stopped)
            continue;
        thread = add_thread(traced, halted->id);
        if (thread == NULL)
            return mq_fail_memory(error, "for threads");
        thread->state = mq_traced_stopped;
        thread->signal = halted->signal;
        thread->restart = halted->restart;
        thread->is_held_by_signal = halt->was_stopped;
        ptrace(PTRACE_SETOPTIONS, halted->id, NULL, options);
    }
    free(halt->threads);
    return mq_ok;
}

enum mq_result mq_traced_begin(struct mq_traced *traced, int pid,
                               struct mq_patch_guard *guard,
                               struct mq_error *error)
{
    struct mq_proc_stat stat = { .parent = 0 };
    struct mq_halt halt = { .pid = 0 };
    enum mq_result result;

    memset(traced, 0, sizeof *traced);
    mq_proc_stat_read(pid, &stat);
    traced->pid = pid;
    traced->guard = guard;
    traced->is_child = stat.parent == getpid();
    if (mq_halt_ask(&halt, pid, error) != mq_ok)
        return mq_failed;
    result = mq_halt_wait(&halt, patience, error);
    if (result != mq_ok)
        return result == mq_failed ? mq_failed
               : mq_fail(error, "process %d has ended", pid);
    if (mq_memory_open(pid, error, &traced->memory) == mq_ok
        && adopt(traced, &halt, error) == mq_ok)
        return mq_ok;
    mq_halt_deinit(&halt);
    mq_traced_end(traced);
    return mq_failed;
}

void mq_traced_end(struct mq_traced *traced)
{
    mq_traced_stop(traced, NULL);
    for (size_t i = 0; i < traced->count; i++)
        if (traced->threads[i].state == mq_traced_stopped)
            let_run(&traced->threads[i], true);
    mq_target_destroy(traced->memory);
    free(traced->threads);
    memset(traced, 0, sizeof *traced);
}

enum mq_result mq_traced_spin(struct mq_traced *traced, struct mq_error *error,
                              struct mq_code_patch *patch)
{
    struct mq_code_patch made = { .length = sizeof spin };

    for (size_t i = 0; i < traced->count && made.address == 0; i++)
        made.address = traced->threads[i].at;
    if (made.address == 0)
        return mq_absent;
    memcpy(made.after, spin, sizeof spin);
    if (traced->memory->ops->read(traced->memory, made.address, made.length,
                                  error, made.before) != mq_ok
        || mq_code_patch_apply(&made, traced->memory, traced->guard, error)
           != mq_ok)
        return mq_failed;
    *patch = made;
    return mq_ok;
}

#else

enum mq_result mq_traced_begin(struct mq_traced *traced, int pid,
                               struct mq_patch_guard *guard,
                               struct mq_error *error)
{
    (void)traced, (void)guard;
    return mq_fail(error, "process %d cannot be run to a breakpoint: mqdump "
                   "does that on x86-64 and AArch64 only", pid);
}

void mq_traced_end(struct mq_traced *traced)
{
    (void)traced;
}

enum mq_result mq_traced_spin(struct mq_traced *traced, struct mq_error *error,
                              struct mq_code_patch *patch)
{
    (void)traced, (void)error, (void)patch;
    return mq_absent;
}

enum mq_result mq_traced_add(struct mq_traced *traced, uint64_t address,
                             struct mq_error *error)
{
    (void)traced, (void)address, (void)error;
    return mq_absent;
}

void mq_traced_drop(struct mq_traced *traced, uint64_t address)
{
    (void)traced, (void)address;
}

void mq_traced_go(struct mq_traced *traced)
{
    (void)traced;
}

void mq_traced_look(struct mq_traced *traced)
{
    (void)traced;
}

enum mq_result mq_traced_stop(struct mq_traced *traced, struct mq_error *error)
{
    (void)traced, (void)error;
    return mq_absent;
}

bool mq_traced_arrived(struct mq_traced *traced, uint64_t *address)
{
    (void)traced, (void)address;
    return false;
}

#endif
