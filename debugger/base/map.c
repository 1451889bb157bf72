/* map.c - hash map from pairs of numbers to numbers */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* Both factors are secret and odd, so that no keys can be found that fall into
 * the same slots of every map.
 */
static uint64_t hash(const struct mq_map *map, struct mq_key key)
{
    uint64_t h = (key.a ^ map->seed) * map->seed;

    h = (h ^ h >> 29 ^ key.b) * (map->seed * 0x9e3779b97f4a7c15u);
    h = (h ^ h >> 32) * 0xbf58476d1ce4e5b9u;
    return h ^ h >> 32;
}

/* The slot that holds KEY, or the free one where it belongs. */
static struct mq_map_slot *slot_of(const struct mq_map *map, struct mq_key key)
{
    size_t mask = map->capacity - 1;
    size_t i = (size_t)hash(map, key) & mask;

    while (map->slots[i].used
           && (map->slots[i].key.a != key.a || map->slots[i].key.b != key.b))
        i = (i + 1) & mask;
    return &map->slots[i];
}

static enum mq_result grow(struct mq_map *map, struct mq_error *error)
{
    struct mq_map larger = { map->count, 0, NULL, 0 };

    larger.seed = map->seed != 0 ? map->seed : mq_seed();
    larger.capacity = map->capacity ? 2 * map->capacity : 16;
    larger.slots = calloc(larger.capacity, sizeof larger.slots[0]);
    if (larger.slots == NULL)
        return mq_fail_memory(error, "making a table larger");
    for (size_t i = 0; i < map->capacity; i++)
        if (map->slots[i].used)
            *slot_of(&larger, map->slots[i].key) = map->slots[i];
    free(map->slots);
    *map = larger;
    return mq_ok;
}

enum mq_result mq_map_add(struct mq_map *map, struct mq_key key,
                          uint32_t new_value, struct mq_error *error,
                          uint32_t **value)
{
    struct mq_map_slot *slot;

    if (4 * (map->count + 1) > 3 * map->capacity
        && grow(map, error) != mq_ok)
        return mq_failed;
    slot = slot_of(map, key);
    if (!slot->used) {
        slot->key = key;
        slot->value = new_value;
        slot->used = 1;
        map->count++;
    }
    *value = &slot->value;
    return mq_ok;
}

uint32_t *mq_map_find(const struct mq_map *map, struct mq_key key)
{
    struct mq_map_slot *slot;

    if (map->count == 0)
        return NULL;
    slot = slot_of(map, key);
    return slot->used ? &slot->value : NULL;
}

/* A table that was large once must not be wiped for every small use. */
void mq_map_empty(struct mq_map *map)
{
    if (map->count == 0)
        return;
    if (map->capacity > 64 && map->count < map->capacity / 16)
        mq_map_deinit(map);
    else
        memset(map->slots, 0, map->capacity * sizeof map->slots[0]);
    map->count = 0;
}

void mq_map_deinit(struct mq_map *map)
{
    free(map->slots);
    memset(map, 0, sizeof *map);
}
