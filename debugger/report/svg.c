/* svg.c - the format svg */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/page_data.h"
#include "report/picture.h"
#include "report/sentences.h"

enum {
    head_height = 56,           /* pixels above the picture */
    line_height = 22,           /* of the legend below it */
    least_width = 640,
    most_labels = 48            /* edges: of more none has a label */
};

/* A place that is taken: its middle and half its size. */
struct box {
    double x, y, w, h;
};

struct report {
    const struct mq_picture *picture;
    FILE *stream;
    struct mq_strbuf words;
    size_t taken_count;
    struct box taken[mq_picture_most_nodes + most_labels];      /* by nodes and
                                                                   labels */
};

static const char *const edge_names[mq_edge_kinds] = {
    "send", "receive", "unexpected", "collective", "near-miss", "mismatch"
};

/* ---- Words ------------------------------------------------------------ */

/* What the legend says of a kind of edges; null where there is none of it. */
static const char *legend_of(const struct mq_picture *picture,
                             enum mq_edge_kind kind)
{
    static const char *const meanings[mq_edge_kinds] = {
        [mq_edge_send] = "sends to",
        [mq_edge_receive] = "receives from",
        [mq_edge_unexpected] = "has an unexpected message at",
        [mq_edge_collective] = "waits in a collective operation for",
        [mq_edge_near_miss] = "nearly matches a message from",
        [mq_edge_mismatch] = "is in another operation than"
    };

    for (uint32_t i = 0; i < picture->edge_count; i++)
        if (picture->edges[i].kind == kind)
            return meanings[kind];
    return NULL;
}

/* The verdict's first sentence, without its full stop. */
static void add_verdict(const struct mq_picture *picture,
                        struct mq_strbuf *words)
{
    char *end;

    mq_sentence_verdict(words, picture->a);
    end = words->text != NULL ? strstr(words->text, ". ") : NULL;
    if (end == NULL)
        return;
    *end = '\0';
    words->length = (size_t)(end - words->text);
}

/* ---- Text ------------------------------------------------------------- */

/* Writes the words so far between tags, and forgets them. */
static void write_words(struct report *r)
{
    mq_text_write_quoted(r->stream, mq_strbuf_text(&r->words), mq_text_xml);
    mq_strbuf_empty(&r->words);
}

static void write_title(struct report *r)
{
    fputs("<title>", r->stream);
    write_words(r);
    fputs("</title>", r->stream);
}

static void write_arrow_heads(const struct report *r)
{
    fputs("<defs>\n", r->stream);
    for (int i = 0; i < mq_edge_kinds; i++)
        fprintf(r->stream, "<marker id=\"%s\" viewBox=\"0 0 10 10\" refX=\"9\""
                " refY=\"5\" markerUnits=\"userSpaceOnUse\" markerWidth=\"12\""
                " markerHeight=\"12\" orient=\"auto\"><path"
                " d=\"M0 0 L10 5 L0 10 z\" class=\"head-%s\"/></marker>\n",
                edge_names[i], edge_names[i]);
    fputs("<marker id=\"one-of\" viewBox=\"0 0 10 10\" refX=\"5\" refY=\"5\""
          " markerUnits=\"userSpaceOnUse\" markerWidth=\"11\""
          " markerHeight=\"11\"><circle cx=\"5\" cy=\"5\" r=\"4\""
          " class=\"tail\"/></marker>\n</defs>\n", r->stream);
}

/* ---- Nodes ------------------------------------------------------------ */

enum { half_height = 17 };

static void write_node(struct report *r, const struct mq_node *node)
{
    static const char *const classes[] = {
        [mq_node_free] = "node", [mq_node_deadlocked] = "node deadlocked",
        [mq_node_behind] = "node behind", [mq_node_cause] = "node cause",
        [mq_node_any] = "node other",
        [mq_node_missing] = "node other"
    };
    double w = node->half_width, h = half_height;

    fputs("<g>", r->stream);
    mq_node_title(r->picture, node, &r->words);
    write_title(r);
    if (node->kind == mq_node_deadlocked)
        fprintf(r->stream, "<rect class=\"node deadlocked\" x=\"%.1f\""
                " y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\"/>",
                node->x - w - 6, node->y - h - 6, 2 * w + 12, 2 * h + 12,
                h + 6);
    fprintf(r->stream, "<rect class=\"%s%s\" x=\"%.1f\" y=\"%.1f\""
            " width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\"/>"
            "<text x=\"%.1f\" y=\"%.1f\" font-size=\"15\""
            " text-anchor=\"middle\">", classes[node->kind],
            node->differs ? " differs" : "", node->x - w, node->y - h, 2 * w,
            2 * h, h, node->x, node->y + 5.2);
    mq_node_label(r->picture, node, &r->words);
    write_words(r);
    fputs("</text></g>\n", r->stream);
}

