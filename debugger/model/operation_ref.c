/* operation_ref.c - reference to one operation of a job */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/operation_ref.h"

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
