/* test_run_control.c - breakpoints in running processes
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/run_control.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "direct/direct.h"
#include "process/proc_stat.h"
#include "target/memory.h"
#include "tests/kit/harness.h"

enum { times = 20, threads = 4, own_status = 7 };

void MPIR_Breakpoint(void);
int MPI_Abort(int comm, int code);

/* What all processes see. */
static struct shared {
    volatile int counts, stays, goes;
    volatile pid_t control;
    struct mq_code_patch changes[16];
    volatile size_t change_count;
} *shared;

__attribute__((noinline)) void MPIR_Breakpoint(void)
{
    __atomic_add_fetch(&shared->counts, 1, __ATOMIC_SEQ_CST);
}

__attribute__((noinline)) int MPI_Abort(int comm, int code)
{
    MPIR_Breakpoint();
    return comm + code + shared->counts;
}

/* ---- What is held ------------------------------------------------------ */

static void call_often(void)
{
    for (int i = 0; i < times; i++)
        MPIR_Breakpoint();
}

static void *in_thread(void *argument)
{
    call_often();
    return argument;
}

static void call_in_threads(void)
{
    pthread_t all[threads];

    for (int i = 0; i < threads; i++)
        pthread_create(&all[i], NULL, in_thread, NULL);
    for (int i = 0; i < threads; i++)
        pthread_join(all[i], NULL);
}

/* A new process comes by the same function, and ends well. */
static void call_in_child(void)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        MPIR_Breakpoint();
        _exit(0);
    }
    waitpid(child, &status, 0);
    if (status != 0)
        _exit(1);
}

static void execute(void)
{
    execl("/proc/self/exe", "test_run_control", "call", (char *)NULL);
}

static void abort_once(void)
{
    MPI_Abort(0, 0);
}

static void go_on_and_on(void)
{
    while (!shared->goes) {
        shared->stays++;
        usleep(1000);
    }
    call_often();
}

static pid_t start(void (*work)(void))
{
    pid_t child;

    shared->counts = shared->goes = shared->stays = 0;
    shared->change_count = 0;
    child = fork();
    if (child == 0) {
        raise(SIGSTOP);
        work();
        _exit(own_status);
    }
    waitpid(child, NULL, WUNTRACED);
    return child;
}

/* ---- Who holds it ------------------------------------------------------ */

static enum mq_result note_change(struct mq_patch_guard *guard,
                                  struct mq_target *memory,
                                  const struct mq_code_patch *patch,
                                  struct mq_error *error)
{
    (void)guard, (void)memory, (void)error;
    shared->changes[shared->change_count] = *patch;
    shared->change_count++;
    return mq_ok;
}

static const char *const functions[] = { "MPIR_Breakpoint", NULL };
static const volatile sig_atomic_t never;

struct hold {
    struct mq_patch_guard guard;
    struct mq_run_control *control;
    struct mq_target *target;
    struct mq_run_event event;
};

/* Holds PID, which has stopped itself; false if that cannot be done here. */
static bool begin(struct hold *hold, pid_t pid)
{
    struct mq_pin pin;
    struct mq_error error = { "" };

    memset(hold, 0, sizeof *hold);
    hold->guard.notify = note_change;
    if (mq_run_control_create(&hold->guard, &error, &hold->control) != mq_ok)
        return false;
    if (mq_pin_process(pid, &error, &pin) != mq_ok
        || mq_run_control_add(hold->control, &pin, &error, &hold->target)
           != mq_ok) {
        mq_run_control_destroy(hold->control);
        return false;
    }
    kill(pid, SIGCONT);
    return true;
}

/* Runs until something happens; what, or -1. */
static int run(struct hold *hold, double seconds)
{
    struct mq_error error = { "" };

    return mq_run_control_run(hold->control, functions, seconds, &never, &error,
                              &hold->event) == mq_ok
           ? (int)hold->event.kind : -1;
}

/* How often it enters the function until it ends, with its own status. */
static int count_to_end(struct hold *hold)
{
    int count = 0, kind;

    while ((kind = run(hold, -1)) == mq_run_entered)
        count++;
    CHECK_INT(kind, mq_run_exited);
    CHECK_INT(hold->event.status, own_status);
    return count;
}

/* Its end was left to who started it. */
static void end(struct hold *hold, pid_t pid)
{
    int status = 0;

    mq_run_control_destroy(hold->control);
    CHECK_INT(waitpid(pid, &status, 0), pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == own_status);
}

static void check_count(const char *name, void (*work)(void), int wanted,
                        int passes)
{
    struct hold hold;
    pid_t pid = start(work);

    test("%s", name);
    if (begin(&hold, pid)) {
        CHECK_INT(count_to_end(&hold), wanted);
        end(&hold, pid);
        CHECK_INT(shared->counts, passes);
    }
}