/* ---- Edges ------------------------------------------------------------ */

struct point {
    double x, y;
};

struct curve {
    struct point begin, control, end;
};

/* Where the way from TOWARDS to the middle of NODE meets its border. */
static struct point border(const struct mq_node *node, struct point towards)
{
    double w = node->half_width, h = half_height;
    double dx = towards.x - node->x, dy = towards.y - node->y, part = 1;
    double across = fabs(dx), down = fabs(dy);

    if (node->kind == mq_node_deadlocked) {
        w += 8;
        h += 8;
    }
    if (across > 0)
        part = fmin(part, (w + 3) / across);
    if (down > 0)
        part = fmin(part, (h + 3) / down);
    return (struct point){ node->x + part * dx, node->y + part * dy };
}

/* An edge is bent to one side, each kind by its own measure, so that edges
 * between the same nodes do not overlap; a long one to the middle of the ring,
 * too, so that it does not run behind nodes.
 */
static struct curve curve_of(const struct report *r,
                             const struct mq_edge *edge)
{
    static const double bends[mq_edge_kinds] = {
        [mq_edge_receive] = 0.12, [mq_edge_send] = 0.22,
        [mq_edge_unexpected] = 0.32, [mq_edge_collective] = 0.08,
        [mq_edge_near_miss] = 0.42, [mq_edge_mismatch] = 0.02
    };
    const struct mq_node *from = &r->picture->nodes[edge->from];
    const struct mq_node *to = &r->picture->nodes[edge->to];
    double dx = to->x - from->x, dy = to->y - from->y;
    double length = fmax(1, hypot(dx, dy));
    double bend = bends[edge->kind] * fmin(1, 240 / length);
    double inwards = from->kind == mq_node_any || to->kind == mq_node_any
                     ? 0 : fmin(0.3, length / 900);
    struct curve curve;

    curve.control.x = from->x + dx / 2 + bend * dy;
    curve.control.y = from->y + dy / 2 - bend * dx;
    curve.control.x += inwards * (r->picture->width / 2 - from->x - dx / 2);
    curve.control.y += inwards * (r->picture->height / 2 - from->y - dy / 2);
    curve.begin = border(from, curve.control);
    curve.end = border(to, curve.control);
    return curve;
}

/* The direction from the middle of the ring to a node. */
static struct point direction(const struct report *r,
                              const struct mq_node *node)
{
    double dx = node->x - r->picture->width / 2;
    double dy = node->y - r->picture->height / 2;
    double length = fmax(1, hypot(dx, dy));

    return (struct point){ dx / length, dy / length };
}

/* FAR from a node in that direction, and ASIDE of it. */
static struct point beyond(const struct report *r, const struct mq_node *node,
                           double far, double aside)
{
    struct point out = direction(r, node);

    return (struct point){ node->x + far * out.x + aside * out.y,
                           node->y + far * out.y - aside * out.x };
}

/* Out of the ring from a node and back to it. */
static void add_loop(struct report *r, const struct mq_node *node)
{
    struct point begin = border(node, beyond(r, node, 60, 30));
    struct point end = border(node, beyond(r, node, 60, -30));
    struct point first = beyond(r, node, 75, 40);
    struct point second = beyond(r, node, 75, -40);

    mq_strbuf_add(&r->words, "M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f",
                  begin.x, begin.y, first.x, first.y, second.x, second.y,
                  end.x, end.y);
}

static void write_path(struct report *r, const struct mq_edge *edge,
                       const char *class)
{
    struct curve curve;

    fprintf(r->stream, "<path class=\"%s\" d=\"", class);
    if (edge->from == edge->to) {
        add_loop(r, &r->picture->nodes[edge->from]);
    } else {
        curve = curve_of(r, edge);
        mq_strbuf_add(&r->words, "M%.1f %.1f Q%.1f %.1f %.1f %.1f",
                      curve.begin.x, curve.begin.y, curve.control.x,
                      curve.control.y, curve.end.x, curve.end.y);
    }
    write_words(r);
    fputs("\"", r->stream);
}

static void write_edge(struct report *r, const struct mq_edge *edge)
{
    const char *name = edge_names[edge->kind];
    char class[64];

    fputs("<g>", r->stream);
    mq_edge_title(r->picture, edge, &r->words);
    write_title(r);
    if (edge->deadlocked) {
        write_path(r, edge, "glow");
        fputs("/>", r->stream);
    }
    snprintf(class, sizeof class, "edge %s%s", name,
             edge->deadlocked ? " stuck" : "");
    write_path(r, edge, class);
    fprintf(r->stream, "%s marker-end=\"url(#%s)\"/></g>\n",
            edge->is_alternative ? " marker-start=\"url(#one-of)\"" : "",
            name);
}

