/* operation_ref.h - naming one operation of a job, and going through all of them */
#ifndef MQ_OPERATION_REF_H
#define MQ_OPERATION_REF_H

#include "job/job.h"

/* An operation, by the indices of its process in the job, and of its
 * communicator and itself in the process.
 */
struct mq_operation_ref {
    uint32_t process;
    uint32_t communicator;
    uint32_t operation;
    uint32_t queue;             /* enum mq_queue_class */
};

const struct mq_process *mq_operation_ref_process(const struct mq_job *,
                                          const struct mq_operation_ref *);
const struct mq_communicator *mq_operation_ref_communicator(const struct mq_job *,
                                                    const struct mq_operation_ref *);
const struct mq_operation *mq_operation_ref_operation(const struct mq_job *,
                                              const struct mq_operation_ref *);

/* Goes to the next operation of the place's process, communicator by
 * communicator and queue by queue; false after the last.  mq_operation_ref_before is
 * where to begin.
 */
struct mq_operation_ref mq_operation_ref_before(size_t process);
bool mq_operation_ref_next(const struct mq_job *, struct mq_operation_ref *);


#endif
