/* collect.c - collects the samples of the workers
 *
 * Digests on their way from children, and recordings that are kept.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/sample/collect.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/digest.h"
#include "model/process_builder.h"

enum { most_text = 1 << 26 };   /* bytes */

/* ---- The digest -------------------------------------------------------- */

static enum mq_result fail_to_read(const struct mq_recording *recording,
                                   struct mq_error *error)
{
    return mq_fail(error, "%s: cannot read the results of its reader",
                   recording->name);
}

/* A text behind its length; null if that is 0. */
static bool read_text(FILE *file, struct mq_job *job, struct mq_error *error,
                      const char **text)
{
    size_t length;
    char *bytes;
    bool is_read;

    *text = NULL;
    if (fscanf(file, "%zu", &length) != 1 || getc(file) != ' '
        || length > most_text)
        return false;
    bytes = calloc(length + 1, 1);
    is_read = bytes != NULL && fread(bytes, 1, length, file) == length
              && (length == 0
                  || mq_job_string(job, bytes, error, text) == mq_ok);
    free(bytes);
    return is_read;
}

/* Which world it is of, and members of others. */
static bool read_members(FILE *file, struct mq_process *process,
                         struct mq_error *error)
{
    struct mq_members it;
    uint32_t before = 0;
    size_t count;

    if (fscanf(file, "%" SCNx64 " %zu", &process->world_number, &count) != 2)
        return false;
    while (count-- > 0) {
        if (fscanf(file, "%" SCNu32 " %" SCNx64 " %" SCNd32 " %" SCNd32,
                   &it.communicator, &it.world, &it.first, &it.count) != 4
            || it.communicator < before
            || it.communicator >= process->communicator_count
            || it.first < 0 || it.first >= mq_digest_most_ranks
            || it.count < 1 || it.count > mq_digest_most_ranks - it.first
            || mq_process_add_members(process, &it, error) != mq_ok)
            return false;
        before = it.communicator;
    }
    return true;
}

/* Data that no digest has, in the order of the digest. */
static bool read_rest(FILE *file, struct mq_job *job,
                      struct mq_process *process, struct mq_error *error)
{
    bool is_read = read_text(file, job, error, &process->answer);

    for (size_t i = 0; i < process->communicator_count && is_read; i++) {
        struct mq_communicator *it = &process->communicators[i];

        is_read = fscanf(file, "%" SCNu8 " %" SCNx64, &it->kind, &it->handle)
                  == 2 && it->kind <= mq_kind_inter
                  && read_text(file, job, error, &it->about);
    }
    is_read = is_read && read_members(file, process, error);
    for (size_t i = 0; i < process->operation_count && is_read; i++)
        is_read = fscanf(file, "%" SCNx64, &process->operations[i].handle)
                  == 1 && read_text(file, job, error,
                                    &process->operations[i].datatype);
    return is_read;
}

static enum mq_result read_back(const struct mq_recording *recording,
                                struct mq_job *job, struct mq_error *error)
{
    const struct mq_outcome *outcome = recording->outcome;
    size_t count = job->process_count;
    struct mq_process *process;

    if (fseek(recording->file, outcome->digest_at, SEEK_SET) != 0)
        return fail_to_read(recording, error);
    if (mq_digest_read_stream(recording->name, recording->file, job, error)
        != mq_ok)
        return mq_failed;
    if (job->process_count != count + 1)
        return fail_to_read(recording, error);
    process = &job->processes[count];
    rewind(recording->file);
    if (!read_rest(recording->file, job, process, error))
        return fail_to_read(recording, error);
    process->counter_at = outcome->counter_at;
    process->counter = outcome->counter;
    return mq_ok;
}

/* ---- The recording ----------------------------------------------------- */

/* Copies the snapshot to a file that is not there yet. */
static enum mq_result copy_to(const char *path, FILE *from,
                              struct mq_error *error)
{
    FILE *file = fopen(path, "wbx");
    int number = errno;
    char bytes[1 << 14];
    bool failed;
    size_t got;

    if (file == NULL && number == EEXIST)
        return mq_fail(error, "%s exists already: record to another folder",
                       path);
    if (file == NULL)
        return mq_fail(error, "cannot make %s: %s", path, strerror(number));
    rewind(from);
    while ((got = fread(bytes, 1, sizeof bytes, from)) > 0
           && fwrite(bytes, 1, got, file) == got)
        continue;
    failed = ferror(from) || ferror(file);
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
                           const char *folder, struct mq_error *error)
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
    return copy_to(path, recording->record, error);
}

/* ---- Both -------------------------------------------------------------- */

enum mq_result mq_collect(const struct mq_recording *recording,
                          const struct mq_read_options *how,
                          struct mq_reading *reading,
                          struct mq_error *error)
{
    const struct mq_outcome *outcome = recording->outcome;
    enum mq_result result = outcome->result;

    if (result != mq_ok) {
        *error = outcome->error;
        return result;
    }
    if (recording->record != NULL)
        result = keep(recording, how->live->record, error);
    if (result == mq_ok)
        result = read_back(recording, reading->job, error);
    if (result == mq_ok)
        mq_reading_add_costs(reading, how, recording->name, &outcome->costs);
    return result;
}