/* ---- Labels ----------------------------------------------------------- */

static bool is_free(const struct report *r, const struct box *box)
{
    for (size_t i = 0; i < r->taken_count; i++) {
        const struct box *other = &r->taken[i];

        if (fabs(box->x - other->x) < box->w + other->w
            && fabs(box->y - other->y) < box->h + other->h)
            return false;
    }
    return true;
}

/* Where the curve is after a part T of its way. */
static struct point point_of(const struct curve *curve, double t)
{
    double a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;

    return (struct point){
        a * curve->begin.x + b * curve->control.x + c * curve->end.x,
        a * curve->begin.y + b * curve->control.y + c * curve->end.y
    };
}

/* A place at EDGE that nothing else has, for a label of half the width W. */
static bool find_place(struct report *r, const struct mq_edge *edge, double w,
                       struct box *box)
{
    static const double parts[] = { 0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78 };
    struct point at;

    box->w = w;
    box->h = 8;
    if (edge->from == edge->to) {
        at = beyond(r, &r->picture->nodes[edge->from], 62, 0);
        box->x = at.x;
        box->y = at.y;
        return is_free(r, box);
    }
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const struct curve curve = curve_of(r, edge);

        at = point_of(&curve, parts[i]);
        box->x = at.x;
        box->y = at.y;
        if (is_free(r, box))
            return true;
    }
    return false;
}

/* Writes the label of an edge where it hides nothing, or leaves it out. */
static void write_label(struct report *r, const struct mq_edge *edge)
{
    struct box box;

    mq_edge_label(r->picture, edge, &r->words);
    if (!find_place(r, edge, 3.4 * (double)r->words.length, &box)) {
        mq_strbuf_empty(&r->words);
        return;
    }
    fprintf(r->stream, "<text class=\"label head-%s\" x=\"%.1f\" y=\"%.1f\""
            " font-size=\"11\" text-anchor=\"middle\">",
            edge_names[edge->kind], box.x, box.y + 4);
    write_words(r);
    fputs("</text>\n", r->stream);
    r->taken[r->taken_count++] = box;
}

/* Ranks of the deadlock first, as long as there is room. */
static void write_labels(struct report *r)
{
    const struct mq_picture *it = r->picture;

    if (it->edge_count > most_labels)
        return;
    for (uint32_t i = 0; i < it->node_count; i++)
        r->taken[r->taken_count++] = (struct box){
            it->nodes[i].x, it->nodes[i].y,
            it->nodes[i].half_width, half_height
        };
    for (uint32_t i = 0; i < it->edge_count; i++)
        if (it->edges[i].deadlocked)
            write_label(r, &it->edges[i]);
    for (uint32_t i = 0; i < it->edge_count; i++)
        if (!it->edges[i].deadlocked)
            write_label(r, &it->edges[i]);
}

/* ---- Around it -------------------------------------------------------- */

/* The verdict, in as many lines as the width needs, at most three. */
static void write_verdict(struct report *r, double width)
{
    struct mq_strbuf verdict = { NULL, 0, 0, false };
    size_t columns = (size_t)(width / 9.4), at = 0;

    add_verdict(r->picture, &verdict);
    for (int line = 0; line < 3 && at < verdict.length; line++) {
        const char *text = verdict.text + at;
        size_t length = strlen(text);

        if (length > columns) {
            length = columns;
            while (length > 0 && text[length] != ' ')
                length--;
            length = length > 0 ? length : columns;
        }
        fprintf(r->stream, "<text class=\"verdict\" x=\"14\" y=\"%d\""
                " font-size=\"14\""
                " font-weight=\"bold\">", 20 + 16 * line);
        mq_strbuf_add(&r->words, "%.*s%s", (int)length, text,
                      line == 2 && text[length] != '\0' ? " ..." : "");
        write_words(r);
        fputs("</text>\n", r->stream);
        at += length + (text[length] == ' ');
    }
    r->words.failed |= verdict.failed;
    mq_strbuf_deinit(&verdict);
}

enum { legend_width = 300, legend_mark = 56 };

/* The place of the legend's next entry, which is moved on. */
static struct point next_entry(const struct report *r, double top,
                               unsigned *count)
{
    unsigned columns = (unsigned)(fmax(r->picture->width, least_width)
                                  / legend_width);
    unsigned row = *count / columns, column = *count % columns;
    struct point at = { 14.0 + legend_width * column, top + line_height * row };

    ++*count;
    return at;
}

static void write_legend_text(const struct report *r, struct point at,
                              const char *text)
{
    fprintf(r->stream, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"12\">%s"
            "</text>\n", at.x + legend_mark, at.y + 4, text);
}

