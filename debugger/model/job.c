/* job.c - data model of a job: processes, communicators, operations */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/job.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/interned.h"

const char *const mq_queue_names[mq_queue_classes] = {
    "send", "receive", "unexpected"
};

const char *const mq_win_lock_names[] = { "none", "shared", "exclusive" };
const char *const mq_grant_names[] = { "asked", "returned", "granted" };

const char *const mq_status_names[] = {"pending", "matched", "complete"};

struct mq_pool {
    struct mq_interned strings;
    struct mq_interned groups;
    struct mq_interned stacks;
    const struct mq_frame *last_stack;  /* of them, and its number of frames */
    size_t last_count;
    size_t process_room;
};

/* ---- Jobs and processes -------------------------------------------------- */

enum mq_result mq_job_create(struct mq_error *error, struct mq_job **job)
{
    struct mq_job *made = calloc(1, sizeof *made);

    if (made == NULL || (made->pool = calloc(1, sizeof *made->pool)) == NULL) {
        free(made);
        return mq_fail_memory(error, "beginning with a job");
    }
    *job = made;
    return mq_ok;
}

void mq_job_destroy(struct mq_job *job)
{
    if (job == NULL)
        return;
    for (size_t i = 0; i < job->process_count; i++)
        mq_process_deinit(&job->processes[i]);
    free(job->processes);
    free(job->worlds);
    mq_interned_deinit(&job->pool->strings);
    mq_interned_deinit(&job->pool->groups);
    mq_interned_deinit(&job->pool->stacks);
    free(job->pool);
    free(job);
}

enum mq_result mq_job_add(struct mq_job *job, const struct mq_process *process,
                          struct mq_error *error)
{
    return mq_array_add(&job->processes, sizeof *process, &job->process_count,
                        &job->pool->process_room, process, "adding a process",
                        error);
}

void mq_job_take_back(struct mq_job *job)
{
    mq_process_deinit(&job->processes[--job->process_count]);
}

void mq_threads_free(struct mq_thread *threads, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(threads[i].arguments);
    free(threads);
}

void mq_process_deinit(struct mq_process *process)
{
    mq_threads_free(process->threads, process->thread_count);
    free(process->awaited);
    free(process->communicators);
    free(process->operations);
    free(process->remarks);
    free(process->tallies);
    free(process->marks);
    free(process->joined);
    free(process->past);
    free(process->epochs);
    free(process->members);
    memset(process, 0, sizeof *process);
}

bool mq_process_notes_calls(const struct mq_process *process)
{
    for (size_t i = 0; i < process->communicator_count; i++)
        if (process->communicators[i].agreed_id != 0)
            return true;
    return false;
}

enum mq_result mq_communicator_find(const struct mq_process *process,
                                    uint64_t id, size_t *index)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        if (process->communicators[i].id == id) {
            *index = i;
            return mq_ok;
        }
    }
    return mq_absent;
}

enum mq_result mq_job_string(struct mq_job *job, const char *text,
                             struct mq_error *error, const char **string)
{
    const void *copy = NULL;

    if (text != NULL
        && mq_intern(&job->pool->strings, text, strlen(text) + 1, error,
                     &copy) != mq_ok)
        return mq_failed;
    *string = copy;
    return mq_ok;
}

enum mq_result mq_job_activity(struct mq_job *job,
                               const struct mq_activity *given,
                               struct mq_error *error,
                               struct mq_activity *activity)
{
    struct mq_activity made = *given;

    if (mq_job_string(job, given->system_call, error, &made.system_call)
        != mq_ok)
        return mq_failed;
    *activity = made;
    return mq_ok;
}

/* ---- Threads ------------------------------------------------------------- */

static enum mq_result copy_frame(struct mq_job *job,
                                 const struct mq_frame *frame,
                                 struct mq_error *error, struct mq_frame *copy)
{
    copy->offset = frame->offset;
    copy->line = frame->line;
    copy->in_mpi = frame->in_mpi;
    if (mq_job_string(job, frame->function, error, &copy->function) != mq_ok
        || mq_job_string(job, frame->file, error, &copy->file) != mq_ok)
        return mq_failed;
    return mq_job_string(job, frame->object, error, &copy->object);
}

/* Whether frames are those of the last stack: their texts are the job's. */
static bool is_last_stack(const struct mq_pool *pool,
                          const struct mq_frame *frames, size_t count)
{
    if (count == 0 || count != pool->last_count)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct mq_frame *one = &frames[i], *own = &pool->last_stack[i];

        if (one->function != own->function || one->file != own->file
            || one->object != own->object || one->offset != own->offset
            || one->line != own->line || one->in_mpi != own->in_mpi)
            return false;
    }
    return true;
}

