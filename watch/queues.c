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

#include <limits.h>
#include <stdlib.h>
#include <string.h>

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

static bool is_send(const struct element *element)
{
    return element->as.plain.kind == MQWATCH_SEND
           || element->as.plain.kind == MQWATCH_PERSISTENT_SEND;
}

static struct element_list *list_of(const struct element *element)
{
    return is_send(element) ? &mqw_sends
           : element->as.plain.kind >= MQWATCH_COLLECTIVE ? &mqw_collectives
           : &mqw_receives;
}

void mqw_set(struct element *element, enum mqwatch_kind kind,
             const struct envelope *envelope)
{
    struct mqwatch_operation *plain = &element->as.plain;
    const struct communicator *communicator = envelope->communicator;

    element->communicator = envelope->communicator;
    plain->kind = (int)kind;
    plain->is_complete = 0;
    plain->context = communicator->plain.context;
    plain->bytes = envelope->bytes > INT_MAX ? INT_MAX : (int)envelope->bytes;
    plain->peer = envelope->peer;
    plain->tag = envelope->tag;
    plain->buffer = (uintptr_t)envelope->buffer;
    if (is_send(element)) {
        element->as.send.db_shandle = &element->as.send_handle;
        element->as.send.db_comm = &element->communicator->mpich;
    } else if (kind < MQWATCH_COLLECTIVE) {
        element->as.receive.ptr = &element->as.receive_handle;
        element->as.receive.srcmask = envelope->peer == MQWATCH_ANY ? 0 : -1;
        element->as.receive.tagmask = envelope->tag == MQWATCH_ANY ? 0 : -1;
    }
}

void mqw_link(struct element *element)
{
    struct element_list *list = list_of(element);

    element->as.plain.next = 0;
    element->link = list->end;
    list->end = &element->as.plain.next;
    PUBLISH(*element->link, (uintptr_t)element);
}

void mqw_unlink(struct element *element)
{
    struct element_list *list = list_of(element);
    struct element *next = (struct element *)(uintptr_t)element->as.plain.next;

    if (element->link == NULL)
        return;
    if (next != NULL)
        next->link = element->link;
    else
        list->end = element->link;
    PUBLISH(*element->link, element->as.plain.next);
    element->link = NULL;
}

void mqw_empty_queues(void)
{
    PUBLISH(*mqw_receives.first, 0);
    PUBLISH(*mqw_sends.first, 0);
    PUBLISH(*mqw_collectives.first, 0);
}

/* ---- Requests ------------------------------------------------------------ */

enum { first_slots = 64, elements_of_a_block = 128, most_in_a_slot = 2 };

static struct {
    struct element **slots;     /* newest first */
    size_t count;               /* of slots: 0 or a power of two */
    size_t used;
    struct element *free;
} table;

/* Handles are small numbers or addresses: their low and middle bits differ. */
static size_t slot_of(uint64_t request)
{
    return (size_t)((request * 0x9e3779b97f4a7c15u) >> 32)
           & (table.count - 1);
}

/* Puts what was in the old slots into the new ones, oldest first, so that equal
 * requests keep their order.
 */
static void move_slot(struct element *element)
{
    if (element == NULL)
        return;
    move_slot(element->hashed);
    element->hashed = table.slots[slot_of(element->as.plain.request)];
    table.slots[slot_of(element->as.plain.request)] = element;
}

static bool grow_slots(void)
{
    size_t count = table.count, i;
    struct element **old = table.slots, **slots;

    slots = calloc(count == 0 ? first_slots : 2 * count, sizeof *slots);
    if (slots == NULL)
        return false;
    table.slots = slots;
    table.count = count == 0 ? first_slots : 2 * count;
    for (i = 0; i < count; i++)
        move_slot(old[i]);
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

struct element *mqw_keep(uint64_t request)
{
    struct element *element, **slot;

    if (table.used >= most_in_a_slot * table.count && !grow_slots())
        return NULL;
    if (table.free == NULL && !add_block())
        return NULL;
    element = table.free;
    table.free = element->hashed;
    element->as.plain.request = request;
    slot = &table.slots[slot_of(request)];
    element->hashed = *slot;
    *slot = element;
    table.used++;
    return element;
}

struct element *mqw_find(uint64_t request)
{
    struct element *found = NULL, *element;

    if (table.used == 0)
        return NULL;
    for (element = table.slots[slot_of(request)]; element != NULL;
         element = element->hashed) {
        if (element->as.plain.request == request)
            found = element;
    }
    return found;
}

void mqw_drop(struct element *element)
{
    struct element **place = &table.slots[slot_of(element->as.plain.request)];

    mqw_unlink(element);
    mqw_communicator_release(element->communicator);
    while (*place != element)
        place = &(*place)->hashed;
    *place = element->hashed;
    element->hashed = table.free;
    table.free = element;
    table.used--;
}
