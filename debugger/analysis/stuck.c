/* stuck.c - deadlock detection by release propagation */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/stuck.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/arrivals.h"

#define NEVER UINT32_MAX          /* nothing releases it */

/* What only counts if what is unknown is true, or is false. */
static const uint32_t unknown_bit = 0x80000000u, further_bit = 0x40000000u;

/* Release spreads from the nodes that go on by themselves to those that wait
 * for them.
 */
struct flood {
    const struct mq_waits *waits;
    const struct mq_job *job;
    size_t processes, nodes;
    bool cautious;              /* what is unknown is true */
    size_t *first;              /* by node: index into dependents */
    uint32_t *dependents;       /* nodes that wait for it; with these bits */
    uint32_t *group_missing;    /* by group: what its missing begins with, if
                                   what is unknown is false */
    uint32_t *missing;          /* by node: so many must still go on */
    uint32_t *ready;            /* released nodes, before it has spread */
    size_t ready_count;
    struct mq_prospects made;
};

void mq_prospects_destroy(struct mq_prospects *prospects)
{
    free(prospects->nodes);
    memset(prospects, 0, sizeof *prospects);
}

/* ---- The reversed graph ----------------------------------------------- */

/* Counts an edge, or enters it once the counts have become places. */
static void add_edge(struct flood *f, bool fill, uint32_t to, uint32_t from)
{
    if (to >= f->nodes)
        return;
    if (fill)
        f->dependents[f->first[to]] = from;
    f->first[to]++;
}

/* A group goes on when one of its members does, or all who are asked for. */
static void add_members(struct flood *f, bool fill, size_t g)
{
    const struct mq_waits_group *it = &f->waits->groups[g];
    uint32_t asked = 0, node;
    bool unknown = it->lacks_ranks;
    size_t place = 0;

    while (mq_next_awaited(f->waits, it, &place, &node)) {
        unknown |= node == mq_unknown_node;
        asked += node != mq_unknown_node;
        add_edge(f, fill, node, (uint32_t)(f->processes + g));
    }
    f->group_missing[g] = it->collective != 0 ? asked
                          : unknown ? 0 : asked > 0 ? 1 : NEVER;
}

static void add_edges(struct flood *f, bool fill)
{
    for (size_t p = 0; p < f->processes; p++)
        for (size_t i = 0; i < f->waits->of[p].need_count; i++) {
            const struct mq_need *need = &f->waits->of[p].needs[i];
            uint32_t from = (uint32_t)p;

            if (need->is_further)
                from |= further_bit;
            else if (need->value == mq_value_unknown
                     || mq_has_further(&f->waits->of[p]))
                from |= unknown_bit;
            if (need->value != mq_value_met)
                add_edge(f, fill, need->node, from);
        }
    for (size_t g = 0; g < f->waits->group_count; g++)
        add_members(f, fill, g);
}

static enum mq_result sort_edges(struct flood *f, struct mq_error *error)
{
    size_t total = 0;

    add_edges(f, false);
    for (size_t i = 0; i <= f->nodes; i++) {
        size_t count = f->first[i];

        f->first[i] = total;
        total += count;
    }
    f->dependents = calloc(total + 1, sizeof f->dependents[0]);
    if (f->dependents == NULL)
        return mq_fail_memory(error, "looking for deadlocks");
    add_edges(f, true);
    memmove(f->first + 1, f->first, f->nodes * sizeof f->first[0]);
    f->first[0] = 0;
    return mq_ok;
}

/* ---- Ranks that are free ---------------------------------------------- */

static void release(struct flood *f, size_t node)
{
    f->missing[node] = 0;
    if (!f->cautious)
        f->made.nodes[node] = mq_prospect_free;
    else if (f->made.nodes[node] != mq_prospect_free)
        f->made.nodes[node] = mq_prospect_possibly_stuck;
    f->ready[f->ready_count++] = (uint32_t)node;
}

