/* ledger.c - bounded counters of messages by peer and tag
 *
 * Each communicator has a table with open addressing that grows until it has
 * most_cells, or more if there are so many peers.  Where a cell has no place
 * then, a peer whose cells are there is folded: all of its messages are in one
 * cell from then on, whatever their tags.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "watch/notes.h"

struct mqwatch_cell mqw_nowhere = { .peer = -1 };

enum { first_cells = 16, most_cells = 1024, most_for_peers = 1 << 16,
       reach = 8 };

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
    struct mqwatch_cell *cells = mqw_alloc(count * sizeof *cells);

    if (cells == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++)
        cells[i].peer = -1;
    for (size_t i = 0; i < it->plain.cell_count; i++) {
        const struct mqwatch_cell *old = &mqw_cells_of(it)[i];
        struct mqwatch_cell *cell;

        if (old->peer < 0)
            continue;
        cell = look_up(cells, count, old->peer, old->tag);
        if (cell == NULL) {
            mqw_free(cells);
            return NULL;
        }
        *cell = *old;
    }
    return cells;
}

static size_t most_of(const struct communicator *it)
{
    size_t peers = (size_t)it->mpich.np, most = most_cells;

    while (most < 2 * peers && most < most_for_peers)
        most *= 2;
    return most;
}

static bool grow(struct communicator *it)
{
    size_t count = it->plain.cell_count == 0 ? first_cells
                                             : 2 * it->plain.cell_count;
    struct mqwatch_cell *cells = NULL, *old = mqw_cells_of(it);

    for (; cells == NULL && count <= most_of(it); count *= 2) {
        cells = larger(it, count);
        if (cells != NULL)
            break;
    }
    if (cells == NULL)
        return false;
    it->latest = &mqw_nowhere;
    PUBLISH(it->plain.cell_count, 0);
    PUBLISH(it->plain.cells, (uintptr_t)cells);
    PUBLISH(it->plain.cell_count, (uint32_t)count);
    mqw_forget_cells();
    mqw_free(old);
    return true;
}

/* Of those where a cell of PEER and TAG could be, of peers that are not folded,
 * the one that was made first; else null.
 */
static struct mqwatch_cell *oldest(const struct communicator *it, int peer,
                                   int tag)
{
    struct mqwatch_cell *cells = mqw_cells_of(it), *found = NULL;
    size_t count = it->plain.cell_count, i;
    size_t home = mqw_home_of(peer, tag, count);

    for (i = 0; i < reach && i < count; i++) {
        struct mqwatch_cell *cell = &cells[(home + i) & (count - 1)];

        if (cell->tag != MQWATCH_OTHER_TAGS
            && (found == NULL || cell->made < found->made))
            found = cell;
    }
    return found;
}

/* Takes the cells of PEER out: all of its messages together. */
static struct mqwatch_cell take_out(struct communicator *it, int peer)
{
    struct mqwatch_cell sum = { .peer = peer, .tag = MQWATCH_OTHER_TAGS };
    struct mqwatch_cell *cells = mqw_cells_of(it);

    for (size_t i = 0; i < it->plain.cell_count; i++) {
        uint64_t tag = (uint64_t)cells[i].tag;

        if (cells[i].peer != peer)
            continue;
        sum.sent += cells[i].sent;
        sum.received += cells[i].received;
        sum.sent_tags[0] += cells[i].sent * tag;
        sum.sent_tags[1] += cells[i].sent * tag * tag;
        sum.received_tags[0] += cells[i].received * tag;
        sum.received_tags[1] += cells[i].received * tag * tag;
        PUBLISH(cells[i].peer, -1);
    }
    mqw_forget_cells();
    return sum;
}

/* Folds PEER, and others if there is no place for what that gives; false if
 * messages are counted nowhere from now on.
 */
static bool fold(struct communicator *it, int peer)
{
    struct mqwatch_cell sum = take_out(it, peer);

    for (;;) {
        struct mqwatch_cell *place, *other, next;

        place = look_up(mqw_cells_of(it), it->plain.cell_count, sum.peer,
                        MQWATCH_OTHER_TAGS);
        if (place != NULL) {
            *place = sum;
            return true;
        }
        other = oldest(it, sum.peer, MQWATCH_OTHER_TAGS);
        if (other == NULL)
            return false;
        next = take_out(it, other->peer);
        *look_up(mqw_cells_of(it), it->plain.cell_count, sum.peer,
                 MQWATCH_OTHER_TAGS) = sum;
        sum = next;
    }
}

/* The one of a peer that is folded, else null. */
static struct mqwatch_cell *folded(const struct communicator *it, int peer)
{
    struct mqwatch_cell *cell = look_up(mqw_cells_of(it), it->plain.cell_count,
                                        peer, MQWATCH_OTHER_TAGS);

    return cell != NULL && cell->peer == peer ? cell : NULL;
}

/* A cell for PEER and TAG; null if it has no place. */
static struct mqwatch_cell *find_place(struct communicator *it, int peer,
                                       int tag)
{
    for (;;) {
        struct mqwatch_cell *cell = folded(it, peer);

        if (cell == NULL)
            cell = look_up(mqw_cells_of(it), it->plain.cell_count, peer, tag);
        if (cell != NULL || !grow(it))
            return cell;
    }
}

/* A debugger that stops the process in here sees that it is incomplete. */
RARE struct mqwatch_cell *mqw_take_cell(struct communicator *it, int peer,
                                        int tag)
{
    uint32_t is_partial = it->plain.is_partial;
    struct mqwatch_cell *cell = NULL, *other;

    if (peer < 0)
        return NULL;
    if (it->plain.cell_count > 0)
        cell = look_up(mqw_cells_of(it), it->plain.cell_count, peer, tag);
    if (cell != NULL && cell->peer == peer) {
        it->latest = cell;
        return cell;
    }
    PUBLISH(it->plain.is_partial, 1);
    for (;;) {
        cell = find_place(it, peer, tag);
        if (cell != NULL || it->plain.cell_count == 0)
            break;
        other = oldest(it, peer, tag);
        if (other == NULL || !fold(it, other->peer)) {
            is_partial = 1;
            break;
        }
    }
    if (cell == NULL)
        return NULL;
    if (cell->peer < 0) {
        *cell = (struct mqwatch_cell){ .peer = -1, .tag = tag,
                                       .made = ++mqw.cells_made };
        PUBLISH(cell->peer, peer);
    }
    PUBLISH(it->plain.is_partial, is_partial);
    return cell;
}
