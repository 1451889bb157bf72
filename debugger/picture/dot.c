/* dot.c - who waits for whom, for graphviz */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "picture/picture.h"

enum { most_labels = 48 };        /* edges: of more none has a label */

struct report {
    const struct mq_picture *picture;
    FILE *stream;
    struct mq_strbuf words;
};

/* In a string of DOT.  A reference as HTML has them would be turned back. */
static const char *quote(char c)
{
    return c == '"' ? "\\\"" : c == '\\' ? "\\\\"
           : c == '&' ? "&amp;" : NULL;
}

/* Writes the words so far as a quoted string, and forgets them. */
static void write_words(struct report *r, const char *attribute)
{
    enum { longest = 16000 };   /* bytes; of more graphviz reads nothing */
    const char *c = mq_strbuf_text(&r->words);
    size_t written = 0;

    fprintf(r->stream, "%s=\"", attribute);
    while (*c != '\0' && written < longest) {
        char shown[mq_text_room];

        c += mq_text_character(c, shown);
        written += mq_text_write_quoted(r->stream, shown, quote);
    }
    fputs(*c != '\0' ? " ... (cut)\"" : "\"", r->stream);
    mq_strbuf_empty(&r->words);
}

static void write_node(struct report *r, uint32_t index)
{
    static const char *const looks[] = {
        [mq_node_free] = "fillcolor=\"#eef4ee\", color=\"#56705a\"",
        [mq_node_deadlocked] = "fillcolor=\"#ffd9d9\", color=\"#b00020\","
                               " penwidth=3, peripheries=2",
        [mq_node_behind] = "fillcolor=\"#fff1cc\", color=\"#946200\","
                           " penwidth=2, style=\"filled,rounded,dashed\"",
        [mq_node_cause] = "fillcolor=\"#d9e8ff\", color=\"#0b4f9e\","
                          " penwidth=3",
        [mq_node_any] = "fillcolor=\"#ffffff\", color=\"#777777\","
                        " shape=ellipse, style=\"filled,dashed\"",
        [mq_node_missing] = "fillcolor=\"#ffffff\", color=\"#777777\","
                            " style=\"filled,rounded,dotted\""
    };
    const struct mq_node *node = &r->picture->nodes[index];

    fprintf(r->stream, "  n%u [", index);
    mq_node_label(r->picture, node, &r->words);
    write_words(r, "label");
    mq_node_title(r->picture, node, &r->words);
    fputs(", ", r->stream);
    write_words(r, "tooltip");
    fprintf(r->stream, ", %s%s, pos=\"%.2f,%.2f!\"];\n", looks[node->kind],
            node->differs ? ", shape=octagon" : "", node->x / 72,
            (r->picture->height - node->y) / 72);
}

static const struct {
    const char *colour, *line, *head;
} edge_looks[mq_edge_kinds] = {
    [mq_edge_receive] = { "#0060a8", "solid", "normal" },
    [mq_edge_send] = { "#c24a00", "dashed", "normal" },
    [mq_edge_unexpected] = { "#007a55", "dotted", "empty" },
    [mq_edge_collective] = { "#5a5a5a", "solid", "normal" },
    [mq_edge_near_miss] = { "#a000a0", "dashed", "diamond" },
    [mq_edge_mismatch] = { "#a000a0", "dotted", "diamond" }
};

/* The side of a node that is farthest from the middle of the ring. */
static const char *outer_side(const struct mq_picture *it,
                              const struct mq_node *node)
{
    double dx = node->x - it->width / 2, dy = node->y - it->height / 2;

    if (fabs(dx) > fabs(dy))
        return dx < 0 ? "w" : "e";
    return dy < 0 ? "n" : "s";
}

static void write_edge(struct report *r, const struct mq_edge *edge)
{
    const struct mq_node *from = &r->picture->nodes[edge->from];
    const char *colour = edge_looks[edge->kind].colour;

    fprintf(r->stream, "  n%u -> n%u [color=\"%s\", fontcolor=\"%s\", style=%s,"
            " arrowhead=%s, penwidth=%s, ", edge->from, edge->to, colour,
            colour, edge_looks[edge->kind].line, edge_looks[edge->kind].head,
            edge->deadlocked ? "4" : "1.2");
    if (edge->from == edge->to)
        fprintf(r->stream, "tailport=%s, headport=%s, ",
                outer_side(r->picture, from), outer_side(r->picture, from));
    mq_edge_title(r->picture, edge, &r->words);
    write_words(r, "tooltip");
    if (r->picture->edge_count <= most_labels) {
        mq_edge_label(r->picture, edge, &r->words);
        fputs(", ", r->stream);
        write_words(r, "label");
    }
    fputs(edge->is_alternative ? ", dir=both, arrowtail=odot];\n" : "];\n",
          r->stream);
}

/* Of the kinds of edges that there are, below the picture. */
static void write_legend(struct report *r)
{
    fprintf(r->stream, "  legend [shape=none, style=\"\", pos=\"%.2f,-1!\","
            " label=<<table border=\"0\" cellspacing=\"0\">",
            r->picture->width / 144);
    for (int i = 0; i < mq_edge_kinds; i++) {
        const char *text = mq_edge_legend(r->picture, (enum mq_edge_kind)i);

        if (text != NULL)
            fprintf(r->stream, "<tr><td align=\"left\"><font color=\"%s\">%s"
                    "</font>: %s</td></tr>", edge_looks[i].colour,
                    edge_looks[i].line, text);
    }
    fputs("<tr><td align=\"left\">thick: in the deadlock; a circle where a line"
          " begins: one of these is enough</td></tr>"
          "<tr><td align=\"left\">two frames: deadlocked; dashed frame: stuck"
          " behind it; blue: cause; octagon: near miss or mismatch</td></tr>"
          "</table>>];\n", r->stream);
}

static void write_graph(struct report *r)
{
    fprintf(r->stream, "digraph queues {\n  graph [layout=neato, splines=%s,"
            " bgcolor=white, labelloc=t, fontname=\"sans-serif\", ",
            r->picture->edge_count <= most_labels ? "true" : "line");
    mq_picture_title(r->picture, &r->words);
    write_words(r, "label");
    fputs("];\n  node [shape=box, style=\"filled,rounded\","
          " fontname=\"sans-serif\", fontsize=13, margin=\"0.06,0.04\","
          " width=0.4, height=0.3];\n  edge [fontname=\"sans-serif\","
          " fontsize=9];\n", r->stream);
    for (uint32_t i = 0; i < r->picture->node_count; i++)
        write_node(r, i);
    for (uint32_t i = 0; i < r->picture->edge_count; i++)
        write_edge(r, &r->picture->edges[i]);
    write_legend(r);
    fputs("}\n", r->stream);
}

enum mq_result mq_report_dot(const struct mq_analysis *analysis,
                             const struct mq_report_options *options,
                             FILE *stream, struct mq_error *error)
{
    struct mq_picture picture;
    struct report r = { .picture = &picture, .stream = stream };
    bool failed;

    if (mq_picture_create(analysis, options, error, &picture) != mq_ok)
        return mq_failed;
    write_graph(&r);
    failed = r.words.failed;
    mq_strbuf_deinit(&r.words);
    mq_picture_destroy(&picture);
    return failed ? mq_fail_memory(error, "drawing a picture") : mq_ok;
}
