/* graph.c - the AND/OR wait-for graph */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/graph.h"

#include <stddef.h>

const char *const mq_rank_state_names[mq_rank_states] = {
    "runs", "polls", "waits", "starting", "ending", "gone", "not-read",
    "stopped"
};

const struct mq_pending_collective *
mq_need_pending(const struct mq_waits *waits, const struct mq_need *need)
{
    const struct mq_process *process =
        &waits->table->job->processes[need->ref.process];

    return need->ref.queue == mq_need_call && need->ref.operation > 0
           ? &process->joined[need->ref.operation - 1] : NULL;
}

uint32_t mq_waits_node(struct mq_process_ref ref)
{
    uint32_t process = mq_unknown_node;

    mq_is_process(ref, &process);
    return process;
}

struct mq_process_ref mq_waits_process(const struct mq_waits *waits,
                                       uint32_t node)
{
    static const struct mq_process_ref nobody;

    return node < waits->table->job->process_count ? mq_process_at(node)
                                                  : nobody;
}

const struct mq_waits_group *mq_waits_group(const struct mq_waits *waits,
                                            uint32_t node)
{
    size_t processes = waits->table->job->process_count;

    return node >= processes && node - processes < waits->group_count
           ? &waits->groups[node - processes] : NULL;
}

bool mq_next_member(const struct mq_waits *waits,
                    const struct mq_waits_group *group, size_t *place,
                    uint32_t *node)
{
    const struct mq_rank_index *ranks = waits->table->ranks;
    size_t end = group->group == NULL ? waits->table->job->process_count
                 : group->upto != 0 ? group->upto : group->group->size;
    struct mq_process_ref member;

    if (*place >= end)
        return false;
    if (group->group != NULL) {
        *place += mq_rank_members(ranks, group->group, *place, &member);
        *node = mq_waits_node(member);
        return true;
    }
    *node = mq_rank_counts(ranks, *place) ? (uint32_t)*place : mq_unknown_node;
    ++*place;
    return true;
}

/* ---- Reasons for unknown atoms of the wait-for graph -------------------- */

const struct mq_reason_row mq_reason_rows[mq_reason_count] = {
#define MQ_REASON(id, name, subject, one, many, remedy, noted) \
    { name, mq_subject_##subject, one, many, remedy, noted },
#include "analysis/reasons.def"
#undef MQ_REASON
};

const char *mq_reason_remedy(enum mq_reason reason, bool is_noted)
{
    const struct mq_reason_row *row = &mq_reason_rows[reason];

    return is_noted && row->noted != NULL ? row->noted : row->remedy;
}

int mq_reasons_size(mq_reasons set)
{
    int size = 0;

    for (; set != 0; set &= set - 1)
        size++;
    return size;
}
