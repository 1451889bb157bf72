/* recorder.c - recording of running processes and core files
 *
 * Processes are stopped, what is needed of them is copied, and they are resumed
 * and read as they were.  One whose copy was incomplete twice is read while it
 * is stopped.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/sample/recorder.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "model/digest.h"
#include "mqdump/sample/mark.h"
#include "mqdump/system/interrupt.h"
#include "mqdump/system/limits.h"
#include "process/proc_stat.h"
#include "target/rank_process.h"
#include "target/record.h"

enum {
    most_torn = 2               /* looks, until one is read while it is
                                   stopped */
};

static const double soon = 0.05;        /* seconds */

/* ---- Files ------------------------------------------------------------- */

static enum mq_result open_file(struct mq_error *error, FILE **file)
{
    *file = tmpfile();
    return *file != NULL ? mq_ok
           : mq_fail(error, "cannot make a temporary file: %s",
                     strerror(errno));
}

enum mq_result mq_recording_open(struct mq_recording *recording,
                                 const struct mq_read_options *how,
                                 struct mq_error *error)
{
    enum mq_result result = open_file(error, &recording->file);

    if (result == mq_ok && how->live->record != NULL)
        result = open_file(error, &recording->record);
    if (result != mq_ok)
        mq_recording_close(recording);
    return result;
}

void mq_recording_close(struct mq_recording *recording)
{
    if (recording->file != NULL)
        fclose(recording->file);
    if (recording->record != NULL)
        fclose(recording->record);
    recording->file = recording->record = NULL;
}

/* ---- One target -------------------------------------------------------- */

/* Replaces the error by advice on a program of which too little is known; else
 * the error names the process.  IS_SHOWN if its queues are, and only what else
 * was asked has failed.
 */
static enum mq_result explain(const struct mq_target *recorder, bool is_shown,
                              const struct mq_error *cause,
                              struct mq_error *error)
{
    const char *missing = mq_record_missing_type(recorder);

    if (is_shown || !mq_record_has_symbols(recorder) || missing == NULL)
        return mq_fail(error, "%s: %s", recorder->name, cause->text);
    if (!mq_record_has_types(recorder))
        return mq_fail(error, "%s: %s has no debug information of its MPI "
                       "library: the type '%s' is missing; name an object file "
                       "that describes it with --types OBJECT",
                       recorder->name, recorder->image, missing);
    return mq_fail(error, "%s: %s Or name an object file that describes it "
                   "with --types OBJECT", recorder->name, cause->text);
}

static bool has_error(const struct mq_process *process)
{
    for (size_t i = 0; i < process->remark_count; i++)
        if (process->remarks[i].is_error)
            return true;
    return false;
}

/* Walks what was recorded only for what that asks. */
static enum mq_result walk_once(struct mq_recorder *recorder,
                                struct mq_dll *dll,
                                const struct mq_handle_wishes *wishes)
{
    struct mq_outcome *outcome = recorder->recording->outcome;
    struct mq_target *record = recorder->found.record;
    const struct mq_job *job = recorder->found.job;
    const struct mq_process *process;
    struct mq_error cause = outcome->refused;

    if (mq_read_with(recorder->how->dlls, dll, record, wishes,
                     recorder->found.job, &cause, &outcome->costs) != mq_ok)
        return explain(record, job->process_count > 0, &cause,
                       &outcome->error);
    process = &job->processes[0];
    outcome->rank = process->rank;
    if (dll == NULL || process->communicator_count > 0 || has_error(process)
        || outcome->is_at_gate || mq_read_is_rank(record))
        return mq_ok;
    return mq_fail(&outcome->error, "%s: it has no communicators: it has "
                   "not reached MPI_Init, or has passed MPI_Finalize; try "
                   "again later", record->name);
}

static enum mq_result flush(FILE *file, const char *name,
                            struct mq_error *error)
{
    return fflush(file) == 0 ? mq_ok
           : mq_fail(error, "%s: cannot write a temporary file: %s", name,
                     strerror(errno));
}

