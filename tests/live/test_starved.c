/* test_starved.c - a process that wants a processor and gets none between two
 * looks is told from one that has gone on. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mqdump/read/looks.h"
#include "tests/kit/harness.h"

enum { rivals = 3 };

static const double seconds = 0.05;     /* between looks */

/* A process that computes by this policy on the processor that all have. */
static pid_t start(int policy)
{
    const struct sched_param parameter = { .sched_priority = 0 };
    pid_t child = fork();

    if (child != 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (sched_setscheduler(0, policy, &parameter) != 0)
        _exit(1);
    for (;;)
        continue;
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
static bool share_one(void)
{
    cpu_set_t all, one;

    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return false;
    CPU_ZERO(&one);
    for (size_t i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &all) && CPU_COUNT(&one) == 0)
            CPU_SET(i, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0;
}

int main(void)
{
    pid_t rival[rivals], process;

    CHECK(share_one());
    test("a process that has the processor");
    process = start(SCHED_OTHER);
    CHECK(!is_starved(process));
    end(process);
    test("one that sleeps");
    process = start_sleeper();
    CHECK(!is_starved(process));
    end(process);
    test("one that others keep from it");
    for (int i = 0; i < rivals; i++)
        rival[i] = start(SCHED_OTHER);
    process = start(SCHED_IDLE);
    CHECK(is_starved(process));
    end(process);
    for (int i = 0; i < rivals; i++)
        end(rival[i]);
    return tests_end();
}
