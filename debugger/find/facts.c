/* facts.c - properties of a process other than its queues */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "find/facts.h"

#include "model/process_builder.h"

enum mq_result mq_facts_take(const struct mq_target *target, int rank,
                             struct mq_job *job, struct mq_error *error,
                             struct mq_process *process)
{
    process->rank = rank;
    mq_process_set_looks(process, &target->looks);
    if (mq_job_string(job, target->name, error, &process->name) != mq_ok
        || mq_job_string(job, target->image, error, &process->image) != mq_ok
        || mq_job_string(job, target->call, error, &process->call) != mq_ok
        || mq_job_activity(job, &target->activity, error, &process->activity)
           != mq_ok)
        return mq_failed;
    return mq_process_set_threads(process, job, target->threads,
                                  target->thread_count, error);
}
