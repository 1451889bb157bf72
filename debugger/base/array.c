/* Arrays that grow. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { first_room = 16 };

enum mq_result mq_array_reserve(void *array, size_t size, size_t needed,
                                size_t *room, const char *what,
                                struct mq_error *error)
{
    size_t larger = *room < first_room ? first_room : *room + *room / 2;
    void *items;

    if (needed <= *room)
        return mq_ok;
    if (larger < needed)
        larger = needed;
    if (larger > SIZE_MAX / size)
        return mq_fail_memory(error, what);
    /* The pointer at ARRAY may be of any type. */
    memcpy(&items, array, sizeof items);
    items = realloc(items, larger * size);
    if (items == NULL)
        return mq_fail_memory(error, what);
    memcpy(array, &items, sizeof items);
    *room = larger;
    return mq_ok;
}
