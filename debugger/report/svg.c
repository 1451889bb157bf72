/* svg.c - who waits for whom, for a browser */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/picture.h"
#include "report/sentences.h"

struct report {
    const struct mq_picture *picture;
    FILE *stream;
    struct mq_strbuf words;
};

enum {
    head_height = 56,           /* pixels above the picture */
    foot_height = 66,           /* and below it */
    least_width = 640
};

/* ---- Text ------------------------------------------------------------- */

/* Writes the words so far between tags, and forgets them.  Bytes that are not
 * UTF-8 become references, so that the file is, whatever a target calls its
 * communicators.
 */
static void write_words(struct report *r)
{
    const char *c = mq_strbuf_text(&r->words);

    for (size_t length; *c != '\0'; c += length) {
        bool is_harmful;

        length = mq_text_character(c, &is_harmful);
        if (is_harmful)
            putc('?', r->stream);
        else if (length == 1 && (strchr("<>&\"", *c) != NULL || *c < ' '))
            fprintf(r->stream, "&#%d;", (unsigned char)*c);
        else
            fwrite(c, 1, length, r->stream);
    }
    mq_strbuf_empty(&r->words);
}

static void write_title(struct report *r)
{
    fputs("<title>", r->stream);
    write_words(r);
    fputs("</title>", r->stream);
}

/* ---- Looks ------------------------------------------------------------ */

/* Styles are in classes; a node's text is never the only thing that tells its
 * state, nor is a colour.
 */
static const char style[] =
    "<style>\n"
    "text { font-family: sans-serif; fill: #1c1c1c; }\n"
    ".node { fill: #eef4ee; stroke: #56705a; stroke-width: 1.5; }\n"
    ".deadlocked { fill: #ffd9d9; stroke: #b00020; stroke-width: 3.5; }\n"
    ".behind { fill: #fff1cc; stroke: #946200; stroke-width: 2;"
    " stroke-dasharray: 6 3; }\n"
    ".cause { fill: #d9e8ff; stroke: #0b4f9e; stroke-width: 3.5; }\n"
    ".differs { stroke-dasharray: 1 3; stroke-linecap: round; }\n"
    ".other { fill: #ffffff; stroke: #777777; stroke-dasharray: 2 3; }\n"
    ".edge { fill: none; stroke-width: 1.6; }\n"
    ".receive { stroke: #0060a8; }\n"
    ".send { stroke: #c24a00; stroke-dasharray: 9 5; }\n"
    ".unexpected { stroke: #007a55; stroke-dasharray: 2 4; }\n"
    ".edge.stuck { stroke-width: 4; }\n"
    ".glow { fill: none; stroke: #f4a6a6; stroke-width: 11;"
    " stroke-linecap: round; }\n"
    "g:hover > .edge { stroke-width: 6; }\n"
    "</style>\n";

static const char *const heads[] = {
    [mq_sends] = "#c24a00", [mq_receives] = "#0060a8",
    [mq_unexpected] = "#007a55"
};

static void write_arrow_heads(const struct report *r)
{
    fputs("<defs>\n", r->stream);
    for (int i = 0; i < mq_queue_classes; i++)
        fprintf(r->stream, "<marker id=\"%s\" viewBox=\"0 0 10 10\" refX=\"9\""
                " refY=\"5\" markerUnits=\"userSpaceOnUse\" markerWidth=\"12\""
                " markerHeight=\"12\" orient=\"auto\"><path"
                " d=\"M0 0 L10 5 L0 10 z\" fill=\"%s\"/></marker>\n",
                mq_queue_names[i], heads[i]);
    fputs("</defs>\n", r->stream);
}

/* ---- Nodes ------------------------------------------------------------ */

/* Half the size of a node's box, which its label must fit in.  There must be no
 * words yet.
 */
static void node_size(struct report *r, const struct mq_node *node,
                      double *half_width, double *half_height)
{
    mq_node_label(node, &r->words);
    *half_height = r->picture->is_grid ? 10 : 17;
    *half_width = r->picture->is_grid ? 7 + 2.6 * (double)r->words.length
                                      : 13 + 4.2 * (double)r->words.length;
    mq_strbuf_empty(&r->words);
}

