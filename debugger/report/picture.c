/* picture.c - layout of the wait-for graph */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/picture.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/arrivals.h"
#include "base/array.h"
#include "base/map.h"

enum {
    full_picture = 160,         /* edges: then only what holds stuck ranks */
    most_edges = 240
};

struct painter {
    const struct mq_analysis *a;
    const struct mq_job *job;
    const struct mq_filter *filter;
    struct mq_picture *made;
    uint32_t *node_of;          /* by process; mq_no_node: not shown */
    uint64_t *awaited;          /* by group of the waits: nodes of those that
                                   are not in its operation; 0: not known */
    struct mq_map others;       /* groups of wildcards, by address, and 0 for
                                   missing ranks: node */
    struct mq_map edges;        /* by nodes and kind: index */
    size_t edge_room;
    struct mq_error *error;
};

void mq_picture_destroy(struct mq_picture *picture)
{
    free(picture->nodes);
    free(picture->edges);
    free(picture->ranks);
    memset(picture, 0, sizeof *picture);
}

/* ---- Nodes that are not of ranks ---------------------------------------- */

/* The node of KIND for GROUP, made when it is first needed; once there is no
 * room, one that there is.
 */
static enum mq_result other_node(struct painter *p, enum mq_node_kind kind,
                                 const char *name, const void *group,
                                 uint32_t *index)
{
    const size_t reserved = kind == mq_node_any;    /* for those missing */
    struct mq_key key = { (uintptr_t)group, (uint64_t)kind };
    struct mq_node node = { .kind = kind, .name = name };
    uint32_t *known;

    if (mq_map_find(&p->others, key) == NULL
        && p->made->node_count + reserved >= mq_picture_most_nodes)
        key.a = UINT64_MAX;
    if (mq_map_add(&p->others, key, p->made->node_count, p->error, &known)
        != mq_ok)
        return mq_failed;
    *index = *known < mq_picture_most_nodes ? *known : mq_no_node;
    if (*known == p->made->node_count && *index != mq_no_node)
        p->made->nodes[p->made->node_count++] = node;
    return mq_ok;
}

/* The node of the rank that an operation names. */
static enum mq_result peer_node(struct painter *p,
                                const struct mq_operation_ref *ref,
                                uint32_t *index)
{
    const struct mq_operation *op = mq_operation_ref_operation(p->job, ref);
    const struct mq_communicator *it = mq_operation_ref_communicator(p->job,
                                                                     ref);
    uint32_t process;

    if (op->desired_local < 0)
        return other_node(p, mq_node_any, it->name, it->group, index);
    if (!mq_is_process(mq_rank_process(&p->a->ranks, op->desired_global),
                       &process))
        return other_node(p, mq_node_missing, NULL, NULL, index);
    *index = p->node_of[process];
    return mq_ok;
}

/* ---- Edges -------------------------------------------------------------- */

/* Draws EDGE, or takes it together with one between the same nodes. */
static enum mq_result add_edge(struct painter *p, const struct mq_edge *edge)
{
    struct mq_key key = { (uint64_t)edge->from << 32 | edge->to, edge->kind };
    struct mq_picture *made = p->made;
    struct mq_edge *known;
    uint32_t *index;

    if (edge->from == mq_no_node || edge->to == mq_no_node)
        return mq_ok;
    if (made->edge_count == most_edges
        && mq_map_find(&p->edges, key) == NULL) {
        made->left_out++;
        return mq_ok;
    }
    if (mq_map_add(&p->edges, key, made->edge_count, p->error, &index) != mq_ok)
        return mq_failed;
    if (*index == made->edge_count) {
        if (mq_array_reserve(&made->edges, sizeof *edge, made->edge_count + 1,
                             &p->edge_room, "drawing a picture", p->error)
            != mq_ok)
            return mq_failed;
        made->edges[made->edge_count++] = *edge;
        return mq_ok;
    }
    known = &made->edges[*index];
    known->operations++;
    known->deadlocked |= edge->deadlocked;
    known->is_alternative &= edge->is_alternative;
    known->is_even &= edge->is_even && known->distance == edge->distance;
    return mq_ok;
}

/* An edge for the operation at REF, of PROCESS. */
static struct mq_edge edge_of(const struct painter *p, uint32_t process,
                              const struct mq_operation_ref *ref)
{
    const struct mq_operation *op = mq_operation_ref_operation(p->job, ref);
    struct mq_edge edge = {
        .from = p->node_of[process], .kind = (enum mq_edge_kind)ref->queue,
        .operations = 1, .first = *ref,
        .is_even = op->desired_global >= 0 && p->job->world_count == 0
    };

    edge.distance = op->desired_global - p->job->processes[process].rank;
    return edge;
}

