/* test_starved.c - a process that wants a processor and gets none between two
 * looks is told from one that has gone on. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "mqdump/read/looks.h"
#include "process/proc_stat.h"
#include "tests/kit/harness.h"

enum { rivals = 8 };

static const double seconds = 0.05;     /* between looks */

static pid_t start_busy(void)
{
    pid_t child = fork();

    if (child != 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;)
        continue;
}

/* One that gives way to others whenever it can. */
static pid_t start_polite(void)
{
    pid_t child = fork();

    if (child != 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;)
        sched_yield();
}

static pid_t start_sleeper(void)
{
    pid_t child = fork();

    if (child != 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;)
        pause();
}

/* One that is in state D until another ends, which does not. */
static pid_t start_kept(void)
{
    pid_t child = fork();

    if (child != 0) {
        while (mq_proc_state(child) != 'D')
            mq_nap(1);
        return child;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (syscall(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0) == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            pause();
    }
    _exit(1);
}

static void end(pid_t child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static bool is_starved(pid_t child)
{
    struct mq_look_series series;

    memset(&series, 0, sizeof series);
    mq_look_settle_begin(&series, child);
    mq_look_settle_end(&series, child, seconds);
    return series.is_starved;
}

/* Leaves one processor to this process and its children. */
static void share_one(void)
{
    cpu_set_t all, one;

    CHECK(sched_getaffinity(0, sizeof all, &all) == 0);
    CPU_ZERO(&one);
    for (size_t i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &all) && CPU_COUNT(&one) == 0)
            CPU_SET(i, &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
}

int main(void)
{
    pid_t process = start_busy(), rival[rivals];

    bool is = true;

    test("a process that has the processor");
    for (int i = 0; is && i < 10; i++)      /* as far as others leave it */
        is = is_starved(process);
    CHECK(!is);
    end(process);
    test("one that sleeps");
    process = start_sleeper();
    CHECK(!is_starved(process));
    end(process);
    test("one that gives way to others");
    share_one();
    for (int i = 0; i < rivals; i++)
        rival[i] = start_busy();
    process = start_polite();
    CHECK(!is_starved(process));
    end(process);
    for (int i = 0; i < rivals; i++)
        end(rival[i]);
    test("one that is kept from it");
    process = start_kept();
    CHECK(is_starved(process));
    end(process);
    return tests_end();
}
