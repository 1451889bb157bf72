/* interned.c - interned blocks of bytes */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/interned.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

struct mq_interned_block {
    size_t length;
    uint64_t hash;
    uint64_t bytes[];
};

enum { fewest_slots = 64 };

static struct mq_interned_block **slot_of(const struct mq_interned *table,
                                          uint64_t hash, const void *bytes,
                                          size_t length)
{
    size_t mask = table->slot_count - 1;
    size_t i;

    for (i = (size_t)hash & mask; table->slots[i] != NULL; i = (i + 1) & mask) {
        const struct mq_interned_block *block = table->slots[i];

        if (block->hash == hash && block->length == length
            && memcmp(block->bytes, bytes, length) == 0)
            break;
    }
    return &table->slots[i];
}

static enum mq_result grow(struct mq_interned *table, struct mq_error *error)
{
    struct mq_interned larger = *table;

    larger.slot_count = table->slot_count > 0 ? 2 * table->slot_count
                                              : fewest_slots;
    larger.seed = table->slot_count > 0 ? table->seed : mq_seed();
    larger.slots = calloc(larger.slot_count, sizeof larger.slots[0]);
    if (larger.slots == NULL)
        return mq_fail_memory(error, "keeping what was found");
    for (size_t i = 0; i < table->slot_count; i++) {
        struct mq_interned_block *block = table->slots[i];

        if (block != NULL)
            *slot_of(&larger, block->hash, block->bytes, block->length) = block;
    }
    free(table->slots);
    *table = larger;
    return mq_ok;
}

enum mq_result mq_intern(struct mq_interned *table, const void *bytes,
                         size_t length, struct mq_error *error,
                         const void **copy)
{
    struct mq_interned_block **slot;
    uint64_t hash;

    if (2 * table->used >= table->slot_count
        && grow(table, error) != mq_ok)
        return mq_failed;
    hash = mq_hash_bytes(table->seed, bytes, length);   /* nobody knows it */
    hash ^= hash >> 32;
    slot = slot_of(table, hash, bytes, length);
    if (*slot == NULL) {
        struct mq_interned_block *block = malloc(sizeof *block + length);

        if (block == NULL)
            return mq_fail_memory(error, "keeping what was found");
        block->length = length;
        block->hash = hash;
        memcpy(block->bytes, bytes, length);
        *slot = block;
        table->used++;
        table->size += length;
    }
    *copy = (*slot)->bytes;
    return mq_ok;
}

void mq_interned_deinit(struct mq_interned *table)
{
    for (size_t i = 0; i < table->slot_count; i++)
        free(table->slots[i]);
    free(table->slots);
    memset(table, 0, sizeof *table);
}
