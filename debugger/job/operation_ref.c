#include "job/operation_ref.h"

const struct mq_process *mq_operation_ref_process(const struct mq_job *job,
                                          const struct mq_operation_ref *place)
{
    return &job->processes[place->process];
}

const struct mq_communicator *mq_operation_ref_communicator(const struct mq_job *job,
                                                    const struct mq_operation_ref *place)
{
    return &mq_operation_ref_process(job, place)->communicators[place->communicator];
}

const struct mq_operation *mq_operation_ref_operation(const struct mq_job *job,
                                              const struct mq_operation_ref *place)
{
    return &mq_operation_ref_process(job, place)->operations[place->operation];
}

struct mq_operation_ref mq_operation_ref_before(size_t process)
{
    struct mq_operation_ref place = { (uint32_t)process, UINT32_MAX, 0,
                              mq_queue_classes - 1 };

    return place;
}

bool mq_operation_ref_next(const struct mq_job *job, struct mq_operation_ref *place)
{
    const struct mq_process *process = mq_operation_ref_process(job, place);
    const struct mq_queue *queue;

    if (place->communicator != UINT32_MAX) {
        queue = &process->communicators[place->communicator]
                     .queues[place->queue];
        place->operation++;
        if (place->operation < queue->first + queue->count)
            return true;
    }
    do {
        if (++place->queue == mq_queue_classes) {
            place->queue = 0;
            if (++place->communicator >= process->communicator_count)
                return false;
        }
        queue = &process->communicators[place->communicator]
                     .queues[place->queue];
    } while (queue->count == 0);
    place->operation = queue->first;
    return true;
}