/* How many of a process's needs must go on before it does. */
static uint32_t missing_of_process(const struct flood *f, size_t p)
{
    const struct mq_waiter *waiter = &f->waits->of[p];
    bool all = waiter->condition & mq_condition_all;
    uint32_t missing = 0;

    if (!mq_rank_counts(f->waits->table->ranks, p)
        || waiter->freedom != mq_not_free
        || (f->cautious && waiter->doubts != 0))
        return 0;
    if (waiter->state == mq_rank_ending || waiter->state == mq_rank_gone)
        return NEVER;
    if (!f->cautious && mq_has_further(waiter))
        return 1;
    for (size_t i = 0; i < waiter->need_count; i++) {
        const struct mq_need *need = &waiter->needs[i];
        bool met = need->value == mq_value_met || need->node >= f->nodes;

        if (need->is_further
            || (need->value == mq_value_unknown && !f->cautious))
            continue;
        if (met && !all)
            return 0;
        missing += !met;
    }
    return all || missing == 0 ? missing : 1;
}

static uint32_t missing_of_group(const struct flood *f, size_t g)
{
    uint32_t missing = f->group_missing[g];

    return f->cautious && f->waits->groups[g].is_loose && missing > 1
           ? 1 : missing;
}

static void run(struct flood *f, bool cautious)
{
    f->cautious = cautious;
    f->ready_count = 0;
    for (size_t node = 0; node < f->nodes; node++) {
        f->missing[node] = node < f->processes
                           ? missing_of_process(f, node)
                           : missing_of_group(f, node - f->processes);
        if (f->missing[node] == 0)
            release(f, node);
    }
    for (size_t i = 0; i < f->ready_count; i++) {
        uint32_t node = f->ready[i];

        for (size_t k = f->first[node]; k < f->first[node + 1]; k++) {
            uint32_t to = f->dependents[k] & ~(unknown_bit | further_bit);

            if (f->dependents[k] & (f->cautious ? further_bit : unknown_bit))
                continue;
            if (f->missing[to] != 0 && f->missing[to] != NEVER
                && --f->missing[to] == 0)
                release(f, to);
        }
    }
}

/* ---- What releases the others ----------------------------------------- */

static bool goes_on(const struct mq_prospects *prospects, uint32_t node)
{
    return node == mq_unknown_node
           || prospects->nodes[node] == mq_prospect_free;
}

mq_reasons mq_releasing(const struct mq_waits *waits,
                        const struct mq_prospects *prospects, uint32_t node)
{
    const struct mq_waits_group *group = mq_waits_group(waits, node);
    const struct mq_waiter *waiter = group == NULL ? &waits->of[node] : NULL;
    size_t place = 0;
    uint32_t member;

    if (prospects->nodes[node] != mq_prospect_possibly_stuck)
        return 0;
    if (waiter != NULL && waiter->doubts != 0)
        return waiter->doubts;
    for (size_t i = 0; waiter != NULL && i < waiter->need_count; i++) {
        const struct mq_need *need = &waiter->needs[i];

        if (need->is_further || !goes_on(prospects, need->node))
            continue;
        if (need->value == mq_value_unknown)
            return mq_because(mq_reason_order_assumed);
        if (mq_has_further(waiter))
            return mq_because(mq_reason_participants_unknown);
    }
    while (group != NULL && group->is_loose
           && mq_next_awaited(waits, group, &place, &member))
        if (member != mq_unknown_node && goes_on(prospects, member))
            return mq_because(mq_reason_one_may_suffice);
    return 0;
}

enum mq_result mq_stuck_find(const struct mq_waits *waits,
                             struct mq_error *error,
                             struct mq_prospects *prospects)
{
    struct flood f = { 0 };
    enum mq_result result;

    f.waits = waits;
    f.job = waits->table->job;
    f.processes = f.job->process_count;
    f.nodes = f.processes + waits->group_count;
    f.first = calloc(f.nodes + 1, sizeof f.first[0]);
    f.missing = malloc((f.nodes + 1) * sizeof f.missing[0]);
    f.group_missing = malloc((waits->group_count + 1)
                             * sizeof f.group_missing[0]);
    f.ready = malloc((f.nodes + 1) * sizeof f.ready[0]);
    f.made.nodes = calloc(f.nodes + 1, 1);
    if (f.first == NULL || f.missing == NULL || f.group_missing == NULL
        || f.ready == NULL || f.made.nodes == NULL)
        result = mq_fail_memory(error, "looking for deadlocks");
    else
        result = sort_edges(&f, error);
    if (result == mq_ok) {
        run(&f, false);
        run(&f, true);
        *prospects = f.made;
        memset(&f.made, 0, sizeof f.made);
    }
    free(f.first);
    free(f.dependents);
    free(f.group_missing);
    free(f.missing);
    free(f.ready);
    mq_prospects_destroy(&f.made);
    return result;
}
