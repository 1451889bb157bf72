/* test_pin.c - pinned process ids */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/pin.h"
#include "tests/kit/harness.h"

enum { stranger = 4242 };       /* a user who has nothing here */

/* A child that becomes USER (0: stays what it is) and tells when it has. */
static pid_t start(uid_t user)
{
    int ready[2];
    char word = 0;
    pid_t child;

    if (pipe(ready) != 0)
        return -1;
    child = fork();
    if (child == 0) {
        if (user != 0 && setresuid(user, user, user) != 0)
            _exit(1);
        if (write(ready[1], &word, 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    close(ready[1]);
    if (read(ready[0], &word, 1) != 1)
        word = 1;
    close(ready[0]);
    return word == 0 ? child : -1;
}

static int end(pid_t child)
{
    int status = 0;

    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return status;
}

static void test_one(void)
{
    struct mq_pin pin = { 0 }, again;
    struct mq_error error = { "" };
    pid_t child = start(0);

    test("a process is pinned, with all its users, and is the same later");
    CHECK_INT(mq_pin_process(child, &error, &pin), mq_ok);
    CHECK_INT(pin.pid, child);
    CHECK_INT(pin.real, getuid());
    CHECK_INT(pin.saved, geteuid());
    CHECK_INT(mq_pin_check(&pin, &error), mq_ok);
    CHECK_INT(mq_pin_process(getpid(), &error, &again), mq_ok);
    CHECK(mq_pin_is_same_user(&pin, &again));
    test("another process of the same number is not the same");
    again = pin;
    again.start--;
    CHECK_INT(mq_pin_check(&again, &error), mq_failed);
    CHECK_CONTAINS(error.text, "has ended");
    CHECK_INT(mq_pin_signal(&again, SIGKILL, &error), mq_failed);
    CHECK_INT(waitpid(child, NULL, WNOHANG), 0);
    test("a signal reaches the process that was pinned");
    CHECK_INT(mq_pin_signal(&pin, SIGTERM, &error), mq_ok);
    CHECK_INT(WTERMSIG(end(child)), SIGTERM);
    test("a process that has ended is not there");
    CHECK_INT(mq_pin_check(&pin, &error), mq_failed);
    CHECK_INT(mq_pin_signal(&pin, 0, &error), mq_failed);
    CHECK_INT(mq_pin_process(child, &error, &again), mq_absent);
    CHECK_CONTAINS(error.text, "there is no process");
}

static void test_others(void)
{
    struct mq_pin mine, theirs, none = { 0 }, pin = { 0 };
    struct mq_error error = { "" };
    pid_t child;

    test("a process may name its own user's, and mqdump's user any");
    CHECK_INT(mq_pin_process(getpid(), &error, &mine), mq_ok);
    CHECK_INT(mq_pin_named_process(&mine, getpid(), &error, &pin), mq_ok);
    CHECK_INT(pin.pid, getpid());
    CHECK_INT(mq_pin_named_process(&none, getpid(), &error, &pin), mq_ok);
    test("a process may not name another user's");
    if (getuid() != 0) {
        test_skip("only root can be two users");
        return;
    }
    child = start(stranger);
    CHECK_INT(mq_pin_process(child, &error, &theirs), mq_ok);
    CHECK_INT(theirs.real, stranger);
    CHECK(!mq_pin_is_same_user(&mine, &theirs));
    CHECK_INT(mq_pin_named_process(&mine, child, &error, &pin), mq_failed);
    CHECK_INT(pin.pid, getpid());
    CHECK_CONTAINS(error.text, "(--pid reads it with that user's rights)");
    memset(&pin, 0, sizeof pin);
    CHECK_INT(mq_pin_named_process(&theirs, getpid(), &error, &pin),
              mq_failed);
    CHECK_INT(pin.pid, 0);
    CHECK_CONTAINS(error.text, "is not read: process");
    CHECK(strstr(error.text, "--pid") == NULL);
    test("a process that has become another user's is left alone");
    pin = theirs;
    pin.effective = pin.real = pin.saved = getuid();
    CHECK_INT(mq_pin_check(&pin, &error), mq_failed);
    CHECK_CONTAINS(error.text, "belongs to user 4242 since an exec");
    CHECK_INT(mq_pin_signal(&pin, SIGKILL, &error), mq_failed);
    CHECK_INT(waitpid(child, NULL, WNOHANG), 0);
    end(child);
}

int main(void)
{
    test_one();
    test_others();
    return tests_end();
}