/* The job's own copy of COUNT frames; of none, null. */
static enum mq_result copy_frames(struct mq_job *job,
                                  const struct mq_frame *frames, size_t count,
                                  struct mq_error *error,
                                  const struct mq_frame **result)
{
    struct mq_frame *copies;
    enum mq_result status;
    const void *copy = NULL;

    if (is_last_stack(job->pool, frames, count)) {
        *result = job->pool->last_stack;
        return mq_ok;
    }
    copies = calloc(count + 1, sizeof *copies);
    status = copies != NULL ? mq_ok : mq_fail_memory(error, "for a stack");
    for (size_t i = 0; status == mq_ok && i < count; i++)
        status = copy_frame(job, &frames[i], error, &copies[i]);
    if (status == mq_ok && count > 0)
        status = mq_intern(&job->pool->stacks, copies, count * sizeof *copies,
                           error, &copy);
    if (status == mq_ok) {
        *result = copy;
        job->pool->last_stack = copy;
        job->pool->last_count = count;
    }
    free(copies);
    return status;
}

static enum mq_result copy_thread(struct mq_job *job,
                                  const struct mq_thread *thread,
                                  struct mq_error *error,
                                  struct mq_thread *copy)
{
    *copy = *thread;
    copy->frames = NULL;
    copy->arguments = NULL;
    copy->argument_count = 0;
    if (mq_job_string(job, thread->call, error, &copy->call) != mq_ok
        || mq_job_string(job, thread->resource.name, error,
                         &copy->resource.name) != mq_ok
        || mq_job_string(job, thread->resource.activity, error,
                         &copy->resource.activity) != mq_ok
        || copy_frames(job, thread->frames, thread->frame_count, error,
                       &copy->frames) != mq_ok)
        return mq_failed;
    if (thread->argument_count == 0)
        return mq_ok;
    copy->arguments = calloc(thread->argument_count, sizeof *copy->arguments);
    if (copy->arguments == NULL)
        return mq_fail_memory(error, "for a stack");
    for (size_t i = 0; i < thread->argument_count; i++) {
        copy->arguments[i] = thread->arguments[i];
        if (mq_job_string(job, thread->arguments[i].name, error,
                          &copy->arguments[i].name) != mq_ok)
            return mq_failed;
    }
    copy->argument_count = thread->argument_count;
    return mq_ok;
}

enum mq_result mq_job_threads(struct mq_job *job,
                              const struct mq_thread *threads, size_t count,
                              struct mq_error *error,
                              struct mq_thread **result)
{
    struct mq_thread *copies;
    enum mq_result status = mq_ok;

    if (count == 0) {
        *result = NULL;
        return mq_ok;
    }
    copies = calloc(count, sizeof *copies);
    if (copies == NULL)
        return mq_fail_memory(error, "for the threads of a process");
    for (size_t i = 0; status == mq_ok && i < count; i++)
        status = copy_thread(job, &threads[i], error, &copies[i]);
    if (status == mq_ok)
        *result = copies;
    else
        mq_threads_free(copies, count);
    return status;
}

/* ---- Groups -------------------------------------------------------------- */

/* A group in the making. */
struct builder {
    struct mq_run *runs;
    size_t run_count, run_room;
    size_t size;                /* ranks */
};

/* Takes as many ranks off the front of REST as continue the last run. */
static void extend_last(struct builder *builder, struct mq_run *rest)
{
    struct mq_run *last = &builder->runs[builder->run_count - 1];
    int32_t taken;

    if (last->count == 1)
        last->step = rest->first - last->first;
    else if (rest->first - last->step * (int64_t)last->count != last->first)
        return;
    taken = rest->count == 1 || rest->step == last->step ? rest->count : 1;
    last->count += taken;
    builder->size += (size_t)taken;
    rest->count -= taken;
    if (rest->count > 0)
        rest->first += rest->step;
}

/* Appends ranks.  The last run takes all of them if the step is the same, and
 * otherwise at most the first.
 */
static enum mq_result append(struct builder *builder, struct mq_run rest,
                             struct mq_error *error)
{
    int64_t last = rest.first + (rest.count - (int64_t)1) * rest.step;

    if (rest.count < 1)
        return mq_fail(error, "a run of a communicator's ranks has %ld ranks",
                       (long)rest.count);
    if (rest.first < 0 || last < 0 || last > INT32_MAX)
        return mq_fail(error, "a communicator's ranks go from %ld to %lld, "
                       "which no rank can be", (long)rest.first,
                       (long long)last);
    if (builder->run_count > 0) {
        if (rest.count > INT32_MAX - (int64_t)builder->size)
            return mq_fail(error, "a communicator has more than %d ranks",
                           INT32_MAX);
        extend_last(builder, &rest);
    }
    if (rest.count == 0)
        return mq_ok;
    if (rest.count == 1)
        rest.step = 1;
    rest.local = (int32_t)builder->size;
    if (mq_array_add(&builder->runs, sizeof rest, &builder->run_count,
                     &builder->run_room, &rest,
                     "for the ranks of a communicator", error) != mq_ok)
        return mq_failed;
    builder->size += (size_t)rest.count;
    return mq_ok;
}

/* Makes the job's own copy of what was built if RESULT is mq_ok, and ends the
 * builder.
 */
