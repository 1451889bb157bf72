/* stuck.c - which ranks can NEVER go on */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "waits/stuck.h"

#include <stdlib.h>
#include <string.h>

#define NEVER UINT32_MAX          /* nothing lets it go on */

static const uint32_t unlikely_bit = 0x80000000u;

/* Going on spreads from the nodes that do so by themselves to those that wait
 * for them.
 */
struct flood {
    const struct mq_waits *waits;
    const struct mq_job *job;
    size_t processes, nodes;
    bool cautious;              /* whatever may go on does */
    size_t *first;              /* by node: index into dependents */
    uint32_t *dependents;       /* nodes that wait for it; with unlikely_bit */
    uint32_t *group_missing;    /* by group: what its missing begins with,
                                   without caution */
    uint32_t *missing;          /* by node: so many must still go on */
    uint32_t *ready;            /* nodes that go on, not yet told to others */
    size_t ready_count;
    uint8_t *prospects;
};

static void destroy_flood(struct flood *f)
{
    free(f->first);
    free(f->dependents);
    free(f->group_missing);
    free(f->missing);
    free(f->ready);
    free(f->prospects);
}

/* ---- Who waits for whom, the other way round -------------------------- */

/* Counts an edge, or enters it once the counts have become places. */
static void add_edge(struct flood *f, bool fill, uint32_t to, uint32_t from)
{
    if (to >= f->nodes)
        return;
    if (fill)
        f->dependents[f->first[to]] = from;
    f->first[to]++;
}

/* Whether a group waits for this member. */
static bool asks(const struct flood *f, const struct mq_waits_group *group,
                 int32_t process)
{
    return group->roll == 0
           || !mq_has_come(f->waits, (uint32_t)process, group);
}

/* A group goes on when one of its members does, or all who are asked for. */
static void add_members(struct flood *f, bool fill, size_t g)
{
    const struct mq_waits_group *it = &f->waits->groups[g];
    uint32_t asked = 0;
    bool unknown = it->lacks_ranks;

    for (size_t i = 0; i < mq_waits_group_size(f->waits, it);) {
        int32_t process;

        i += mq_waits_members(f->waits, it, i, &process);
        unknown |= it->group != NULL && process == mq_no_process;
        if (process == mq_no_process || !asks(f, it, process))
            continue;
        asked++;
        add_edge(f, fill, (uint32_t)process, (uint32_t)(f->processes + g));
    }
    f->group_missing[g] = it->roll != 0 ? asked
                          : unknown ? 0 : asked > 0 ? 1 : NEVER;
}

static void add_edges(struct flood *f, bool fill)
{
    for (size_t p = 0; p < f->processes; p++)
        for (size_t i = f->waits->first[p]; i < f->waits->first[p + 1]; i++) {
            const struct mq_need *need = &f->waits->needs[i];
            uint32_t from = (uint32_t)p;

            if (need->flags & mq_need_unlikely)
                from |= unlikely_bit;
            if (!(need->flags & mq_need_met))
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

/* ---- Who goes on by itself -------------------------------------------- */

static void release(struct flood *f, size_t node)
{
    f->missing[node] = 0;
    f->prospects[node] |= f->cautious ? mq_can_go_on : mq_seems_to_go_on;
    f->ready[f->ready_count++] = (uint32_t)node;
}

/* How many of a process's needs must go on before it does. */
static uint32_t missing_of_process(const struct flood *f, size_t p)
{
    uint8_t freedom = f->waits->freedom[p];
    bool all = freedom & mq_needs_all;
    uint32_t missing = 0;

    if (!mq_rank_counts(f->waits->mail->ranks, p) || freedom & mq_goes_on
        || (f->cautious && freedom & mq_may_go_on))
        return 0;
    if (f->waits->states[p] == mq_rank_ending
        || f->waits->states[p] == mq_rank_gone)
        return NEVER;
    for (size_t i = f->waits->first[p]; i < f->waits->first[p + 1]; i++) {
        const struct mq_need *need = &f->waits->needs[i];
        bool met = need->flags & mq_need_met || need->node >= f->nodes;

        if (need->flags & mq_need_unlikely && !f->cautious)
            continue;
        if (met && !all)
            return 0;
        missing += !met;
    }
    return all || missing == 0 ? missing : 1;
}

static void spread(struct flood *f)
{
    for (size_t i = 0; i < f->ready_count; i++) {
        uint32_t node = f->ready[i];

        for (size_t k = f->first[node]; k < f->first[node + 1]; k++) {
            uint32_t to = f->dependents[k] & ~unlikely_bit;

            if (f->dependents[k] & unlikely_bit && !f->cautious)
                continue;
            if (f->missing[to] != 0 && f->missing[to] != NEVER
                && --f->missing[to] == 0)
                release(f, to);
        }
    }
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
    spread(f);
}

enum mq_result mq_stuck_find(const struct mq_waits *waits,
                             struct mq_error *error, uint8_t **prospects)
{
    struct flood f = { 0 };
    enum mq_result result;

    f.waits = waits;
    f.job = waits->mail->job;
    f.processes = f.job->process_count;
    f.nodes = f.processes + waits->group_count;
    f.first = calloc(f.nodes + 1, sizeof f.first[0]);
    f.missing = malloc((f.nodes + 1) * sizeof f.missing[0]);
    f.group_missing = malloc((waits->group_count + 1)
                             * sizeof f.group_missing[0]);
    f.ready = malloc((f.nodes + 1) * sizeof f.ready[0]);
    f.prospects = calloc(f.nodes + 1, 1);
    if (f.first == NULL || f.missing == NULL || f.group_missing == NULL
        || f.ready == NULL || f.prospects == NULL)
        result = mq_fail_memory(error, "looking for deadlocks");
    else
        result = sort_edges(&f, error);
    if (result == mq_ok) {
        run(&f, false);
        run(&f, true);
        *prospects = f.prospects;
        f.prospects = NULL;
    }
    destroy_flood(&f);
    return result;
}
