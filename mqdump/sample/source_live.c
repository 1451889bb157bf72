/* source_live.c - sources: running processes and core files */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/sample/source_live.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/number.h"
#include "model/digest.h"
#include "model/process_builder.h"
#include "mqdump/sample/children.h"
#include "mqdump/sample/reading.h"
#include "mqdump/sample/recorder.h"
#include "process/proc_stat.h"

/* ---- The digest of a worker ------------------------------------------- */

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
        return mq_fail(error, "%s: cannot read the results of its reader",
                       recording->name);
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

/* Adds the process of a finished recording to the reading, and keeps its
 * snapshot in the folder that the options name.  If the outcome is a failure,
 * its error becomes that of this function.
 */
static enum mq_result collect(const struct mq_recording *recording,
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

enum mq_result mq_live_show(struct mq_target *target, int number,
                            const struct mq_read_options *how,
                            struct mq_reading *reading, struct mq_error *error)
{
    struct mq_outcome outcome = {0};
    struct mq_recording recording = {
        .name = target->name, .number = number, .outcome = &outcome
    };
    enum mq_result result;

    if (mq_recording_open(&recording, how, error) != mq_ok)
        return mq_failed;
    mq_recorder_record(target, how, &recording);
    if (outcome.is_at_gate)
        outcome.result = mq_failed;
    result = collect(&recording, how, reading, error);
    mq_recording_close(&recording);
    return result;
}

/* ---- Ranks that nothing was read of ------------------------------------ */

enum mq_result mq_live_add_unread(struct mq_reading *reading,
                                  const struct mq_process *rank,
                                  const char *why, struct mq_error *error)
{
    const struct mq_remark remark = { why, rank->presence != mq_gone, -1, -1 };
    struct mq_process made = *rank;

    if (mq_job_string(reading->job, rank->name, error, &made.name) != mq_ok
        || mq_job_string(reading->job, "", error, &made.image) != mq_ok
        || (why != NULL && mq_process_remark(&made, reading->job, &remark,
                                             error) != mq_ok))
        return mq_failed;
    if (mq_job_add(reading->job, &made, error) == mq_ok)
        return mq_ok;
    mq_process_deinit(&made);
    return mq_failed;
}

/* Adds a rank that will never answer, or one that could not be read, with the
 * reason.
 */
static enum mq_result add_unread(const struct mq_recording *recording,
                                 const struct mq_read_options *how,
                                 struct mq_reading *reading,
                                 struct mq_error *error)
{
    const struct mq_outcome *outcome = recording->outcome;
    const struct mq_process rank = {
        .name = recording->name, .rank = outcome->rank,
        .world = recording->world,
        .presence = outcome->has_ended ? mq_gone : mq_not_read,
        .looks = outcome->has_ended ? outcome->looks.count : 0,
        .movement = outcome->has_ended && outcome->looks.count > 0
                    ? mq_moved : mq_movement_unknown
    };

    const char *why = outcome->has_ended ? NULL : outcome->error.text;
    char end[64];

    if (outcome->has_ended
        && mq_proc_end_words(recording->pin.pid, sizeof end, end))
        why = end;
    if (outcome->has_ended)
        mq_log(how->choice.logger, mq_verbose, "%s, rank %d, has ended",
               rank.name, rank.rank);
    return mq_live_add_unread(reading, &rank, why, error);
}

/* ---- Side by side ------------------------------------------------------ */

static int compare_ranks(const void *a, const void *b)
{
    const struct mq_recording *x = &((const struct mq_recorded *)a)->recording;
    const struct mq_recording *y = &((const struct mq_recorded *)b)->recording;
    int first = x->outcome->rank, second = y->outcome->rank;

    if (x->world != y->world)
        return x->world < y->world ? -1 : 1;
    if ((first < 0) != (second < 0))
        return first < 0 ? 1 : -1;
    if (first == second) {
        first = x->number;
        second = y->number;
    }
    return first < second ? -1 : first > second;
}

/* Adds a note of what is not known of the process that was added last. */
static enum mq_result add_gap(const struct mq_recording *recording,
                              struct mq_reading *reading,
                              struct mq_error *error)
{
    const struct mq_remark note = { recording->outcome->gap, false, -1, -1 };
    struct mq_job *job = reading->job;

    return note.text[0] == '\0' ? mq_ok
           : mq_process_remark(&job->processes[job->process_count - 1], job,
                               &note, error);
}

/* Notes where the process is that was added last. */
static enum mq_result add_lead(const struct mq_recording *recording,
                               struct mq_reading *reading,
                               struct mq_error *error)
{
    const struct mq_lead lead = {
        recording->pin, reading->job->process_count - 1,
        recording->outcome->spot
    };

    return mq_array_add(&reading->leads, sizeof lead, &reading->lead_count,
                        &reading->lead_room, &lead, "for a process", error);
}

/* If any process of a job has queues, those that have ended or wait at their
 * gate are part of it; else it is why there is nothing to show.
 */
static bool any_has_queues(const struct mq_recorded *recorded, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct mq_outcome *outcome = recorded[i].recording.outcome;

        if (outcome->result == mq_ok && !outcome->is_at_gate)
            return true;
    }
    return false;
}

