/* windows.c - locks and epochs of windows, by member
 *
 * A table with open addressing, at most half full.  What is over and was never
 * counted is left out when it grows, so that a process that locks one member
 * after the other keeps a small one.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "watch/notes.h"

enum { first_epochs = 16 };

static struct mqwatch_epoch *epochs_of(const struct communicator *it)
{
    return mqw_at(it->plain.epochs);
}

/* The place of PEER, or a free one. */
static struct mqwatch_epoch *find(struct mqwatch_epoch *epochs, uint32_t count,
                                  int peer)
{
    uint32_t i = ((uint32_t)peer * 0x9e3779b1u >> 8) & (count - 1);

    while (epochs[i].peer != peer && epochs[i].peer != MQWATCH_PROC_NULL)
        i = (i + 1) & (count - 1);
    return &epochs[i];
}

static bool is_kept(const struct mqwatch_epoch *epoch)
{
    return epoch->peer != MQWATCH_PROC_NULL
           && (epoch->lock != MQWATCH_UNLOCKED
               || (epoch->posted | epoch->started) != 0);
}

/* Nothing is kept from now on if that has no room. */
static bool renew(struct communicator *it)
{
    struct mqwatch_epoch *old = epochs_of(it), *epochs;
    uint32_t count = first_epochs, kept = 0;

    for (uint32_t i = 0; i < it->plain.epoch_count; i++)
        kept += is_kept(&old[i]);
    while (count < 4 * (kept + 1))
        count *= 2;
    epochs = count > MQWATCH_EPOCHS ? NULL : mqw_alloc(count * sizeof *epochs);
    for (uint32_t i = 0; epochs != NULL && i < count; i++)
        epochs[i].peer = MQWATCH_PROC_NULL;
    for (uint32_t i = 0; epochs != NULL && i < it->plain.epoch_count; i++)
        if (is_kept(&old[i]))
            *find(epochs, count, old[i].peer) = old[i];
    PUBLISH(it->plain.epoch_count, 0);
    PUBLISH(it->plain.epochs, (uintptr_t)epochs);
    if (epochs != NULL)
        PUBLISH(it->plain.epoch_count, count);
    it->latest_epoch = NULL;
    it->epochs_used = kept;
    mqw_free(old);
    return epochs != NULL;
}

void mqw_window_begin(struct communicator *it)
{
    renew(it);
}

struct mqwatch_epoch *mqw_take_epoch(struct communicator *it, int peer,
                                     bool begins)
{
    struct mqwatch_epoch *epoch;

    if (it->plain.epoch_count == 0)
        return NULL;
    epoch = find(epochs_of(it), it->plain.epoch_count, peer);
    if (epoch->peer != peer) {
        if (!begins)
            return NULL;
        if (2 * (it->epochs_used + 1) > it->plain.epoch_count) {
            if (!renew(it))
                return NULL;
            epoch = find(epochs_of(it), it->plain.epoch_count, peer);
        }
        it->epochs_used++;
        PUBLISH(epoch->peer, peer);
    }
    it->latest_epoch = epoch;
    return epoch;
}

struct mqwatch_epoch *mqw_next_epoch(const struct communicator *it,
                                     size_t *place)
{
    while (*place < it->plain.epoch_count) {
        struct mqwatch_epoch *epoch = &epochs_of(it)[(*place)++];

        if (epoch->peer >= 0)
            return epoch;
    }
    return NULL;
}
