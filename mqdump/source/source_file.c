/* source_file.c - source: a file, or a folder of files
 *
 * Sources that are files: snapshots, digests, and folders of them.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/source/sources.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "model/digest.h"
#include "model/worlds.h"
#include "mqdump/source/source_record.h"
#include "process/regular.h"
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

static enum mq_result read_file(const char *file,
                                const struct mq_read_options *how,
                                struct mq_reading *reading,
                                struct mq_error *error)
{
    enum mq_result result = mq_regular_begins_with(file, "mqdigest ", error);

    if (result == mq_ok)
        return mq_digest_read(file, reading->job, error);
    if (result == mq_absent)
        result = mq_record_is(file, error);
    return result == mq_ok ? mq_read_record(file, how, reading, error)
           : result == mq_absent ? read_snapshot(file, how, reading, error)
           : mq_failed;
}

/* ---- Folders ------------------------------------------------------------- */

/* The worlds that the files of a folder are of, by their names. */
struct folder {
    const char *path;
    struct mq_world *worlds;
    size_t count, room;
    bool has_digest;
};

/* The world in NAME, "world-00001-rank-00000.mqsnap" as --record has it, and
 * the length of that; that of all other names is the first.
 */
static const char *name_world(const char *name, int *length)
{
    int end = 0, rank;

    if (sscanf(name, "world-%*5[0-9]%n-rank-%d", &end, &rank) != 1)
        return *length = 11, "world-00000";
    *length = end;
    return name;
}

/* The number of the world of NAME, which is added if there was none of it. */
static enum mq_result note_world(struct folder *folder, const char *name,
                                 struct mq_job *job, struct mq_error *error,
                                 uint32_t *number)
{
    struct mq_world world = { NULL, 0, 1 };
    char text[16];
    size_t i = folder->count;
    int length;

    name = name_world(name, &length);
    snprintf(text, sizeof text, "%.*s", length, name);
    if (mq_job_string(job, text, error, &world.name) != mq_ok)
        return mq_failed;
    while (i > 0 && folder->worlds[i - 1].name != world.name)
        i--;
    *number = (uint32_t)(i > 0 ? i - 1 : folder->count);
    if (i > 0)
        return mq_ok;
    return mq_array_add(&folder->worlds, sizeof world, &folder->count,
                        &folder->room, &world, "for the worlds of a job",
                        error);
}

/* Reads the file NAME if it is a snapshot or a digest, else mq_absent. */
static enum mq_result read_entry(struct folder *folder, const char *name,
                                 const struct mq_read_options *how,
                                 struct mq_reading *reading,
                                 struct mq_error *error)
{
    struct mq_job *job = reading->job;
    size_t before = job->process_count;
    char file[PATH_MAX];
    enum mq_result result;
    uint32_t number;
    bool is_digest;

    snprintf(file, sizeof file, "%s/%s", folder->path, name);
    result = mq_regular_begins_with(file, "mqdigest ", error);
    is_digest = result == mq_ok;
    if (result == mq_absent)
        result = mq_regular_begins_with(file, "mqsnap ", error);
    if (result != mq_ok)
        return result;
    folder->has_digest = folder->has_digest || is_digest;
    if (note_world(folder, name, job, error, &number) != mq_ok
        || read_file(file, how, reading, error) != mq_ok)
        return mq_failed;
    if (!is_digest && job->process_count > before) {
        struct mq_process *process = &job->processes[before];
        struct mq_world *world = &folder->worlds[number];

        process->world = number;
        if (process->rank >= world->size)
            world->size = process->rank + 1;
    }
    return mq_ok;
}

/* Makes one job of the processes from FIRST on.  A digest has its own worlds.
 */
static void join_worlds(const struct folder *folder, size_t first,
                        const struct mq_read_options *how,
                        struct mq_reading *reading)
{
    struct mq_error problem;

    if (folder->has_digest || folder->count < 2
        || reading->job->process_count == first
        || mq_worlds_join(reading->job, first, folder->worlds, folder->count,
                          &problem) == mq_ok)
        return;
    mq_reading_complain(reading, how, &problem);
    mq_reading_forget(reading, first);
}

/* Reads what is a snapshot or a digest among the files, 10 after 9: how many
 * there are.
 */
static int read_entries(const char *path, char *const *names, int count,
                        const struct mq_read_options *how,
                        struct mq_reading *reading)
{
    struct folder folder = { .path = path };
    struct mq_read_options own = *how;
    size_t first = reading->job->process_count;
    int i, found = 0;

    for (i = 0; i < count; i++)
        if (strncmp(names[i], "world-", 6) == 0)
            own.handles.worlds = true;
    for (i = 0; i < count; i++) {
        struct mq_error problem;
        enum mq_result result = read_entry(&folder, names[i], &own, reading,
                                           &problem);

        found += result != mq_absent;
        if (result == mq_failed)
            mq_reading_complain(reading, how, &problem);
    }
    join_worlds(&folder, first, how, reading);
    free(folder.worlds);
    return found;
}

/* Whether it is another user's, and kept from this one. */
static bool is_closed(const char *path, const char *name)
{
    char file[PATH_MAX];
    struct stat status;

    snprintf(file, sizeof file, "%s/%s", path, name);
    return access(file, R_OK) != 0 && errno == EACCES
           && stat(file, &status) == 0 && status.st_uid != geteuid();
}

/* Leaves out those that are closed: how many are left. */
static int leave_out_closed(const char *path, char **names, int count)
{
    int left = 0;

    for (int i = 0; i < count; i++)
        if (!is_closed(path, names[i]))
            names[left++] = names[i];
    return left;
}

static enum mq_result read_files(const char *path, char **names, int all,
                                 const struct mq_read_options *how,
                                 struct mq_reading *reading,
                                 struct mq_error *error)
{
    int count = leave_out_closed(path, names, all);
    int found = read_entries(path, names, count, how, reading);
    enum mq_result result = mq_read_records(path, names, (size_t)count, how,
                                            reading, error);

    return result == mq_failed ? mq_failed
           : result == mq_ok || found > 0 ? mq_ok
           : mq_fail(error, "%s holds no snapshots, no digests and no records "
                     "of libmqwatch%s", path, count < all ? " that you may read"
                     : "");
}

static enum mq_result read_folder(const char *path,
                                  const struct mq_read_options *how,
                                  struct mq_reading *reading,
                                  struct mq_error *error)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, versionsort);
    char **names = count < 0 ? NULL : calloc((size_t)count + 1, sizeof *names);
    enum mq_result result;

    if (count < 0)
        return mq_fail(error, "%s cannot be listed: %s", path,
                       strerror(errno));
    for (int i = 0; names != NULL && i < count; i++)
        names[i] = entries[i]->d_name;
    result = names == NULL
        ? mq_fail_memory(error, "for the files of a folder")
        : read_files(path, names, count, how, reading, error);
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    free(names);
    return result;
}

/* ---- Files -------------------------------------------------------------- */

/* Suggests what the user meant by a file that holds no recording, or does not
 * exist.
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

    if (how->live->record != NULL)
        return mq_fail(error, "--record %s keeps processes and core files, and "
                       "%s is kept already: copy it, or keep its data "
                       "with --digest FILE", how->live->record, values[0]);
    if (stat(values[0], &status) == 0 && S_ISDIR(status.st_mode))
        return read_folder(values[0], how, reading, error);
    if (guess(values[0], error) != mq_ok)
        return mq_failed;
    return read_file(values[0], how, reading, error);
}
