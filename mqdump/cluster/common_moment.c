/* common_moment.c - one moment that the looks of all hosts have in common */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/cluster/common_moment.h"

#include <math.h>

double mq_moment_margin(const struct mq_node_times *times, size_t count)
{
    double moment = -INFINITY, last = INFINITY;

    for (size_t i = 0; i < count; i++) {
        moment = fmax(moment, times[i].first);
        last = fmin(last, times[i].started + times[i].began);
    }
    return count > 0 ? last - moment : INFINITY;
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
