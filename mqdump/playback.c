/* Recordings, read back and shown by the DLL that they were made with. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/playback.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "target/snapshot.h"

/* All of FILE in a new string. */
static enum mq_result read_back(FILE *file, const char *name,
                                struct mq_error *error, char **text,
                                size_t *length)
{
    long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *bytes;

    if (end < 0)
        return mq_fail(error, "%s: cannot read its recording: %s", name,
                       strerror(errno));
    bytes = malloc((size_t)end + 1);
    if (bytes == NULL)
        return mq_fail_memory(error, "for a recording");
    rewind(file);
    if (fread(bytes, 1, (size_t)end, file) != (size_t)end) {
        free(bytes);
        return mq_fail(error, "%s: cannot read its recording", name);
    }
    bytes[end] = '\0';
    *text = bytes;
    *length = (size_t)end;
    return mq_ok;
}

static enum mq_result write_file(const char *path, const char *text,
                                 size_t length, struct mq_error *error)
{
    FILE *file = fopen(path, "wbx");
    int number = errno;
    bool failed;

    if (file == NULL && number == EEXIST)
        return mq_fail(error, "%s exists already: record to another folder",
                       path);
    if (file == NULL)
        return mq_fail(error, "cannot make %s: %s", path, strerror(number));
    failed = fwrite(text, 1, length, file) != length;
    number = errno;
    if (fclose(file) != 0 && !failed) {
        failed = true;
        number = errno;
    }
    if (!failed)
        return mq_ok;
    unlink(path);
    return mq_fail(error, "cannot write %s: %s", path, strerror(number));
}

/* Keeps a recording in FOLDER, named so that names sort as ranks do. */
static enum mq_result keep(const struct mq_recording *recording,
                           const char *folder, const char *text, size_t length,
                           struct mq_error *error)
{
    char path[4096];
    int rank = recording->outcome->rank;

    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return mq_fail(error, "cannot make the folder %s: %s", folder,
                       strerror(errno));
    if (rank >= 0 && recording->world > 0)
        snprintf(path, sizeof path, "%s/world-%05" PRIu32 "-rank-%05d.mqsnap",
                 folder, recording->world, rank);
    else if (rank >= 0)
        snprintf(path, sizeof path, "%s/rank-%05d.mqsnap", folder, rank);
    else
        snprintf(path, sizeof path, "%s/unknown-%05d.mqsnap", folder,
                 recording->number);
    return write_file(path, text, length, error);
}

static enum mq_result replay(const struct mq_recording *recording,
                             const char *text, size_t length,
                             const struct mq_read_options *how,
                             struct mq_reading *reading,
                             struct mq_error *error)
{
    struct mq_read_options own = *how;
    struct mq_target *target;
    enum mq_result result = mq_snapshot_parse(recording->name, text, length,
                                              error, &target);

    if (result != mq_ok)
        return result;
    if (recording->outcome->refused.text[0] != '\0')
        own.choice.refused = recording->outcome->refused.text;
    own.choice.asked = recording->outcome->dll;
    own.handles.dll = recording->outcome->handle_dll;
    own.choice.teller = NULL;               /* the story was told */
    target->world_size = recording->outcome->world_size;
    result = mq_reading_add(reading, &own, target, error);
    mq_target_destroy(target);
    return result;
}

enum mq_result mq_playback(const struct mq_recording *recording,
                           const struct mq_read_options *how,
                           struct mq_reading *reading, struct mq_error *error)
{
    const struct mq_outcome *outcome = recording->outcome;
    const char *folder = how->live->record;
    char *text = NULL;
    size_t length = 0;
    enum mq_result result = outcome->result;

    if (result != mq_ok) {
        *error = outcome->error;
        return result;
    }
    result = read_back(recording->file, recording->name, error, &text,
                       &length);
    if (result == mq_ok && folder != NULL)
        result = keep(recording, folder, text, length, error);
    if (result == mq_ok)
        result = replay(recording, text, length, how, reading, error);
    free(text);
    if (how->stats && outcome->requests > 0)
        fprintf(stderr, "%s: %" PRIu64 " requests to gdb in %.3f s\n",
                recording->name, outcome->requests, outcome->seconds);
    return result;
}
