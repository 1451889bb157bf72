/* test_array.c - growing arrays */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"
#include "tests/kit/harness.h"

static void test_growing(void)
{
    size_t room = 0, moves = 0, count = 0;
    int *items = NULL, sum = 0;

    test("an array of a thousand, one by one");
    for (int i = 0; i < 1000; i++) {
        size_t before = room;

        if (!CHECK_INT(mq_array_add(&items, sizeof *items, &count, &room, &i,
                                    "testing", NULL), mq_ok))
            break;
        moves += room != before;
    }
    while (count > 0)
        sum += items[--count];
    CHECK_INT(sum, 499500);
    CHECK_AT_MOST(moves, 16);
    free(items);
}

static void test_many_at_once(void)
{
    size_t room = 0;
    char *items = NULL;

    test("room for many at once");
    CHECK_INT(mq_array_reserve(&items, 1, 5000, &room, "testing", NULL),
              mq_ok);
    CHECK(room >= 5000);
    free(items);
}

static void test_too_large(void)
{
    struct mq_error error = { "" };
    double *items = NULL;
    size_t room = 0;

    test("more bytes than there can be");
    CHECK_INT(mq_array_reserve(&items, sizeof *items, SIZE_MAX / 4, &room,
                               "testing", &error), mq_failed);
    CHECK(items == NULL);
    CHECK_INT(room, 0);
    CHECK_CONTAINS(error.text, "memory");
}

struct named_begin {
    char name;
    uint64_t begin;
};

static void test_upto(void)
{
    static const struct named_begin sorted[] = {
        { 'a', 10 }, { 'b', 20 }, { 'c', 20 }, { 'd', UINT64_MAX }
    };
    static const struct { uint64_t value; size_t count; } rows[] = {
        { 0, 0 }, { 9, 0 }, { 10, 1 }, { 19, 1 }, { 20, 3 },
        { UINT64_MAX - 1, 3 }, { UINT64_MAX, 4 }
    };
    const size_t place = offsetof(struct named_begin, begin);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test("how many are not above %llu", (unsigned long long)rows[i].value);
        CHECK_INT(mq_array_upto(sorted, 4, sizeof sorted[0], place,
                                rows[i].value), rows[i].count);
        CHECK_INT(mq_array_upto(NULL, 0, sizeof sorted[0], place,
                                rows[i].value), 0);
    }
}

int main(void)
{
    test_upto();
    test_growing();
    test_many_at_once();
    test_too_large();
    return tests_end();
}
