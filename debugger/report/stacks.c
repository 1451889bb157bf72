/* stacks.c - tree of the merged call stacks of all ranks */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/sections.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/map.h"
#include "base/text.h"
#include "model/rank_text.h"
#include "report/place_words.h"

#define NO_NODE UINT32_MAX

/* A function that the ones before it called from the same line. */
struct node {
    const struct mq_frame *frame;       /* null: the MPI call */
    const char *call;
    uint32_t parent;            /* that called it; the root's is itself */
    uint32_t child, next;       /* the first that it called; the next that its
                                   caller did */
    size_t count;               /* ranks */
};

struct tree {
    const struct mq_analysis *a;
    struct node *nodes;         /* the first is the root */
    size_t count, room;
    struct mq_map index;        /* by parent and frame */
    uint32_t *leaf_of;          /* by process */
    size_t most, lines, left_out, width;
    FILE *stream;
    struct mq_strbuf words;
};

static enum mq_result make_room(struct tree *t, struct mq_error *error)
{
    return mq_array_reserve(&t->nodes, sizeof *t->nodes, t->count + 1, &t->room,
                            "merging the stacks", error);
}

/* The node below PARENT for a frame or, if that is null, a call. */
static enum mq_result step(struct tree *t, uint32_t parent,
                           const struct mq_frame *frame, const char *call,
                           struct mq_error *error, uint32_t *node)
{
    struct mq_key key = { (uintptr_t)call, parent };
    uint32_t *known;

    if (frame != NULL) {
        key.a = (uintptr_t)frame->function ^ (uintptr_t)frame->file << 20;
        key.b |= (uint64_t)frame->line << 32;
    }
    if (make_room(t, error) != mq_ok)
        return mq_failed;
    if (mq_map_add(&t->index, key, (uint32_t)t->count, error, &known) != mq_ok)
        return mq_failed;
    *node = *known;
    if (*known < t->count)
        return mq_ok;
    t->nodes[t->count] = (struct node){ frame, call, parent, NO_NODE,
                                        t->nodes[parent].child, 0 };
    t->nodes[parent].child = (uint32_t)t->count++;
    return mq_ok;
}

/* Enters the program's functions that the call of a thread has called, or a
 * signal in it.
 */
static enum mq_result enter_inside(struct tree *t,
                                   const struct mq_thread *thread,
                                   struct mq_error *error, uint32_t *node)
{
    for (int32_t i = thread->site; i > 0; i--) {
        const struct mq_frame *frame = &thread->frames[i - 1];

        if (frame->in_mpi || frame->object != NULL
            || mq_frame_is_standard(frame))
            continue;
        if (step(t, *node, frame, NULL, error, node) != mq_ok)
            return mq_failed;
        t->nodes[*node].count++;
    }
    return mq_ok;
}

/* Enters the stack of a process's main thread, down to its MPI call. */
static enum mq_result enter(struct tree *t, size_t process,
                            struct mq_error *error)
{
    const struct mq_process *it = &t->a->job->processes[process];
    const struct mq_thread *thread = it->threads;
    uint32_t node = 0;
    size_t end;

    t->leaf_of[process] = NO_NODE;
    if (it->thread_count == 0 || thread->frame_count == 0)
        return mq_ok;
    end = thread->site >= 0 ? (size_t)thread->site : 0;
    for (size_t i = thread->frame_count; i > end; i--) {
        if (mq_frame_is_standard(&thread->frames[i - 1]))
            continue;
        if (step(t, node, &thread->frames[i - 1], NULL, error, &node) != mq_ok)
            return mq_failed;
        t->nodes[node].count++;
    }
    if (mq_is_in_mpi(it->call)) {
        if (step(t, node, NULL, it->call, error, &node) != mq_ok)
            return mq_failed;
        t->nodes[node].count++;
        if (enter_inside(t, thread, error, &node) != mq_ok)
            return mq_failed;
    }
    t->leaf_of[process] = node;
    return mq_ok;
}

/* ---- Writing it ------------------------------------------------------- */

static void add_node(struct tree *t, const struct node *node)
{
    const struct mq_frame *frame = node->frame;

    if (frame == NULL) {
        mq_strbuf_add(&t->words, "%s", node->call);
        return;
    }
    mq_frame_words(&t->words, t->a, frame);
}

static bool is_below(const struct tree *t, uint32_t node, uint32_t above)
{
    while (node != above && node != 0)
        node = t->nodes[node].parent;
    return node == above;
}

