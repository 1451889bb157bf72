/* picture_place.c - positions of the picture's nodes */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <stdbool.h>

#include "report/picture.h"

static const double full_turn = 6.283185307179586;

/* Between two nodes of the ring, and to the nodes outside, in pixels. */
enum { gap = 84, least_radius = 170, outside = 120 };

static bool is_outside(const struct mq_node *node)
{
    return node->kind == mq_node_any;
}

static double place_on_ring(struct mq_picture *it)
{
    double room = 0, at = 0, radius;

    for (uint32_t i = 0; i < it->node_count; i++)
        if (!is_outside(&it->nodes[i]))
            room += 2 * it->nodes[i].half_width + gap;
    radius = fmax(least_radius, room / full_turn);
    for (uint32_t i = 0; i < it->node_count; i++) {
        struct mq_node *node = &it->nodes[i];
        double half = node->half_width + gap / 2.0;
        double turn;

        if (is_outside(node))
            continue;
        if (at > 0)
            at += half;
        turn = full_turn * at / room;
        at += half;
        node->x = radius * sin(turn);
        node->y = -radius * cos(turn);
    }
    return radius;
}

/* The direction of the nodes that lead to a node, in the ring's. */
static void find_direction(const struct mq_picture *it, uint32_t node,
                           double *x, double *y)
{
    const struct mq_node *first = NULL;
    double length;

    *x = *y = 0;
    for (uint32_t i = 0; i < it->edge_count; i++) {
        const struct mq_edge *edge = &it->edges[i];
        const struct mq_node *other = edge->to == node ? &it->nodes[edge->from]
                                      : edge->from == node
                                      ? &it->nodes[edge->to] : NULL;

        if (other == NULL || is_outside(other))
            continue;
        first = first != NULL ? first : other;
        *x += other->x;
        *y += other->y;
    }
    length = hypot(*x, *y);
    if (length < 1 && first != NULL) {          /* they surround it */
        *x = first->x;
        *y = first->y;
        length = hypot(*x, *y);
    }
    *x = length < 1 ? 0 : *x / length;
    *y = length < 1 ? -1 : *y / length;
}

/* Outside of the ring, beyond the nodes that lead there, so that lines do not
 * cross; farther out if that place is taken.
 */
static void place_outside(struct mq_picture *it, double radius)
{
    for (uint32_t i = 0; i < it->node_count; i++) {
        struct mq_node *node = &it->nodes[i];
        double x, y, far = radius + outside;

        if (!is_outside(node))
            continue;
        find_direction(it, i, &x, &y);
        for (uint32_t k = 0; k < i; k++)
            if (is_outside(&it->nodes[k])
                && hypot(it->nodes[k].x - far * x, it->nodes[k].y - far * y)
                   < outside / 2.0)
                far += 0.6 * outside;
        node->x = far * x;
        node->y = far * y;
    }
}

/* Moves all so that none is left of 0 or above it. */
static void move_into_view(struct mq_picture *it)
{
    const double margin = 70;
    double left = 0, right = 0, top = 0, bottom = 0;

    for (uint32_t i = 0; i < it->node_count; i++) {
        const struct mq_node *node = &it->nodes[i];
        double half = node->half_width;

        left = fmin(left, node->x - half);
        right = fmax(right, node->x + half);
        top = fmin(top, node->y);
        bottom = fmax(bottom, node->y);
    }
    for (uint32_t i = 0; i < it->node_count; i++) {
        it->nodes[i].x += margin - left;
        it->nodes[i].y += margin - top;
    }
    it->width = right - left + 2 * margin;
    it->height = bottom - top + 2 * margin;
}

void mq_picture_place(struct mq_picture *picture)
{
    place_outside(picture, place_on_ring(picture));
    move_into_view(picture);
}
