/* dot.c - who waits for whom, for graphviz */
#include <stdio.h>

#include "base/text.h"
#include "report/picture.h"
#include "report/sentences.h"

struct report {
    const struct mq_picture *picture;
    FILE *stream;
    struct mq_strbuf words;
};

/* Writes the words so far as a quoted string, and forgets them. */
static void write_words(struct report *r, const char *attribute)
{
    const char *c = mq_strbuf_text(&r->words);

    fprintf(r->stream, "%s=\"", attribute);
    for (size_t length; *c != '\0'; c += length) {
        bool is_harmful;

        length = mq_text_character(c, &is_harmful);
        if (*c == '"' || *c == '\\')
            putc('\\', r->stream);
        if (is_harmful)
            putc('?', r->stream);
        else
            fwrite(c, 1, length, r->stream);
    }
    putc('"', r->stream);
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
    mq_node_label(node, &r->words);
    write_words(r, "label");
    mq_node_title(r->picture, node, &r->words);
    fputs(", ", r->stream);
    write_words(r, "tooltip");
    fprintf(r->stream, ", %s%s, pos=\"%.2f,%.2f!\"];\n", looks[node->kind],
            node->differs ? ", shape=octagon" : "", node->x / 72,
            (r->picture->height - node->y) / 72);
}

static void write_edge(struct report *r, const struct mq_edge *edge)
{
    static const char *const looks[] = {
        [mq_receives] = "color=\"#0060a8\", style=solid",
        [mq_sends] = "color=\"#c24a00\", style=dashed",
        [mq_unexpected] = "color=\"#007a55\", style=dotted, arrowhead=empty"
    };

    fprintf(r->stream, "  n%u -> n%u [%s, penwidth=%s, ", edge->from, edge->to,
            looks[edge->queue], edge->deadlocked ? "4" : "1.2");
    mq_edge_title(r->picture, edge, &r->words);
    write_words(r, "tooltip");
    fputs("];\n", r->stream);
}

static void write_graph(struct report *r)
{
    fputs("digraph queues {\n  graph [layout=neato, splines=true,"
          " bgcolor=white, labelloc=t, fontname=\"sans-serif\", ", r->stream);
    mq_sentence_verdict(&r->words, r->picture->a);
    write_words(r, "label");
    fprintf(r->stream, "];\n  node [shape=box, style=\"filled,rounded\","
            " fontname=\"sans-serif\", fontsize=%d, margin=\"0.06,0.04\","
            " width=0.4, height=0.3];\n", r->picture->is_grid ? 9 : 13);
    fputs("  // receives: solid blue, to the source;"
          " sends: dashed orange, to the destination;\n"
          "  // unexpected messages: dotted green, from the sender;"
          " deadlocks: thick\n", r->stream);
    for (uint32_t i = 0; i < r->picture->node_count; i++)
        write_node(r, i);
    for (uint32_t i = 0; i < r->picture->edge_count; i++)
        write_edge(r, &r->picture->edges[i]);
    fputs("}\n", r->stream);
}

enum mq_result mq_report_dot(const struct mq_analysis *analysis,
                             const struct mq_report_options *options,
                             FILE *stream, struct mq_error *error)
{
    struct mq_picture picture;
    struct report r = { &picture, stream, { NULL, 0, 0, false } };
    bool failed;

    if (mq_picture_create(analysis, options, error, &picture) != mq_ok)
        return mq_failed;
    write_graph(&r);
    failed = r.words.failed;
    mq_strbuf_deinit(&r.words);
    mq_picture_destroy(&picture);
    return failed ? mq_fail_memory(error, "drawing a picture") : mq_ok;
}
