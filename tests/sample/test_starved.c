/* test_starved.c - starved processes do not count as still */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "mqdump/sample/looks.h"
#include "process/proc_stat.h"
#include "tests/kit/harness.h"
#include "tests/kit/processor.h"

enum { rivals = 8 };

static const double seconds = 0.05;     /* between looks */

static void spin(void)
{
    for (;;)
        continue;
}

static void sleep_on(void)
{
    for (;;)
        pause();
}

static void give_way(void)
{
    for (;;)
        sched_yield();
}

/* Is in state D until another ends, which does not. */
static void be_kept(void)
{
    if (syscall(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0) != 0)
        _exit(1);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sleep_on();
}

static pid_t start(void (*what)(void))
{
    pid_t child = fork();

    if (child != 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    what();
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

int main(void)
{
    pid_t process = start(spin), rival[rivals];
    bool is = true;

    test("a process that has the processor");
    for (int i = 0; is && i < 10; i++)      /* as far as others leave it */
        is = is_starved(process);
    CHECK(!is);
    end(process);
    test("one that sleeps");
    process = start(sleep_on);
    CHECK(!is_starved(process));
    end(process);
    test("one that gives way to others");
    share_one_processor();
    for (int i = 0; i < rivals; i++)
        rival[i] = start(spin);
    process = start(give_way);
    CHECK(!is_starved(process));
    end(process);
    for (int i = 0; i < rivals; i++)
        end(rival[i]);
    test("one that is kept from it");
    process = start(be_kept);
    while (mq_proc_state(process) != 'D')
        mq_nap(1);
    CHECK(is_starved(process));
    end(process);
    return tests_end();
}
