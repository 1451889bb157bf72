/* libmqdebug.c - what other programs may rely on: libmqdebug.h, over all that
 * is here
 */
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
#include "job/digest.h"
#include "job/fill.h"
#include "job/tallies.h"
#include "picture/format.h"
#include "process/regular.h"
#include "read/read_process.h"
#include "target/rank_process.h"
#include "target/snapshot.h"

struct mqdebug_job {
    struct mq_job *job;
    struct mq_dll_cache dlls;
    struct mq_direct *direct;   /* null: no process was read yet */
    char *dll;                  /* that is asked for, or null */
    char folder[PATH_MAX];      /* of this library */
    bool is_complete;           /* no more is added */
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
    mq_job_destroy(job->job);
    mq_dll_cache_clear(&job->dlls);
    mq_direct_destroy(job->direct);
    free(job->dll);
    free(job);
}

const char *mqdebug_error(const mqdebug_job *job)
{
    return job->error.text;
}

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
           : mq_fail(&job->error, "the job was written already: make another "
                     "one to add processes");
}

/* What is not known of TARGET, without a debugger, is said of it. */
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
    enum mq_result result;

    if (mq_regular_begins_with(file, "mqdigest"))
        return mq_digest_read(file, job->job, &job->error);
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

/* There is no debugger: what only that could tell is left out. */
static enum mq_result begin_direct(mqdebug_job *job)
{
    if (may_add(job) != mq_ok)
        return mq_failed;
    if (job->direct != NULL)
        return mq_ok;
    if (mq_direct_create(&job->error, &job->direct) != mq_ok)
        return mq_fail(&job->error, "this libmqdebug was built without "
                       "elfutils: record the process with mqdump --record, and"
                       " add the file");
    mq_direct_suffice(job->direct);
    return mq_ok;
}

/* RESULT, but a failure where it says that only a debugger could tell more. */
static enum mq_result seen(mqdebug_job *job, enum mq_result result)
{
    return result != mq_absent ? result
           : mq_fail(&job->error, "only a debugger can read it: record it with "
                     "mqdump --record, and add the file");
}

static enum mq_result read_stopped(mqdebug_job *job, struct mq_target *target)
{
    enum mq_result result = seen(job, mq_target_examine(target, &job->error));

    return result == mq_ok ? read_target(job, target) : result;
}

static enum mq_result open_process(mqdebug_job *job, int pid,
                                   struct mq_target **target)
{
    struct mq_rank_place place = { .rank = -1 };
    struct mq_error ignored;
    struct mq_owner owner;
    enum mq_result result;

    if (mq_owner_pin(pid, &job->error, &owner) != mq_ok)
        return mq_failed;
    result = seen(job, mq_direct_open(job->direct, &owner, NULL, &job->error,
                                      target));
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
        target->live->let_go(target, &ignored);
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
        result = seen(job, mq_direct_open_core(job->direct, program, core,
                                               NULL, &job->error, &target));
    if (result == mq_ok)
        result = read_stopped(job, target);
    mq_target_destroy(target);
    return status_of(result);
}

/* ---- Writing ------------------------------------------------------------- */

static enum mq_result complete(mqdebug_job *job)
{
    if (job->is_complete)
        return mq_ok;
    if (job->job->process_count == 0)
        return mq_fail(&job->error, "there is nothing to write: the job holds "
                       "no process");
    job->is_complete = true;
    return mq_tallies_apply(job->job, &job->error);
}

static enum mq_result write_analysis(mqdebug_job *job, enum mq_format format,
                                     FILE *stream)
{
    const struct mq_report_options options = { .width = 80 };
    struct mq_analysis *analysis = NULL;
    enum mq_result result = mq_analyse(job->job, &job->error, &analysis);

    if (result == mq_ok)
        result = mq_format_analysis(format, analysis, &options, stream,
                                    &job->error);
    mq_analysis_destroy(analysis);
    return result;
}

static enum mq_result write_job(mqdebug_job *job, const char *name,
                                FILE *stream)
{
    enum mq_format format;

    if (strcmp(name, "digest") == 0)
        return mq_digest_write(job->job, stream, &job->error);
    if (strcmp(name, "raw") == 0) {
        mq_report_raw(job->job, stream);
        return mq_ok;
    }
    return mq_format_find(name, &job->error, &format) == mq_ok
           ? write_analysis(job, format, stream) : mq_failed;
}

int mqdebug_job_write(mqdebug_job *job, const char *format, FILE *stream)
{
    return status_of(complete(job) == mq_ok ? write_job(job, format, stream)
                                            : mq_failed);
}

/* ---- What was found ------------------------------------------------------ */

size_t mqdebug_process_count(const mqdebug_job *job)
{
    return job->job->process_count;
}

const mqdebug_process *mqdebug_process_at(const mqdebug_job *job, size_t index)
{
    return index < job->job->process_count ? &job->job->processes[index] : NULL;
}

const char *mqdebug_process_name(const mqdebug_process *process)
{
    return process->name;
}

const char *mqdebug_process_image(const mqdebug_process *process)
{
    return process->image;
}

int mqdebug_process_rank(const mqdebug_process *process)
{
    return process->rank;
}

const char *mqdebug_process_call(const mqdebug_process *process)
{
    return process->call;
}

const char *mqdebug_process_remark(const mqdebug_process *process, size_t index,
                                   int *is_error)
{
    if (index >= process->remark_count)
        return NULL;
    if (is_error != NULL)
        *is_error = process->remarks[index].is_error;
    return process->remarks[index].text;
}

size_t mqdebug_communicator_count(const mqdebug_process *process)
{
    return process->communicator_count;
}

const mqdebug_communicator *mqdebug_communicator_at(
    const mqdebug_process *process, size_t index)
{
    return index < process->communicator_count ? &process->communicators[index]
                                               : NULL;
}

const char *mqdebug_communicator_name(const mqdebug_communicator *it)
{
    return it->name;
}

int64_t mqdebug_communicator_rank(const mqdebug_communicator *it)
{
    return it->local_rank;
}

int64_t mqdebug_communicator_size(const mqdebug_communicator *it)
{
    return it->size;
}

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

enum mqdebug_status mqdebug_operation_status(const mqdebug_operation *it)
{
    return (enum mqdebug_status)it->status;
}

int64_t mqdebug_operation_peer(const mqdebug_operation *it)
{
    return it->desired_local;
}

int64_t mqdebug_operation_peer_in_world(const mqdebug_operation *it)
{
    return it->desired_global;
}

int mqdebug_operation_takes_any_tag(const mqdebug_operation *it)
{
    return it->tag_wild;
}

int64_t mqdebug_operation_tag(const mqdebug_operation *it)
{
    return it->desired_tag;
}

int64_t mqdebug_operation_bytes(const mqdebug_operation *it)
{
    return it->desired_length;
}

uint64_t mqdebug_operation_buffer(const mqdebug_operation *it)
{
    return it->buffer;
}
