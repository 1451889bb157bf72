/* Sources that are files: snapshots, digests, and folders of them. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/source_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job/digest.h"
#include "target/snapshot.h"

static const char elf_beginning[] = "\177ELF";

static enum mq_result read_snapshot(const char *file,
                                    const struct mq_read_options *how,
                                    struct mq_reading *reading,
                                    struct mq_error *error)
{
    struct mq_target *target = NULL;
    enum mq_result result = mq_snapshot_open(file, error, &target);

    if (result == mq_ok) {
        result = mq_reading_add(reading, how, target, error);
        mq_target_destroy(target);
    }
    return result;
}

bool mq_file_begins_with(const char *file, const char *word)
{
    char bytes[16];
    size_t length = strlen(word);
    struct stat status;
    int descriptor;
    ssize_t read_bytes;

    if (stat(file, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    descriptor = open(file, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    read_bytes = read(descriptor, bytes, length + 1);
    close(descriptor);
    return read_bytes == (ssize_t)length + 1
           && memcmp(bytes, word, length) == 0 && bytes[length] == ' ';
}

static enum mq_result read_file(const char *file,
                                const struct mq_read_options *how,
                                struct mq_reading *reading,
                                struct mq_error *error)
{
    struct stat status;

    if (stat(file, &status) == 0 && S_ISFIFO(status.st_mode))
        return mq_fail(error, "%s is a pipe, which can be read only once: "
                       "write what comes out of it to a file first", file);
    if (mq_file_begins_with(file, "mqdigest"))
        return mq_digest_read(file, reading->job, error);
    return read_snapshot(file, how, reading, error);
}

/* Reads what is a snapshot or a digest in a folder, 10 after 9. */
static enum mq_result read_folder(const char *folder,
                                  const struct mq_read_options *how,
                                  struct mq_reading *reading,
                                  struct mq_error *error)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, versionsort), i, found = 0;

    if (count < 0)
        return mq_fail(error, "%s cannot be listed: %s", folder,
                       strerror(errno));
    for (i = 0; i < count; i++) {
        struct mq_error problem;
        char file[PATH_MAX];

        snprintf(file, sizeof file, "%s/%s", folder, entries[i]->d_name);
        free(entries[i]);
        if (!mq_file_begins_with(file, "mqsnap")
            && !mq_file_begins_with(file, "mqdigest"))
            continue;
        found++;
        if (read_file(file, how, reading, &problem) != mq_ok)
            mq_reading_complain(reading, how, &problem);
    }
    free(entries);
    return found > 0 ? mq_ok
           : mq_fail(error, "%s holds no snapshots and no digests", folder);
}

/* Says what people mean who name what is there, but holds no recording, or what
 * is not there at all.
 */
static enum mq_result guess(const char *file, struct mq_error *error)
{
    char bytes[sizeof elf_beginning - 1];
    int descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is_elf;

    if (descriptor < 0)
        return errno == ENOENT && *file != '\0'
               && file[strspn(file, "0123456789,")] == '\0'
               ? mq_fail(error, "there is no file %s; do you mean --pid %s, or "
                         "--job %s for the whole job?", file, file, file)
               : mq_ok;
    is_elf = read(descriptor, bytes, sizeof bytes) == (ssize_t)sizeof bytes
             && memcmp(bytes, elf_beginning, sizeof bytes) == 0;
    close(descriptor);
    return is_elf ? mq_fail(error, "%s is a program or a core file; do you mean"
                            " --launch -- %s, or --core EXE %s?", file, file,
                            file)
                  : mq_ok;
}

enum mq_result mq_read_file(char *const *values,
                            const struct mq_read_options *how,
                            struct mq_reading *reading, struct mq_error *error)
{
    struct stat status;

    if (stat(values[0], &status) == 0 && S_ISDIR(status.st_mode))
        return read_folder(values[0], how, reading, error);
    if (guess(values[0], error) != mq_ok)
        return mq_failed;
    return read_file(values[0], how, reading, error);
}
