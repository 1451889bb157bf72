/* regular.c - safe opening of plain files
 *
 * What O_PATH opens is not opened yet, and cannot become another file.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool accepts_all(int file, const struct stat *status,
                        const void *closure)
{
    (void)file, (void)status, (void)closure;
    return true;
}

/* errno is kept. */
static void close_quietly(int file)
{
    int number = errno;

    close(file);
    errno = number;
}

int mq_regular_open_if(const char *path,
                       bool (*accepts)(int, const struct stat *, const void *),
                       const void *closure)
{
    int looked_at = open(path, O_PATH | O_CLOEXEC), file = -1;
    struct stat status;
    char name[64];

    if (looked_at < 0)
        return -1;
    if (fstat(looked_at, &status) == 0) {
        snprintf(name, sizeof name, "/proc/self/fd/%d", looked_at);
        if (!S_ISREG(status.st_mode))
            errno = EINVAL;
        else if (!accepts(looked_at, &status, closure))
            errno = ESTALE;
        else
            file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    }
    close_quietly(looked_at);
    return file;
}

int mq_regular_open(const char *path)
{
    return mq_regular_open_if(path, accepts_all, NULL);
}

enum mq_result mq_regular_open_named(const char *path, const char *what,
                                     struct mq_error *error, int *file)
{
    int opened = mq_regular_open(path);

    if (opened < 0)
        return errno == EINVAL
            ? mq_fail(error, "the %s '%s' is not a file", what, path)
            : mq_fail(error, "cannot read the %s '%s': %s", what, path,
                      strerror(errno));
    *file = opened;
    return mq_ok;
}

enum mq_result mq_regular_begins_with(const char *file, const char *word,
                                      struct mq_error *error)
{
    char bytes[16];
    size_t length = strlen(word);
    int descriptor = mq_regular_open(file);
    ssize_t got = -1;

    if (descriptor < 0 && (errno == EINVAL || errno == ENOENT))
        return mq_absent;
    if (descriptor >= 0) {
        got = read(descriptor, bytes, length);
        close_quietly(descriptor);
    }
    if (got < 0)
        return mq_fail(error, "cannot read %s: %s", file, strerror(errno));
    return got == (ssize_t)length && memcmp(bytes, word, length) == 0
           ? mq_ok : mq_absent;
}