static void write_node(struct report *r, const struct mq_node *node)
{
    static const char *const classes[] = {
        [mq_node_free] = "node", [mq_node_deadlocked] = "node deadlocked",
        [mq_node_behind] = "node behind", [mq_node_cause] = "node cause",
        [mq_node_any] = "node other",
        [mq_node_missing] = "node other"
    };
    double w, h;

    node_size(r, node, &w, &h);
    fputs("<g>", r->stream);
    mq_node_title(r->picture, node, &r->words);
    write_title(r);
    if (node->kind == mq_node_deadlocked && !r->picture->is_grid)
        fprintf(r->stream, "<rect class=\"node deadlocked\" x=\"%.1f\""
                " y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\"/>",
                node->x - w - 6, node->y - h - 6, 2 * w + 12, 2 * h + 12,
                h + 6);
    fprintf(r->stream, "<rect class=\"%s%s\" x=\"%.1f\" y=\"%.1f\""
            " width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\"/>"
            "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\""
            " text-anchor=\"middle\">", classes[node->kind],
            node->differs ? " differs" : "", node->x - w,
            node->y - h, 2 * w, 2 * h, h, node->x,
            node->y + (r->picture->is_grid ? 3.2 : 5.2),
            r->picture->is_grid ? 9 : 15);
    mq_node_label(node, &r->words);
    write_words(r);
    fputs("</text></g>\n", r->stream);
}

/* ---- Edges ------------------------------------------------------------ */

struct point {
    double x, y;
};

/* Where the way from TOWARDS to the middle of NODE meets its border. */
static struct point border(struct report *r, const struct mq_node *node,
                           struct point towards)
{
    double w, h, dx = towards.x - node->x, dy = towards.y - node->y;
    double across = dx < 0 ? -dx : dx, down = dy < 0 ? -dy : dy, part = 1;

    node_size(r, node, &w, &h);
    if (node->kind == mq_node_deadlocked && !r->picture->is_grid) {
        w += 8;
        h += 8;
    }
    if (across > 0)
        part = fmin(part, (w + 3) / across);
    if (down > 0)
        part = fmin(part, (h + 3) / down);
    return (struct point){ node->x + part * dx, node->y + part * dy };
}

/* The path of an edge: bent to one side, and each queue by its own measure, so
 * that edges between the same nodes lie apart; long ones to the middle of the
 * ring, too, so that they do not run behind nodes.
 */
static void add_path(struct report *r, const struct mq_edge *edge)
{
    static const double bends[] = {
        [mq_receives] = 0.12, [mq_sends] = 0.22, [mq_unexpected] = 0.32
    };
    const struct mq_node *from = &r->picture->nodes[edge->from];
    const struct mq_node *to = &r->picture->nodes[edge->to];
    double dx = to->x - from->x, dy = to->y - from->y;
    double length = fmax(1, hypot(dx, dy));
    double bend = bends[edge->queue] * fmin(1, 240 / length), inwards;
    struct point control, begin, end;

    if (edge->from == edge->to) {
        double size = r->picture->is_grid ? 14 : 34 + 60 * bends[edge->queue];

        mq_strbuf_add(&r->words, "M%.1f %.1f c%.1f %.1f %.1f %.1f 16 0",
                     from->x - 8, from->y - (r->picture->is_grid ? 11 : 26),
                     -size, -size, size + 16, -size);
        return;
    }
    inwards = r->picture->is_grid ? 0 : fmin(0.3, length / 900);
    control.x = from->x + dx / 2;
    control.y = from->y + dy / 2;
    control.x += inwards * (r->picture->width / 2 - control.x) + bend * dy;
    control.y += inwards * (r->picture->height / 2 - control.y) - bend * dx;
    begin = border(r, from, control);
    end = border(r, to, control);
    mq_strbuf_add(&r->words, "M%.1f %.1f Q%.1f %.1f %.1f %.1f", begin.x,
                 begin.y, control.x, control.y, end.x, end.y);
}

static void write_path(struct report *r, const struct mq_edge *edge,
                       const char *class)
{
    fprintf(r->stream, "<path class=\"%s\" d=\"", class);
    add_path(r, edge);
    write_words(r);
    fputs("\"", r->stream);
}

static void write_edge(struct report *r, const struct mq_edge *edge)
{
    char class[64];

    fputs("<g>", r->stream);
    mq_edge_title(r->picture, edge, &r->words);
    write_title(r);
    if (edge->deadlocked) {
        write_path(r, edge, "glow");
        fputs("/>", r->stream);
    }
    snprintf(class, sizeof class, "edge %s%s", mq_queue_names[edge->queue],
             edge->deadlocked ? " stuck" : "");
    write_path(r, edge, class);
    fprintf(r->stream, " marker-end=\"url(#%s)\"/></g>\n",
            mq_queue_names[edge->queue]);
}

/* ---- Around it -------------------------------------------------------- */

