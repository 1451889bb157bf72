/* sinks.c - root causes: sink components of the wait-for graph */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/sinks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/arrivals.h"
#include "analysis/stuck.h"

/* Tarjan's search for strongly connected parts, without recursion.  Parts are
 * finished in an order in which everything that a part reaches is finished
 * before it.
 */
struct search {
    const struct mq_waits *waits;
    const struct mq_prospects *prospects;
    uint32_t processes;
    uint32_t visited;
    struct node {
        uint32_t order;         /* when it was met; 0: not yet */
        uint32_t low;           /* the first that it reaches */
    } *nodes;
    struct mq_chain *of;        /* by node */
    uint32_t *open;             /* nodes of unfinished parts, as a stack */
    uint32_t open_count;
    struct frame {
        uint32_t node;
        uint32_t next;          /* edge */
    } *frames;
    uint32_t depth;
    bool *wanted;               /* by end */
    uint32_t end_count;
};

static enum mq_result create_search(struct search *s, struct mq_error *error)
{
    size_t nodes = s->processes + s->waits->group_count;

    s->of = calloc(nodes + 1, sizeof s->of[0]);
    s->nodes = calloc(nodes + 1, sizeof s->nodes[0]);
    s->open = calloc(nodes + 1, sizeof s->open[0]);
    s->frames = calloc(nodes + 1, sizeof s->frames[0]);
    s->wanted = calloc(nodes + 1, sizeof s->wanted[0]);
    if (s->nodes == NULL || s->of == NULL || s->open == NULL
        || s->frames == NULL || s->wanted == NULL)
        return mq_fail_memory(error, "looking for causes");
    for (size_t i = 0; i < nodes; i++)
        s->of[i].end = MQ_NO_SINK;
    return mq_ok;
}

/* ---- Edges ------------------------------------------------------------ */

static enum mq_prospect prospect(const struct search *s, uint32_t node)
{
    return node == mq_unknown_node ? mq_prospect_free
                             : (enum mq_prospect)s->prospects->nodes[node];
}

static bool leads_to(const struct search *s, uint32_t from, uint32_t to)
{
    if (prospect(s, from) == mq_prospect_possibly_stuck)
        return prospect(s, to) != mq_prospect_free;
    return prospect(s, from) == prospect(s, to);
}

static bool next_need(const struct search *s, struct frame *frame,
                      uint32_t *node)
{
    const struct mq_waiter *waiter = &s->waits->of[frame->node];

    if (waiter->state != mq_rank_waits || waiter->freedom != mq_not_free)
        return false;
    while (frame->next < waiter->need_count) {
        const struct mq_need *need = &waiter->needs[frame->next++];

        *node = need->node;
        if (need->is_open
            && (prospect(s, frame->node) != mq_prospect_free
                || need->ref.queue != mq_need_call))
            continue;           /* a process that is stuck, or waits, for
                                   something unknown is a sink */
        if ((need->value == mq_value_missing || need->is_further)
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
    size_t place = frame->next;
    bool found = false;

    while (!found && mq_next_awaited(s->waits, it, &place, node))
        found = leads_to(s, frame->node, *node);
    frame->next = (uint32_t)place;
    if (found)
        return true;
    *node = mq_unknown_node;
    return it->lacks_ranks && s->of[frame->node].end == MQ_NO_SINK
           && leads_to(s, frame->node, *node);
}

/* ---- Parts ------------------------------------------------------------ */

static void enter(struct search *s, uint32_t node)
{
    s->nodes[node].order = s->nodes[node].low = ++s->visited;
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

        if (s->of[node].end != MQ_NO_SINK)
            end = s->of[node].end;
        if (node < s->processes) {
            processes = true;
            waits |= s->waits->of[node].state == mq_rank_waits
                     && prospect(s, node) != mq_prospect_free;
        }
    }
    is_sink = end == MQ_NO_SINK && processes;
    if (is_sink) {
        end = s->end_count++;
        s->wanted[end] = waits;
    }
    for (uint32_t i = first; i < s->open_count; i++)
        s->of[s->open[i]] = (struct mq_chain){ end, true, is_sink };
    s->open_count = first;
}

/* Node FROM waits for TO, which is finished. */
static void pass_on(struct search *s, uint32_t from, uint32_t to)
{
    uint32_t end = to == mq_unknown_node ? MQ_MISSING_SINK : s->of[to].end;

    if (end < s->end_count)
        s->wanted[end] = true;
    if (end != MQ_NO_SINK)
        s->of[from].end = end;
}

static void leave(struct search *s, uint32_t node)
{
    struct node *it = &s->nodes[node];

    s->depth--;
    if (it->low == it->order) {
        uint32_t first = s->open_count;

        while (s->open[first - 1] != node)
            first--;
        finish_part(s, first - 1);
    }
    if (s->depth > 0) {
        uint32_t from = s->frames[s->depth - 1].node;

        if (it->low < s->nodes[from].low)
            s->nodes[from].low = it->low;
        if (s->of[node].is_followed)
            pass_on(s, from, node);
    }
}

static void search_from(struct search *s, uint32_t root)
{
    enter(s, root);
    while (s->depth > 0) {
        struct frame *frame = &s->frames[s->depth - 1];
        uint32_t from = frame->node, to;

        if (frame->node < s->processes ? !next_need(s, frame, &to)
                                       : !next_member(s, frame, &to))
            leave(s, from);
        else if (to == mq_unknown_node || s->of[to].is_followed)
            pass_on(s, from, to);
        else if (s->nodes[to].order == 0)
            enter(s, to);
        else if (s->nodes[to].order < s->nodes[from].low)
            s->nodes[from].low = s->nodes[to].order;
    }
}

void mq_sinks_destroy(struct mq_sinks *sinks)
{
    free(sinks->of);
    memset(sinks, 0, sizeof *sinks);
}

enum mq_result mq_sinks_find(const struct mq_waits *waits,
                             const struct mq_prospects *prospects,
                             struct mq_error *error,
                             struct mq_sinks *sinks)
{
    struct search s = {
        .waits = waits, .prospects = prospects,
        .processes = (uint32_t)waits->table->job->process_count
    };
    enum mq_result result = create_search(&s, error);

    for (uint32_t p = 0; result == mq_ok && p < s.processes; p++)
        if (waits->of[p].state == mq_rank_waits && s.nodes[p].order == 0)
            search_from(&s, p);
    for (uint32_t p = 0; result == mq_ok && p < s.processes; p++)
        s.of[p].is_sink = s.of[p].is_sink && s.wanted[s.of[p].end];
    if (result == mq_ok) {
        *sinks = (struct mq_sinks){ s.end_count, s.of };
        s.of = NULL;
    }
    free(s.nodes);
    free(s.of);
    free(s.open);
    free(s.frames);
    free(s.wanted);
    return result;
}
