/* store.c - memory allocation through the debugger */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "queues/store.h"

#include <string.h>

#include "queues/errors.h"

const mqs_basic_callbacks *store_basic;

void *store_take(size_t size)
{
    void *block = store_basic->mqs_malloc_fp(size);

    if (block != NULL)
        memset(block, 0, size);
    return block;
}

void store_give(void *block)
{
    if (block != NULL)
        store_basic->mqs_free_fp(block);
}

int store_grow(void *array, size_t size, size_t count, size_t limit,
               size_t *room)
{
    size_t wanted = *room == 0 ? 16 : *room * 2;
    void *old, *larger;

    if (count < *room)
        return mqs_ok;
    if (count >= limit)
        return err_too_many;
    larger = store_take(wanted * size);
    if (larger == NULL)
        return err_no_store;
    memcpy(&old, array, sizeof old);
    if (count > 0)
        memcpy(larger, old, count * size);
    store_give(old);
    memcpy(array, &larger, sizeof larger);
    *room = wanted;
    return mqs_ok;
}