static enum mq_result show_one(struct mq_recorded *one, bool is_part,
                               const struct mq_read_options *how,
                               struct mq_reading *reading,
                               struct mq_error *error)
{
    const struct mq_outcome *outcome = one->recording.outcome;

    /* A process that ended during the reading is gone for sure only if its rank
     * is known; so is whatever else could not be read.
     */
    if (is_part && outcome->result != mq_ok && outcome->rank >= 0)
        return add_unread(&one->recording, how, reading, error);
    if (!is_part && outcome->result == mq_ok && outcome->is_at_gate) {
        *error = outcome->error;
        return mq_failed;
    }
    if (outcome->stopped_seconds > reading->stopped_seconds)
        reading->stopped_seconds = outcome->stopped_seconds;
    if (collect(&one->recording, how, reading, error) != mq_ok
        || add_gap(&one->recording, reading, error) != mq_ok)
        return mq_failed;
    reading->job->processes[reading->job->process_count - 1].world =
        one->recording.world;
    return one->is_of_host ? add_lead(&one->recording, reading, error) : mq_ok;
}

/* Finds the rank of a resource's holder among the processes of a world. */
static void name_holder(const struct mq_recorded *recorded, size_t count,
                        const struct mq_process *waiter,
                        struct mq_resource *resource)
{
    if (resource->holder == mq_holder_thread)
        resource->rank = waiter->rank;
    for (size_t i = 0; resource->holder != mq_holder_thread && i < count; i++)
        if (recorded[i].is_of_host && resource->process != 0
            && recorded[i].recording.number == resource->process
            && recorded[i].recording.world == waiter->world)
            resource->rank = recorded[i].recording.outcome->rank;
}

/* Many are looked at in groups, and some once more after all others. */
static void apply_moment(const struct mq_recorded *recorded, size_t count,
                         struct mq_job *job, size_t first)
{
    struct mq_common_moment common = MQ_COMMON_MOMENT;
    bool are_together = true;

    for (size_t i = 0; i < count; i++) {
        const struct mq_outcome *outcome = recorded[i].recording.outcome;

        if (outcome->result != mq_ok
            || outcome->looks.movement != mq_counted_still)
            continue;
        are_together &= common.moment < 0
                        || common.moment == recorded[i].times.first;
        mq_moment_add(&common, &recorded[i].times);
    }
    if (!are_together)
        mq_moment_apply(job, first, mq_moment_margin(&common));
}

static void show_all(struct mq_recorded *recorded, size_t count,
                     const struct mq_read_options *how,
                     struct mq_reading *reading)
{
    bool is_part = any_has_queues(recorded, count);
    struct mq_interned logged = { .used = 0 };
    const size_t first = reading->job->process_count;
    struct mq_error error;

    qsort(recorded, count, sizeof *recorded, compare_ranks);
    for (size_t i = 0; i < count; i++) {
        mq_transcript_replay(&recorded[i].log, how->choice.logger, &logged);
        if (show_one(&recorded[i], is_part, how, reading, &error) != mq_ok)
            mq_reading_complain(reading, how, &error);
    }
    for (size_t p = first; p < reading->job->process_count; p++) {
        struct mq_process *process = &reading->job->processes[p];

        for (size_t i = 0; i < process->thread_count; i++)
            name_holder(recorded, count, process,
                        &process->threads[i].resource);
    }
    mq_interned_deinit(&logged);
    apply_moment(recorded, count, reading->job, first);
}

enum mq_result mq_live_read(const struct mq_subject *subjects,
                            size_t count, const struct mq_read_options *how,
                            struct mq_reading *reading, struct mq_error *error)
{
    struct mq_recorded *recorded = calloc(count, sizeof *recorded);
    char (*names)[64] = calloc(count, sizeof *names);
    enum mq_result result = recorded != NULL && names != NULL
                            ? mq_direct_check(error)
                            : mq_fail_memory(error, "for the processes");

