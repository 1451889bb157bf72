/* libmqdebug.c - the public interface, libmqdebug.h */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "include/libmqdebug.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/version.h"
#include "direct/direct.h"
#include "library/findings_kept.h"
#include "model/digest.h"
#include "model/process_builder.h"
#include "model/tallies.h"
#include "process/regular.h"
#include "read/read_process.h"
#include "report/format.h"
#include "report/sections.h"
#include "target/rank_process.h"
#include "target/snapshot.h"

struct mqdebug_job {
    struct mq_job *job;
    struct mq_dll_cache dlls;
    struct mq_direct *direct;   /* null: no process was read yet */
    char *dll;                  /* that is asked for, or null */
    char folder[PATH_MAX];      /* of this library */
    bool is_complete;           /* no more is added */
    struct mq_findings_kept *findings;  /* null: it was not analysed yet */
    struct mq_error error;
};

const char *mqdebug_version(void)
{
    return MQ_VERSION;
}

/* ---- Jobs ---------------------------------------------------------------- */

/* Where this library is, or the program that it is a part of. */
static void find_folder(char folder[PATH_MAX])
{
    static const char here[] = "";
    Dl_info info;
    char *slash;

    if (dladdr(here, &info) == 0 || info.dli_fname == NULL
        || realpath(info.dli_fname, folder) == NULL)
        return;
    slash = strrchr(folder, '/');
    *slash = '\0';
}

mqdebug_job *mqdebug_job_create(void)
{
    mqdebug_job *made = calloc(1, sizeof *made);

    if (made == NULL || mq_job_create(&made->error, &made->job) != mq_ok) {
        free(made);
        return NULL;
    }
    find_folder(made->folder);
    return made;
}

void mqdebug_job_destroy(mqdebug_job *job)
{
    if (job == NULL)
        return;
    mq_findings_forget(job->findings);
    mq_job_destroy(job->job);
    mq_dll_cache_clear(&job->dlls);
    mq_direct_destroy(job->direct);
    free(job->dll);
    free(job);
}

GETTER(const char *, mqdebug_error, mqdebug_job, it->error.text)

static int status_of(enum mq_result result)
{
    return result == mq_ok ? 0 : -1;
}

int mqdebug_job_use_dll(mqdebug_job *job, const char *file)
{
    char *copy = file != NULL ? strdup(file) : NULL;

    if (file != NULL && copy == NULL)
        return status_of(mq_fail_memory(&job->error, "choosing a DLL"));
    free(job->dll);
    job->dll = copy;
    return 0;
}

/* ---- Reading ------------------------------------------------------------- */

static enum mq_result may_add(mqdebug_job *job)
{
    return !job->is_complete ? mq_ok
           : mq_fail(&job->error, "the job was analysed or written already: "
                     "make another one to add processes");
}

/* Reads TARGET; data that are unknown without a debugger become a remark. */
static enum mq_result read_target(mqdebug_job *job, struct mq_target *target)
{
    const struct mq_dll_choice choice = {
        .asked = job->dll, .is_users = job->dll != NULL,
        .folder = job->folder[0] != '\0' ? job->folder : NULL,
        .user = geteuid()
    };
    const struct mq_handle_wishes wishes = { .all = false };
    const struct mq_remark gap = { target->gap, false, -1, -1 };
    struct mq_costs costs = { 0 };
    struct mq_error why;

    if (mq_read_process(&job->dlls, &choice, target, &wishes, job->job, &why,
                        &costs) != mq_ok)
        return mq_fail(&job->error, "%s: %s", target->name, why.text);
    return gap.text == NULL ? mq_ok
           : mq_process_remark(
                 &job->job->processes[job->job->process_count - 1], job->job,
                 &gap, &job->error);
}

static enum mq_result read_file(mqdebug_job *job, const char *file)
{
    struct mq_target *target = NULL;
    enum mq_result result = mq_regular_begins_with(file, "mqdigest ",
                                                   &job->error);

    if (result == mq_ok)
        return mq_digest_read(file, job->job, &job->error);
    if (result == mq_failed)
        return mq_failed;
    result = mq_snapshot_open(file, &job->error, &target);
    if (result == mq_ok)
        result = read_target(job, target);
    mq_target_destroy(target);
    return result;
}

int mqdebug_job_add_file(mqdebug_job *job, const char *file)
{
    return status_of(may_add(job) == mq_ok ? read_file(job, file) : mq_failed);
}

static enum mq_result begin_direct(mqdebug_job *job)
{
    if (may_add(job) != mq_ok)
        return mq_failed;
    return job->direct != NULL ? mq_ok
           : mq_direct_create(&job->error, &job->direct);
}

static enum mq_result read_stopped(mqdebug_job *job, struct mq_target *target)
{
    enum mq_result result = mq_target_examine(target, &job->error);

