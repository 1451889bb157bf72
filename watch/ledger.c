/* ledger.c - how many messages went to and came from whom, in bounded room
 *
 * Each communicator has a table with open addressing that grows to most_cells.
 * From then on a new cell takes the place of the oldest of those it could be
 * in, whose messages are added to those with other tags of the same peer.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "watch/watch.h"

#include <stdlib.h>

struct mqwatch_cell mqw_nowhere;

enum { first_cells = 16, most_cells = 1024, reach = 8 };

/* The cell of PEER and TAG, else a free one where it can be, else null. */
static struct mqwatch_cell *look_up(struct mqwatch_cell *cells, size_t count,
                                    int peer, int tag)
{
    struct mqwatch_cell *free_one = NULL;
    size_t home = mqw_home_of(peer, tag, count), i;

    for (i = 0; i < reach && i < count; i++) {
        struct mqwatch_cell *cell = &cells[(home + i) & (count - 1)];

        if (mqw_is_of(cell, peer, tag))
            return cell;
        if (cell->peer < 0 && free_one == NULL)
            free_one = cell;
    }
    return free_one;
}

/* A table of COUNT cells with what was in the old one, or null. */
static struct mqwatch_cell *larger(const struct communicator *it, size_t count)
{
    struct mqwatch_cell *cells = calloc(count, sizeof *cells);
    size_t i;

    if (cells == NULL)
        return NULL;
    for (i = 0; i < count; i++)
        cells[i].peer = -1;
    for (i = 0; i < it->plain.cell_count; i++) {
        const struct mqwatch_cell *old = &mqw_cells_of(it)[i];
        struct mqwatch_cell *cell;

        if (old->peer < 0)
            continue;
        cell = look_up(cells, count, old->peer, old->tag);
        if (cell == NULL) {
            free(cells);
            return NULL;
        }
        *cell = *old;
    }
    return cells;
}

static bool grow(struct communicator *it)
{
    size_t count = it->plain.cell_count == 0 ? first_cells
                                             : 2 * it->plain.cell_count;
    struct mqwatch_cell *cells = NULL, *old = mqw_cells_of(it);

    for (; cells == NULL && count <= most_cells; count *= 2) {
        cells = larger(it, count);
        if (cells != NULL)
            break;
    }
    if (cells == NULL)
        return false;
    PUBLISH(it->plain.cell_count, 0);
    PUBLISH(it->plain.cells, (uintptr_t)cells);
    PUBLISH(it->plain.cell_count, (uint32_t)count);
    mqw_forget_cells();
    free(old);
    return true;
}

static struct mqwatch_cell *oldest(struct communicator *it, int peer, int tag)
{
    struct mqwatch_cell *cells = mqw_cells_of(it), *found = NULL;
    size_t count = it->plain.cell_count, i;
    size_t home = mqw_home_of(peer, tag, count);

    for (i = 0; i < reach; i++) {
        struct mqwatch_cell *cell = &cells[(home + i) & (count - 1)];

        if (cell->tag != MQWATCH_OTHER_TAGS
            && (found == NULL || cell->latest < found->latest))
            found = cell;
    }
    return found != NULL ? found : &cells[home];
}

/* Makes room by folding CELL into its peer's other tags; false if its messages
 * are counted nowhere from now on.
 */
static bool fold(struct communicator *it, struct mqwatch_cell *cell)
{
    struct mqwatch_cell was = *cell, *others;

    PUBLISH(cell->peer, -1);
    mqw_forget_cells();
    others = look_up(mqw_cells_of(it), it->plain.cell_count, was.peer,
                     MQWATCH_OTHER_TAGS);
    if (was.tag == MQWATCH_OTHER_TAGS || others == NULL || others == cell)
        return false;
    if (others->peer < 0) {
        others->sent = others->received = 0;
        others->tag = MQWATCH_OTHER_TAGS;
        PUBLISH(others->peer, was.peer);
    }
    others->latest = was.latest;
    PUBLISH(others->sent, others->sent + was.sent);
    PUBLISH(others->received, others->received + was.received);
    return true;
}

/* A debugger that stops the process in here is told that it sees not all. */
RARE struct mqwatch_cell *mqw_take_cell(struct communicator *it, int peer,
                                        int tag)
{
    uint32_t is_partial = it->plain.is_partial;
    struct mqwatch_cell *cell;

    PUBLISH(it->plain.is_partial, 1);
    for (;;) {
        cell = look_up(mqw_cells_of(it), it->plain.cell_count, peer, tag);
        if (cell != NULL || !grow(it))
            break;
    }
    if (cell == NULL && it->plain.cell_count == 0)
        return NULL;
    if (cell == NULL) {
        cell = oldest(it, peer, tag);
        if (!fold(it, cell))
            is_partial = 1;
    }
    if (!mqw_is_of(cell, peer, tag)) {
        cell->sent = cell->received = 0;
        cell->tag = tag;
        PUBLISH(cell->peer, peer);
    }
    PUBLISH(it->plain.is_partial, is_partial);
    return cell;
}
