/* call_walk.h - contents of a process from its call stack, without a DLL
 *
 * Libraries as they are found are stripped and have no DLL that fits.  The call
 * stacks of their processes and the arguments of calls are known all the same,
 * and the handles of MPI_COMM_WORLD are known from the libraries' headers.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_CALL_WALK_H
#define MQ_CALL_WALK_H

#include "model/job.h"
#include "target/target.h"

/* Adds TARGET to JOB, with a remark WHY there are no queues, which is an error
 * where the call does not show either what it waits for.  WHY is null if it
 * has no communicators, not even MPI_COMM_WORLD: MPI_Init has not made them.
 * mq_absent if it is not known where the process is.
 */
enum mq_result mq_call_walk(struct mq_target *target, const char *why,
                            struct mq_job *job, struct mq_error *);

#endif
