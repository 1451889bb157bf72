/* watched.h - reader of libmqwatch's call records
 *
 * The call record of a process that libmqwatch was preloaded into
 * (include/mqwatch.h) says which call each thread is in and with what: more
 * than a stack shows, and without debug information.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_WATCHED_H
#define MQ_WATCHED_H

#include "model/job.h"
#include "target/target.h"

/* Gives PROCESS, which is of JOB and has the queues of TARGET, the call and the
 * arguments of its first thread, and fills in what it waits for.  mq_absent if
 * the target has no such record, or one that cannot be read: nothing is changed
 * then.
 */
enum mq_result mq_watched_find(struct mq_target *target, struct mq_job *job,
                               struct mq_process *process, struct mq_error *);

#endif
