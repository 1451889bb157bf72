/* queues.c - request lists in MPICH's layout, and requests by handle */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "watch/notes.h"

#include <stdlib.h>

struct element_list mqw_receives = {
    (uint64_t *)&MPID_recvs.posted.first, (uint64_t *)&MPID_recvs.posted.first
};
struct element_list mqw_sends = {
    (uint64_t *)&MPIR_Sendq.sq_head, (uint64_t *)&MPIR_Sendq.sq_head
};
struct element_list mqw_collectives = {
    &mqw_first_collective, &mqw_first_collective
};
static uint64_t first_unlisted;
struct element_list mqw_unlisted = { &first_unlisted, &first_unlisted };

/* ---- Lists --------------------------------------------------------------- */

struct element_list *const mqw_list_of[] = {
    [MQWATCH_SEND] = &mqw_sends,
    [MQWATCH_RECEIVE] = &mqw_receives,
    [MQWATCH_PERSISTENT_SEND] = &mqw_sends,
    [MQWATCH_PERSISTENT_RECEIVE] = &mqw_receives,
    [MQWATCH_COLLECTIVE] = &mqw_collectives,
    [MQWATCH_PERSISTENT_COLLECTIVE] = &mqw_collectives
};

void mqw_empty_queues(void)
{
    PUBLISH(*mqw_receives.first, 0);
    PUBLISH(*mqw_sends.first, 0);
    PUBLISH(*mqw_collectives.first, 0);
}

/* ---- Requests ------------------------------------------------------------ */

enum { first_slots = 64, elements_of_a_block = 128, most_in_a_slot = 2 };

static struct slot only_slot;

struct requests mqw_requests = { &only_slot, 0, 0, NULL };

static void fill_slots(const struct slot *old, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct element *element = old[i].first;

        while (element != NULL) {
            struct element *next = element->hashed;

            mqw_append(element);
            element = next;
        }
    }
}

static bool grow_slots(void)
{
    size_t count = mqw_requests.last + 1;
    size_t larger = count < first_slots ? first_slots : 2 * count;
    struct slot *old = mqw_requests.slots;
    struct slot *slots = calloc(larger, sizeof *slots);

    if (slots == NULL)
        return false;
    mqw_requests.slots = slots;
    mqw_requests.last = larger - 1;
    fill_slots(old, count);
    if (old != &only_slot)
        free(old);
    return true;
}

bool mqw_make_room(void)
{
    size_t count = mqw_requests.count + elements_of_a_block;
    struct element *block;

    if (count > most_in_a_slot * (mqw_requests.last + 1) && !grow_slots())
        return false;
    block = mqw_alloc(elements_of_a_block * sizeof *block);
    if (block == NULL)
        return false;
    for (int i = 0; i < elements_of_a_block; i++) {
        block[i].hashed = mqw_requests.free;
        mqw_requests.free = &block[i];
    }
    mqw_requests.count = count;
    return true;
}

/* ELEMENT is not the first one of its slot. */
void mqw_take_from_chain(struct slot *slot, struct element *element)
{
    struct element **place = &slot->first;

    while (*place != element)
        place = &(*place)->hashed;
    *place = element->hashed;
    if (element->hashed == NULL)
        slot->end = place;
}