static void write_legend_line(const struct report *r, struct point at,
                              const char *class, const char *more,
                              const char *text)
{
    fprintf(r->stream, "<path class=\"edge %s\" d=\"M%.1f %.1f h44\"%s/>",
            class, at.x + 4, at.y, more);
    write_legend_text(r, at, text);
}

static void write_legend_boxes(const struct report *r, double top,
                               unsigned *count)
{
    static const struct {
        enum mq_node_kind kind;
        const char *class, *text;
    } boxes[] = {
        { mq_node_deadlocked, "deadlocked", "deadlocked" },
        { mq_node_behind, "behind", "stuck behind it" },
        { mq_node_cause, "cause", "cause" },
        { mq_node_kinds, "differs", "near miss or mismatch" }
    };
    uint32_t k;

    for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++) {
        bool differs = boxes[i].kind == mq_node_kinds;
        struct point at;

        for (k = 0; k < r->picture->node_count
             && !(differs && r->picture->nodes[k].differs)
             && r->picture->nodes[k].kind != boxes[i].kind; k++)
            continue;
        if (k == r->picture->node_count)
            continue;
        at = next_entry(r, top, count);
        fprintf(r->stream, "<rect class=\"node %s\" x=\"%.1f\" y=\"%.1f\""
                " width=\"36\" height=\"14\" rx=\"7\"/>", boxes[i].class,
                at.x + 8, at.y - 7);
        write_legend_text(r, at, boxes[i].text);
    }
}

/* The legend of what there is. */
static void write_legend(struct report *r, double top)
{
    const struct mq_picture *it = r->picture;
    bool is_stuck = false, is_alternative = false;
    char head[64];
    unsigned count = 0;

    for (uint32_t i = 0; i < mq_edge_kinds; i++) {
        const char *text = legend_of(it, (enum mq_edge_kind)i);

        snprintf(head, sizeof head, " marker-end=\"url(#%s)\"",
                 edge_names[i]);
        if (text != NULL)
            write_legend_line(r, next_entry(r, top, &count), edge_names[i],
                              head, text);
    }
    for (uint32_t i = 0; i < it->edge_count; i++) {
        is_stuck |= it->edges[i].deadlocked;
        is_alternative |= it->edges[i].is_alternative;
    }
    write_legend_boxes(r, top, &count);
    if (is_stuck)
        write_legend_line(r, next_entry(r, top, &count), "receive stuck", "",
                          "thick: in the deadlock");
    if (is_alternative)
        write_legend_line(r, next_entry(r, top, &count), "collective",
                          " marker-start=\"url(#one-of)\"",
                          "one of these is enough, else all");
    if (it->only_stuck)
        mq_strbuf_add(&r->words, "only operations awaited by stuck ranks are "
                      "drawn");
    if (it->left_out > 0)
        mq_strbuf_add(&r->words, "%s%zu operation%s omitted for lack of room",
                      it->only_stuck ? "; " : "", it->left_out,
                      it->left_out == 1 ? "" : "s");
    if (r->words.length > 0) {
        struct point at = next_entry(r, top, &count);

        fprintf(r->stream, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"11\">",
                at.x, at.y + 4);
        write_words(r);
        fputs("</text>\n", r->stream);
    }
}

/* There are at most thirteen entries in the legend, two in a line. */
static void write_head(struct report *r, double width)
{
    const double height = r->picture->height + head_height + 6 * line_height;

    fprintf(r->stream, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\""
            " width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n",
            width, height, width, height);
    add_verdict(r->picture, &r->words);
    write_title(r);
    fputs("\n<style>", r->stream);
    fwrite(mq_picture_css, 1, mq_picture_css_size, r->stream);
    fputs("</style>\n<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n",
          r->stream);
}

static void write_picture(struct report *r)
{
    const struct mq_picture *it = r->picture;
    double width = fmax(it->width, least_width);

    write_head(r, width);
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
    write_labels(r);
    fputs("</g>\n", r->stream);
    write_legend(r, it->height + head_height + line_height);
    fputs("</svg>\n", r->stream);
}

enum mq_result mq_picture_write(const struct mq_picture *picture,
                                FILE *stream, struct mq_error *error)
{
    struct report r = { .picture = picture, .stream = stream };
    bool failed;

    write_picture(&r);
    failed = r.words.failed;
    mq_strbuf_deinit(&r.words);
    return failed ? mq_fail_memory(error, "drawing a picture") : mq_ok;
}

enum mq_result mq_report_svg(const struct mq_analysis *analysis,
                             const struct mq_report_options *options,
                             FILE *stream, struct mq_error *error)
{
    struct mq_picture picture;
    enum mq_result result;

    if (mq_picture_create(analysis, options, error, &picture) != mq_ok)
        return mq_failed;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", stream);
    result = mq_picture_write(&picture, stream, error);
    mq_picture_destroy(&picture);
    return result;
}
