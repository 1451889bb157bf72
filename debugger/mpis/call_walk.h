/* call_walk.h - a process whose queues are unreadable, from its call stack
 *
 * Libraries as they are found are stripped and have no DLL that fits.  Where
 * their processes are and what they were called with is known all the same, and
 * what the handles of MPI_COMM_WORLD are is told by the libraries' headers.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_CALL_WALK_H
#define MQ_CALL_WALK_H

#include "job/job.h"
#include "target/target.h"

/* Adds TARGET to JOB, with a remark that says WHY there are no queues, which is
 * an error where the call does not tell either what it waits for; mq_absent if
 * it is not known where the process is.
 */
enum mq_result mq_call_walk(struct mq_target *target, const char *why,
                            struct mq_job *job, struct mq_error *);

#endif
