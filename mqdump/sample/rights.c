/* rights.c - restricts root's mqdump to the rights of a job's user
 *
 * The groups of a process are taken from the kernel, as its users are; of a
 * user known by a file alone, from the system's list of users.  A container may
 * have a user namespace, where its user may trace and the same user outside may
 * not: that namespace is entered.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/sample/rights.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/number.h"
#include "process/refusal.h"

enum {
    most_groups = 65536,        /* that Linux knows */
    nobodys_group = 65534,
    may_trace = 19,             /* CAP_SYS_PTRACE */
    may_administer = 21         /* CAP_SYS_ADMIN */
};

/* Whose rights are to be taken. */
struct user {
    uid_t user;
    gid_t group;
    size_t count;
    gid_t *groups;
    int users;                  /* an open user namespace to enter; -1: none */
};

/* ---- The groups of a process --------------------------------------------- */

/* Takes the numbers of LINE. */
static enum mq_result take_groups(const char *line, struct mq_error *error,
                                  struct user *user)
{
    char *end;

    user->groups = calloc(most_groups, sizeof *user->groups);
    if (user->groups == NULL)
        return mq_fail_memory(error, "for the groups of a process");
    for (; user->count < most_groups; line = end) {
        unsigned long group = strtoul(line, &end, 10);

        if (end == line)
            break;
        user->groups[user->count++] = (gid_t)group;
    }
    return mq_ok;
}

/* The user namespace of a process if it is not ours, open; else -1. */
static int open_users(int pid)
{
    struct stat own, theirs;
    char path[64];
    int file;

    snprintf(path, sizeof path, "/proc/%d/ns/user", pid);
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && (fstat(file, &theirs) != 0
                      || stat("/proc/self/ns/user", &own) != 0
                      || own.st_ino == theirs.st_ino)) {
        close(file);
        return -1;
    }
    return file;
}

/* Reads the groups of the process that PIN is; that it was that one is
 * checked behind it.
 */
static enum mq_result read_user(const struct mq_pin *pin,
                                struct mq_error *error, struct user *user)
{
    enum mq_result result = mq_ok;
    char path[64], *line = NULL;
    unsigned group = 0;
    bool has_group = false;
    size_t room = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/status", pin->pid);
    file = fopen(path, "re");
    if (file == NULL)
        return mq_fail(error, "cannot read %s: %s", path, strerror(errno));
    user->user = pin->real;
    user->users = open_users(pin->pid);
    while (result == mq_ok && getline(&line, &room, file) > 0) {
        if (sscanf(line, "Gid: %u", &group) == 1)
            has_group = true;
        else if (strncmp(line, "Groups:", 7) == 0 && user->groups == NULL)
            result = take_groups(line + 7, error, user);
    }
    free(line);
    fclose(file);
    user->group = group;
    if (result == mq_ok && (!has_group || user->groups == NULL))
        result = mq_fail(error, "%s does not list its groups", path);
    return result == mq_ok ? mq_pin_check(pin, error) : result;
}

/* ---- The groups of the owner of a file ----------------------------------- */

/* A user in no list is in no group. */
static enum mq_result find_user(uid_t owner, struct mq_error *error,
                                struct user *user)
{
    const struct passwd *entry = getpwuid(owner);
    int count = most_groups;

    *user = (struct user){
        .user = owner, .group = nobodys_group, .users = -1
    };
    user->groups = calloc(most_groups, sizeof *user->groups);
    if (user->groups == NULL)
        return mq_fail_memory(error, "for the groups of a user");
    if (entry == NULL)
        return mq_ok;
    user->group = entry->pw_gid;
    if (getgrouplist(entry->pw_name, entry->pw_gid, user->groups, &count) >= 0)
        user->count = (size_t)count;
    return mq_ok;
}

/* ---- Becoming somebody --------------------------------------------------- */