/* Writes what was found and, if it is kept, what was recorded. */
static enum mq_result write_found(const struct mq_recorder *recorder)
{
    const struct mq_recording *recording = recorder->recording;
    struct mq_outcome *outcome = recording->outcome;
    struct mq_job *job = recorder->found.job;
    struct mq_process *process = &job->processes[0];

    mq_read_settle(recorder->target, process);
    outcome->counter_at = process->counter_at;
    outcome->counter = process->counter;
    if (mq_digest_write(job, recording->file, &outcome->error) != mq_ok
        || flush(recording->file, recording->name, &outcome->error) != mq_ok)
        return mq_failed;
    if (recording->record == NULL)
        return mq_ok;
    if (mq_record_write(recorder->found.record, outcome->rank, &outcome->error,
                        recording->record) != mq_ok)
        return mq_failed;
    return flush(recording->record, recording->name, &outcome->error);
}

static void forget(struct mq_found *found)
{
    mq_target_destroy(found->record);
    mq_job_destroy(found->job);
    *found = (struct mq_found){ NULL, NULL };
}

/* Reads what is found; mq_absent: it is torn, and valid only if all of it is
 * the same at the next moment.
 */
static enum mq_result record(struct mq_recorder *recorder, struct mq_dll *dll,
                             const struct mq_handle_wishes *wishes)
{
    const bool is_kept = recorder->recording->record != NULL;
    struct mq_outcome *outcome = recorder->recording->outcome;
    struct mq_looks looks = recorder->target->looks;
    struct mq_found *found = &recorder->found;
    enum mq_result result;

    if ((size_t)snprintf(outcome->dll, sizeof outcome->dll, "%s",
                         dll != NULL ? dll->file : "") >= sizeof outcome->dll)
        return mq_fail(&outcome->error, "the path of the DLL is too long");
    /* Data read at the first look are interpreted as at the others. */
    looks.count = recorder->looks.looks.count + 1;
    recorder->target->looks = looks;
    outcome->costs = (struct mq_costs){ .walked = 0 };
    forget(found);
    if (is_kept)
        mq_dll_cache_close_images(recorder->how->dlls);
    if (mq_record_open(recorder->target, is_kept, &outcome->error,
                       &found->record) != mq_ok
        || mq_job_create(&outcome->error, &found->job) != mq_ok)
        return mq_failed;
    result = walk_once(recorder, dll, wishes);
    if (result == mq_ok && is_kept)
        result = mq_record_complete(found->record, &outcome->error);
    if (!recorder->target->is_torn)
        return result;
    if (result != mq_ok)
        forget(found);
    return mq_absent;
}

/* Counts what was found as a look. */
static enum mq_result take(struct mq_recorder *recorder)
{
    struct mq_outcome *outcome = recorder->recording->outcome;
    enum mq_result result = mq_look_take(&recorder->looks, recorder->target,
                                         &recorder->found.job->processes[0],
                                         recorder->subject->pin.pid,
                                         &outcome->error);

    outcome->looks = recorder->looks.looks;
    outcome->spot = recorder->looks.spot;
    return result;
}

/* A target that is no process of this host may still have the marks of its
 * starter in its memory.
 */
static void find_place(struct mq_target *target)
{
    struct mq_rank_place place;

    if (target->pid != 0 || !mq_read_is_rank(target)
        || mq_rank_place_find(target, &place) != mq_ok)
        return;
    if (target->rank < 0 || target->rank == place.rank)
        mq_target_set_place(target, place.rank, place.size);
}

