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

/* ---- The digest -------------------------------------------------------- */

static enum mq_result fail_to_read(const struct mq_recording *recording,
                                   struct mq_error *error)
{
    return mq_fail(error, "%s: cannot read the results of its reader",
                   recording->name);
}

static enum mq_result read_back(const struct mq_recording *recording,
                                struct mq_job *job, struct mq_error *error)
{
    const struct mq_outcome *outcome = recording->outcome;
    size_t count = job->process_count;
    struct mq_process *process;

    rewind(recording->file);
    if (mq_digest_read_stream(recording->name, recording->file, job, error)
        != mq_ok)
        return mq_failed;
    if (job->process_count != count + 1)
        return fail_to_read(recording, error);
    process = &job->processes[count];
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