/* The verdict, in as many lines as the width needs, at most three. */
static void write_verdict(struct report *r, double width)
{
    struct mq_strbuf verdict = { NULL, 0, 0, false };
    size_t columns = (size_t)(width / 9.4), at = 0;

    mq_sentence_verdict(&verdict, r->picture->a);
    for (int line = 0; line < 3 && at < verdict.length; line++) {
        const char *text = verdict.text + at;
        size_t length = strlen(text);

        if (length > columns) {
            length = columns;
            while (length > 0 && text[length] != ' ')
                length--;
            length = length > 0 ? length : columns;
        }
        fprintf(r->stream, "<text x=\"14\" y=\"%d\" font-size=\"14\""
                " font-weight=\"%s\">", 20 + 16 * line,
                line == 0 ? "bold" : "normal");
        mq_strbuf_add(&r->words, "%.*s", (int)length, text);
        write_words(r);
        fputs("</text>\n", r->stream);
        at += length + (text[length] == ' ');
    }
    r->words.failed |= verdict.failed;
    mq_strbuf_deinit(&verdict);
}

static void write_legend_line(struct report *r, double x, double y,
                              const char *class, const char *text)
{
    fprintf(r->stream, "<path class=\"edge %s\" d=\"M%.1f %.1f h44\"", class,
            x, y);
    if (strchr(class, ' ') == NULL)
        fprintf(r->stream, " marker-end=\"url(#%s)\"", class);
    fprintf(r->stream, "/><text x=\"%.1f\" y=\"%.1f\" font-size=\"12\">%s"
            "</text>\n", x + 52, y + 4, text);
}

static void write_legend_box(struct report *r, double x, double y,
                             const char *class, const char *text)
{
    fprintf(r->stream, "<rect class=\"node %s\" x=\"%.1f\" y=\"%.1f\""
            " width=\"30\" height=\"14\" rx=\"7\"/><text x=\"%.1f\""
            " y=\"%.1f\" font-size=\"12\">%s</text>\n", class, x, y - 7,
            x + 38, y + 4, text);
}

static void write_legend(struct report *r, double top)
{
    write_legend_line(r, 14, top + 14, "receive", "receives from");
    write_legend_line(r, 164, top + 14, "send", "sends to");
    write_legend_line(r, 290, top + 14, "unexpected", "lies unexpected at");
    write_legend_box(r, 14, top + 38, "deadlocked", "deadlocked");
    write_legend_box(r, 134, top + 38, "behind", "stuck behind it");
    write_legend_box(r, 274, top + 38, "cause", "cause");
    write_legend_line(r, 390, top + 38, "receive stuck",
                      "thick: in the deadlock");
    if (r->picture->only_stuck)
        mq_strbuf_add(&r->words, "only what stuck ranks wait for is drawn");
    if (r->picture->left_out > 0)
        mq_strbuf_add(&r->words, "%s%zu ranks are not drawn",
                     r->picture->only_stuck ? "; " : "", r->picture->left_out);
    fprintf(r->stream, "<text x=\"14\" y=\"%.1f\" font-size=\"11\">",
            top + 58);
    write_words(r);
    fputs("</text>\n", r->stream);
}

static void write_picture(struct report *r)
{
    const struct mq_picture *it = r->picture;
    double width = fmax(it->width, least_width);

    fprintf(r->stream, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\""
            " height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n%s", width,
            it->height + head_height + foot_height, width,
            it->height + head_height + foot_height, style);
    fputs("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
          r->stream);
    write_arrow_heads(r);
    write_verdict(r, width);
    fprintf(r->stream, "<g transform=\"translate(%.1f %d)\">\n",
            (width - it->width) / 2, head_height);
    for (uint32_t i = 0; i < it->edge_count; i++)
        if (!it->edges[i].deadlocked)
            write_edge(r, &it->edges[i]);
    for (uint32_t i = 0; i < it->edge_count; i++)
        if (it->edges[i].deadlocked)
            write_edge(r, &it->edges[i]);
    for (uint32_t i = 0; i < it->node_count; i++)
        write_node(r, &it->nodes[i]);
    fputs("</g>\n", r->stream);
    write_legend(r, it->height + head_height);
    fputs("</svg>\n", r->stream);
}

enum mq_result mq_report_svg(const struct mq_analysis *analysis,
                             const struct mq_report_options *options,
                             FILE *stream, struct mq_error *error)
{
    struct mq_picture picture;
    struct report r = { &picture, stream, { NULL, 0, 0, false } };
    bool failed;

    if (mq_picture_create(analysis, options, error, &picture) != mq_ok)
        return mq_failed;
    write_picture(&r);
    failed = r.words.failed;
    mq_strbuf_deinit(&r.words);
    mq_picture_destroy(&picture);
    return failed ? mq_fail_memory(error, "drawing a picture") : mq_ok;
}