static void read_target(struct mq_recorder *recorder)
{
    const struct mq_read_options *how = recorder->how;
    const struct mq_pin *pin = &recorder->subject->pin;
    struct mq_target *target = recorder->target;
    struct mq_outcome *outcome = recorder->recording->outcome;
    struct mq_handle_wishes wishes = how->handles;
    struct mq_dll *dll = NULL;

    wishes.dll = outcome->handle_dll;
    find_place(target);
    outcome->result = mq_gate_pass(recorder->marker, target, pin, how,
                                   &outcome->error);
    outcome->is_at_gate = outcome->result == mq_absent;
    if (outcome->result == mq_failed)
        return;
    outcome->result = mq_read_choose(how->dlls, &how->choice, target,
                                     &outcome->error, &dll);
    outcome->refused.text[0] = '\0';
    if (outcome->result == mq_ok && dll == NULL)
        outcome->refused = outcome->error;
    if (outcome->result == mq_ok)
        outcome->result = record(recorder, dll, &wishes);
    if (recorder->found.record != NULL && recorder->looks.looks.count == 0
        && outcome->result != mq_failed
        && mq_mark_begin(recorder->marker, target, pin,
                         &recorder->found.job->processes[0], how,
                         &recorder->mark))
        outcome->result = record(recorder, dll, &wishes);
}

void mq_recorder_record(struct mq_target *target,
                        const struct mq_read_options *how,
                        struct mq_recording *recording)
{
    const struct mq_subject nothing = { .rank = -1 };
    struct mq_recorder recorder = {
        .subject = &nothing, .how = how, .recording = recording,
        .target = target
    };
    struct mq_outcome *outcome = recording->outcome;

    read_target(&recorder);
    if (outcome->result == mq_ok)
        outcome->result = take(&recorder);
    if (outcome->result == mq_ok)
        outcome->result = write_found(&recorder);
    forget(&recorder.found);
    mq_look_series_deinit(&recorder.looks);
}

/* ---- Subjects ---------------------------------------------------------- */

/* Data of a subject before it is opened. */
static struct mq_subject find_rank(const struct mq_subject *subject,
                                       struct mq_rank_place *place)
{
    struct mq_subject found = *subject;

    if (found.kind == mq_subject_process)
        mq_rank_place_read("/proc", found.pid, NULL, place);
    if (found.rank < 0)
        found.rank = place->rank;
    return found;
}

/* ---- Steps ------------------------------------------------------------- */

void mq_tools_init(struct mq_tools *tools, size_t count)
{
    mq_limits_set((unsigned)count);
    tools->direct = NULL;
}

void mq_tools_deinit(struct mq_tools *tools)
{
    mq_limits_lift();
    mq_direct_destroy(tools->direct);
}

enum mq_result mq_tools_open(struct mq_tools *tools,
                             const struct mq_subject *subject,
                             const struct mq_read_options *how,
                             struct mq_error *error,
                             struct mq_target **target)
{
    struct mq_rank_place place = { .rank = -1 };
    struct mq_subject found = find_rank(subject, &place);
    const char *types = how->live->types;
    enum mq_result result;

    if (found.kind == mq_subject_process && found.pin.pid == 0
        && mq_pin_process(found.pid, error, &found.pin) != mq_ok)
        return mq_failed;
    if (tools->direct == NULL
        && mq_direct_create(error, &tools->direct) != mq_ok)
        return mq_failed;
    result = found.kind == mq_subject_core
        ? mq_direct_open_core(tools->direct, found.program, found.place, types,
                              error, target)
        : mq_direct_open(tools->direct, &found.pin, types, error, target);
    if (result == mq_ok)
        mq_target_set_place(*target, found.rank, place.size);
    return result;
}

enum mq_result mq_tools_open_held(struct mq_tools *tools,
                                  const struct mq_subject *subject,
                                  const struct mq_held_process *held,
                                  const struct mq_read_options *how,
                                  struct mq_error *error,
                                  struct mq_target **target)
{
    struct mq_rank_place place = { .rank = -1 };
    struct mq_subject found = find_rank(subject, &place);
    enum mq_result result = mq_direct_create(error, &tools->direct);

    if (result == mq_ok)
        result = mq_direct_open_held(tools->direct, held, how->live->types,
                                     error, target);
    if (result == mq_ok)
        mq_target_set_place(*target, found.rank, place.size);
    return result;
}

