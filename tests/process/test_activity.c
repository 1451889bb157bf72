/* test_activity.c - activity of a running process, from the kernel */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "process/activity.h"
#include "process/proc_stat.h"
#include "tests/kit/harness.h"
#include "tests/kit/processor.h"

enum { most_naps = 30000 };     /* of a millisecond: for very slow machines */

static void spin(void)
{
    for (volatile unsigned long i = 0;; i++)
        continue;
}

static void wait_in_a_pipe(void)
{
    int ends[2];
    char byte;

    if (pipe(ends) == 0 && read(ends[0], &byte, 1) == 1)
        _exit(1);
}

static void stop(void)
{
    raise(SIGSTOP);
}

static pid_t start(void (*what)(void), char state)
{
    pid_t child = fork();

    if (child == 0) {
        what();
        _exit(0);
    }
    for (int i = 0; i < most_naps && mq_proc_state(child) != state; i++)
        mq_nap(1);
    return child;
}

static void end(pid_t child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void test_reading(void)
{
    static const struct {
        const char *name;
        void (*what)(void);
        char state;
        const char *doing;
        const char *call;
    } cases[] = {
        { "a process that computes", spin, 'R', "computing", NULL },
        { "one that waits in a pipe", wait_in_a_pipe, 'S', "asleep", "read" },
        { "one that a signal has stopped", stop, 'T', "stopped", NULL }
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mq_activity_series series = { .begin = 0 };
        pid_t child = start(cases[i].what, cases[i].state);

        test("%s", cases[i].name);
        mq_activity_look(&series, child, child);
        CHECK_INT(series.now.share, -1);
        mq_activity_begin(&series, child);
        mq_nap(50);
        mq_activity_look(&series, child, child);
        CHECK_STRING(mq_doing_names[series.now.doing], cases[i].doing);
        CHECK_STRING(series.now.system_call, cases[i].call);
        CHECK(series.now.since > 0);
        CHECK(series.now.share >= 0);
        end(child);
    }
}

/* What has computed once is not asleep in the end. */
static void test_changing(void)
{
    struct mq_activity_series series = { .begin = 0 };
    pid_t first = start(spin, 'R'), second = start(wait_in_a_pipe, 'S');

    test("one that computed and then sleeps has not slept all the time");
    mq_activity_look(&series, first, first);
    mq_activity_look(&series, second, second);
    CHECK_STRING(mq_doing_names[series.now.doing], "computing");
    CHECK_STRING(series.now.system_call, NULL);
    end(first);
    end(second);

    test("of a process that is not there nothing is known");
    memset(&series, 0, sizeof series);
    mq_activity_begin(&series, first);
    mq_activity_look(&series, first, first);
    CHECK_STRING(mq_doing_names[series.now.doing], "unknown");
    CHECK_INT(series.now.share, -1);
}

/* A process that ran freely for some SECONDS, had or waited for a processor in
 * SOUGHT of them, and did THIS at the looks before.
 */
static const char *doing_of(pid_t process, double seconds, double sought,
                            enum mq_doing this)
{
    struct mq_activity_series series = {
        .now.doing = this, .free_seconds = seconds, .sought_freely = sought
    };

    mq_activity_look(&series, process, process);
    return mq_doing_names[series.now.doing];
}

/* What it seems to do that did THIS, hardly wanted a processor in a second, and
 * wants one now, which this process has.
 */
static const char *doing_without(pid_t process, enum mq_doing this)
{
    struct mq_activity_series series;
    struct mq_proc_sched before, after;

    do {                        /* until it has got none indeed */
        memset(&series, 0, sizeof series);
        series.now.doing = this;
        series.free_seconds = 1;
        mq_proc_sched_read(process, &before);
        mq_activity_begin(&series, process);
        mq_activity_look(&series, process, process);
        mq_proc_sched_read(process, &after);
    } while (after.used > before.used || after.waited > before.waited);
    return mq_doing_names[series.now.doing];
}

static void test_starved(void)
{
    pid_t child;

    share_one_processor();
    child = start(spin, 'R');
    test("one that got no processor does what it did before");
    CHECK_STRING(doing_without(child, mq_computing), "computing");
    CHECK_STRING(doing_without(child, mq_asleep), "asleep");
    end(child);
}

static void test_busy_host(void)
{
    pid_t child = start(spin, 'R'), other = start(wait_in_a_pipe, 'S');

    test("one that waits for a processor most of the time computes");
    CHECK_STRING(doing_of(child, 1, 0.9, mq_doing_unknown), "computing");
    test("one that hardly wanted one has just been woken");
    CHECK_STRING(doing_of(child, 1, 0.1, mq_doing_unknown), "asleep");
    test("one that sleeps had been woken when it seemed to compute");
    CHECK_STRING(doing_of(other, 1, 0.1, mq_computing), "asleep");
    CHECK_STRING(doing_of(other, 0.2, 0.01, mq_computing), "asleep");
    test("one that sleeps has computed if it wanted a processor");
    CHECK_STRING(doing_of(other, 1, 0.9, mq_computing), "computing");
    end(child);
    end(other);
}

static char *written(const struct mq_activity *activity)
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);

    mq_activity_write(activity, file);
    fclose(file);
    return text;
}

static void test_words(void)
{
    static const char *const good[] = {
        "activity asleep 3 1795393696 openat\n",
        "activity computing 100 0 %\n",
        "activity working 60 5 %\n",
        "activity stopped -1 7 %\n"
    };
    static const struct {
        const char *words, *why;
    } bad[] = {
        { "dreaming 3 1 openat", "'dreaming' is not an activity" },
        { "asleep -2 1 openat", "is not a number" },
        { "asleep 3 x openat", "is not a number" },
        { "asleep 3 1 open%0aat", "the system call is not a name" },
        { "asleep 3 1 \033[2J", "the system call is not a name" }
    };
    struct mq_activity activity;
    struct mq_error error;

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        char line[100], *words = line, *text;

        test("words that are read and written: %s", good[i]);
        snprintf(line, sizeof line, "%s", good[i] + strlen("activity "));
        line[strcspn(line, "\n")] = '\0';
        CHECK_INT(mq_activity_take(&words, &error, &activity), mq_ok);
        text = written(&activity);
        CHECK_STRING(text, good[i]);
        free(text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char line[100], *words = line;

        test("words that are refused: %s", bad[i].why);
        snprintf(line, sizeof line, "%s", bad[i].words);
        CHECK_INT(mq_activity_take(&words, &error, &activity), mq_failed);
        CHECK_CONTAINS(error.text, bad[i].why);
    }
}

static void nap(void)
{
    for (;;)
        mq_nap(1);
}

/* As one does that a look has just woken. */
static void test_naps(void)
{
    struct mq_activity_series series = { .begin = 0 };
    pid_t child = start(nap, 'S');

    test("who runs for instants sleeps");
    mq_activity_begin(&series, child);
    mq_nap(1000);
    mq_activity_look(&series, child, child);
    CHECK_INT(series.now.doing, mq_asleep);
    end(child);
}

int main(void)
{
    test_reading();
    test_changing();
    test_busy_host();
    test_words();
    test_naps();
    test_starved();
    return tests_end();
}
