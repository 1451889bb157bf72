/* test_concurrent_callers.c - restarted system calls do not count as movement
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "direct/direct.h"
#include "direct/halt.h"
#include "process/proc_stat.h"
#include "tests/kit/harness.h"

#ifdef __aarch64__
static const uint64_t instruction = 4;  /* bytes of that for system calls */
#else
static const uint64_t instruction = 2;
#endif

static void *wait_for_signal(void *unused)
{
    sigset_t wanted;
    int signal;

    (void)unused;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGUSR2);
    sigwait(&wanted, &signal);
    return NULL;
}

static pid_t start(void)
{
    pid_t child = fork();
    pthread_t thread;

    if (child != 0)
        return child;
    alarm(600);
    pthread_create(&thread, NULL, wait_for_signal, NULL);
    pause();
    _exit(0);
}

/* The number of the second thread of a process; 0: not known. */
static pid_t second_of(pid_t pid)
{
    DIR *threads = mq_proc_threads(pid);
    int thread, found = 0;

    while ((thread = mq_proc_next_thread(threads)) != 0)
        if (thread != pid)
            found = thread;
    mq_proc_end_threads(threads);
    return found;
}

static bool is_waiting(pid_t pid)
{
    pid_t second = second_of(pid);

    return second != 0 && mq_proc_state(second) == 'S'
           && mq_proc_state(pid) == 'S';
}

/* What tells where the other threads are, in a new string, if the second is
 * MOVED bytes away.
 */
static char *callers_of(struct mq_direct *direct, pid_t pid,
                          const struct mq_thread_registers *threads,
                          int64_t moved)
{
    struct mq_thread_registers held[2] = { threads[0], threads[1] };
    char name[64], *text = NULL;
    struct mq_held_process process = { pid, -1, held, 2, 2 };
    struct mq_target *target;
    struct mq_error error = { "" };

    held[1].registers.value[held[1].machine->pc] += (uint64_t)moved;
    snprintf(name, sizeof name, "/proc/%d/mem", (int)pid);
    process.memory = open(name, O_RDONLY | O_CLOEXEC);
    if (!CHECK_INT(mq_direct_open_held(direct, &process, NULL, &error, &target),
                   mq_ok))
        return NULL;
    CHECK_INT(target->live->concurrent_callers(target, &error, &text), mq_ok);
    CHECK_STRING(error.text, "");
    mq_target_destroy(target);
    return text;
}

static void compare(struct mq_direct *direct, pid_t pid,
                    const struct mq_thread_registers *threads)
{
    char *inside = callers_of(direct, pid, threads, 0);
    char *again = callers_of(direct, pid, threads, -(int64_t)instruction);
    char *later = callers_of(direct, pid, threads, (int64_t)instruction);

    if (inside != NULL && again != NULL && later != NULL) {
        CHECK_INT(inside[0] != '\0', 1);
        CHECK_STRING(again, inside);
        CHECK_INT(strcmp(later, inside) != 0, 1);
    }
    free(inside);
    free(again);
    free(later);
}

int main(void)
{
    struct mq_thread_registers threads[2];
    struct mq_direct *direct;
    struct mq_halt halt = { .threads = NULL };
    struct mq_error error = { "" };
    pid_t pid;

    test("a thread in a system call");
    if (mq_direct_create(&error, &direct) != mq_ok) {
        CHECK_CONTAINS(error.text, "elfutils");         /* built without */
        return tests_end();
    }
    pid = start();
    while (!is_waiting(pid))
        usleep(1000);
    threads[0].thread = pid;
    threads[1].thread = second_of(pid);
    if (CHECK_INT(mq_halt_ask(&halt, pid, &error), mq_ok)
        && CHECK_INT(mq_halt_wait(&halt, 600, &error), mq_ok)) {
        for (int i = 0; i < 2; i++)
            CHECK_INT(mq_registers_read(threads[i].thread, &error,
                                        &threads[i].machine,
                                        &threads[i].registers), mq_ok);
        compare(direct, pid, threads);
        mq_halt_end(&halt);
    }
    mq_halt_deinit(&halt);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    mq_direct_destroy(direct);
    return tests_end();
}
