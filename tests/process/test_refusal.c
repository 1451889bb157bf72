/* test_refusal.c - reasons for refused access, with remedies
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/activity.h"
#include "process/refusal.h"
#include "tests/kit/harness.h"

enum { pid = 4711, user = 1000 };

static const uint64_t may_trace = (uint64_t)1 << 19, all = ~(uint64_t)0;

static const struct {
    const char *name;
    struct mq_refusal refusal;
    const char *reason, *help;
} cases[] = {
    { "a debugger", { pid, 12, "", user, user, 0, 0, 0, true, false },
      "process 4711 is being debugged by process 12", "end it" },
    { "a debugger that has a name",
      { pid, 12, "strace", user, user, 0, 0, 0, true, false },
      "being debugged by process 12 (strace)", ": end it" },
    { "another mqdump", { pid, 12, "mqdump", user, user, 0, 0, 0, true, false },
      "by process 12 (mqdump)", "look again when it has ended" },
    { "gdb, for root", { pid, 12, "gdb", user, 0, 0, all, 0, true, false },
      "being debugged by process 12", "the command mqdump in that gdb" },
    { "Yama, of one's own", { pid, 0, "", user, user, 0, 0, 1, true, false },
      "kernel.yama.ptrace_scope is 1;", "with libmqwatch (mqdump run)" },
    { "Yama, for admins", { pid, 0, "", user, user, 0, 0, 2, true, false },
      "kernel.yama.ptrace_scope is 2;", "with records (mqdump run --keep" },
    { "Yama, for nobody", { pid, 0, "", user, 0, 0, all, 3, true, false },
      "kernel.yama.ptrace_scope is 3, which forbids it to root",
      "/etc/sysctl.d" },
    { "another user", { pid, 0, "", user, 1001, 0, 0, 0, true, false },
      "it is user 1000's;", "run mqdump as that user or as root" },
    { "another user, with Yama",
      { pid, 0, "", user, 1001, 0, 0, 1, true, false },
      "it is user 1000's;", "run mqdump as that user or as root" },
    { "a container's root",
      { pid, 0, "", user, 0, 0, all & ~may_trace, 0, true, false },
      "root lacks CAP_SYS_PTRACE", "--cap-add=SYS_PTRACE" },
    { "a container's root, of root's",
      { pid, 0, "", 0, 0, all, all & ~may_trace, 0, true, false },
      "it has capabilities that mqdump lacks", "--cap-add=SYS_PTRACE" },
    { "other users", { pid, 0, "", user, user, 0, 0, 0, false, false },
      "it is in another user namespace", "by podman unshare" },
    { "not dumpable", { pid, 0, "", user, user, 0, 0, 0, true, false },
      "its own user 1000 may not trace it", "run mqdump as root" },
    { "a filter", { pid, 0, "", user, 0, 0, all, 0, true, true },
      "system calls are filtered here", "seccomp=unconfined" },
    { "a module", { pid, 0, "", user, 0, 0, all, 0, true, false },
      "a security module", "journalctl -k" }
};

static bool sleeps(int child, const char *wanted)
{
    char call[40] = "";

    mq_activity_call(child, child, call, sizeof call);
    return strcmp(call, wanted) == 0;
}

/* A child that waits in a system call that has a file. */
static void check_wait(void)
{
    struct mq_error error = { "" };
    char path[] = "/tmp/test_refusal.XXXXXX";
    int file = mkstemp(path), child;

    test("the file of a system call that does not end");
    CHECK_INT(flock(file, LOCK_EX), 0);
    child = fork();
    if (child == 0) {
        alarm(600);
        _exit(flock(open(path, O_RDWR), LOCK_EX));
    }
    while (!sleeps(child, "flock"))
        usleep(1000);
    CHECK_INT(mq_refusal_explain_wait(child, child, &error), mq_failed);
    CHECK_CONTAINS(error.text, "(state D, in flock of /tmp/test_refusal.");
    CHECK_CONTAINS(error.text, ", on ");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(file);
    unlink(path);
}

int main(void)
{
    struct mq_refusal own;
    struct mq_error error;
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test("%s", cases[i].name);
        memset(&error, 0, sizeof error);
        CHECK(mq_refusal_reason(&cases[i].refusal, &error) == mq_failed);
        CHECK_CONTAINS(error.text, "4711");
        CHECK_CONTAINS(error.text, cases[i].reason);
        CHECK_CONTAINS(error.text, cases[i].help);
    }
    test("what is read of a process");
    CHECK(mq_refusal_read(getpid(), &own) == mq_ok);
    CHECK(own.pid == getpid() && own.user == geteuid());
    CHECK(own.own_user == geteuid() && own.shares_users);
    CHECK(mq_refusal_read(1 << 30, &own) == mq_absent);
    check_wait();
    return tests_end();
}
