/* process_builder.c - builder for struct mq_process */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/process_builder.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static const char what[] = "for what was found of a process";

/* Functions that add one more element to an array of a process. */
#define ADDER(name, type, array, count) \
    enum mq_result mq_process_add_##name(struct mq_process *process, \
                                         const type *it, \
                                         struct mq_error *error) \
    { \
        return mq_array_add(&process->array, sizeof *it, &process->count, \
                            &process->rooms.array, it, what, error); \
    }

ADDER(communicator, struct mq_communicator, communicators, communicator_count)
ADDER(operation, struct mq_operation, operations, operation_count)
ADDER(tally, struct mq_tally, tallies, tally_count)
ADDER(mark, struct mq_mark, marks, mark_count)
ADDER(pending, struct mq_pending_collective, joined, joined_count)
ADDER(collective, struct mq_collective, past, past_count)
ADDER(epoch, struct mq_epoch, epochs, epoch_count)
ADDER(members, struct mq_members, members, member_count)

enum mq_result mq_process_add_awaited(struct mq_process *process,
                                      uint32_t operation,
                                      struct mq_error *error)
{
    return mq_array_add(&process->awaited, sizeof operation,
                        &process->awaited_count, &process->rooms.awaited,
                        &operation, what, error);
}

enum mq_result mq_job_add_world(struct mq_job *job, const struct mq_world *it,
                                struct mq_error *error)
{
    return mq_array_add(&job->worlds, sizeof *it, &job->world_count,
                        &job->world_room, it, what, error);
}

/* ---- Operations ---------------------------------------------------------- */

enum mq_result mq_process_insert_operation(struct mq_process *process,
                                           struct mq_queue *queue,
                                           const struct mq_operation *operation,
                                           struct mq_error *error,
                                           uint32_t *place)
{
    uint32_t at = queue->count > 0 ? queue->first + queue->count
                  : (uint32_t)process->operation_count;

    if (mq_array_reserve(&process->operations, sizeof *operation,
                         process->operation_count + 1,
                         &process->rooms.operations, what, error) != mq_ok)
        return mq_failed;
    memmove(&process->operations[at + 1], &process->operations[at],
            (process->operation_count - at) * sizeof process->operations[0]);
    for (size_t i = 0; i < process->communicator_count; i++) {
        struct mq_queue *queues = process->communicators[i].queues;

        for (int class = 0; class < mq_queue_classes; class++)
            if (&queues[class] != queue && queues[class].count > 0
                && queues[class].first >= at)
                queues[class].first++;
    }
    for (size_t i = 0; i < process->awaited_count; i++)
        if (process->awaited[i] != MQ_NOT_LISTED && process->awaited[i] >= at)
            process->awaited[i]++;
    process->operations[at] = *operation;
    process->operation_count++;
    if (queue->count++ == 0)
        queue->first = at;
    *place = at;
    return mq_ok;
}

/* ---- Remarks ------------------------------------------------------------- */

enum mq_result mq_process_reserve_remarks(struct mq_process *process,
                                          size_t count, struct mq_error *error)
{
    return mq_array_reserve(&process->remarks, sizeof process->remarks[0],
                            process->remark_count + count,
                            &process->rooms.remarks, what, error);
}

void mq_process_put_remark(struct mq_process *process,
                           const struct mq_remark *remark)
{
    process->remarks[process->remark_count++] = *remark;
}

enum mq_result mq_process_remark(struct mq_process *process, struct mq_job *job,
                                 const struct mq_remark *remark,
                                 struct mq_error *error)
{
    struct mq_remark made = *remark;

    if (mq_job_string(job, remark->text, error, &made.text) != mq_ok
        || mq_process_reserve_remarks(process, 1, error) != mq_ok)
        return mq_failed;
    mq_process_put_remark(process, &made);
    return mq_ok;
}

/* ---- What it is and does ------------------------------------------------- */