static void check_program(void)
{
    struct hold hold;
    pid_t pid = start(execute);

    test("it executes another program");
    if (!begin(&hold, pid))
        return;
    CHECK_INT(run(&hold, -1), mq_run_executed);
    CHECK_INT(run(&hold, -1), mq_run_begins);
    CHECK_CONTAINS(hold.target->image, "test_run_control");
    CHECK_INT(count_to_end(&hold), 1);
    end(&hold, pid);
}

static void check_call(void)
{
    struct hold hold;
    struct mq_error error = { "" };
    pid_t pid = start(abort_once);

    test("the MPI function that it is in");
    if (!begin(&hold, pid))
        return;
    CHECK_INT(run(&hold, -1), mq_run_entered);
    CHECK_STRING(hold.event.function, "MPIR_Breakpoint");
    CHECK(mq_run_control_describe(hold.target, &error) == mq_ok);
    CHECK_STRING(hold.target->call != NULL ? hold.target->call : "none",
                 "MPI_Abort");
    CHECK_INT(count_to_end(&hold), 0);
    end(&hold, pid);
}

static void check_spin(void)
{
    struct mq_code_patch patch;
    struct mq_target *memory;
    struct mq_error error = { "" };
    struct hold hold;
    pid_t pid = start(call_often);

    test("it stays where it is, and goes on");
    if (!begin(&hold, pid))
        return;
    CHECK_INT(run(&hold, -1), mq_run_entered);
    CHECK(mq_memory_open(pid, &error, &memory) == mq_ok);
    CHECK(mq_run_control_spin(hold.target, &error, &patch) == mq_ok);
    mq_nap(100);
    CHECK_INT(shared->counts, 0);
    CHECK_INT(mq_proc_state(pid), 'R');
    CHECK(mq_code_patch_undo(&patch, memory, &error) == mq_ok);
    mq_target_destroy(memory);
    end(&hold, pid);
    CHECK_INT(shared->counts, times);
}

/* Waits for it to be further than it was. */
static void await_more(void)
{
    int before = shared->stays;

    while (shared->stays < before + 2)
        mq_nap(1);
}

static void check_stopped(void)
{
    struct hold hold;
    pid_t pid = start(go_on_and_on);

    test("a signal stops it, and it stays so");
    if (!begin(&hold, pid))
        return;
    CHECK_INT(run(&hold, 0.1), mq_run_interrupted);
    kill(pid, SIGSTOP);
    CHECK_INT(run(&hold, 0.3), mq_run_interrupted);
    mq_run_control_destroy(hold.control);
    for (int i = 0; i < 1000 && mq_proc_state(pid) != 'T'; i++)
        mq_nap(10);
    CHECK_INT(mq_proc_state(pid), 'T');
    kill(pid, SIGCONT);
    await_more();
    shared->goes = 1;
    hold.control = NULL;
    end(&hold, pid);
}

/* In a child: holds PID until that is not so any more. */
static void hold_for_ever(pid_t pid)
{
    struct hold hold;

    if (!begin(&hold, pid))
        _exit(1);
    for (;;)
        run(&hold, -1);
}

/* What the guard does. */
static void set_back(pid_t pid)
{
    struct mq_target *memory;

    CHECK(mq_memory_open(pid, NULL, &memory) == mq_ok);
    for (size_t i = 0; i < shared->change_count; i++)
        CHECK(mq_code_patch_undo(&shared->changes[i], memory, NULL)
              == mq_ok);
    mq_target_destroy(memory);
}

/* The process is no child of its holder's here. */
static void check_killed(void)
{
    int status = 0;
    pid_t pid = start(go_on_and_on), control = fork();

    test("who holds it is killed");
    if (control == 0)
        hold_for_ever(pid);
    while (shared->stays < 20 && waitpid(control, &status, WNOHANG) == 0)
        mq_nap(10);
    if (shared->stays < 20) {
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
        return;
    }
    kill(control, SIGKILL);
    waitpid(control, &status, 0);
    await_more();
    set_back(pid);
    shared->goes = 1;
    CHECK_INT(waitpid(pid, &status, 0), pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == own_status);
    CHECK_INT(shared->counts, times);
}

int main(int argc, char **argv)
{
    struct hold hold;
    pid_t pid;

    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (argc > 1 && strcmp(argv[1], "call") == 0) {
        MPIR_Breakpoint();
        _exit(own_status);      /* who is traced cannot look for leaks */
    }
    pid = start(call_often);
    test("processes that are held");
    if (mq_direct_library() == NULL) {
        CHECK(!begin(&hold, pid));
        kill(pid, SIGKILL);
        return tests_end();
    }
    if (!begin(&hold, pid)) {
        test_skip("the kernel forbids it");
        kill(pid, SIGKILL);
        return tests_end();
    }
    CHECK_INT(count_to_end(&hold), times);
    end(&hold, pid);
    check_count("in threads", call_in_threads, times * threads,
                times * threads);
    check_count("in a new process", call_in_child, 0, 1);
    check_program();
    check_call();
    check_spin();
    check_stopped();
    check_killed();
    return tests_end();
}
