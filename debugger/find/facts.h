/* facts.h - properties of a process other than its queues */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_FACTS_H
#define MQ_FACTS_H

#include "model/job.h"
#include "target/target.h"

/* Begins with PROCESS, which is to be RANK of JOB: the data of TARGET besides
 * its queues.
 */
enum mq_result mq_facts_take(const struct mq_target *target, int rank,
                             struct mq_job *job, struct mq_error *,
                             struct mq_process *process);

#endif
