/* operation_ref.h - reference to one operation of a job
 *
 * A reference stays good as long as the job does not change.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_OPERATION_REF_H
#define MQ_OPERATION_REF_H

#include "model/job.h"

/* An operation, by the indices of its process in the job, and of its
 * communicator and itself in the process.
 */
struct mq_operation_ref {
    uint32_t process;
    uint32_t communicator;
    uint32_t operation;
    uint32_t queue;             /* enum mq_queue_class */
};

/* The operation that the reference names; the job owns it. */
const struct mq_process *
mq_operation_ref_process(const struct mq_job *,
                         const struct mq_operation_ref *);
const struct mq_communicator *
mq_operation_ref_communicator(const struct mq_job *,
                              const struct mq_operation_ref *);
const struct mq_operation *
mq_operation_ref_operation(const struct mq_job *,
                           const struct mq_operation_ref *);

/* The global rank that a send or an unexpected message comes from: that of the
 * send's process, or what the message says; -1 if not known.
 */
int64_t mq_operation_ref_sender(const struct mq_job *,
                                const struct mq_operation_ref *);

/* Goes to the next operation of the reference's process, communicator by
 * communicator and queue by queue; false after the last.
 * mq_operation_ref_before is where to begin.
 */
struct mq_operation_ref mq_operation_ref_before(size_t process);
bool mq_operation_ref_next(const struct mq_job *, struct mq_operation_ref *);

#endif
