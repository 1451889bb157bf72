/* findings.c - results of the analysis of a job */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/findings.h"

#include "analysis/thread_activity.h"

const char *const mq_verdict_names[mq_verdicts] = {
    "none", "held-up", "unknown", "possible-deadlock", "stuck", "deadlock"
};

bool mq_is_stuck(const struct mq_analysis *a, size_t process)
{
    return a->waits.of[process].state == mq_rank_waits
           && a->prospects.nodes[process] != mq_prospect_free;
}

bool mq_is_surely_stuck(const struct mq_analysis *a, size_t process)
{
    return a->waits.of[process].state == mq_rank_waits
           && a->prospects.nodes[process] == mq_prospect_stuck;
}

bool mq_stays_somewhere(const struct mq_analysis *a, size_t process)
{
    if (!mq_rank_counts(&a->ranks, process)
        || a->waits.of[process].state == mq_rank_ending)
        return false;
    return a->waits.of[process].condition & mq_condition_open
           || (a->waits.of[process].state == mq_rank_runs
               && (mq_is_asleep(&a->job->processes[process])
                   || mq_is_yielding(&a->job->processes[process])));
}

bool mq_is_stuck_ending(const struct mq_analysis *a, size_t process)
{
    return mq_rank_counts(&a->ranks, process)
           && a->waits.of[process].state == mq_rank_ending
           && a->waits.of[process].condition & mq_condition_open;
}

bool mq_is_starting(const struct mq_analysis *a, size_t process)
{
    return mq_rank_counts(&a->ranks, process)
           && a->waits.of[process].state == mq_rank_starting;
}
