/* picture_fold.c - groups of ranks that share a node of the picture */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "report/pattern.h"
#include "report/picture.h"

enum {
    most_single = 8,            /* ranks that are nodes whatever they do */
    most_chosen = 24,           /* that are nodes because they matter */
    short_cause = 8,            /* ranks of one that does */
    most_groups = mq_picture_most_nodes - 2 - 4     /* any, missing, and the
                                                       rest of each kind */
};

/* Ranks that share a node if there is room for it. */
struct group {
    uint32_t first;             /* process */
    uint32_t count;
    bool is_chosen;
    uint32_t node;
};

struct folder {
    const struct mq_analysis *a;
    size_t count;               /* processes that are shown, */
    uint32_t *order;            /* by rank */
    bool *is_chosen;            /* by process */
    bool *differs;              /* part of a near miss or a mismatch */
    size_t chosen_count;
    struct mq_patterns patterns;
    uint32_t *group_of;         /* by process */
    size_t group_count;
    struct group *groups;
    struct mq_picture *made;
    struct mq_error *error;
};

enum mq_node_kind mq_picture_kind(const struct mq_analysis *a, size_t process)
{
    bool stuck = mq_is_stuck(a, process);

    if (a->is_cause[process])
        return stuck ? mq_node_deadlocked : mq_node_cause;
    return stuck ? mq_node_behind : mq_node_free;
}

/* ---- Selection ---------------------------------------------------------- */

/* Rank and process in one number, so that this sorts by rank. */
static int compare_keys(const void *left, const void *right)
{
    const uint64_t *l = left, *r = right;

    return *l < *r ? -1 : *l > *r;
}

static enum mq_result sort_ranks(struct folder *f,
                                 const struct mq_filter *filter)
{
    const struct mq_job *job = f->a->job;
    uint64_t *keys = malloc((job->process_count + 1) * sizeof *keys);

    if (keys == NULL)
        return mq_fail_memory(f->error, "drawing a picture");
    for (size_t i = 0; i < job->process_count; i++)
        if (mq_rank_counts(&f->a->ranks, i)
            && mq_filter_shows_rank(filter, job, &job->processes[i]))
            keys[f->count++] = (uint64_t)job->processes[i].rank << 32 | i;
    qsort(keys, f->count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < f->count; i++)
        f->order[i] = (uint32_t)keys[i];
    free(keys);
    return mq_ok;
}

/* ---- Nodes of one rank -------------------------------------------------- */

static void choose(struct folder *f, int64_t rank)
{
    uint32_t process;

    if (!mq_is_process(mq_rank_process(&f->a->ranks, rank), &process)
        || f->is_chosen[process] || f->chosen_count == most_chosen)
        return;
    f->is_chosen[process] = true;
    f->chosen_count++;
}

static void note_difference(struct folder *f, int64_t rank)
{
    uint32_t process;

    if (mq_is_process(mq_rank_process(&f->a->ranks, rank), &process))
        f->differs[process] = true;
    choose(f, rank);
}

static void choose_singles(struct folder *f)
{
    const struct mq_analysis *a = f->a;

    for (size_t i = 0; i < a->cause_count; i++)
        for (size_t k = 0; k < a->causes[i].rank_count; k++)
            if (a->causes[i].rank_count <= short_cause)
                choose(f, a->causes[i].ranks[k]);
    for (size_t i = 0; i < a->near_miss_count; i++) {
        const struct mq_near_miss *it = &a->near_misses[i];

        if (it->note)
            continue;
        note_difference(f, mq_operation_ref_process(a->job,
                                                    &it->receive)->rank);
        note_difference(f, mq_operation_ref_sender(a->job, &it->message));
    }
    for (size_t i = 0; i < a->mismatches.count; i++) {
        const struct mq_mismatch *it = &a->mismatches.mismatches[i];

        for (size_t k = 0; k < it->few_count; k++)
            note_difference(f, it->ranks[it->many_count + k]);
    }
}

/* ---- Groups ------------------------------------------------------------- */

static struct mq_key key_of(const struct folder *f, uint32_t process)
{
    struct mq_key key = {
        (uintptr_t)f->a->job->processes[process].call,
        (uint64_t)f->patterns.of[process] << 32
            | (uint64_t)(f->a->cause_of[process] & 0xffffff) << 8
            | (uint64_t)mq_picture_kind(f->a, process) << 4
            | f->a->waits.of[process].state
    };

    if (f->is_chosen[process]) {
        key.a = UINT64_MAX;
        key.b = process;
    }
    return key;
}

static enum mq_result find_groups(struct folder *f)
{
    struct mq_map index = { 0 };
    enum mq_result result = mq_ok;

    for (size_t i = 0; result == mq_ok && i < f->count; i++) {
        uint32_t process = f->order[i], *group;

        result = mq_map_add(&index, key_of(f, process),
                            (uint32_t)f->group_count, f->error, &group);
        if (result != mq_ok)
            break;
        f->group_of[process] = *group;
        if (*group == f->group_count)
            f->groups[f->group_count++] =
                (struct group){ process, 0, f->is_chosen[process], 0 };
        f->groups[*group].count++;
    }
    mq_map_deinit(&index);
    return result;
}

/* ---- Nodes -------------------------------------------------------------- */

/* Which groups get a node rather than others: what matters, then what is
 * large.
 */