    for (size_t i = 0; result == mq_ok && i < count; i++) {
        struct mq_recording *recording = &recorded[i].recording;
        bool has_pid = subjects[i].kind == mq_subject_process;

        snprintf(names[i], sizeof *names, "process %d", subjects[i].pid);
        recording->name = has_pid ? names[i] : subjects[i].place;
        recording->number = has_pid ? subjects[i].pid : (int)i;
        recording->pin = subjects[i].pin;
        recording->world = subjects[i].world;
        recorded[i].is_of_host = has_pid;
    }
    if (result == mq_ok)
        result = mq_children_record(recorded, subjects, count, how, error);
    if (result == mq_ok)
        show_all(recorded, count, how, reading);
    for (size_t i = 0; recorded != NULL && i < count; i++)
        mq_recorded_deinit(&recorded[i]);
    free(recorded);
    free(names);
    return result;
}

/* ---- Sources that name subjects ---------------------------------------- */

/* Shows the subjects that MAKE makes of a source's words. */
static enum mq_result read_made(mq_subjects_maker *make, char *const *values,
                                const struct mq_read_options *how,
                                struct mq_reading *reading,
                                struct mq_error *error)
{
    struct mq_subject *subjects = NULL;
    size_t count = 0;
    enum mq_result result = make(values, &reading->ranks, error, &subjects,
                                 &count);

    if (result == mq_ok)
        result = mq_live_read(subjects, count, how, reading, error);
    free(subjects);
    return result;
}

enum mq_result mq_read_core(char *const *values,
                            const struct mq_read_options *how,
                            struct mq_reading *reading, struct mq_error *error)
{
    return read_made(mq_subjects_of_core, values, how, reading, error);
}

/* ---- A process that a user's gdb holds ---------------------------------- */

enum { most_descriptors = 1 << 20 };

static enum mq_result add_thread(struct mq_held_process *held,
                                 const char *line, struct mq_error *error)
{
    struct mq_thread_registers one = { .machine = NULL };
    uint64_t number;

    if (mq_number_read(&line, INT_MAX, &number) != mq_number_ok
        || *line++ != ' '
        || mq_registers_parse(line, &one.machine, &one.registers) != mq_ok)
        return mq_fail(error, "process %d: gdb's registers are not those of "
                       "x86-64, i386 or AArch64, which mqdump reads",
                       held->pid);
    one.thread = (pid_t)number;
    return mq_array_add(&held->threads, sizeof one, &held->count, &held->room,
                        &one, "for the threads", error);
}

static enum mq_result read_threads(FILE *file, struct mq_held_process *held,
                                   struct mq_error *error)
{
    enum mq_result result = mq_ok;
    char *line = NULL;
    size_t room = 0;

    if (fscanf(file, "%d\n", &held->pid) != 1)
        return mq_fail(error, "gdb names no process");
    while (result == mq_ok && getline(&line, &room, file) > 0)
        result = add_thread(held, line, error);
    free(line);
    return result != mq_ok || held->count > 0 ? result
           : mq_fail(error, "process %d: gdb has no threads of it", held->pid);
}

static enum mq_result show_held(const struct mq_held_process *held,
                                const struct mq_read_options *how,
                                struct mq_reading *reading,
                                struct mq_error *error)
{
    struct mq_subject subject = { .pid = held->pid };
    struct mq_tools tools;
    struct mq_target *target;
    enum mq_result result = mq_rank_list_take(&reading->ranks, error,
                                              &subject.rank);

    if (result != mq_ok)
        return mq_failed;
    mq_tools_init(&tools, 1);
    result = mq_tools_open_held(&tools, &subject, held, how, error,
                                &target);
    if (result == mq_ok) {
        result = mq_live_show(target, held->pid, how, reading, error);
        mq_target_destroy(target);
    }
    mq_tools_deinit(&tools);
    return result;
}

enum mq_result mq_read_held(char *const *values,
                            const struct mq_read_options *how,
                            struct mq_reading *reading, struct mq_error *error)
{
    struct mq_held_process held = { .threads = NULL };
    enum mq_result result;
    int registers;
    FILE *file;

    if (!mq_number_is(values[0], 0, most_descriptors, &held.memory)
        || !mq_number_is(values[1], 0, most_descriptors, &registers)
        || (file = fdopen(registers, "r")) == NULL)
        return mq_fail(error, "--held is for the command mqdump in gdb");
    result = read_threads(file, &held, error);
    fclose(file);
    if (result == mq_ok)
        result = show_held(&held, how, reading, error);
    free(held.threads);
    return result;
}
