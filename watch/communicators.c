/* communicators.c - communicators of a process, their groups and ids */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "watch/notes.h"

#include <stdlib.h>
#include <string.h>

enum { slot_count = 1 << 12, first_context = 1, latest_context = 0xffff };

static struct {
    struct communicator *slots[slot_count];
    int context;                /* of the latest one */
    struct group *groups;
} table;

static struct communicator **slot_of(uint64_t handle)
{
    return &table.slots[((handle * 0x9e3779b97f4a7c15u) >> 32)
                        % slot_count];
}

/* ---- Groups -------------------------------------------------------------- */

/* How much each rank is more than the one before; 0: that differs. */
static int stride_of(const int *ranks, size_t size)
{
    int stride = size > 1 ? ranks[1] - ranks[0] : 1;

    for (size_t i = 2; i < size; i++)
        if (ranks[i] - ranks[i - 1] != stride)
            return 0;
    return stride;
}

static struct group *group_like(const int *ranks, size_t size)
{
    struct group *group;

    for (group = table.groups; group != NULL; group = group->next)
        if (group->size == size
            && memcmp(group->ranks, ranks, size * sizeof *ranks) == 0)
            return group;
    group = mqw_alloc(sizeof *group + size * sizeof *ranks);
    if (group == NULL)
        return NULL;
    memcpy(group->ranks, ranks, size * sizeof *ranks);
    group->size = size;
    group->uses = 0;
    group->next = table.groups;
    table.groups = group;
    return group;
}

/* Sets the SIZE RANKS of COMMUNICATOR. */
static bool take_group(struct communicator *communicator, const int *ranks,
                       size_t size)
{
    if (ranks == NULL)
        return true;
    communicator->mpich.grank_first = ranks[0];
    communicator->mpich.grank_stride = stride_of(ranks, size);
    if (communicator->mpich.grank_stride != 0)
        return true;
    communicator->group = group_like(ranks, size);
    if (communicator->group == NULL)
        return false;
    communicator->group->uses++;
    communicator->mpich.lrank_to_grank = communicator->group->ranks;
    return true;
}

static void leave_group(struct group *group)
{
    struct group **place = &table.groups;

    if (group == NULL || --group->uses > 0)
        return;
    while (*place != group)
        place = &(*place)->next;
    *place = group->next;
    mqw_free(group);
}

/* ---- Communicators ------------------------------------------------------- */

static bool context_is_used(int context)
{
    const MPIR_Communicator *each;

    for (each = MPIR_All_communicators.comm_first; each != NULL;
         each = each->comm_next) {
        if (each->recv_context == context)
            return true;
    }
    return false;
}

/* Small numbers are no addresses, which matters for matching communicators of
 * different ranks.  They ascend until they are used up.
 */
static int next_context(void)
{
    do {
        table.context = table.context < latest_context ? table.context + 1
                                                       : first_context;
    } while (context_is_used(table.context)
             && table.context != latest_context);
    return table.context;
}

static void fill_in(struct communicator *it, const struct new_communicator *as)
{
    it->uses = 1;
    it->latest = &mqw_nowhere;
    it->mpich.np = as->remote_size > 0 ? as->remote_size : as->local_size;
    it->mpich.local_rank = as->local_rank;
    it->mpich.comm_type = as->remote_size > 0 ? 2 : 1;
    it->mpich.recv_context = it->mpich.send_context = next_context();
    it->mpich.comm_name = as->name != NULL ? mqw_alloc_text(as->name) : NULL;
    it->mpich.comm_next = MPIR_All_communicators.comm_first;
    it->plain.handle = as->handle;
    it->plain.id = as->id;
    it->plain.queue_id = (uintptr_t)&it->mpich;
    it->plain.context = it->mpich.recv_context;
    it->plain.local_rank = as->local_rank;
    it->plain.local_size = as->local_size;
    it->plain.remote_size = as->remote_size;
    it->plain.next = mqwatch.communicators;
}

static void changed(void)
{
    PUBLISH(MPIR_All_communicators.sequence_number,
            MPIR_All_communicators.sequence_number + 1);
}

struct communicator *mqw_communicator_add(const struct new_communicator *as)
{
    struct communicator *old = mqw_communicator(as->handle);
    int size = as->remote_size > 0 ? as->remote_size : as->local_size;
    struct communicator *it;