/* The marks of a starter may only be inherited. */
void mq_recorder_identify(struct mq_recorder *recorder)
{
    const struct mq_subject *subject = recorder->subject;
    struct mq_rank_place place = { .rank = -1 };

    find_rank(subject, &place);
    recorder->recording->outcome->rank =
        subject->rank >= 0 || place.rank < 0
        || !mq_process_has_mpi("/proc", subject->pid) ? subject->rank
                                                      : place.rank;
}

void mq_recorder_open(struct mq_recorder *recorder)
{
    struct mq_outcome *outcome = recorder->recording->outcome;

    outcome->result = mq_tools_open(recorder->tools, recorder->subject,
                                    recorder->how, &outcome->error,
                                    &recorder->target);
}

static int pid_of(const struct mq_recorder *recorder)
{
    const struct mq_subject *subject = recorder->subject;

    return subject->kind == mq_subject_process ? subject->pid : 0;
}

void mq_recorder_ask(struct mq_recorder *recorder)
{
    struct mq_outcome *outcome = recorder->recording->outcome;
    struct mq_target *target = recorder->target;
    int pid = pid_of(recorder);

    recorder->is_read = false;
    mq_look_ask(&recorder->looks, pid);
    outcome->was_not_stopped = recorder->found.record != NULL
                               && mq_look_holds(&recorder->looks, target, pid);
    if (!outcome->was_not_stopped && target->live->prepare != NULL)
        outcome->result = target->live->prepare(target, &outcome->error);
}

void mq_recorder_halt(struct mq_recorder *recorder)
{
    struct mq_outcome *outcome = recorder->recording->outcome;

    if (outcome->was_not_stopped)
        return;
    recorder->stopped = mq_now();
    outcome->is_stopped = true;
    if (recorder->target->live->halt != NULL)
        outcome->result = recorder->target->live->halt(recorder->target,
                                                       &outcome->error);
}

static void stop(struct mq_recorder *recorder)
{
    struct mq_outcome *outcome = recorder->recording->outcome;

    outcome->result = recorder->target->live->stop(recorder->target,
                                                   &outcome->error);
}

void mq_recorder_stop(struct mq_recorder *recorder)
{
    struct mq_target *target = recorder->target;
    double rest = recorder->stopped + soon - mq_now();

    if (recorder->recording->outcome->was_not_stopped)
        return;
    recorder->is_late = target->live->has_halted != NULL
                        && !target->live->has_halted(target, rest);
    if (!recorder->is_late)
        stop(recorder);
}

/* Whether it is read while it is stopped, though it need not be. */
static bool is_held(const struct mq_recorder *recorder)
{
    return recorder->target->live->locate != NULL
           && recorder->torn >= most_torn
           && recorder->recording->outcome->is_stopped;
}

void mq_recorder_free(struct mq_recorder *recorder)
{
    if (recorder->target->live->locate != NULL && !recorder->is_late
        && !is_held(recorder))
        mq_recorder_resume(recorder);
}

void mq_recorder_stop_late(struct mq_recorder *recorder)
{
    if (!recorder->is_late)
        return;
    recorder->is_late = false;
    stop(recorder);
    if (recorder->recording->outcome->result == mq_ok)
        mq_recorder_free(recorder);
    else
        mq_recorder_resume(recorder);
}

void mq_recorder_read_held(struct mq_recorder *recorder)
{
    if (!is_held(recorder))
        return;
    mq_recorder_read(recorder);
    mq_recorder_resume(recorder);
}

/* Whether what was read of an unchanged subject is so at this look.  Since one
 * that was torn, another process may have released what this one waits for.
 */
static bool is_known(const struct mq_recorder *recorder)
{
    const struct mq_target *target = recorder->target;
    bool is_known = recorder->found.record != NULL;

    for (size_t i = 0; i < target->thread_count && !recorder->is_taken; i++)
        is_known &= target->threads[i].resource.kind == mq_resource_none;
    return is_known;
}

