/* sinks.c - root causes: sink components of the wait-for graph */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "waits/sinks.h"

#include <stdlib.h>
#include <string.h>

#include "waits/arrivals.h"
#include "waits/stuck.h"

/* Tarjan's search for strongly connected parts, without recursion.  Parts are
 * finished in an order in which everything that a part reaches is finished
 * before it.
 */
struct search {
    const struct mq_waits *waits;
    const struct mq_prospects *prospects;
    uint32_t processes;
    uint32_t visited;
    uint32_t *order;            /* by node: when it was met; 0: not yet */
    uint32_t *low;              /* by node: the first that it reaches */
    uint32_t *sinks;            /* by node: the one that it leads to */
    uint8_t *flags;             /* by node */
    uint32_t *open;             /* nodes of unfinished parts, as a stack */
    uint32_t open_count;
    struct frame {
        uint32_t node;
        uint32_t next;          /* edge */
    } *frames;
    uint32_t depth;
    bool *wanted;
    uint32_t end_count;
};

enum {
    finished = 1,
    in_end = 2
};

static void destroy_search(struct search *s)
{
    free(s->order);
    free(s->low);
    free(s->sinks);
    free(s->flags);
    free(s->open);
    free(s->frames);
    free(s->wanted);
}

static enum mq_result create_search(struct search *s,
                                    const struct mq_waits *waits,
                                    const struct mq_prospects *prospects,
                                    struct mq_error *error)
{
    size_t processes = waits->table->job->process_count;
    size_t nodes = processes + waits->group_count;

    memset(s, 0, sizeof *s);
    s->waits = waits;
    s->prospects = prospects;
    s->processes = (uint32_t)processes;
    s->order = calloc(nodes + 1, sizeof s->order[0]);
    s->low = calloc(nodes + 1, sizeof s->low[0]);
    s->sinks = malloc((nodes + 1) * sizeof s->sinks[0]);
    s->flags = calloc(nodes + 1, sizeof s->flags[0]);
    s->open = calloc(nodes + 1, sizeof s->open[0]);
    s->frames = calloc(nodes + 1, sizeof s->frames[0]);
    s->wanted = calloc(nodes + 1, sizeof s->wanted[0]);
    if (s->order == NULL || s->low == NULL || s->sinks == NULL
        || s->flags == NULL || s->open == NULL || s->frames == NULL
        || s->wanted == NULL) {
        destroy_search(s);
        return mq_fail_memory(error, "looking for causes");
    }
    memset(s->sinks, 0xff, (nodes + 1) * sizeof s->sinks[0]);
    return mq_ok;
}

/* ---- Edges ------------------------------------------------------------ */

static bool seems_stuck(const struct search *s, uint32_t node)
{
    return node != (uint32_t)mq_unknown_node
           && !(s->prospects->nodes[node] & mq_seems_to_go_on);
}

static bool is_surely_stuck(const struct search *s, uint32_t node)
{
    return seems_stuck(s, node) && !(s->prospects->nodes[node] & mq_can_go_on);
}

static bool leads_to(const struct search *s, uint32_t from, uint32_t to)
{
    if (is_surely_stuck(s, from))
        return is_surely_stuck(s, to);
    return seems_stuck(s, from) == seems_stuck(s, to);
}

static bool next_need(const struct search *s, struct frame *frame,
                      uint32_t *node)
{
    size_t begin = s->waits->first[frame->node];
    size_t end = s->waits->first[frame->node + 1];

    if (s->waits->states[frame->node] != mq_rank_waits
        || s->waits->freedom[frame->node] != mq_not_free)
        return false;
    while (begin + frame->next < end) {
        const struct mq_need *need = &s->waits->needs[begin + frame->next++];

        *node = need->node;
        if (need->is_open && (seems_stuck(s, frame->node)
                              || need->ref.queue != mq_need_call))
            continue;           /* a process that is stuck, or waits, for
                                   something unknown is a sink */
        if (need->value == mq_value_missing
            && leads_to(s, frame->node, *node))
            return true;
    }
    return false;
}

/* Those of the job that were not given come last, if there is no end yet. */
static bool next_member(const struct search *s, struct frame *frame,
                        uint32_t *node)
{
    const struct mq_waits_group *it =
        &s->waits->groups[frame->node - s->processes];

    while (frame->next < mq_waits_group_size(s->waits, it)) {
        struct mq_process_ref member;

        frame->next += (uint32_t)mq_waits_members(s->waits, it, frame->next,
                                                  &member);
        *node = mq_waits_node(member);
        if (*node == (uint32_t)mq_unknown_node && it->group == NULL)
            continue;
        if (leads_to(s, frame->node, *node)
            && (it->collective == 0 || *node == (uint32_t)mq_unknown_node
                || !mq_has_come(s->waits, *node, it)))
            return true;
    }
    *node = (uint32_t)mq_unknown_node;
    return it->lacks_ranks && s->sinks[frame->node] == MQ_NO_SINK
           && leads_to(s, frame->node, *node);
}

