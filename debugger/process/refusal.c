/* refusal.c - reasons why a process cannot be traced, with remedies */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/refusal.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "process/activity.h"
#include "process/open_file.h"
#include "process/proc_stat.h"
#include "process/proc_status.h"

static const uint64_t may_trace = (uint64_t)1 << 19;    /* CAP_SYS_PTRACE */

/* ---- Whether anything can be traced ------------------------------------- */

bool mq_may_trace(void)
{
    pid_t child = fork();
    bool may;

    if (child == 0)
        for (;;)
            pause();
    may = child > 0 && ptrace(PTRACE_SEIZE, child, NULL, NULL) == 0;
    if (child > 0) {
        kill(child, SIGKILL);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    return may;
}

/* ---- Facts ------------------------------------------------------------- */

int mq_refusal_scope(void)
{
    FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
    int scope;

    if (file == NULL)
        return 0;
    if (fscanf(file, "%d", &scope) != 1)
        scope = 0;
    fclose(file);
    return scope;
}

/* Whose namespace cannot be seen is in the same one as far as is known. */
static bool shares_users(int pid)
{
    struct stat one, other;
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/ns/user", pid);
    return stat(path, &one) != 0 || stat("/proc/self/ns/user", &other) != 0
           || one.st_ino == other.st_ino;
}

enum mq_result mq_refusal_read(int pid, struct mq_refusal *refusal)
{
    struct mq_proc_status there, here;
    char state = mq_proc_state(pid);

    if (state == 'Z' || state == 'X' || !mq_proc_status_read(pid, &there)
        || !mq_proc_status_read(getpid(), &here))
        return mq_absent;
    *refusal = (struct mq_refusal){
        .pid = pid, .tracer = there.tracer, .user = there.effective,
        .own_user = geteuid(), .may = there.permitted,
        .own_may = here.in_effect, .scope = mq_refusal_scope(),
        .shares_users = shares_users(pid), .is_filtered = here.seccomp == 2
    };
    if (there.tracer != 0)
        mq_proc_name(there.tracer, refusal->tracer_name);
    mq_text_tame(refusal->tracer_name);
    return mq_ok;
}

/* ---- Reasons ----------------------------------------------------------- */

/* Without the capability only one's own may be looked at. */
static enum mq_result explain_unprivileged(const struct mq_refusal *refusal,
                                           struct mq_error *error)
{
    const int pid = refusal->pid;

    if (refusal->own_user == 0 && refusal->user != 0)
        return mq_fail(error, "not permitted to attach to process %d: it is "
                       "user %lu's, and root lacks CAP_SYS_PTRACE here, as in "
                       "a container; start the container with "
                       "--cap-add=SYS_PTRACE, or run mqdump as that user", pid,
                       (unsigned long)refusal->user);
    if (refusal->own_user != refusal->user)
        return mq_fail(error, "not permitted to attach to process %d: it is "
                       "user %lu's; run mqdump as that user or as root", pid,
                       (unsigned long)refusal->user);
    if (refusal->scope > 0)
        return mq_fail(error, "not permitted to attach to process %d: "
                       "kernel.yama.ptrace_scope is %d; run mqdump as root, "
                       "have root set it to 0 (sysctl "
                       "kernel.yama.ptrace_scope=0), or start the job %s",
                       pid, refusal->scope, refusal->scope == 1
                       ? "with libmqwatch (mqdump run)"
                       : "with records (mqdump run --keep DIR)");
    if ((refusal->may & ~refusal->own_may) != 0 && refusal->own_user == 0)
        return mq_fail(error, "not permitted to attach to process %d: it has "
                       "capabilities that mqdump lacks here, as in a "
                       "container; start the container with "
                       "--cap-add=SYS_PTRACE", pid);
    return mq_fail(error, "not permitted to attach to process %d: its own "
                   "user %lu may not trace it, since its program has "
                   "privileges, or has forbidden that (PR_SET_DUMPABLE); run "
                   "mqdump as root", pid, (unsigned long)refusal->user);
}

enum mq_result mq_refusal_reason(const struct mq_refusal *refusal,
                                 struct mq_error *error)
{
    const int pid = refusal->pid;
    const char *name = refusal->tracer_name;
    bool is_privileged = (refusal->own_may & may_trace) != 0;

    if (refusal->tracer != 0)
        return mq_fail(error, "process %d is being debugged by process "
                       "%d%s%s%s: %s", pid, refusal->tracer,
                       name[0] != '\0' ? " (" : "", name,
                       name[0] != '\0' ? ")" : "", strcmp(name, "mqdump") == 0
                       ? "look again when it has ended"
                       : name[0] == '\0' || strncmp(name, "gdb", 3) == 0
                       ? "end it, or use the command mqdump in that gdb"
                       : "end it");
    if (refusal->scope >= 3)
        return mq_fail(error, "not permitted to attach to process %d: "
                       "kernel.yama.ptrace_scope is %d, which forbids it to "
                       "root, too; set it lower in /etc/sysctl.d and reboot, "
                       "or start the job with records (mqdump run --keep DIR)",
                       pid, refusal->scope);
    if (!refusal->shares_users && !is_privileged)
        return mq_fail(error, "not permitted to attach to process %d: it is in "
                       "another user namespace, as of a rootless container; "
                       "run mqdump by podman unshare, in the container "
                       "(podman exec, docker exec), or as root", pid);
    if (!is_privileged)
        return explain_unprivileged(refusal, error);
    if (refusal->is_filtered)
        return mq_fail(error, "not permitted to attach to process %d: system "
                       "calls are filtered here (seccomp), as in a container; "
                       "start the container with --security-opt "
                       "seccomp=unconfined",
                       pid);
    return mq_fail(error, "not permitted to attach to process %d: a "
                   "security module (AppArmor, SELinux's deny_ptrace) may "
                   "forbid it; its messages (journalctl -k) name the rule",
                   pid);
}

enum mq_result mq_refusal_explain(int pid, struct mq_error *error)
{
    struct mq_refusal refusal;

    return mq_refusal_read(pid, &refusal) == mq_ok
           ? mq_refusal_reason(&refusal, error)
           : mq_fail(error, "there is no process %d on this host", pid);
}

/* Calls of which the first argument is an open file. */
static bool has_file(const char *call)
{
    static const char *const calls[] = {
        "read", "readv", "pread64", "preadv", "write", "writev", "pwrite64",
        "pwritev", "fsync", "fdatasync", "fstat", "getdents64", "lseek",
        "ftruncate", "fallocate", "fcntl", "flock", "close"
    };

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (strcmp(call, calls[i]) == 0)
            return true;
    return false;
}

/* The system call that a thread is in, "read of /data/a, on nfs4 server:/b". */
static void describe_call(int pid, int thread, char *text, size_t room)
{
    char folder[32], number[16], call[64], name[200];
    struct mq_open_file file;
    uint64_t descriptor;

    mq_activity_call(pid, thread, text, room);
    snprintf(folder, sizeof folder, "/proc/%d", pid);
    if (!mq_activity_arguments(pid, thread, &descriptor, 1, call, sizeof call)
        || !has_file(call) || descriptor > INT_MAX)
        return;
    snprintf(number, sizeof number, "%d", (int)descriptor);
    if (!mq_open_file_name(folder, number, name, sizeof name))
        return;
    snprintf(text, room, "%s of %s", call, name);
    if (mq_open_file_read(folder, (int)descriptor, &file))
        snprintf(text, room, "%s of %s, on %s", call, name, file.file_system);
}

enum mq_result mq_refusal_explain_wait(int pid, int thread,
                                       struct mq_error *error)
{
    char call[400] = "";
    bool is_start;

    describe_call(pid, thread, call, sizeof call);
    /* Calls that wait for a new process to execute a program or to end. */
    is_start = strcmp(call, "vfork") == 0 || strcmp(call, "clone") == 0
               || strcmp(call, "clone3") == 0;
    return mq_fail(error, "process %d cannot be stopped: its thread %d is in "
                   "the kernel (state D%s%s), which no signal ends; %s", pid,
                   thread, call[0] != '\0' ? ", in " : "", call, is_start
                   ? "it waits until a child that it started executes a "
                     "program or exits; check its children"
                   : "does it use a file system that does not answer?");
}