void mq_recorder_read(struct mq_recorder *recorder)
{
    struct mq_outcome *outcome = recorder->recording->outcome;
    struct mq_target *target = recorder->target;

    if (recorder->is_read)
        return;
    recorder->is_read = true;
    outcome->is_torn = false;
    if (outcome->was_not_stopped || (target->is_unchanged
                                     && is_known(recorder)))
        return;
    recorder->is_taken = false;
    /* Where the threads are may be torn, too. */
    if (target->live->locate != NULL)
        outcome->result = target->live->locate(target, &outcome->error);
    if (outcome->result == mq_ok) {
        snprintf(outcome->gap, sizeof outcome->gap, "%s",
                 target->gap != NULL ? target->gap : "");
        target->activity = recorder->looks.activity.now;
        read_target(recorder);
    } else {
        forget(&recorder->found);
    }
    outcome->is_torn = outcome->result == mq_absent;
    recorder->torn += outcome->is_torn;
    if (outcome->is_torn)
        outcome->result = mq_ok;
}

/* Of one that was not stopped, or where nothing is different. */
static enum mq_result take_same(struct mq_recorder *recorder)
{
    struct mq_outcome *outcome = recorder->recording->outcome;
    int pid = pid_of(recorder);

    if (outcome->was_not_stopped)
        mq_look_repeat_running(&recorder->looks, pid);
    else
        mq_look_repeat(&recorder->looks, recorder->target);
    outcome->looks = recorder->looks.looks;
    recorder->target->looks = outcome->looks;
    recorder->target->activity = recorder->looks.activity.now;
    return outcome->was_not_stopped && mq_proc_has_ended(pid)
        ? mq_fail(&outcome->error, "process %d ended while it was read", pid)
        : mq_ok;
}

void mq_recorder_take(struct mq_recorder *recorder)
{
    recorder->recording->outcome->result =
        recorder->is_taken ? take_same(recorder) : take(recorder);
    recorder->is_taken = true;
    recorder->torn = 0;
}

void mq_recorder_resume(struct mq_recorder *recorder)
{
    struct mq_outcome *outcome = recorder->recording->outcome;
    struct mq_error error;

    if (!outcome->is_stopped)
        return;
    outcome->is_stopped = false;
    if (recorder->target == NULL
        || recorder->target->live->resume(recorder->target, &error) == mq_ok) {
        outcome->last_stop_seconds = mq_now() - recorder->stopped;
        outcome->stopped_seconds += outcome->last_stop_seconds;
        return;
    }
    if (outcome->result == mq_ok)
        outcome->error = error;
    outcome->result = mq_failed;
}

void mq_recorder_settle_begin(struct mq_recorder *recorder)
{
    mq_look_settle_begin(&recorder->looks, pid_of(recorder));
}

/* Seconds between two looks: the duration of all looks together shall suffice
 * for what they can show, unless that takes too long.
 */
static double settle_of(const struct mq_recorder *recorder)
{
    const struct mq_live_settings *live = recorder->how->live;
    const double usual = 0.2, longest = 2;
    int looks = live->looks > 0 ? live->looks : mq_looks_usual;
    double share = recorder->looks.worth / fmax(looks - 1, 1);

    return live->settle > 0 ? live->settle
           : share > usual && share <= longest ? share : usual;
}

void mq_recorder_settle_end(struct mq_recorder *recorder)
{
    mq_look_settle_end(&recorder->looks, pid_of(recorder),
                       settle_of(recorder));
}

void mq_recorder_deinit(struct mq_recorder *recorder)
{
    struct mq_outcome *outcome = recorder->recording->outcome;
    int pid = pid_of(recorder);

    if (outcome->result == mq_ok && recorder->is_taken)
        outcome->result = write_found(recorder);
    forget(&recorder->found);
    mq_look_series_deinit(&recorder->looks);
    mq_mark_end(&recorder->mark, recorder->how->choice.logger);
    mq_target_destroy(recorder->target);
    outcome->has_ended = outcome->result != mq_ok && pid != 0
                         && mq_proc_has_ended(pid);
    if (outcome->has_ended && recorder->target != NULL)
        mq_fail(&outcome->error, "process %d ended while it was read", pid);
}