enum mq_result mq_process_set_threads(struct mq_process *process,
                                      struct mq_job *job,
                                      const struct mq_thread *threads,
                                      size_t count, struct mq_error *error)
{
    struct mq_thread *copies;

    if (mq_job_threads(job, threads, count, error, &copies) != mq_ok)
        return mq_failed;
    mq_threads_free(process->threads, process->thread_count);
    process->threads = copies;
    process->thread_count = count;
    return mq_ok;
}

enum mq_result mq_process_set_arguments(struct mq_process *process,
                                        struct mq_job *job, size_t index,
                                        const struct mq_thread *thread,
                                        struct mq_error *error)
{
    struct mq_thread *own = &process->threads[index], *copy;

    if (mq_job_threads(job, thread, 1, error, &copy) != mq_ok)
        return mq_failed;
    free(own->arguments);
    own->arguments = copy->arguments;
    own->argument_count = copy->argument_count;
    free(copy);
    return mq_ok;
}

void mq_process_set_looks(struct mq_process *process,
                          const struct mq_looks *looks)
{
    process->looks = looks->count;
    process->looked_for = looks->seconds;
    process->movement = (uint8_t)looks->movement;
}

void mq_process_forget_awaited(struct mq_process *process)
{
    process->awaiting = mq_awaiting_unknown;
    process->awaited_count = process->mark_count = process->joined_count = 0;
}

/* ---- All of it ----------------------------------------------------------- */

void mq_process_empty(struct mq_process *process)
{
    struct mq_process empty = {
        .communicators = process->communicators,
        .operations = process->operations,
        .remarks = process->remarks,
        .awaited = process->awaited,
        .tallies = process->tallies,
        .marks = process->marks,
        .joined = process->joined,
        .past = process->past,
        .epochs = process->epochs,
        .members = process->members,
        .rooms = process->rooms
    };

    mq_threads_free(process->threads, process->thread_count);
    *process = empty;
}

/* A copy of an array; an empty one is null. */
static void *copy_of(const void *array, size_t count, size_t size,
                     bool *has_failed)
{
    void *copy = count > 0 ? malloc(count * size) : NULL;

    if (copy != NULL)
        memcpy(copy, array, count * size);
    *has_failed |= copy == NULL && count > 0;
    return copy;
}

#define COPY_OF(array, count) \
    copy_of(array, count, sizeof (array)[0], &has_failed)

enum mq_result mq_job_add_copy(struct mq_job *job,
                               const struct mq_process *process,
                               struct mq_error *error)
{
    struct mq_process made = *process;
    bool has_failed = false;
    enum mq_result result;

    made.communicators = COPY_OF(made.communicators, made.communicator_count);
    made.operations = COPY_OF(made.operations, made.operation_count);
    made.remarks = COPY_OF(made.remarks, made.remark_count);
    made.awaited = COPY_OF(made.awaited, made.awaited_count);
    made.tallies = COPY_OF(made.tallies, made.tally_count);
    made.marks = COPY_OF(made.marks, made.mark_count);
    made.joined = COPY_OF(made.joined, made.joined_count);
    made.past = COPY_OF(made.past, made.past_count);
    made.epochs = COPY_OF(made.epochs, made.epoch_count);
    made.members = COPY_OF(made.members, made.member_count);
    made.threads = NULL;
    made.thread_count = 0;
    made.rooms = (struct mq_process_rooms){
        made.communicator_count, made.operation_count, made.remark_count,
        made.awaited_count, made.tally_count, made.mark_count,
        made.joined_count, made.past_count, made.epoch_count,
        made.member_count
    };
    result = has_failed ? mq_fail_memory(error, what)
             : mq_process_set_threads(&made, job, process->threads,
                                      process->thread_count, error);
    if (result == mq_ok)
        result = mq_job_add(job, &made, error);
    if (result != mq_ok)
        mq_process_deinit(&made);
    return result;
}