static bool next_edge(const struct search *s, struct frame *frame,
                      uint32_t *node)
{
    return frame->node < s->processes ? next_need(s, frame, node)
                                      : next_member(s, frame, node);
}

/* ---- Parts ------------------------------------------------------------ */

static void enter(struct search *s, uint32_t node)
{
    s->order[node] = s->low[node] = ++s->visited;
    s->open[s->open_count++] = node;
    s->frames[s->depth++] = (struct frame){ node, 0 };
}

/* A part is done whose nodes are open from FIRST on: it leads to an end, or is
 * one if there are processes in it.  Only stuck ranks are wanted.
 */
static void finish_part(struct search *s, uint32_t first)
{
    uint32_t end = MQ_NO_SINK;
    bool is_sink, waits = false, processes = false;

    for (uint32_t i = first; i < s->open_count; i++) {
        uint32_t node = s->open[i];

        if (s->sinks[node] != MQ_NO_SINK)
            end = s->sinks[node];
        if (node < s->processes) {
            processes = true;
            waits |= s->waits->states[node] == mq_rank_waits
                     && seems_stuck(s, node);
        }
    }
    is_sink = end == MQ_NO_SINK && processes;
    if (is_sink) {
        end = s->end_count++;
        s->wanted[end] = waits;
    }
    for (uint32_t i = first; i < s->open_count; i++) {
        s->sinks[s->open[i]] = end;
        s->flags[s->open[i]] |= (uint8_t)(finished | (is_sink ? in_end : 0));
    }
    s->open_count = first;
}

/* Node FROM waits for TO, which is finished. */
static void pass_on(struct search *s, uint32_t from, uint32_t to)
{
    uint32_t end = to == (uint32_t)mq_unknown_node ? MQ_MISSING_SINK
                                                   : s->sinks[to];

    if (end < s->end_count)
        s->wanted[end] = true;
    if (end != MQ_NO_SINK)
        s->sinks[from] = end;
}

static void leave(struct search *s, uint32_t node)
{
    s->depth--;
    if (s->low[node] == s->order[node]) {
        uint32_t first = s->open_count;

        while (s->open[first - 1] != node)
            first--;
        finish_part(s, first - 1);
    }
    if (s->depth > 0) {
        uint32_t from = s->frames[s->depth - 1].node;

        if (s->low[node] < s->low[from])
            s->low[from] = s->low[node];
        if (s->flags[node] & finished)
            pass_on(s, from, node);
    }
}

static void search_from(struct search *s, uint32_t root)
{
    enter(s, root);
    while (s->depth > 0) {
        struct frame *frame = &s->frames[s->depth - 1];
        uint32_t from = frame->node, to;

        if (!next_edge(s, frame, &to))
            leave(s, from);
        else if (to == (uint32_t)mq_unknown_node || s->flags[to] & finished)
            pass_on(s, from, to);
        else if (s->order[to] == 0)
            enter(s, to);
        else if (s->order[to] < s->low[from])
            s->low[from] = s->order[to];
    }
}

void mq_sinks_destroy(struct mq_sinks *sinks)
{
    free(sinks->sinks);
    free(sinks->is_sink);
    free(sinks->wanted);
    memset(sinks, 0, sizeof *sinks);
}

enum mq_result mq_sinks_find(const struct mq_waits *waits,
                             const struct mq_prospects *prospects,
                             struct mq_error *error,
                             struct mq_sinks *sinks)
{
    struct search s;
    bool *is_sink;

    if (create_search(&s, waits, prospects, error) != mq_ok)
        return mq_failed;
    is_sink = malloc((s.processes + (size_t)1) * sizeof *is_sink);
    if (is_sink == NULL) {
        destroy_search(&s);
        return mq_fail_memory(error, "looking for causes");
    }
    for (uint32_t p = 0; p < s.processes; p++)
        if (waits->states[p] == mq_rank_waits && s.order[p] == 0)
            search_from(&s, p);
    for (uint32_t p = 0; p < s.processes; p++)
        is_sink[p] = s.flags[p] & in_end;
    *sinks = (struct mq_sinks){ s.end_count, s.sinks, is_sink, s.wanted };
    s.sinks = NULL;
    s.wanted = NULL;
    destroy_search(&s);
    return mq_ok;
}
