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

/* ---- Evidence behind the verdict on one rank ---------------------------- */

const char *const mq_fate_names[mq_fates] = {
    "free", "possibly-stuck", "stuck", "ended", "not-given"
};

const char *const mq_stay_names[mq_stays] = {
    "unknown", "moved", "samples-alike", "counted", "noted", "asserted"
};

const char *const mq_origin_names[mq_origins] = {
    "queue", "arguments", "libmqwatch", "call", "resource"
};

const char *const mq_value_names[] = { "missing", "met", "unknown" };

const char *mq_freedom_name(enum mq_freedom freedom)
{
    static const char *const names[mq_freedoms] = {
        NULL, "moved", "file", "outside", "message-moving", "met", "polls",
        "runs", "state"
    };

    return names[freedom];
}

enum mq_fate mq_fate_of(const struct mq_analysis *a, uint32_t node)
{
    bool is_process = node < a->job->process_count;

    if (!is_process && mq_waits_group(&a->waits, node) == NULL)
        return mq_fate_not_given;
    if (a->prospects.nodes[node] == mq_prospect_free)
        return mq_fate_free;
    if (is_process
        && (a->waits.of[node].state == mq_rank_ending
            || a->waits.of[node].state == mq_rank_gone))
        return mq_fate_ended;
    return a->prospects.nodes[node] == mq_prospect_stuck
           ? mq_fate_stuck : mq_fate_possibly_stuck;
}

enum mq_stay mq_stay_of(const struct mq_analysis *a, size_t process)
{
    const struct mq_process *it = &a->job->processes[process];

    if (it->movement == mq_moved)
        return mq_stay_moved;
    if (it->movement == mq_counted_still)
        return mq_process_notes_calls(it) ? mq_stay_noted : mq_stay_counted;
    if (a->job->still)
        return mq_stay_asserted;
    return it->looks > 1 ? mq_stay_alike : mq_stay_unknown;
}

enum mq_origin mq_origin_of(const struct mq_analysis *a,
                            const struct mq_need *need)
{
    const struct mq_operation_ref *ref = &need->ref;

    if (ref->queue == mq_need_resource)
        return mq_origin_resource;
    if (ref->queue == mq_need_call)
        return mq_need_pending(&a->waits, need) != NULL
               || mq_process_notes_calls(&a->job->processes[ref->process])
               ? mq_origin_noted
               : need->is_open ? mq_origin_call : mq_origin_arguments;
    if (mq_operation_ref_communicator(a->job, ref)->agreed_id != 0)
        return mq_origin_noted;
    return mq_operation_ref_operation(a->job, ref)->from_stack
           ? mq_origin_arguments : mq_origin_queue;
}
