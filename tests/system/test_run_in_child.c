/* test_run_in_child.c - signals that arrive as the work ends
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/system/run_in_child.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "process/proc_stat.h"
#include "tests/kit/harness.h"

enum { done = 0, failed = 2 };

/* What the work does when its parent has been sent NUMBER, which comes too
 * late for it, or in time if it IS_PASSED_ON.
 */
struct occasion {
    const char *name;
    int number, says;
    bool is_passed_on;
    int signal, status;         /* that the parent shall end with */
};

static volatile pid_t *worker;          /* in memory that all share */

static void ignore(int number)
{
    (void)number;
}

static int work(void *argument)
{
    const struct occasion *occasion = argument;
    sigset_t all, usual;

    *worker = getpid();
    sigemptyset(&all);
    sigaddset(&all, occasion->number);
    signal(occasion->number, ignore);
    sigprocmask(SIG_BLOCK, &all, &usual);
    if (!occasion->is_passed_on)
        kill(getppid(), SIGSTOP);
    if (occasion->number != SIGCHLD)
        kill(getppid(), occasion->number);
    if (occasion->is_passed_on)
        sigsuspend(&usual);
    return occasion->says;
}

static int run_work(struct occasion *occasion)
{
    pid_t child = fork(), ended = 0;
    int status = 0;

    if (child == 0)
        _exit(mq_run_in_child(work, occasion, failed));
    do {
        ended = waitpid(child, &status, WUNTRACED);
        if (ended == child && WIFSTOPPED(status)) {
            while (mq_proc_state(*worker) != 'Z')
                mq_nap(1);
            kill(child, SIGCONT);
        }
    } while (ended == child && WIFSTOPPED(status));
    return status;
}

static struct occasion occasions[] = {
    { "nothing", SIGCHLD, done, false, 0, done },
    { "SIGHUP comes too late", SIGHUP, done, false, SIGHUP, 0 },
    { "SIGTERM comes too late", SIGTERM, done, false, SIGTERM, 0 },
    { "SIGINT comes too late", SIGINT, done, false, SIGINT, 0 },
    { "SIGHUP is passed on when all is done", SIGHUP, done, true, SIGHUP, 0 },
    { "SIGINT is an instruction", SIGINT, done, true, 0, done },
    { "a failure stays one", SIGHUP, failed, false, 0, failed }
};

int main(void)
{
    size_t i;

    worker = mmap(NULL, sizeof *worker, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (i = 0; i < sizeof occasions / sizeof occasions[0]; i++) {
        int status;

        test("%s", occasions[i].name);
        status = run_work(&occasions[i]);
        CHECK_INT(WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                  occasions[i].signal);
        CHECK_INT(WIFSIGNALED(status) ? 0 : WEXITSTATUS(status),
                  occasions[i].status);
    }
    return tests_end();
}