    return result == mq_ok ? read_target(job, target) : result;
}

static enum mq_result open_process(mqdebug_job *job, int pid,
                                   struct mq_target **target)
{
    struct mq_rank_place place = { .rank = -1 };
    struct mq_error ignored;
    struct mq_pin pin;
    enum mq_result result;

    if (mq_pin_process(pid, &job->error, &pin) != mq_ok)
        return mq_failed;
    result = mq_direct_open(job->direct, &pin, NULL, &job->error, target);
    if (result == mq_ok
        && mq_rank_place_read("/proc", pid, &ignored, &place) == mq_ok) {
        (*target)->rank = place.rank;
        (*target)->world_size = place.size;
    }
    return result;
}

int mqdebug_job_add_process(mqdebug_job *job, int pid)
{
    struct mq_target *target = NULL;
    struct mq_error ignored;
    enum mq_result result = begin_direct(job);

    if (result == mq_ok)
        result = open_process(job, pid, &target);
    if (result == mq_ok) {
        result = read_stopped(job, target);
        target->live->resume(target, &ignored);
    }
    mq_target_destroy(target);
    return status_of(result);
}

int mqdebug_job_add_core(mqdebug_job *job, const char *program,
                         const char *core)
{
    struct mq_target *target = NULL;
    enum mq_result result = begin_direct(job);

    if (result == mq_ok)
        result = mq_direct_open_core(job->direct, program, core, NULL,
                                     &job->error, &target);
    if (result == mq_ok)
        result = read_stopped(job, target);
    mq_target_destroy(target);
    return status_of(result);
}

/* ---- Analysis ------------------------------------------------------------ */

static enum mq_result complete(mqdebug_job *job)
{
    if (job->is_complete)
        return mq_ok;
    if (job->job->process_count == 0)
        return mq_fail(&job->error, "there is nothing to report: the job holds "
                       "no process");
    job->is_complete = true;
    return mq_tallies_apply(job->job, &job->error);
}

int mqdebug_job_assume_still(mqdebug_job *job)
{
    if (job->findings != NULL)
        return status_of(mq_fail(&job->error, "the job was analysed already: "
                                 "that it is still is to be said before"));
    job->job->still = true;
    return 0;
}

static enum mq_result analyse(mqdebug_job *job)
{
    if (complete(job) != mq_ok)
        return mq_failed;
    return job->findings != NULL ? mq_ok
           : mq_findings_keep(job->job, &job->error, &job->findings);
}

int mqdebug_job_analyse(mqdebug_job *job)
{
    return status_of(analyse(job));
}

enum mqdebug_verdict mqdebug_job_verdict(const mqdebug_job *job)
{
    static const enum mqdebug_verdict verdicts[mq_verdicts] = {
        [mq_verdict_none] = MQDEBUG_NONE,
        [mq_verdict_held_up] = MQDEBUG_HELD_UP,
        [mq_verdict_unknown] = MQDEBUG_UNKNOWN,
        [mq_verdict_possible] = MQDEBUG_POSSIBLE,
        [mq_verdict_stuck] = MQDEBUG_STUCK,
        [mq_verdict_deadlock] = MQDEBUG_DEADLOCK
    };

    return job->findings != NULL ? verdicts[job->findings->analysis->verdict]
                                 : MQDEBUG_UNKNOWN;
}

GETTER(const char *, mqdebug_job_headline, mqdebug_job,
       it->findings != NULL ? it->findings->headline : NULL)
GETTER(const char *, mqdebug_job_proof, mqdebug_job,
       it->findings != NULL ? it->findings->proof : NULL)
GETTER(size_t, mqdebug_cause_count, mqdebug_job,
       it->findings != NULL ? it->findings->analysis->cause_count : 0)

const mqdebug_cause *mqdebug_cause_at(const mqdebug_job *job, size_t index)
{
    return index < mqdebug_cause_count(job) ? &job->findings->causes[index]
                                            : NULL;
}

GETTER(size_t, mqdebug_reason_count, mqdebug_job, it->findings != NULL
       ? it->findings->analysis->missing_evidence.count : 0)

const mqdebug_reason *mqdebug_reason_at(const mqdebug_job *job, size_t index)
{
    return index < mqdebug_reason_count(job) ? &job->findings->reasons[index]
                                             : NULL;
}

/* ---- Writing ------------------------------------------------------------- */

static enum mq_result write_analysis(mqdebug_job *job, const char *name,
                                     FILE *stream)
{
    const struct mq_report_options options = { .width = 80 };
    bool is_stacks = strcmp(name, "stacks") == 0;
    enum mq_format format = mq_format_text;

    if (!is_stacks && mq_format_find(name, &job->error, &format) != mq_ok)
        return mq_failed;
    if (analyse(job) != mq_ok)
        return mq_failed;
    return is_stacks
           ? mq_stacks_write(job->findings->analysis, 0, options.width, stream,
                             &job->error)
           : mq_format_analysis(format, job->findings->analysis, &options,
                                stream, &job->error);
}

