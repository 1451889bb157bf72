/* operation_ref.h - naming one operation of a job, and going through all of them */
#ifndef MQ_OPERATION_REF_H
#define MQ_OPERATION_REF_H

#include "job/job.h"

/* An operation, by the indices of its process in the job, and of its
 * communicator and itself in the process.
 */
struct mq_place {
    uint32_t process;
    uint32_t communicator;
    uint32_t operation;
    uint32_t queue;             /* enum mq_queue_class */
};

const struct mq_process *mq_place_process(const struct mq_job *,
                                          const struct mq_place *);
const struct mq_communicator *mq_place_communicator(const struct mq_job *,
                                                    const struct mq_place *);
const struct mq_operation *mq_place_operation(const struct mq_job *,
                                              const struct mq_place *);

/* Goes to the next operation of the place's process, communicator by
 * communicator and queue by queue; false after the last.  mq_place_before is
 * where to begin.
 */
struct mq_place mq_place_before(size_t process);
bool mq_place_next(const struct mq_job *, struct mq_place *);


#endif
