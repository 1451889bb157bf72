/* trust.c - safety check of DLL files */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/trust.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* WHAT names the file or directory in the sentence. */
static enum mq_result check_owner(const struct stat *status, uid_t user,
                                  const char *what, struct mq_error *error)
{
    if (status->st_uid == 0 || status->st_uid == user)
        return mq_ok;
    return mq_fail(error, "%s belongs to user %lu, who is neither root nor you",
                   what, (unsigned long)status->st_uid);
}

static enum mq_result check_mode(const struct stat *status, const char *what,
                                 struct mq_error *error)
{
    unsigned mode = status->st_mode & 07777;

    if (mode & S_IWOTH)
        return mq_fail(error, "%s is writable by everybody (mode %04o)", what,
                       mode);
    if (mode & S_IWGRP)
        return mq_fail(error, "%s is writable by its group (mode %04o)", what,
                       mode);
    return mq_ok;
}

/* FILE is resolved: it is no symbolic link, unless somebody makes it one now.
 */
static enum mq_result check_file(const char *file, uid_t user,
                                 struct mq_error *error)
{
    struct stat status;
    enum mq_result result;

    if (lstat(file, &status) != 0)
        return mq_fail(error, "it cannot be looked at: %s", strerror(errno));
    if (!S_ISREG(status.st_mode))
        return mq_fail(error, "it is not a regular file");
    result = check_owner(&status, user, "it", error);
    return result != mq_ok ? result : check_mode(&status, "it", error);
}

/* The directory the file is in must be safe; in one above it, others may write
 * if the sticky bit keeps them from moving what is not theirs.
 */
static enum mq_result check_directory(const char *directory, bool is_above,
                                      uid_t user, struct mq_error *error)
{
    struct stat status;
    char what[600];
    enum mq_result result;

    snprintf(what, sizeof what, "its directory %s", directory);
    if (lstat(directory, &status) != 0)
        return mq_fail(error, "%s cannot be looked at: %s", what,
                       strerror(errno));
    result = check_owner(&status, user, what, error);
    if (result != mq_ok || (is_above && (status.st_mode & S_ISVTX)))
        return result;
    return check_mode(&status, what, error);
}

/* Checks DIRECTORY, a resolved path, and those above it. */
static enum mq_result check_directories(char *directory, uid_t user,
                                        struct mq_error *error)
{
    bool is_above = false;
    char *slash;

    for (;;) {
        enum mq_result result = check_directory(directory, is_above, user,
                                                error);

        if (result != mq_ok || strcmp(directory, "/") == 0)
            return result;
        slash = strrchr(directory, '/');
        slash[slash == directory ? 1 : 0] = '\0';
        is_above = true;
    }
}

enum mq_result mq_trust_file(const char *file, uid_t user,
                             struct mq_error *error, char **path)
{
    char *resolved, *directory;
    enum mq_result result;

    if (file[0] != '/')
        return mq_fail(error, "it is not an absolute path");
    resolved = realpath(file, NULL);
    if (resolved == NULL)
        return errno == ENOENT || errno == ENOTDIR
            ? mq_absent : mq_fail(error, "it cannot be looked at: %s",
                                  strerror(errno));
    directory = strdup(resolved);
    if (directory == NULL) {
        free(resolved);
        return mq_fail_memory(error, "checking a DLL");
    }
    /* Of "/name" the folder is "/". */
    strrchr(directory, '/')[strrchr(directory, '/') == directory] = '\0';
    result = check_file(resolved, user, error);
    if (result == mq_ok)
        result = check_directories(directory, user, error);
    free(directory);
    if (result == mq_ok)
        *path = resolved;
    else
        free(resolved);
    return result;
}

/* Process PID may see other files than this program, as in a container, where
 * a symbolic link leads elsewhere, too.
 */
static enum mq_result check_same(const char *file, int pid,
                                 struct mq_error *error)
{
    struct stat ours, theirs;
    char *name;
    bool is_same;

    if (asprintf(&name, "/proc/%d/root%s", pid, file) < 0)
        return mq_fail_memory(error, "checking a DLL");
    is_same = stat(file, &ours) == 0 && stat(name, &theirs) == 0
              && ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
    free(name);
    return is_same ? mq_ok
                   : mq_fail(error, "it is not the file that process %d has "
                             "under that name, as in a container", pid);
}

enum mq_result mq_trust_named(const char *file, int pid, uid_t user,
                              struct mq_error *error, char **path)
{
    char *trusted;
    enum mq_result result = mq_trust_file(file, user, error, &trusted);

    if (result != mq_ok)
        return result;
    if (pid != 0 && (check_same(file, pid, error) != mq_ok
                     || check_same(trusted, pid, error) != mq_ok)) {
        free(trusted);
        return mq_failed;
    }
    *path = trusted;
    return mq_ok;
}
