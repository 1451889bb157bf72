/* map.h - hash map from pairs of numbers to numbers
 *
 * Keys may be chosen to make the table slow; in which slots they fall differs
 * from map to map, so the order of slots means nothing.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MAP_H
#define MQ_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct mq_key {
    uint64_t a;
    uint64_t b;
};

struct mq_map_slot {
    struct mq_key key;
    uint32_t value;
    uint32_t used;
};

/* All zero is an empty map. */
struct mq_map {
    size_t count;
    size_t capacity;            /* a power of two, or 0 */
    struct mq_map_slot *slots;
    uint64_t seed;
};

/* Finds KEY, or adds it with NEW_VALUE.  The value can be changed through
 * *VALUE until the next addition.
 */
enum mq_result mq_map_add(struct mq_map *, struct mq_key key,
                          uint32_t new_value, struct mq_error *,
                          uint32_t **value);

/* The value of KEY, or null. */
uint32_t *mq_map_find(const struct mq_map *, struct mq_key key);

/* Forgets all keys but keeps the memory for the next ones. */
void mq_map_empty(struct mq_map *);

/* Gives the memory back; the map is empty again. */
void mq_map_deinit(struct mq_map *);

#endif
