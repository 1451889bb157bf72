/* test_proc_stat.c - detection of ended processes */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/proc_stat.h"
#include "tests/kit/harness.h"

enum { most_files = 100000 };   /* to close them takes a while */

static const struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

/* Locks FILE, opens as many others as it may, says so and waits. */
static void hold_files(int file, int said)
{
    struct rlimit limit = { 0, 0 };
    int ends[2] = { file, file };

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (fcntl(file, F_SETLK, &whole) != 0)
        _exit(1);
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    for (int i = 0; i < most_files / 2 && pipe(ends) == 0; i++)
        continue;
    if (write(said, "", 1) == 1)
        for (;;)
            pause();
    _exit(1);
}

/* The first of its files is closed first, long before it can be waited for. */
static void test_ending(void)
{
    FILE *locked = tmpfile();
    int said[2];
    struct flock lock = whole;
    char byte;
    pid_t child;

    test("a process that ends closes its files");
    CHECK(locked != NULL && pipe(said) == 0);
    if (locked == NULL)
        return;
    child = fork();
    if (child == 0)
        hold_files(fileno(locked), said[1]);
    close(said[1]);
    CHECK(read(said[0], &byte, 1) == 1);
    CHECK(!mq_proc_has_ended(child));
    kill(child, SIGKILL);
    while (fcntl(fileno(locked), F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK)
        lock = whole;
    CHECK(mq_proc_has_ended(child));
    waitpid(child, NULL, 0);
    test("a process that has been waited for");
    CHECK(mq_proc_has_ended(child));
    close(said[0]);
    fclose(locked);
}

static void *wait_for(void *child)
{
    waitpid(*(pid_t *)child, NULL, 0);
    return NULL;
}

/* What has ended stays so while its parent waits for it. */
static void test_waited_for(void)
{
    enum { times = 500, looks = 50 };
    int told_to_live = 0;

    test("a process that is waited for meanwhile");
    for (int i = 0; i < times; i++) {
        pid_t child = fork();
        pthread_t waiter;
        siginfo_t ended;

        if (child == 0)
            _exit(0);
        CHECK_INT(waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT), 0);
        CHECK_INT(pthread_create(&waiter, NULL, wait_for, &child), 0);
        for (int k = 0; k < looks; k++)
            told_to_live += !mq_proc_has_ended(child);
        pthread_join(waiter, NULL);
    }
    CHECK_INT(told_to_live, 0);
}

static void *say_and_wait(void *said)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (mq_proc_state(getpid()) != 'Z')
        usleep(1000);
    if (write(*(int *)said, "", 1) == 1)
        for (;;)
            pause();
    return NULL;
}

static void end_first_thread(int said)
{
    static int end;
    pthread_t other;

    end = said;
    if (pthread_create(&other, NULL, say_and_wait, &end) == 0)
        pthread_exit(NULL);
    _exit(1);
}

static void test_first_thread(void)
{
    int said[2];
    char byte;
    siginfo_t ended;
    pid_t child;

    test("a process whose first thread has ended alone");
    CHECK(pipe(said) == 0);
    child = fork();
    if (child == 0)
        end_first_thread(said[1]);
    close(said[1]);
    CHECK(read(said[0], &byte, 1) == 1);
    CHECK(!mq_proc_has_ended(child));
    kill(child, SIGKILL);
    CHECK_INT(waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT), 0);
    CHECK(mq_proc_has_ended(child));
    waitpid(child, NULL, 0);
    close(said[0]);
}

static void *wait_for_ever(void *nothing)
{
    (void)nothing;
    while (pause() != 0)
        continue;
    return NULL;
}

/* Tells at SAID, once there are many, that it waits with other threads. */
static void wait_with_others(int said)
{
    enum { threads = 100 };
    pthread_t other;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < threads; i++)
        if (pthread_create(&other, NULL, wait_for_ever, NULL) != 0)
            _exit(1);
    if (write(said, "", 1) == 1)
        wait_for_ever(NULL);
    _exit(1);
}

/* The first of the threads often ends before the others. */
static void test_killed(void)
{
    enum { times = 30 };
    int told_to_live = 0, said[2];
    char byte;

    test("a process of many threads that is killed");
    CHECK(pipe(said) == 0);
    for (int i = 0; i < times; i++) {
        pid_t child = fork();

        if (child == 0)
            wait_with_others(said[1]);
        CHECK(read(said[0], &byte, 1) == 1);
        kill(child, SIGKILL);
        while (mq_proc_state(child) != 'Z')
            continue;
        told_to_live += !mq_proc_has_ended(child);
        waitpid(child, NULL, 0);
    }
    CHECK_INT(told_to_live, 0);
    close(said[0]);
    close(said[1]);
}

static void test_others(void)
{
    struct mq_proc_stat stat;

    test("a process that runs");
    CHECK(!mq_proc_has_ended(getpid()));
    CHECK(mq_proc_stat_read(getpid(), &stat));
    CHECK_INT(stat.parent, getppid());
    CHECK(stat.memory > 0);
}

/* The sentence on a child that has ended, by SIGNAL or else with STATUS. */
static const char *end_of_child(int signal, int status)
{
    static char text[64];
    pid_t child = fork();
    siginfo_t info;

    if (child == 0) {
        raise(signal);
        _exit(status);
    }
    waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
    if (!mq_proc_end_words(child, sizeof text, text))
        strcpy(text, "not known");
    waitpid(child, NULL, 0);
    return text;
}

static void test_end(void)
{
    char text[64];

    test("how a process ended");
    CHECK_STRING(end_of_child(SIGKILL, 0),
                 "its process was killed by signal 9");
    CHECK_STRING(end_of_child(0, 3), "its process ended with exit status 3");
    CHECK_STRING(end_of_child(0, 0), "not known");
    CHECK(!mq_proc_end_words(getpid(), sizeof text, text));
}

int main(void)
{
    test_end();
    test_ending();
    test_waited_for();
    test_first_thread();
    test_killed();
    test_others();
    return tests_end();
}