/* Musl's compiler finds no headers of the kernel: see capset(2). */
static bool keep_only(unsigned capability)
{
    struct {
        uint32_t version;
        int pid;
    } header = { 0x20080522, 0 };
    struct {
        uint32_t effective, permitted, inheritable;
    } kept[2] = { { 1U << capability, 1U << capability, 0 } };

    return syscall(SYS_capset, &header, kept) == 0;
}

/* There all processes are of the container, and may be traced. */
static bool enter(int users)
{
    return keep_only(may_administer) && setns(users, CLONE_NEWUSER) == 0
           && keep_only(may_trace);
}

/* For good: the real and the saved user, too. */
static bool become(const struct user *user)
{
    return setgroups(user->count, user->groups) == 0
           && setresgid(user->group, user->group, user->group) == 0
           && prctl(PR_SET_KEEPCAPS, user->users >= 0, 0, 0, 0) == 0
           && setresuid(user->user, user->user, user->user) == 0
           && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
           && setresuid(0, 0, 0) != 0
           && (user->users < 0 || enter(user->users));
}

/* A terminal would disclose root's input, and accepts simulated input. */
static void limit_terminal(int descriptor)
{
    char name[64];
    int file;

    if (!isatty(descriptor))
        return;
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    file = open(name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (file >= 0) {
        dup2(file, descriptor);
        close(file);
    }
}

/* Files that this program has opened do not survive an exec: the rest is what
 * root's shell had open.
 */
static void close_inherited(void)
{
    DIR *folder = opendir("/proc/self/fd");
    const struct dirent *entry;
    int number, flags;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (!mq_number_is(entry->d_name, STDERR_FILENO + 1, 1 << 30, &number))
            continue;
        flags = fcntl(number, F_GETFD);
        if (flags >= 0 && (flags & FD_CLOEXEC) == 0)
            close(number);
    }
    if (folder != NULL)
        closedir(folder);
}

/* Leaves what is root's behind, but for what is written to. */
static void leave_root(void)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

    if (nothing >= 0) {
        dup2(nothing, STDIN_FILENO);
        close(nothing);
    }
    limit_terminal(STDOUT_FILENO);
    limit_terminal(STDERR_FILENO);
    close_inherited();
    setsid();
}

/* Children of mqdump can be inspected by the user: it gets none of root's
 * environment but this.
 */
static bool clean_environment(const struct user *user)
{
    static const char *const kept[] = {
        "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "COLUMNS", "NO_COLOR",
        "TZ", "LD_LIBRARY_PATH"
    };
    enum { kept_count = sizeof kept / sizeof kept[0] };
    const struct passwd *entry = getpwuid(user->user);
    char *values[kept_count];
    bool is_clean;

    for (size_t i = 0; i < kept_count; i++) {
        const char *value = getenv(kept[i]);

        values[i] = value != NULL ? strdup(value) : NULL;
    }
    clearenv();
    is_clean = setenv("HOME", entry != NULL ? entry->pw_dir : "/", 1) == 0;
    for (size_t i = 0; i < kept_count; i++) {
        if (values[i] != NULL)
            is_clean = setenv(kept[i], values[i], 1) == 0 && is_clean;
        free(values[i]);
    }
    return is_clean;
}

/* ---- Whether that can be ------------------------------------------------- */

/* Whether the user could read what mqdump needs: tried by a child. */
static bool may_read(const struct user *user, const char *file)
{
    int status = -1;
    pid_t child = fork();

    if (child == 0)
        _exit(become(user) && access(file, R_OK) == 0 ? 0 : 1);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status == 0;
}

/* Why root's rights are kept; null if they need not be. */
static const char *find_obstacle(const struct user *user,
                                 const struct mq_read_options *how,
                                 const char **file)
{
    const char *const files[] = {
        how->choice.folder, how->choice.asked, how->live->types
    };

    *file = "";
    if (mq_refusal_scope() > 0)
        return "kernel.yama.ptrace_scope permits only root to attach to "
               "running processes";
    if (how->live->writes_file != NULL) {
        *file = how->live->writes_file;
        return "this option writes files as root: ";
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        *file = files[i];
        if (files[i] != NULL && !may_read(user, files[i]))
            return "the user cannot read ";
    }
    *file = "";
    return NULL;
}