static enum mq_result write_job(mqdebug_job *job, const char *name,
                                FILE *stream)
{
    if (strcmp(name, "digest") == 0)
        return mq_digest_write(job->job, stream, &job->error);
    if (strcmp(name, "raw") == 0) {
        mq_report_raw(job->job, stream);
        return mq_ok;
    }
    return write_analysis(job, name, stream);
}

int mqdebug_job_write(mqdebug_job *job, const char *format, FILE *stream)
{
    return status_of(complete(job) == mq_ok ? write_job(job, format, stream)
                                            : mq_failed);
}

/* ---- What was found ------------------------------------------------------ */

GETTER(size_t, mqdebug_process_count, mqdebug_job, it->job->process_count)

const mqdebug_process *mqdebug_process_at(const mqdebug_job *job, size_t index)
{
    return index < job->job->process_count ? &job->job->processes[index] : NULL;
}

GETTER(const char *, mqdebug_process_name, mqdebug_process, it->name)
GETTER(const char *, mqdebug_process_image, mqdebug_process, it->image)
GETTER(int, mqdebug_process_rank, mqdebug_process, it->rank)
GETTER(const char *, mqdebug_process_call, mqdebug_process, it->call)

const char *mqdebug_process_remark(const mqdebug_process *process, size_t index,
                                   int *is_error)
{
    if (index >= process->remark_count)
        return NULL;
    if (is_error != NULL)
        *is_error = process->remarks[index].is_error;
    return process->remarks[index].text;
}

GETTER(size_t, mqdebug_communicator_count, mqdebug_process,
       it->communicator_count)

const mqdebug_communicator *mqdebug_communicator_at(
    const mqdebug_process *process, size_t index)
{
    return index < process->communicator_count ? &process->communicators[index]
                                               : NULL;
}

GETTER(const char *, mqdebug_communicator_name, mqdebug_communicator, it->name)
GETTER(int64_t, mqdebug_communicator_rank, mqdebug_communicator, it->local_rank)
GETTER(int64_t, mqdebug_communicator_size, mqdebug_communicator, it->size)

int mqdebug_communicator_member(const mqdebug_communicator *it, int64_t local)
{
    return it->group != NULL ? mq_group_global(it->group, local) : -1;
}

int mqdebug_queue_state(const mqdebug_communicator *it,
                        enum mqdebug_queue queue)
{
    int8_t state = it->queues[queue].state;

    return state == mq_ok ? 0 : state == mq_absent ? 1 : -1;
}

size_t mqdebug_operation_count(const mqdebug_communicator *it,
                               enum mqdebug_queue queue)
{
    return it->queues[queue].count;
}

const mqdebug_operation *mqdebug_operation_at(const mqdebug_process *process,
                                              const mqdebug_communicator *it,
                                              enum mqdebug_queue queue,
                                              size_t index)
{
    const struct mq_queue *of = &it->queues[queue];

    return index < of->count ? &process->operations[of->first + index] : NULL;
}

GETTER(enum mqdebug_status, mqdebug_operation_status, mqdebug_operation,
       (enum mqdebug_status)it->status)
GETTER(int64_t, mqdebug_operation_peer, mqdebug_operation, it->desired_local)
GETTER(int64_t, mqdebug_operation_peer_in_world, mqdebug_operation,
       it->desired_global)
GETTER(int, mqdebug_operation_takes_any_tag, mqdebug_operation, it->tag_wild)
GETTER(int64_t, mqdebug_operation_tag, mqdebug_operation, it->desired_tag)
GETTER(int64_t, mqdebug_operation_bytes, mqdebug_operation, it->desired_length)
GETTER(uint64_t, mqdebug_operation_buffer, mqdebug_operation, it->buffer)

/* ---- Stacks -------------------------------------------------------------- */

GETTER(size_t, mqdebug_thread_count, mqdebug_process, it->thread_count)

const mqdebug_frame *mqdebug_frame_at(const mqdebug_process *process,
                                      size_t thread, size_t index)
{
    return thread < process->thread_count
           && index < process->threads[thread].frame_count
           ? &process->threads[thread].frames[index] : NULL;
}

GETTER(const char *, mqdebug_frame_function, mqdebug_frame, it->function)
GETTER(const char *, mqdebug_frame_file, mqdebug_frame, it->file)
GETTER(int, mqdebug_frame_line, mqdebug_frame, it->line)
GETTER(int, mqdebug_frame_is_mpi, mqdebug_frame, it->in_mpi)
