/* test_map.c - hash map, also with adversarial keys */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>

#include "base/map.h"
#include "tests/kit/harness.h"

enum { many = 100000 };

static void check_find(void)
{
    struct mq_map map = { 0 };
    uint32_t i, wrong = 0, *value;

    test("what was added is found");
    for (i = 0; i < many; i++) {
        struct mq_key key = { i / 7, i % 7 };

        if (mq_map_add(&map, key, i, NULL, &value) != mq_ok)
            exit(2);
    }
    CHECK_INT(map.count, many);
    for (i = 0; i < many; i++) {
        struct mq_key key = { i / 7, i % 7 };

        value = mq_map_find(&map, key);
        wrong += value == NULL || *value != i;
    }
    CHECK_INT(wrong, 0);
    CHECK(mq_map_find(&map, (struct mq_key){ many, 0 }) == NULL);
    mq_map_empty(&map);
    CHECK_INT(map.count, 0);
    CHECK(mq_map_find(&map, (struct mq_key){ 0, 0 }) == NULL);
    mq_map_deinit(&map);
}

/* The most slots that stand in a row: how far a look-up may have to go. */
static size_t longest_row(const struct mq_map *map)
{
    size_t i, row = 0, longest = 0;

    for (i = 0; i < map->capacity; i++) {
        row = map->slots[i].used ? row + 1 : 0;
        if (row > longest)
            longest = row;
    }
    return longest;
}

/* Keys that a hash without a secret puts into one slot, by its own formula. */
static void check_flood(void)
{
    struct mq_map map = { 0 };
    uint32_t i, *value;

    test("keys that were chosen to collide");
    for (i = 0; i < many; i++) {
        uint64_t h = i * 0x9e3779b97f4a7c15u;
        struct mq_key key = { i, h ^ h >> 29 ^ 4711 };

        if (mq_map_add(&map, key, i, NULL, &value) != mq_ok)
            exit(2);
    }
    CHECK_AT_MOST(longest_row(&map), 400);
    mq_map_deinit(&map);
}

/* Regular keys, as ranks and tags are. */
static void check_regular(void)
{
    static const unsigned shifts[] = { 0, 8, 16, 32, 40 };
    uint32_t i, *value;
    size_t k;

    for (k = 0; k < sizeof shifts / sizeof shifts[0]; k++) {
        struct mq_map map = { 0 };

        test("multiples of 2 to the power of %u", shifts[k]);
        for (i = 0; i < many; i++) {
            struct mq_key key = { (uint64_t)i << shifts[k],
                                  (uint64_t)i << shifts[k] };

            if (mq_map_add(&map, key, i, NULL, &value) != mq_ok)
                exit(2);
        }
        CHECK_AT_MOST(longest_row(&map), 400);
        mq_map_deinit(&map);
    }
}

int main(void)
{
    check_find();
    check_flood();
    check_regular();
    return tests_end();
}
