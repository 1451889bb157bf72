/* test_standard.c - standard descriptors, buffering and file limits
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/standard.h"
#include "tests/kit/harness.h"

/* What WORK returns in a child that has closed the descriptors that are bits of
 * CLOSED.
 */
static int in_child(int closed, int work(void))
{
    int status = -1;
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child == 0) {
        for (int i = 0; i < 3; i++)
            if (closed & 1 << i)
                close(i);
        _exit(mq_standard_prepare() ? work() : 99);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The first descriptor that is free. */
static int first_free(void)
{
    return dup(0);
}

/* Whether nothing can be read, or written, as bits. */
static int what_works(void)
{
    char byte;

    return (read(0, &byte, 1) == 0 ? 0 : 1) | (write(1, "x", 1) < 0 ? 0 : 2)
           | (write(2, "x", 1) < 0 ? 0 : 4);
}

static void check_descriptors(void)
{
    int free_before = first_free();

    close(free_before);
    for (int closed = 0; closed < 8; closed++) {
        test("descriptors of the bits %d are closed", closed);
        CHECK_INT(in_child(closed, first_free), free_before);
    }
    test("all are closed: nothing goes in or out");
    CHECK_INT(in_child(7, what_works), 0);
}

static int say_lines(void)
{
    for (int line = 0; line < 3; line++) {
        for (int i = 0; i < 100; i++)
            putc('a' + line, stderr);
        putc('\n', stderr);
    }
    return 0;
}

/* A pipe in which each write stays by itself. */
static void check_lines(void)
{
    int ends[2], kept = dup(2), writes = 0;
    char line[4096];

    test("three lines are three writes");
    if (pipe2(ends, O_DIRECT | O_CLOEXEC) != 0)
        exit(2);
    dup2(ends[1], 2);
    CHECK_INT(in_child(0, say_lines), 0);
    dup2(kept, 2);
    close(ends[1]);
    while (read(ends[0], line, sizeof line) == 101)
        writes++;
    CHECK_INT(writes, 3);
    close(ends[0]);
    close(kept);
}

/* Whether the soft limit is what the system allows, and what it was for other
 * programs.
 */
static int raises_limit(void)
{
    struct rlimit raised, restored;

    if (getrlimit(RLIMIT_NOFILE, &raised) != 0)
        return 9;
    mq_standard_restore();
    if (getrlimit(RLIMIT_NOFILE, &restored) != 0)
        return 9;
    return (raised.rlim_cur == raised.rlim_max ? 0 : 1)
           | (restored.rlim_cur == 64 ? 0 : 2);
}

static void check_limit(void)
{
    struct rlimit before, few;

    test("as many files as the system allows");
    if (getrlimit(RLIMIT_NOFILE, &before) != 0)
        exit(2);
    few = before;
    few.rlim_cur = 64;
    setrlimit(RLIMIT_NOFILE, &few);
    CHECK_INT(in_child(0, raises_limit), 0);
    setrlimit(RLIMIT_NOFILE, &before);
}

int main(void)
{
    check_descriptors();
    check_lines();
    check_limit();
    return tests_end();
}