static enum mq_result finish(struct mq_job *job, struct builder *builder,
                             enum mq_result result, struct mq_error *error,
                             const struct mq_group **group)
{
    size_t runs_size = builder->run_count * sizeof builder->runs[0];
    struct mq_group *made = malloc(sizeof *made + runs_size);
    const void *copy = NULL;

    if (made == NULL && result == mq_ok)
        result = mq_fail_memory(error, "for the ranks of a communicator");
    if (result == mq_ok) {
        made->size = builder->size;
        made->run_count = builder->run_count;
        if (runs_size > 0)
            memcpy(made->runs, builder->runs, runs_size);
        result = mq_intern(&job->pool->groups, made, sizeof *made + runs_size,
                           error, &copy);
    }
    if (result == mq_ok)
        *group = copy;
    free(made);
    free(builder->runs);
    return result;
}

enum mq_result mq_job_group(struct mq_job *job, const int *ranks, size_t size,
                            struct mq_error *error,
                            const struct mq_group **group)
{
    struct builder builder = { NULL, 0, 0, 0 };
    enum mq_result result = mq_ok;

    for (size_t i = 0; i < size && result == mq_ok; i++) {
        struct mq_run one = {0, ranks[i], 1, 0};

        result = append(&builder, one, error);
    }
    return finish(job, &builder, result, error, group);
}

enum mq_result mq_job_group_of_runs(struct mq_job *job,
                                    const struct mq_run *runs, size_t count,
                                    struct mq_error *error,
                                    const struct mq_group **group)
{
    struct builder builder = { NULL, 0, 0, 0 };
    enum mq_result result = mq_ok;

    for (size_t i = 0; i < count && result == mq_ok; i++)
        result = append(&builder, runs[i], error);
    return finish(job, &builder, result, error, group);
}

bool mq_operation_is_any(enum mq_queue_class queue,
                         const struct mq_operation *operation)
{
    return queue == mq_receives && operation->desired_local == -1;
}

const struct mq_run *mq_group_run(const struct mq_group *group, int64_t local)
{
    size_t low = 0, high = group->run_count;

    if (local < 0 || (uint64_t)local >= group->size)
        return NULL;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (group->runs[middle].local <= local)
            low = middle;
        else
            high = middle;
    }
    return &group->runs[low];
}

int mq_group_global(const struct mq_group *group, int64_t local)
{
    const struct mq_run *run = mq_group_run(group, local);

    return run == NULL ? -1
           : (int)(run->first + (local - run->local) * run->step);
}

int mq_group_local(const struct mq_group *group, int64_t global)
{
    if (global < 0 || global > INT32_MAX)
        return -1;
    for (size_t i = 0; i < group->run_count; i++) {
        const struct mq_run *run = &group->runs[i];
        int64_t away = global - run->first;

        if (away == 0)
            return run->local;
        if (run->step != 0 && away % run->step == 0
            && away / run->step > 0 && away / run->step < run->count)
            return run->local + (int)(away / run->step);
    }
    return -1;
}

/* ---- Reference to one operation of a job -------------------------------- */

const struct mq_process *
mq_operation_ref_process(const struct mq_job *job,
                         const struct mq_operation_ref *ref)
{
    return &job->processes[ref->process];
}

const struct mq_communicator *
mq_operation_ref_communicator(const struct mq_job *job,
                              const struct mq_operation_ref *ref)
{
    return &mq_operation_ref_process(job, ref)
                ->communicators[ref->communicator];
}

const struct mq_operation *
mq_operation_ref_operation(const struct mq_job *job,
                           const struct mq_operation_ref *ref)
{
    return &mq_operation_ref_process(job, ref)->operations[ref->operation];
}

int64_t mq_operation_ref_sender(const struct mq_job *job,
                                const struct mq_operation_ref *ref)
{
    return ref->queue == mq_sends
           ? mq_operation_ref_process(job, ref)->rank
           : mq_operation_ref_operation(job, ref)->desired_global;
}

struct mq_operation_ref mq_operation_ref_before(size_t process)
{
    struct mq_operation_ref ref = { (uint32_t)process, UINT32_MAX, 0,
                                    mq_queue_classes - 1 };

    return ref;
}

bool mq_operation_ref_next(const struct mq_job *job,
                           struct mq_operation_ref *ref)
{
    const struct mq_process *process = mq_operation_ref_process(job, ref);
    const struct mq_queue *queue;

    if (ref->communicator != UINT32_MAX) {
        queue = &process->communicators[ref->communicator]
                     .queues[ref->queue];
        ref->operation++;
        if (ref->operation < queue->first + queue->count)
            return true;
    }
    do {
        if (++ref->queue == mq_queue_classes) {
            ref->queue = 0;
            if (++ref->communicator >= process->communicator_count)
                return false;
        }
        queue = &process->communicators[ref->communicator]
                     .queues[ref->queue];
    } while (queue->count == 0);
    ref->operation = queue->first;
    return true;
}
