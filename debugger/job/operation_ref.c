#include "job/operation_ref.h"

const struct mq_process *mq_place_process(const struct mq_job *job,
                                          const struct mq_place *place)
{
    return &job->processes[place->process];
}

const struct mq_communicator *mq_place_communicator(const struct mq_job *job,
                                                    const struct mq_place *place)
{
    return &mq_place_process(job, place)->communicators[place->communicator];
}

const struct mq_operation *mq_place_operation(const struct mq_job *job,
                                              const struct mq_place *place)
{
    return &mq_place_process(job, place)->operations[place->operation];
}

struct mq_place mq_place_before(size_t process)
{
    struct mq_place place = { (uint32_t)process, UINT32_MAX, 0,
                              mq_queue_classes - 1 };

    return place;
}

bool mq_place_next(const struct mq_job *job, struct mq_place *place)
{
    const struct mq_process *process = mq_place_process(job, place);
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
