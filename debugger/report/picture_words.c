/* picture_words.c - labels of the picture */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>
#include <string.h>

#include "report/operation_words.h"
#include "report/picture.h"
#include "report/sentences.h"

/* ---- Nodes -------------------------------------------------------------- */

/* The ranks of a node as spans, in the worlds of JOB; fails where these are
 * very many.
 */
static bool add_spans(const struct mq_picture *picture,
                      const struct mq_job *job, const struct mq_node *node,
                      size_t most, struct mq_strbuf *words)
{
    const int *ranks = picture->ranks + node->begin;
    size_t begin = words->length, spans = 0;
    uint32_t end;

    for (uint32_t i = 0; i < node->count; i = end) {
        struct mq_run run = { .first = ranks[i], .count = 1, .step = 1 };

        for (end = i + 1; end < node->count && ranks[end] == ranks[end - 1] + 1;
             end++)
            run.count++;
        if (++spans > most) {
            words->length = begin;
            words->text[begin] = '\0';
            return false;
        }
        mq_strbuf_add(words, "%s", i > 0 ? "," : "");
        mq_rank_text_run(words, job, &run);
    }
    return true;
}

void mq_node_ranks(const struct mq_picture *picture,
                   const struct mq_node *node, struct mq_strbuf *words)
{
    enum { most_spans = 1000 };
    static const struct mq_job one_world;

    if (node->kind != mq_node_any && node->kind != mq_node_missing)
        add_spans(picture, &one_world, node, most_spans, words);
}

void mq_node_label(const struct mq_picture *picture,
                   const struct mq_node *node, struct mq_strbuf *words)
{
    enum { most_spans = 2 };

    if (node->kind == mq_node_any)
        mq_strbuf_add(words, "any");
    else if (node->kind == mq_node_missing)
        mq_strbuf_add(words, "not given");
    else if (node->count == 1)
        mq_rank_text_short(words, picture->a->job,
                           picture->ranks[node->begin]);
    else if (node->is_rest)
        mq_strbuf_add(words, "%" PRIu32 " more", node->count);
    else {
        mq_strbuf_add(words, "[");
        if (add_spans(picture, picture->a->job, node, most_spans, words))
            mq_strbuf_add(words, "]");
        else
            mq_strbuf_add(words, "%" PRIu32 " ranks]", node->count);
    }
}

enum mq_result mq_picture_measure(struct mq_picture *picture,
                                  struct mq_error *error)
{
    struct mq_strbuf words = { 0 };
    bool failed;

    for (uint32_t i = 0; i < picture->node_count; i++) {
        mq_node_label(picture, &picture->nodes[i], &words);
        picture->nodes[i].half_width = 13 + 4.2 * (double)words.length;
        mq_strbuf_empty(&words);
    }
    failed = words.failed;
    mq_strbuf_deinit(&words);
    return failed ? mq_fail_memory(error, "drawing a picture") : mq_ok;
}

void mq_node_title(const struct mq_picture *picture,
                   const struct mq_node *node, struct mq_strbuf *words)
{
    static const char *const roles[] = {
        [mq_node_free] = "", [mq_node_deadlocked] = ": deadlocked",
        [mq_node_behind] = ": stuck behind others",
        [mq_node_cause] = ": others wait for it"
    };

    if (node->kind == mq_node_any) {
        mq_strbuf_add(words, "any rank of %s", node->name);
        return;
    }
    if (node->kind == mq_node_missing) {
        mq_rank_text_spans(words, picture->a->job, &picture->a->missing);
        mq_strbuf_add(words, ": not given");
        return;
    }
    mq_rank_text_ranks(words, picture->a->job, picture->ranks + node->begin,
                       node->count);
    if (node->call != NULL)
        mq_strbuf_add(words, " in %s", strcmp(node->call, "-") == 0
                     ? "no MPI function" : node->call);
    else if (!node->is_rest)
        mq_strbuf_add(words, " %s", mq_rank_state_names[node->state]);
    mq_strbuf_add(words, "%s%s", roles[node->kind],
                  node->differs ? "; near miss or mismatch" : "");
}

/* ---- Edges -------------------------------------------------------------- */