    if (mqwatch.state > MQWATCH_WATCHING)
        return NULL;            /* another thread has ended it */
    it = mqw_alloc(sizeof *it);
    if (it == NULL)
        return NULL;
    if (old != NULL)    /* freed by a callback, or by a thread that has not
                           returned */
        mqw_communicator_free(old);
    if (!take_group(it, as->ranks, (size_t)size)) {
        mqw_free(it);
        return NULL;
    }
    fill_in(it, as);
    it->hashed = *slot_of(as->handle);
    *slot_of(as->handle) = it;
    PUBLISH(MPIR_All_communicators.comm_first, &it->mpich);
    PUBLISH(mqwatch.communicators, (uintptr_t)&it->plain);
    it->has_handle = true;
    changed();
    mqw_record_modules();
    return it;
}

struct communicator *mqw_communicator(uint64_t handle)
{
    struct communicator *it = *slot_of(handle);

    while (it != NULL && it->plain.handle != handle)
        it = it->hashed;
    return it;
}

/* The program's handle may be another one's from now on. */
void mqw_communicator_free(struct communicator *it)
{
    struct communicator **slot = slot_of(it->plain.handle);

    while (*slot != it)
        slot = &(*slot)->hashed;
    *slot = it->hashed;
    it->has_handle = false;
    PUBLISH(it->plain.handle, 0);
    mqw_change();
    mqw_communicator_release(it);
}

void mqw_communicator_name(struct communicator *it, const char *name)
{
    char *old = it->mpich.comm_name, *copy = mqw_alloc_text(name);

    if (copy == NULL)
        return;
    PUBLISH(it->mpich.comm_name, copy);
    changed();
    mqw_free(old);
}

/* Takes a communicator out of the lists, unless these were forgotten. */
static void unlist(struct communicator *it)
{
    MPIR_Communicator **place = &MPIR_All_communicators.comm_first;
    uint64_t *plain = &mqwatch.communicators;

    while (*place != NULL && *place != &it->mpich)
        place = &(*place)->comm_next;
    if (*place == NULL)
        return;
    PUBLISH(*place, it->mpich.comm_next);
    while (*plain != (uintptr_t)&it->plain)
        plain = &((struct mqwatch_communicator *)mqw_at(*plain))->next;
    PUBLISH(*plain, it->plain.next);
    changed();
}

void mqw_communicator_destroy(struct communicator *it)
{
    unlist(it);
    leave_group(it->group);
    mqw_free(mqw_at(it->plain.cells));
    mqw_free(mqw_at(it->plain.events));
    mqw_free(mqw_at(it->plain.epochs));
    mqw_free(it->mpich.comm_name);
    mqw_free(it);
}

void mqw_forget_communicators(void)
{
    for (int i = 0; i < slot_count; i++) {
        for (struct communicator *it = table.slots[i]; it != NULL;
             it = it->hashed)
            it->has_handle = false;
        table.slots[i] = NULL;
    }
    PUBLISH(MPIR_All_communicators.comm_first, NULL);
    PUBLISH(mqwatch.communicators, 0);
    changed();
}

/* Steps of splitmix64, so that numbers that differ in a bit do so in half of
 * all; the highest bit is set, as it is in no address and no context.
 */
uint64_t mqw_id(const uint64_t *numbers, size_t count)
{
    uint64_t id = count;

    for (size_t i = 0; i < count; i++) {
        id = (id ^ numbers[i]) + 0x9e3779b97f4a7c15u;
        id = (id ^ id >> 30) * 0xbf58476d1ce4e5b9u;
        id = (id ^ id >> 27) * 0x94d049bb133111ebu;
        id ^= id >> 31;
    }
    return id | (uint64_t)1 << 63;
}

/* How many were made of one kind: a program that makes a million has few. */
struct counted {
    struct counted *next;
    uint64_t numbers[2];        /* kind and count */
};

uint64_t mqw_id_of_next(uint64_t kind)
{
    static struct counted *slots[1 << 8];
    struct counted **place = &slots[kind % (1 << 8)];

    while (*place != NULL && (*place)->numbers[0] != kind)
        place = &(*place)->next;
    if (*place == NULL) {
        *place = calloc(1, sizeof **place);
        if (*place == NULL)
            return 0;
        (*place)->numbers[0] = kind;
    }
    (*place)->numbers[1]++;
    return mqw_id((*place)->numbers, 2);
}
