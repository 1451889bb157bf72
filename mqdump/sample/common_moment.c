/* common_moment.c - one moment that the looks of all hosts have in common */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/sample/common_moment.h"

void mq_moment_add(struct mq_common_moment *common,
                   const struct mq_sample_times *times)
{
    common->moment = fmax(common->moment, times->first);
    common->last_began = fmin(common->last_began,
                              times->started + times->began);
}

double mq_moment_margin(const struct mq_common_moment *common)
{
    return common->last_began - common->moment;
}

void mq_moment_apply(struct mq_job *job, size_t first, double margin)
{
    for (size_t i = first; i < job->process_count; i++) {
        struct mq_process *process = &job->processes[i];

        if (process->movement != mq_counted_still)
            continue;
        if (margin < 0)
            process->movement = mq_looks_equal;
        else
            process->looked_for = fmin(process->looked_for, margin);
    }
}