static const char *call_of(const struct mq_picture *picture,
                           const struct mq_edge *edge)
{
    const char *call = picture->a->job->processes[edge->first.process].call;

    return call != NULL ? call : "a collective operation";
}

/* Whether the peers of a node of several ranks are given by distance. */
static bool is_by_distance(const struct mq_picture *picture,
                           const struct mq_edge *edge)
{
    return edge->is_even && edge->operations > 1 && edge->distance != 0
           && picture->nodes[edge->from].count > 1
           && picture->nodes[edge->to].count > 1;
}

static void add_distance(struct mq_strbuf *words, const struct mq_edge *edge)
{
    int64_t far = edge->distance < 0 ? -edge->distance : edge->distance;

    if (far == 1)
        mq_strbuf_add(words, "each the rank %s it",
                      edge->distance < 0 ? "below" : "above");
    else
        mq_strbuf_add(words, "each the rank %" PRId64 " %s it", far,
                      edge->distance < 0 ? "below" : "above");
}

void mq_edge_label(const struct mq_picture *picture,
                   const struct mq_edge *edge, struct mq_strbuf *words)
{
    const struct mq_analysis *a = picture->a;

    switch (edge->kind) {
    case mq_edge_near_miss:
        mq_strbuf_add(words, "near miss: %s",
                      mq_difference_names[a->near_misses[edge->finding]
                                          .difference]);
        return;
    case mq_edge_mismatch:
        mq_strbuf_add(words, "mismatch");
        return;
    case mq_edge_collective:
        mq_strbuf_add(words, "%s", call_of(picture, edge));
        return;
    default:
        break;
    }
    if (edge->call != NULL)
        mq_strbuf_add(words, "%s", edge->call);
    if (!mq_is_internal(&a->table, &edge->first)) {
        mq_strbuf_add(words, "%s", edge->call != NULL ? ", " : "");
        mq_tag_words(words,
                     mq_operation_ref_operation(a->job, &edge->first));
        mq_strbuf_add(words, ", ");
        mq_communicator_words(words, a, edge->first.process,
                              edge->first.communicator);
    }
    if (is_by_distance(picture, edge)) {
        mq_strbuf_add(words, ": ");
        add_distance(words, edge);
    }
}

static void add_operation_title(const struct mq_picture *picture,
                                const struct mq_edge *edge,
                                struct mq_strbuf *words)
{
    static const char *const verbs[] = {
        [mq_edge_send] = " sends to ", [mq_edge_receive] = " receives from ",
        [mq_edge_unexpected] = " has an unexpected message at "
    };
    const struct mq_operation *op =
        mq_operation_ref_operation(picture->a->job, &edge->first);

    mq_node_label(picture, &picture->nodes[edge->from], words);
    mq_strbuf_add(words, "%s", verbs[edge->kind]);
    mq_node_label(picture, &picture->nodes[edge->to], words);
    if (is_by_distance(picture, edge)) {
        mq_strbuf_add(words, ", ");
        add_distance(words, edge);
    }
    mq_strbuf_add(words, ": ");
    mq_tag_words(words, op);
    mq_strbuf_add(words, ", ");
    mq_bytes_words(words, op->desired_length);
    mq_strbuf_add(words, ", on ");
    mq_communicator_words(words, picture->a, edge->first.process,
                          edge->first.communicator);
    if (edge->operations > 1)
        mq_strbuf_add(words, ", and %zu more", edge->operations - 1);
    if (edge->is_alternative)
        mq_strbuf_add(words, "; one of several is enough");
}

void mq_edge_title(const struct mq_picture *picture,
                   const struct mq_edge *edge, struct mq_strbuf *words)
{
    const struct mq_analysis *a = picture->a;

    switch (edge->kind) {
    case mq_edge_near_miss:
        mq_sentence_near_miss(words, a, &a->near_misses[edge->finding]);
        break;
    case mq_edge_mismatch:
        mq_sentence_mismatch(words, a,
                             &a->mismatches.mismatches[edge->finding]);
        break;
    case mq_edge_collective:
        mq_node_label(picture, &picture->nodes[edge->from], words);
        mq_strbuf_add(words, " in %s waits for ", call_of(picture, edge));
        mq_node_label(picture, &picture->nodes[edge->to], words);
        break;
    default:
        add_operation_title(picture, edge, words);
        break;
    }
}
