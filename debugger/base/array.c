/* array.c - growing arrays and sorted arrays */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/array.h"

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

enum mq_result mq_array_add(void *array, size_t size, size_t *count,
                            size_t *room, const void *element,
                            const char *what, struct mq_error *error)
{
    char *items;

    if (mq_array_reserve(array, size, *count + 1, room, what, error) != mq_ok)
        return mq_failed;
    memcpy(&items, array, sizeof items);
    memcpy(items + (*count)++ * size, element, size);
    return mq_ok;
}

size_t mq_array_upto(const void *array, size_t count, size_t size,
                     size_t place, uint64_t value)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t at;

        memcpy(&at, (const char *)array + middle * size + place, sizeof at);
        if (at <= value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t mq_array_below(const void *array, size_t count, size_t size,
                      size_t place, uint64_t value)
{
    return value == 0 ? 0 : mq_array_upto(array, count, size, place, value - 1);
}
