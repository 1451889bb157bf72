/* test_interrupt.c - no signal is lost, at any instruction
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqdump/system/interrupt.h"

#include <stdbool.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/kit/harness.h"

/* A sanitizer adds many steps: then a few of them are tried. */
enum { usual_steps = 500, few_tries = 60, most_steps = 100000 };

/* Each returns what it took. */
static int hold_and_resume(void)
{
    mq_interrupt_block();
    mq_interrupt_unblock();
    return 0;
}

/* The child: EARLIER has come already, or is 0. */
static void be_child(int (*work)(void), int earlier)
{
    struct sigaction before[mq_interrupt_signals];
    int taken;

    mq_interrupt_catch(before);
    signal(SIGUSR1, SIG_IGN);
    if (earlier != 0)
        raise(earlier);
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGSTOP);
    taken = work();
    raise(SIGUSR1);             /* who steps to this has come to the end */
    _exit(taken == SIGTERM || mq_interrupted == SIGTERM ? 0 : 1);
}

static bool step(pid_t child, int *status)
{
    return ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) == 0
           && waitpid(child, status, 0) == child && WIFSTOPPED(*status)
           && WSTOPSIG(*status) == SIGTRAP;
}

/* Gives a child the signal after so many STEPS: 1 if it knows of it then, 0 if
 * not, and -1 if it was done before.
 */
static int try_after(int steps, int (*work)(void), int earlier)
{
    pid_t child = fork();
    int status = 0;

    if (child == 0)
        be_child(work, earlier);
    waitpid(child, &status, 0);
    while (steps > 0 && step(child, &status))
        steps--;
    if (steps > 0 || !WIFSTOPPED(status)) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        return -1;
    }
    ptrace(PTRACE_DETACH, child, NULL, (void *)(long)SIGTERM);
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* How many steps a child takes. */
static int count_steps(int (*work)(void), int earlier)
{
    pid_t child = fork();
    int status = 0, steps = 0;

    if (child == 0)
        be_child(work, earlier);
    waitpid(child, &status, 0);
    while (steps < most_steps && step(child, &status))
        steps++;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return steps;
}

static void try_all(const char *name, int (*work)(void), int earlier)
{
    int count = count_steps(work, earlier), steps;
    int stride = count <= usual_steps ? 1 : count / few_tries;

    test(name);
    CHECK(count > 10 && count < most_steps);
    for (steps = 0; steps <= count; steps += stride)
        CHECK_INT(try_after(steps, work, earlier), 1);
    CHECK_INT(try_after(count + 1, work, earlier), -1);
}

int main(void)
{
    /* What is called is linked at the first call, which takes many steps. */
    hold_and_resume();
    mq_interrupt_take();
    try_all("held and resumed", hold_and_resume, 0);
    try_all("held and resumed after another", hold_and_resume, SIGINT);
    try_all("taken", mq_interrupt_take, 0);
    try_all("taken after another", mq_interrupt_take, SIGINT);
    return tests_end();
}