static enum mq_result leave_for(const struct user *user, struct mq_error *error)
{
    leave_root();
    if (!clean_environment(user))
        return mq_fail_memory(error, "for an environment");
    fflush(NULL);
    if (!become(user))
        return mq_fail(error, "cannot switch to user %lu: %s",
                       (unsigned long)user->user, strerror(errno));
    prctl(PR_SET_PDEATHSIG, SIGTERM);   /* to change the user ends that */
    return mq_ok;
}

static enum mq_result take(const struct user *user,
                           const struct mq_read_options *how,
                           struct mq_error *error)
{
    if (leave_for(user, error) != mq_ok)
        return mq_failed;
    mq_log(how->choice.logger, mq_verbose, "continuing with the rights of "
           "user %lu, the owner of the process", (unsigned long)user->user);
    return mq_ok;
}

static enum mq_result take_if_possible(const struct user *user,
                                       const struct mq_read_options *how,
                                       struct mq_error *error)
{
    const char *file, *obstacle = find_obstacle(user, how, &file);

    if (obstacle != NULL)
        mq_log(how->choice.logger, mq_info, "keeping root's rights to read "
               "a job of user %lu: %s%s", (unsigned long)user->user,
               obstacle, file);
    return obstacle != NULL ? mq_ok : take(user, how, error);
}

/* In another namespace the same users have other numbers. */
static void pin_again(struct mq_pin *pin)
{
    struct mq_pin now;

    if (mq_pin_process(pin->pid, NULL, &now) == mq_ok
        && now.start == pin->start)
        *pin = now;
}

enum mq_result mq_rights_take(struct mq_pin *pin,
                              const struct mq_read_options *how,
                              struct mq_error *error)
{
    struct user user = { .users = -1 };
    enum mq_result result;

    if (geteuid() != 0
        || (pin->real == 0 && pin->effective == 0 && pin->saved == 0))
        return mq_ok;
    if (pin->real != pin->effective || pin->real != pin->saved)
        return mq_fail(error, "process %d is not read: its owner is ambiguous "
                       "(users %lu, %lu and %lu)", pin->pid,
                       (unsigned long)pin->real,
                       (unsigned long)pin->effective,
                       (unsigned long)pin->saved);
    result = read_user(pin, error, &user);
    if (result == mq_ok)
        result = take_if_possible(&user, how, error);
    free(user.groups);
    if (user.users >= 0) {
        close(user.users);
        pin_again(pin);
    }
    return result;
}

enum mq_result mq_rights_take_all(struct mq_subject *subjects,
                                  size_t count,
                                  const struct mq_read_options *how,
                                  struct mq_error *error)
{
    struct mq_pin *first = NULL;
    bool are_one = true;
    enum mq_result result = mq_ok;

    for (size_t i = 0; i < count; i++) {
        struct mq_pin *pin = &subjects[i].pin;

        if (subjects[i].kind != mq_subject_process
            || mq_pin_process(subjects[i].pid, NULL, pin) != mq_ok)
            continue;
        are_one = are_one && (first == NULL || mq_pin_is_same_user(first, pin));
        first = first == NULL ? pin : first;
    }
    if (first != NULL && are_one) {
        const struct mq_pin before = *first;

        result = mq_rights_take(first, how, error);
        if (result == mq_ok && !mq_pin_is_same_user(&before, first))
            for (size_t i = 0; i < count; i++)
                pin_again(&subjects[i].pin);
    }
    if (!are_one && geteuid() == 0)
        mq_log(how->choice.logger, mq_info, "root's rights are kept, since "
               "the processes are of several users");
    return result;
}

enum mq_result mq_rights_take_of_file(uid_t owner, struct mq_error *error)
{
    struct user user;
    enum mq_result result;

    if (geteuid() != 0 || owner == 0)
        return mq_ok;
    result = find_user(owner, error, &user);
    if (result == mq_ok)
        result = leave_for(&user, error);
    free(user.groups);
    return result;
}
