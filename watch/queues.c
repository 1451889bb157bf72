/* queues.c - posted receives and sends, where a debugger looks for them
 *
 * The variables with MPICH's names are hidden: found by a debugger that reads
 * the symbol table, and not by the dynamic linker.  MPIs have variables of
 * these names, too, and would wait for a debugger if MPIR_being_debugged were
 * taken for theirs.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "watch/watch.h"

#include <stdlib.h>

MPID_QHDR MPID_recvs;
MPIR_SQUEUE MPIR_Sendq;
uint64_t mqw_first_collective;
int MPIR_being_debugged = 1;

void MPIR_Breakpoint(void);

/* Never called: a debugger reads this file's types because it is here. */
void MPIR_Breakpoint(void)
{
}

struct element_list mqw_receives = {
    (uint64_t *)&MPID_recvs.posted.first, (uint64_t *)&MPID_recvs.posted.first
};
struct element_list mqw_sends = {
    (uint64_t *)&MPIR_Sendq.sq_head, (uint64_t *)&MPIR_Sendq.sq_head
};
struct element_list mqw_collectives = {
    &mqw_first_collective, &mqw_first_collective
};

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

/* Oldest first: an MPI can give the same handle to many requests. */
struct slot {
    struct element *first;
    struct element **end;       /* where the next one is put, if there is a
                                   first one */
};

static struct {
    struct slot *slots;
    size_t count;               /* of slots: 0 or a power of two */
    size_t used;
    struct element *free;
} table;

/* Handles are small numbers or addresses: their low and middle bits differ. */
static struct slot *slot_of(uint64_t request)
{
    return &table.slots[(size_t)((request * 0x9e3779b97f4a7c15u) >> 32)
                        & (table.count - 1)];
}

static void append(struct element *element)
{
    struct slot *slot = slot_of(element->as.plain.request);

    element->hashed = NULL;
    if (slot->first == NULL)
        slot->first = element;
    else
        *slot->end = element;
    slot->end = &element->hashed;
}

static bool grow_slots(void)
{
    size_t count = table.count, i;
    size_t larger = count == 0 ? first_slots : 2 * count;
    struct slot *old = table.slots, *slots = calloc(larger, sizeof *slots);

    if (slots == NULL)
        return false;
    table.slots = slots;
    table.count = larger;
    for (i = 0; i < count; i++) {
        struct element *element = old[i].first;

        while (element != NULL) {
            struct element *next = element->hashed;

            append(element);
            element = next;
        }
    }
    free(old);
    return true;
}

static bool add_block(void)
{
    struct element *block = calloc(elements_of_a_block, sizeof *block);
    int i;

    if (block == NULL)
        return false;
    for (i = 0; i < elements_of_a_block; i++) {
        block[i].hashed = table.free;
        table.free = &block[i];
    }
    return true;
}

RARE static bool make_room(void)
{
    return (table.used < most_in_a_slot * table.count || grow_slots())
           && (table.free != NULL || add_block());
}

struct element *mqw_keep(uint64_t request)
{
    struct element *element;

    if ((table.used >= most_in_a_slot * table.count || table.free == NULL)
        && !make_room())
        return NULL;
    element = table.free;
    table.free = element->hashed;
    table.used++;
    element->as.plain.request = request;
    append(element);
    return element;
}

struct element *mqw_find(uint64_t request)
{
    struct element *element;

    if (table.used == 0)
        return NULL;
    element = slot_of(request)->first;
    while (element != NULL && element->as.plain.request != request)
        element = element->hashed;
    return element;
}

void mqw_drop(struct element *element)
{
    struct slot *slot = slot_of(element->as.plain.request);
    struct element **place = &slot->first;

    while (*place != element)
        place = &(*place)->hashed;
    *place = element->hashed;
    if (element->hashed == NULL)
        slot->end = place;
    element->hashed = table.free;
    table.free = element;
    table.used--;
    mqw_communicator_release(element->communicator);
}
