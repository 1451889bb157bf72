/* Processes are stopped, walked once for what that reads, and let go. */
#include "mqdump/recorder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "mqdump/interrupt.h"
#include "target/record.h"

/* ---- One target -------------------------------------------------------- */

/* Replaces the error by what a user can do about a program of which too little
 * is known; else the error names the process.
 */
static enum mq_result explain(const struct mq_target *recorder,
                              const struct mq_error *cause,
                              struct mq_error *error)
{
    const char *missing = mq_record_missing_type(recorder);

    if (!mq_record_has_symbols(recorder) || missing == NULL)
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
    size_t i;

    for (i = 0; i < process->remark_count; i++) {
        if (process->remarks[i].is_error)
            return true;
    }
    return false;
}

/* Walks RECORDER into JOB only for what that asks. */
static enum mq_result walk_once(struct mq_target *recorder, struct mq_dll *dll,
                                const struct mq_handle_wishes *wishes,
                                struct mq_job *job, struct mq_outcome *outcome)
{
    const struct mq_process *process;
    struct mq_costs costs = {0};
    struct mq_error cause;

    if (mq_read_target(dll, recorder, wishes, job, &cause, &costs) != mq_ok)
        return explain(recorder, &cause, &outcome->error);
    process = &job->processes[0];
    outcome->rank = process->rank;
    if (process->communicator_count == 0 && !has_error(process))
        return mq_fail(&outcome->error, "%s: it has no communicators: it has "
                       "not reached MPI_Init, or has passed MPI_Finalize; try "
                       "again later", recorder->name);
    return mq_ok;
}

static enum mq_result record_with(struct mq_target *recorder,
                                  struct mq_dll *dll,
                                  const struct mq_handle_wishes *wishes,
                                  FILE *file, struct mq_outcome *outcome)
{
    struct mq_job *job;
    enum mq_result result;

    if (mq_job_create(&outcome->error, &job) != mq_ok)
        return mq_failed;
    result = walk_once(recorder, dll, wishes, job, outcome);
    mq_job_destroy(job);
    if (result != mq_ok)
        return result;
    if (mq_record_write(recorder, outcome->rank, &outcome->error, file)
        != mq_ok)
        return mq_failed;
    if (fflush(file) != 0)
        return mq_fail(&outcome->error, "%s: cannot write its recording to a "
                       "temporary file: %s", recorder->name, strerror(errno));
    return mq_ok;
}

/* Records TARGET with DLL. */
static enum mq_result record(struct mq_target *target, struct mq_dll *dll,
                             const struct mq_handle_wishes *wishes,
                             FILE *file, struct mq_outcome *outcome)
{
    struct mq_target *recorder;
    enum mq_result result;

    if ((size_t)snprintf(outcome->dll, sizeof outcome->dll, "%s", dll->file)
        >= sizeof outcome->dll)
        return mq_fail(&outcome->error, "the path of the DLL is too long");
    result = mq_record_open(target, &outcome->error, &recorder);
    if (result != mq_ok)
        return result;
    result = record_with(recorder, dll, wishes, file, outcome);
    mq_target_destroy(recorder);
    return result;
}

void mq_recorder_record(struct mq_target *target,
                        const struct mq_read_options *how,
                        struct mq_recording *recording)
{
    struct mq_outcome *outcome = recording->outcome;
    struct mq_gdb_link *link = mq_gdb_link_of(target);
    struct mq_error why;
    struct mq_dll *dll;

    outcome->result = mq_dll_choose(&how->choice, target, &outcome->error,
                                    &dll);
    if (outcome->result == mq_ok) {
        outcome->result = record(target, dll, &how->handles, recording->file,
                                 outcome);
        mq_dll_unload(dll);
    }
    /* What broke gdb is the error, rather than what came of that. */
    if (mq_gdb_link_is_broken(link, &why))
        outcome->result = mq_fail(&outcome->error, "%s: %s", target->name,
                                  why.text);
    outcome->requests = mq_gdb_link_requests(link);
}

/* ---- Subjects ---------------------------------------------------------- */

enum mq_result mq_recorder_open(const struct mq_gdb_subject *subject,
                                const struct mq_read_options *how,
                                const volatile sig_atomic_t *stopper,
                                struct mq_error *error,
                                struct mq_target **target)
{
    const struct mq_live_settings *settings = how->live;
    struct mq_gdb_options options = {0};
    char *script = NULL;
    enum mq_result result = mq_gdb_find_script(how->choice.folder, error,
                                               &script);

    if (result != mq_ok)
        return result;
    options.setup.program = settings->gdb;
    options.setup.script = script;
    options.setup.limit = settings->gdb_limit;
    options.setup.interrupted = stopper;
    options.types = settings->types;
    options.until = settings->until;
    result = mq_gdb_open(&options, subject, error, target);
    free(script);
    return result;
}

void mq_recorder_record_subject(const struct mq_gdb_subject *subject,
                                const struct mq_read_options *how,
                                struct mq_recording *recording)
{
    struct mq_outcome *outcome = recording->outcome;
    struct mq_target *target;
    double begin = mq_now();

    outcome->result = mq_recorder_open(subject, how, &mq_interrupted,
                                       &outcome->error, &target);
    if (outcome->result != mq_ok)
        return;
    mq_recorder_record(target, how, recording);
    mq_target_destroy(target);
    outcome->seconds = mq_now() - begin;
    if (outcome->result != mq_ok && subject->kind == mq_gdb_process
        && mq_gdb_has_ended(subject->pid))
        mq_fail(&outcome->error, "process %d ended while it was read",
                subject->pid);
}
