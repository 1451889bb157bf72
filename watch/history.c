/* history.c - latest collective operations of each communicator
 *
 * A ring that grows while it is not long, so that a communicator of few
 * operations costs little.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "watch/notes.h"

enum { first_events = 4 };

static struct mqwatch_event *place_of(const struct communicator *it,
                                      uint64_t number)
{
    struct mqwatch_event *events = mqw_at(it->plain.events);

    return &events[(number - 1) & (it->plain.event_count - 1)];
}

/* Without memory it stays as it is. */
static void grow(struct communicator *it)
{
    uint32_t count = it->plain.event_count;
    uint32_t larger = count == 0 ? first_events : 2 * count;
    struct mqwatch_event *events, *old = mqw_at(it->plain.events);

    events = mqw_alloc(larger * sizeof *events);
    if (events == NULL)
        return;
    for (uint32_t i = 0; i < count; i++)
        if (old[i].number != 0)
            events[(old[i].number - 1) & (larger - 1)] = old[i];
    PUBLISH(it->plain.event_count, 0);
    PUBLISH(it->plain.events, (uintptr_t)events);
    PUBLISH(it->plain.event_count, larger);
    mqw_free(old);
}

void mqw_note_event(struct communicator *it, const struct mqwatch_event *event)
{
    struct mqwatch_event *place;

    if (event->number > it->plain.event_count
        && it->plain.event_count < MQWATCH_EVENTS)
        grow(it);
    if (it->plain.event_count == 0)
        return;
    place = place_of(it, event->number);
    PUBLISH(place->number, 0);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    *place = *event;
    place->number = 0;
    place->began = mqw_time();
    PUBLISH(place->number, event->number);
}

/* The event of NUMBER if it is still kept, else null. */
static struct mqwatch_event *find(const struct communicator *it,
                                  uint64_t number)
{
    struct mqwatch_event *place;

    if (number == 0 || it->plain.event_count == 0)
        return NULL;
    place = place_of(it, number);
    return place->number == number ? place : NULL;
}

void mqw_end_event(struct communicator *it, uint64_t number)
{
    struct mqwatch_event *event = find(it, number);

    if (event != NULL)
        event->has_ended = 1;
}

void mqw_drop_event(struct communicator *it, uint64_t number)
{
    struct mqwatch_event *event = find(it, number);

    if (event != NULL)
        PUBLISH(event->number, 0);
}

/* ---- Sums ---------------------------------------------------------------- */

/* Of nothing it is nothing: whether a member that gives nothing is named does
 * not matter.
 */
uint64_t mqw_gift(int from, int to, int64_t bytes)
{
    uint64_t hash = (uint64_t)bytes * 0x9e3779b97f4a7c15u
                    + (uint64_t)from * 0xbf58476d1ce4e5b9u
                    + (uint64_t)to * 0x94d049bb133111ebu;

    if (bytes == 0)
        return 0;
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
    return hash ^ hash >> 31;
}