/* Whether what a process waits for is part of the deadlock that it is in. */
static bool is_deadlocked(const struct painter *p, uint32_t process,
                          const struct mq_need *need)
{
    const struct mq_analysis *a = p->a;
    uint32_t peer;

    if (mq_picture_kind(a, process) != mq_node_deadlocked
        || need->value != mq_value_missing)
        return false;
    return !mq_is_process(mq_waits_process(&a->waits, need->node), &peer)
           || (a->is_cause[peer] && a->cause_of[peer] == a->cause_of[process]);
}

/* The nodes of all members that are not in the collective operation of a group.
 */
static uint64_t nodes_awaited(struct painter *p,
                              const struct mq_waits_group *it)
{
    size_t group = (size_t)(it - p->a->waits.groups), place = 0;
    uint32_t process;

    if (it->group == NULL || p->awaited[group] != 0)
        return p->awaited[group];
    while (mq_next_awaited(&p->a->waits, it, &place, &process))
        if (process != mq_unknown_node && p->node_of[process] != mq_no_node)
            p->awaited[group] |= UINT64_C(1) << p->node_of[process];
    return p->awaited[group];
}

/* Edges to the members that a collective operation lacks. */
static enum mq_result add_call(struct painter *p, uint32_t process,
                               const struct mq_need *need, struct mq_edge *edge)
{
    const struct mq_waits_group *group = mq_waits_group(&p->a->waits,
                                                        need->node);
    uint64_t nodes = 0;
    uint32_t peer;

    if (mq_is_process(mq_waits_process(&p->a->waits, need->node), &peer)
        && p->node_of[peer] != mq_no_node)
        nodes = UINT64_C(1) << p->node_of[peer];
    else if (group != NULL && group->collective != 0)
        nodes = nodes_awaited(p, group);
    edge->from = p->node_of[process];
    edge->kind = mq_edge_collective;
    edge->operations = 1;
    edge->first.process = process;
    for (uint32_t node = 0; node < mq_picture_most_nodes; node++) {
        edge->to = node;
        if (nodes >> node & 1 && add_edge(p, edge) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

static enum mq_result add_need(struct painter *p, uint32_t process,
                               const struct mq_need *need, bool is_alternative)
{
    struct mq_edge edge = { .from = mq_no_node };

    if (need->ref.queue >= mq_queue_classes) {
        edge.deadlocked = is_deadlocked(p, process, need);
        return add_call(p, process, need, &edge);
    }
    if (!mq_filter_shows_operation(p->filter, p->job, &need->ref))
        return mq_ok;
    edge = edge_of(p, process, &need->ref);
    edge.deadlocked = is_deadlocked(p, process, need);
    edge.is_alternative = is_alternative;
    if (need->value != mq_value_unknown)
        edge.call = p->job->processes[process].call;
    if (need->ref.queue == mq_unexpected) {
        edge.kind = mq_edge_send;
        edge.to = p->node_of[need->ref.process];
        edge.distance = (int64_t)p->job->processes[need->ref.process].rank
                        - p->job->processes[process].rank;
    } else if (peer_node(p, &need->ref, &edge.to) != mq_ok) {
        return mq_failed;
    }
    return add_edge(p, &edge);
}

/* Edges of a rank's needs, also of a blocking send that no list shows: what is
 * there, or is missing.
 */
static enum mq_result add_needs(struct painter *p, uint32_t process, bool met)
{
    const struct mq_waiter *waiter = &p->a->waits.of[process];
    bool stuck = mq_is_stuck(p->a, process);
    bool is_alternative = waiter->need_count - mq_has_further(waiter) > 1
                          && !(waiter->condition & mq_condition_all);

    for (size_t i = 0; i < waiter->need_count; i++) {
        const struct mq_need *need = &waiter->needs[i];

        if ((need->value == mq_value_met) != met
            || (p->made->only_stuck
                && (!stuck || need->value == mq_value_unknown)))
            continue;
        if (add_need(p, process, need, is_alternative) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* Everything else of the program's that is pending or unexpected. */
static enum mq_result add_operations(struct painter *p, uint32_t process)
{
    struct mq_operation_ref ref = mq_operation_ref_before(process);
    bool waits = p->a->waits.of[process].need_count > 0;

    while (!p->made->only_stuck && mq_operation_ref_next(p->job, &ref)) {
        bool is_unexpected = ref.queue == mq_unexpected;
        struct mq_edge edge;
        uint32_t peer;

        if (!mq_filter_shows_operation(p->filter, p->job, &ref)
            || mq_is_internal(&p->a->table, &ref)
            || (!is_unexpected
                && (waits || mq_operation_ref_operation(p->job, &ref)->status
                             != mq_pending)))
            continue;
        if (peer_node(p, &ref, &peer) != mq_ok)
            return mq_failed;
        edge = edge_of(p, process, &ref);
        edge.to = is_unexpected ? edge.from : peer;
        edge.from = is_unexpected ? peer : edge.from;
        if (is_unexpected)
            edge.distance = -edge.distance;
        if (add_edge(p, &edge) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* Near misses, and members that are elsewhere. */
static enum mq_result add_findings(struct painter *p)
{
    const struct mq_analysis *a = p->a;

    for (size_t i = 0; i < a->near_miss_count; i++) {
        const struct mq_near_miss *it = &a->near_misses[i];
        int64_t sender = mq_operation_ref_sender(p->job, &it->message);
        uint32_t process;
        struct mq_edge edge = {
            .kind = mq_edge_near_miss, .finding = i, .operations = 1
        };

        if (it->note
            || !mq_is_process(mq_rank_process(&a->ranks, sender), &process))
            continue;
        edge.from = p->node_of[it->receive.process];
        edge.to = p->node_of[process];
        if (add_edge(p, &edge) != mq_ok)
            return mq_failed;
    }
    for (size_t i = 0; i < a->mismatches.count; i++) {
        const struct mq_mismatch *it = &a->mismatches.mismatches[i];
        const struct mq_edge edge = {
            .kind = mq_edge_mismatch, .finding = i, .operations = 1,
            .from = p->node_of[it->few.process],
            .to = p->node_of[it->many.process]
        };

        if (add_edge(p, &edge) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* Missing ranks come first: the first of an edge is written at it. */
static enum mq_result add_waits(struct painter *p, uint32_t process)
{
    return add_needs(p, process, false) != mq_ok ? mq_failed
                                                 : add_needs(p, process, true);
}

static enum mq_result add_edges(struct painter *p)
{
    if (add_findings(p) != mq_ok)
        return mq_failed;
    for (size_t i = 0; i < p->job->process_count; i++)
        if (p->node_of[i] != mq_no_node && mq_is_stuck(p->a, i)
            && add_waits(p, (uint32_t)i) != mq_ok)
            return mq_failed;
    for (size_t i = 0; i < p->job->process_count; i++) {
        if (p->node_of[i] == mq_no_node)
            continue;
        if ((!mq_is_stuck(p->a, i) && add_waits(p, (uint32_t)i) != mq_ok)
            || add_operations(p, (uint32_t)i) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* Draws all edges or, if these are too many, those that hold stuck ranks. */
static enum mq_result draw_edges(struct painter *p)
{
    uint32_t nodes = p->made->node_count;

    if (add_edges(p) != mq_ok)
        return mq_failed;
    if (p->made->edge_count <= full_picture || p->a->cause_count == 0)
        return mq_ok;
    mq_map_empty(&p->edges);
    mq_map_empty(&p->others);
    p->made->node_count = nodes;
    p->made->edge_count = 0;
    p->made->left_out = 0;
    p->made->only_stuck = true;
    return add_edges(p);
}

enum mq_result mq_picture_create(const struct mq_analysis *analysis,
                                 const struct mq_report_options *options,
                                 struct mq_error *error,
                                 struct mq_picture *picture)
{
    struct mq_picture made = { .a = analysis };
    struct painter p = {
        .a = analysis, .job = analysis->job, .filter = &options->filter,
        .made = &made, .error = error
    };
    enum mq_result result = mq_picture_fold(analysis, p.filter, error, &made,
                                            &p.node_of);

    p.awaited = calloc(analysis->waits.group_count + 1, sizeof p.awaited[0]);
    if (p.awaited == NULL && result == mq_ok)
        result = mq_fail_memory(error, "drawing a picture");
    if (result == mq_ok)
        result = draw_edges(&p);
    if (result == mq_ok)
        result = mq_picture_measure(&made, error);
    free(p.node_of);
    free(p.awaited);
    mq_map_deinit(&p.others);
    mq_map_deinit(&p.edges);
    if (result != mq_ok) {
        mq_picture_destroy(&made);
        return result;
    }
    mq_picture_place(&made);
    *picture = made;
    return mq_ok;
}
