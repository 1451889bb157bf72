/* test_overload.c - slow samples on a busy host
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/sample/throttle.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "mqdump/system/precedence.h"
#include "tests/kit/harness.h"

enum { most_rivals = 1024, best = -20 };

static const double long_ago = 1000;    /* seconds */

/* Keeps what it was told. */
struct listener {
    struct mq_logger logger;
    char text[256];
    int times;
};

static void listen_to(struct mq_logger *logger, enum mq_log_level kind,
                      const char *text)
{
    struct listener *listener = (struct listener *)logger;

    CHECK_INT(kind, mq_info);
    snprintf(listener->text, sizeof listener->text, "%s", text);
    listener->times++;
}

static pid_t start_rival(void)
{
    pid_t rival = fork();

    if (rival == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            continue;
    }
    return rival;
}

static void check_busy(void)
{
    struct listener listener = { { listen_to }, "", 0 };
    struct mq_overload overload = { .logger = &listener.logger };
    pid_t rivals[most_rivals];
    int count = 0;

    test("a busy machine");
    while (count < most_rivals && count < 8 * sysconf(_SC_NPROCESSORS_ONLN))
        rivals[count++] = start_rival();
    overload.begin = mq_now() + long_ago;
    mq_overload_check(&overload);
    CHECK(!overload.is_late);
    CHECK_INT(listener.times, 0);
    overload.begin = mq_now() - long_ago;
    while (!overload.is_late)
        mq_overload_check(&overload);
    mq_overload_check(&overload);
    CHECK_INT(listener.times, 1);
    CHECK_CONTAINS(listener.text, "this host is busy: ");
    CHECK(!mq_overload_is_past(mq_now(), long_ago));
    while (!mq_overload_is_past(mq_now() - long_ago, 1))
        continue;
    while (count > 0) {
        kill(rivals[--count], SIGKILL);
        waitpid(rivals[count], NULL, 0);
    }
}

/* The niceness of a child of this process. */
static int niceness_of_child(void)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0)
        _exit(getpriority(PRIO_PROCESS, 0) - best);
    waitpid(child, &status, 0);
    return WEXITSTATUS(status) + best;
}

static void check_niceness(void)
{
    test("niceness");
    if (getpriority(PRIO_PROCESS, 0) != 0) {
        test_skip("this process has another one than others");
        return;
    }
    mq_precedence_prefer();
    if (geteuid() == 0 && getpriority(PRIO_PROCESS, 0) == 0)
        test_skip("root may not choose it here");
    else
        CHECK_INT(getpriority(PRIO_PROCESS, 0), geteuid() == 0 ? best : 0);
    CHECK_INT(niceness_of_child(), 0);
}

static void check_again(void)
{
    bool is_taken;

    test("precedence is given up, and taken again");
    is_taken = mq_precedence_take();
    mq_precedence_give_up(is_taken);
    CHECK_INT(mq_precedence_take(), is_taken);
    mq_precedence_give_up(is_taken);
}

int main(void)
{
    check_busy();
    check_again();
    check_niceness();
    return tests_end();
}
