/* Threads that run stand still for a moment, and go on as they were. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "target/freeze.h"
#include "tests/harness.h"

enum { most_naps = 30000 };     /* of a millisecond: for very slow machines */

static volatile sig_atomic_t *signals;  /* that the child got; shared */
static volatile unsigned long *rounds;  /* of its loop; shared */

static void count_signal(int number)
{
    (void)number;
    *signals += 1;
}

static void spin(void)
{
    signal(SIGUSR1, count_signal);
    for (;;)
        *rounds += 1;
}

static void nap(void)
{
    for (;;)
        pause();
}

static void stop(void)
{
    raise(SIGSTOP);
    nap();
}

static pid_t start(void (*what)(void))
{
    pid_t child = fork();

    if (child == 0) {
        what();
        _exit(0);
    }
    return child;
}

static void end(pid_t child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* The letter of a process's state. */
static char state_of(pid_t pid)
{
    char path[64], text[512];
    const char *state;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    file = fopen(path, "r");
    if (file == NULL)
        return '?';
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    state = strrchr(text, ')');
    if (state == NULL || state[1] == '\0')
        return '?';
    return state[2];
}

static char wait_for(pid_t pid, char state)
{
    for (int i = 0; i < most_naps && state_of(pid) != state; i++)
        mq_nap(1);
    return state_of(pid);
}

static bool goes_on(void)
{
    unsigned long before = *rounds;

    for (int i = 0; i < most_naps && *rounds == before; i++)
        mq_nap(1);
    return *rounds != before;
}

/* For longer than any test takes. */
static void freeze_it(struct mq_freeze *freeze, pid_t pid)
{
    struct mq_owner owner = { .pid = pid };

    mq_owner_pin(pid, NULL, &owner);
    mq_freeze(freeze, &owner, 1, 600);
}

/* The process that traces another one, as the kernel says; 0: none. */
static int tracer_of(pid_t pid)
{
    char path[64], line[256];
    int tracer = -1;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    file = fopen(path, "r");
    while (file != NULL && tracer < 0
           && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "TracerPid: %d", &tracer) != 1)
            tracer = -1;
    if (file != NULL)
        fclose(file);
    return tracer;
}

static void test_that_which_runs(void)
{
    struct mq_freeze freeze = { 0 };
    pid_t child = start(spin);
    unsigned long before;

    test("a process that runs");
    CHECK(goes_on());
    freeze_it(&freeze, child);
    CHECK_INT(wait_for(child, 't'), 't');
    before = *rounds;
    kill(child, SIGUSR1);
    mq_nap(20);
    CHECK(*rounds == before);
    CHECK_INT(*signals, 0);
    mq_thaw(&freeze);
    CHECK_INT(freeze.holder, 0);
    CHECK(goes_on());
    for (int i = 0; i < most_naps && *signals == 0; i++)
        mq_nap(1);
    CHECK_INT(*signals, 1);
    end(child);
}

/* A signal that comes before the stop is not lost in it. */
static void test_signals_at_the_same_time(void)
{
    pid_t child = start(spin);
    int sent = 0;

    test("signals while it is frozen");
    *signals = 0;
    CHECK(goes_on());
    for (; sent < 100; sent++) {
        struct mq_freeze freeze = { 0 };

        kill(child, SIGUSR1);
        freeze_it(&freeze, child);
        mq_thaw(&freeze);
        for (int i = 0; i < most_naps && *signals <= sent; i++)
            mq_nap(1);
    }
    CHECK_INT(*signals, sent);
    CHECK(goes_on());
    end(child);
}

static void test_that_which_does_not(void)
{
    static const struct {
        const char *name;
        void (*what)(void);
        char state;
    } cases[] = {
        { "a process that sleeps", nap, 'S' },
        { "a process that is stopped", stop, 'T' }
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mq_freeze freeze = { 0 };
        pid_t child = start(cases[i].what);

        test("%s", cases[i].name);
        CHECK_INT(wait_for(child, cases[i].state), cases[i].state);
        freeze_it(&freeze, child);
        mq_nap(20);
        CHECK_INT(state_of(child), cases[i].state);
        mq_thaw(&freeze);
        CHECK_INT(state_of(child), cases[i].state);
        end(child);
    }
}

static void test_its_end(void)
{
    struct mq_freeze freeze = { 0 };
    pid_t child = start(spin);

    test("a process that ends meanwhile");
    CHECK(goes_on());
    freeze_it(&freeze, child);
    kill(child, SIGKILL);
    CHECK_INT(wait_for(child, 'Z'), 'Z');
    mq_thaw(&freeze);
    waitpid(child, NULL, 0);
    freeze_it(&freeze, child);
    mq_thaw(&freeze);
}

/* Who freezes and ends lets go. */
static void test_the_end_of_who_freezes(void)
{
    pid_t child = start(spin), other;

    test("who freezes ends");
    CHECK(goes_on());
    other = fork();
    if (other == 0) {
        struct mq_freeze freeze = { 0 };

        freeze_it(&freeze, child);
        nap();
    }
    CHECK_INT(wait_for(child, 't'), 't');
    end(other);
    CHECK(goes_on());
    end(child);
}

/* What cannot stop soon is let go all the same: a process that others leave next
 * to nothing of its processor.
 */
static void test_what_does_not_stop(void)
{
    pid_t child = start(spin), busy[4];
    struct mq_freeze freeze = { 0 };
    struct sched_param none = { 0 };
    cpu_set_t one;

    test("a process that gets no processor is let go");
    CHECK(goes_on());
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    for (size_t i = 0; i < sizeof busy / sizeof busy[0]; i++) {
        busy[i] = start(spin);
        sched_setaffinity(busy[i], sizeof one, &one);
    }
    sched_setaffinity(child, sizeof one, &one);
    sched_setscheduler(child, SCHED_IDLE, &none);
    for (int i = 0; i < 20; i++) {
        freeze_it(&freeze, child);
        mq_nap(5);
        mq_thaw(&freeze);
        CHECK_INT(tracer_of(child), 0);
    }
    for (size_t i = 0; i < sizeof busy / sizeof busy[0]; i++)
        end(busy[i]);
    end(child);
}

int main(void)
{
    void *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (shared == MAP_FAILED)
        return 2;
    signals = shared;
    rounds = (volatile unsigned long *)shared + 8;
    test_that_which_runs();
    test_signals_at_the_same_time();
    test_that_which_does_not();
    test_its_end();
    test_the_end_of_who_freezes();
    test_what_does_not_stop();
    return tests_end();
}
