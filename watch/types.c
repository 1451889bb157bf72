/* types.c - sizes of datatypes
 *
 * Those that MPI defines and those that were committed.  MPI is not asked for
 * the size of any other: it would call an error handler for one that is none.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "watch/notes.h"

#include <stdlib.h>

enum { first_room = 256 };

struct type {
    uint64_t handle;
    int64_t size;
    bool is_used;
};

/* Open addressing; at least half of it is free. */
static struct {
    struct type *types;
    size_t count, room;         /* room: 0 or a power of two */
} table;

static size_t home_of(uint64_t handle)
{
    return (size_t)(handle * 0x9e3779b97f4a7c15u >> 32) & (table.room - 1);
}

/* Where HANDLE is, or would be put. */
static struct type *place_of(uint64_t handle)
{
    size_t i = home_of(handle);

    while (table.types[i].is_used && table.types[i].handle != handle)
        i = (i + 1) & (table.room - 1);
    return &table.types[i];
}

static bool make_room(void)
{
    size_t old_room = table.room;
    struct type *old = table.types, *types;

    if (2 * table.count < table.room)
        return true;
    types = calloc(old_room > 0 ? 2 * old_room : first_room, sizeof *types);
    if (types == NULL)
        return false;
    table.types = types;
    table.room = old_room > 0 ? 2 * old_room : first_room;
    for (size_t i = 0; i < old_room; i++)
        if (old[i].is_used)
            *place_of(old[i].handle) = old[i];
    free(old);
    return true;
}

void mqw_type_add(uint64_t handle, int64_t size)
{
    struct type *type;

    if (!make_room())
        return;
    type = place_of(handle);
    table.count += !type->is_used;
    *type = (struct type){ handle, size, true };
}

/* Entries behind it move up where they would not be found any more. */
void mqw_type_remove(uint64_t handle)
{
    struct type *hole = table.room > 0 ? place_of(handle) : NULL;
    size_t mask = table.room - 1, at;

    if (hole == NULL || !hole->is_used)
        return;
    at = (size_t)(hole - table.types);
    for (size_t i = (at + 1) & mask; table.types[i].is_used;
         i = (i + 1) & mask) {
        size_t home = home_of(table.types[i].handle);

        if (((i - home) & mask) < ((i - at) & mask))
            continue;
        table.types[at] = table.types[i];
        at = i;
    }
    table.types[at].is_used = false;
    table.count--;
}

int64_t mqw_type_size(uint64_t handle)
{
    const struct type *type = table.room > 0 ? place_of(handle) : NULL;

    return type != NULL && type->is_used ? type->size : -1;
}