static uint64_t weight_of(const struct folder *f, const struct group *group)
{
    static const unsigned weights[] = {
        [mq_node_free] = 0, [mq_node_behind] = 1, [mq_node_cause] = 2,
        [mq_node_deadlocked] = 3
    };

    return (uint64_t)(group->is_chosen ? 4
                      : weights[mq_picture_kind(f->a, group->first)]) << 32
           | group->count;
}

/* The weight that the groups need to get a node. */
static enum mq_result find_least_weight(const struct folder *f,
                                        uint64_t *least)
{
    uint64_t *weights;

    *least = 0;
    if (f->group_count <= most_groups)
        return mq_ok;
    weights = malloc(f->group_count * sizeof *weights);
    if (weights == NULL)
        return mq_fail_memory(f->error, "drawing a picture");
    for (size_t i = 0; i < f->group_count; i++)
        weights[i] = weight_of(f, &f->groups[i]);
    qsort(weights, f->group_count, sizeof *weights, compare_keys);
    *least = weights[f->group_count - most_groups];
    free(weights);
    return mq_ok;
}

static uint32_t add_node(struct folder *f, uint32_t process, bool is_rest)
{
    const struct mq_process *it = &f->a->job->processes[process];
    struct mq_node *node = &f->made->nodes[f->made->node_count];

    memset(node, 0, sizeof *node);
    node->kind = mq_picture_kind(f->a, process);
    node->call = it->call;
    node->state = (enum mq_rank_state)f->a->waits.of[process].state;
    node->is_rest = is_rest;
    return f->made->node_count++;
}

/* Nodes of more weight first, as many as fit. */
static void make_nodes(struct folder *f, uint64_t least)
{
    uint32_t rest[mq_node_kinds];
    size_t i, heavier = 0, equal = 0;

    for (i = 0; i < mq_node_kinds; i++)
        rest[i] = mq_no_node;
    for (i = 0; i < f->group_count; i++)
        heavier += weight_of(f, &f->groups[i]) > least;
    for (i = 0; i < f->group_count; i++) {
        struct group *group = &f->groups[i];
        enum mq_node_kind kind = mq_picture_kind(f->a, group->first);
        uint64_t weight = weight_of(f, group);

        if (weight > least
            || (weight == least && heavier + equal++ < most_groups)) {
            group->node = add_node(f, group->first, false);
            continue;
        }
        if (rest[kind] == mq_no_node)
            rest[kind] = add_node(f, group->first, true);
        group->node = rest[kind];
    }
}

/* Gives each node its ranks. */
static void fill_nodes(struct folder *f, uint32_t *node_of)
{
    struct mq_picture *made = f->made;
    uint32_t begin = 0, n;

    for (size_t i = 0; i < f->a->job->process_count; i++)
        node_of[i] = mq_no_node;
    for (size_t i = 0; i < f->count; i++) {
        uint32_t process = f->order[i];
        struct mq_node *node;

        node_of[process] = f->groups[f->group_of[process]].node;
        node = &made->nodes[node_of[process]];
        node->count++;
        node->differs |= f->differs[process];
        if (node->call != f->a->job->processes[process].call)
            node->call = NULL;
    }
    for (n = 0; n < made->node_count; n++) {
        made->nodes[n].begin = begin;
        begin += made->nodes[n].count;
        made->nodes[n].count = 0;
    }
    for (size_t i = 0; i < f->count; i++) {
        struct mq_node *node = &made->nodes[node_of[f->order[i]]];

        made->ranks[node->begin + node->count++] =
            f->a->job->processes[f->order[i]].rank;
    }
}

/* ---- All of it ---------------------------------------------------------- */

static enum mq_result fold(struct folder *f, const struct mq_filter *filter,
                           uint32_t *node_of)
{
    uint64_t least;

    if (sort_ranks(f, filter) != mq_ok)
        return mq_failed;
    choose_singles(f);
    for (size_t i = 0; f->count <= most_single && i < f->count; i++)
        f->is_chosen[f->order[i]] = true;
    if (mq_patterns_find(f->a, f->error, &f->patterns) != mq_ok
        || find_groups(f) != mq_ok || find_least_weight(f, &least) != mq_ok)
        return mq_failed;
    make_nodes(f, least);
    fill_nodes(f, node_of);
    return mq_ok;
}

enum mq_result mq_picture_fold(const struct mq_analysis *a,
                               const struct mq_filter *filter,
                               struct mq_error *error,
                               struct mq_picture *picture, uint32_t **node_of)
{
    size_t most = a->job->process_count + 1;
    struct folder f = { .a = a, .made = picture, .error = error };
    enum mq_result result = mq_failed;

    f.order = malloc(most * sizeof f.order[0]);
    f.is_chosen = calloc(most, sizeof f.is_chosen[0]);
    f.differs = calloc(most, sizeof f.differs[0]);
    f.group_of = malloc(most * sizeof f.group_of[0]);
    f.groups = malloc(most * sizeof f.groups[0]);
    *node_of = malloc(most * sizeof **node_of);
    picture->ranks = malloc(most * sizeof picture->ranks[0]);
    picture->nodes = malloc(mq_picture_most_nodes * sizeof picture->nodes[0]);
    if (f.order == NULL || f.is_chosen == NULL || f.differs == NULL
        || f.group_of == NULL || f.groups == NULL || *node_of == NULL
        || picture->ranks == NULL || picture->nodes == NULL)
        mq_fail_memory(error, "drawing a picture");
    else
        result = fold(&f, filter, *node_of);
    free(f.order);
    free(f.is_chosen);
    free(f.differs);
    mq_patterns_destroy(&f.patterns);
    free(f.group_of);
    free(f.groups);
    return result;
}
