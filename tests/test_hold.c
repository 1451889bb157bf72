/* Those that poll stand still while others start, if they are many, and not for
 * long.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqdump/hold.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/proc_stat.h"
#include "tests/harness.h"

enum { most_tries = 30 };       /* for very slow machines */

static size_t count;
static struct mq_gdb_subject *subjects;

/* How many of them are stopped by a tracer. */
static size_t count_held(void)
{
    size_t held = 0;

    for (size_t i = 0; i < count; i++)
        held += mq_proc_state(subjects[i].pid) == 't';
    return held;
}

/* Waits until so many are held, for a hold's time and some more. */
static bool come_to_be_held(size_t wanted)
{
    double end = mq_now() + 3;

    while (count_held() != wanted && mq_now() < end)
        mq_nap(1);
    return count_held() == wanted;
}

/* Holds all.  Who is slow to look may be too late to see it. */
static bool are_all_held(struct mq_hold *hold)
{
    for (int tries = 0; tries < most_tries; tries++) {
        mq_hold_begin(subjects, count, hold);
        if (hold->frozen.holder > 0 && come_to_be_held(count))
            return true;
        mq_hold_end(hold);
    }
    return false;
}

static bool are_let_go(void)
{
    bool are = false;

    for (int tries = 0; tries < most_tries && !are; tries++)
        are = come_to_be_held(0);
    return are;
}

static void start_all(void)
{
    for (size_t i = 0; i < count; i++) {
        subjects[i].kind = mq_gdb_process;
        subjects[i].pid = fork();
        if (subjects[i].pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (;;)
                continue;
        }
        mq_owner_pin(subjects[i].pid, NULL, &subjects[i].owner);
    }
}

static void end_all(void)
{
    for (size_t i = 0; i < count; i++)
        kill(subjects[i].pid, SIGKILL);
    for (size_t i = 0; i < count; i++)
        waitpid(subjects[i].pid, NULL, 0);
}

static void test_few(void)
{
    struct mq_hold hold;

    test("few");
    mq_hold_begin(subjects, count - 1, &hold);
    CHECK_INT(hold.frozen.holder, 0);
    CHECK(mq_hold_end(&hold) == 0);
}

static void test_many(void)
{
    struct mq_hold hold;

    test("many are held");
    CHECK(are_all_held(&hold));
    test("they are let go");
    CHECK(mq_hold_end(&hold) > 0);
    CHECK(are_let_go());
    CHECK(mq_hold_end(&hold) == 0);
}

static void test_patience(void)
{
    struct mq_hold hold;

    test("they are held for two seconds");
    CHECK(are_all_held(&hold));
    CHECK(are_let_go());
    CHECK(mq_hold_end(&hold) <= 2);
}

/* The holder ends with who began, and what it held goes on. */
static void test_end(void)
{
    struct mq_hold hold;
    pid_t child = fork();

    test("who holds them is killed");
    if (child == 0) {
        are_all_held(&hold);
        raise(SIGKILL);
    }
    waitpid(child, NULL, 0);
    CHECK(are_let_go());
}

int main(void)
{
    count = 2 * (size_t)sysconf(_SC_NPROCESSORS_ONLN) + 1;
    subjects = calloc(count, sizeof subjects[0]);
    if (subjects == NULL)
        return 2;
    start_all();
    test_few();
    test_many();
    test_patience();
    test_end();
    end_all();
    free(subjects);
    return tests_end();
}