static void add_ranks(struct tree *t, uint32_t node)
{
    int *ranks = malloc((t->nodes[node].count + 1) * sizeof *ranks);
    size_t count = 0;

    if (ranks == NULL) {
        t->words.failed = true;
        return;
    }
    for (size_t p = 0; p < t->a->job->process_count; p++)
        if (t->leaf_of[p] != NO_NODE && is_below(t, t->leaf_of[p], node)
            && t->a->job->processes[p].rank >= 0)
            ranks[count++] = t->a->job->processes[p].rank;
    if (count > 0)
        mq_rank_text_sorted(&t->words, t->a->job, ranks, count);
    mq_strbuf_add(&t->words, ": ");
    free(ranks);
}

static bool is_alone(const struct tree *t, uint32_t node)
{
    uint32_t child = t->nodes[node].child;

    return child != NO_NODE && t->nodes[child].next == NO_NODE
           && t->nodes[child].count == t->nodes[node].count;
}

/* Writes NODE and all that it leads to without parting; gives the last. */
static uint32_t write_line(struct tree *t, uint32_t node, size_t depth)
{
    add_ranks(t, node);
    add_node(t, &t->nodes[node]);
    while (is_alone(t, node)) {
        node = t->nodes[node].child;
        mq_strbuf_add(&t->words, " > ");
        add_node(t, &t->nodes[node]);
    }
    fprintf(t->stream, "%*s", (int)(2 * depth + 2), "");
    mq_text_wrap(t->stream, mq_strbuf_text(&t->words), 2 * depth + 2,
                 2 * depth + 6, t->width);
    mq_strbuf_empty(&t->words);
    return node;
}

/* Goes through the tree below the root without recursion: a stack may be as
 * deep as a program likes.
 */
static void write_tree(struct tree *t, uint32_t *open, size_t *depths)
{
    size_t count = 0;

    for (uint32_t c = t->nodes[0].child; c != NO_NODE; c = t->nodes[c].next) {
        depths[count] = 0;
        open[count++] = c;
    }
    while (count > 0) {
        uint32_t node = open[--count];
        size_t depth = depths[count];

        if (t->most > 0 && t->lines == t->most) {
            t->left_out++;
            continue;
        }
        t->lines++;
        node = write_line(t, node, depth);
        for (uint32_t c = t->nodes[node].child; c != NO_NODE;
             c = t->nodes[c].next) {
            depths[count] = depth + 1;
            open[count++] = c;
        }
    }
}

/* The whole paths of files that are named by their ends. */
static void write_paths(struct tree *t)
{
    const struct mq_file_names *files = &t->a->files;
    size_t shown = 0, left_out = 0;

    for (size_t i = 0; i < files->count; i++) {
        const struct mq_file_name *it = &files->all[i];

        if (it->name == it->file)
            continue;
        if (t->most != 0 && shown >= t->most) {
            left_out++;
            continue;
        }
        mq_strbuf_add(&t->words, "%s%s", shown++ == 0 ? "source files: " : ", ",
                      it->file);
    }
    if (shown == 0)
        return;
    if (left_out > 0)
        mq_strbuf_add(&t->words, ", and %zu more", left_out);
    fputs("  ", t->stream);
    mq_text_wrap(t->stream, mq_strbuf_text(&t->words), 2, 4, t->width);
    mq_strbuf_empty(&t->words);
}

static enum mq_result write_all(struct tree *t, struct mq_error *error)
{
    uint32_t *open = malloc((t->count + 1) * sizeof *open);
    size_t *depths = malloc((t->count + 1) * sizeof *depths);
    enum mq_result result = mq_ok;

    if (open == NULL || depths == NULL) {
        result = mq_fail_memory(error, "writing the stacks");
    } else {
        fputs("stacks:\n", t->stream);
        write_tree(t, open, depths);
        mq_text_more(t->stream, 2, t->left_out, "place", "places");
        write_paths(t);
    }
    free(open);
    free(depths);
    return t->words.failed ? mq_fail_memory(error, "writing the stacks")
                           : result;
}

enum mq_result mq_stacks_write(const struct mq_analysis *analysis, size_t most,
                               size_t width, FILE *stream,
                               struct mq_error *error)
{
    size_t processes = analysis->job->process_count;
    struct tree t = { 0 };
    enum mq_result result;

    t.a = analysis;
    t.most = most;
    t.width = width;
    t.stream = stream;
    t.leaf_of = malloc((processes + 1) * sizeof t.leaf_of[0]);
    result = t.leaf_of == NULL ? mq_fail_memory(error, "merging the stacks")
                               : make_room(&t, error);
    if (result == mq_ok) {
        t.nodes[0] = (struct node){ NULL, NULL, 0, NO_NODE, NO_NODE, 0 };
        t.count = 1;
    }
    for (size_t p = 0; p < processes && result == mq_ok; p++)
        result = enter(&t, p, error);
    if (result == mq_ok && t.count > 1)
        result = write_all(&t, error);
    free(t.nodes);
    free(t.leaf_of);
    mq_map_deinit(&t.index);
    mq_strbuf_deinit(&t.words);
    return result;
}
