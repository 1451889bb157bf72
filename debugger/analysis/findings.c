/* What was found out, and what is often asked of it. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/findings.h"

const char *const mq_verdict_names[mq_verdicts] = {
    "none", "held-up", "unknown", "possible-deadlock", "stuck", "deadlock"
};

bool mq_is_stuck(const struct mq_analysis *a, size_t process)
{
    return a->waits.states[process] == mq_rank_waits
           && !(a->prospects[process] & mq_seems_to_go_on);
}

bool mq_is_surely_stuck(const struct mq_analysis *a, size_t process)
{
    return mq_is_stuck(a, process) && !(a->prospects[process] & mq_can_go_on);
}

const struct mq_frame *mq_call_site(const struct mq_process *process)
{
    const struct mq_thread *thread = process->threads;

    if (process->thread_count == 0 || thread->site < 0
        || (size_t)thread->site >= thread->frame_count)
        return NULL;
    return &thread->frames[thread->site];
}
