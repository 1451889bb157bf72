/* Arrays that grow: what stays, what moves rarely, and what is refused. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"
#include "tests/harness.h"

static void test_growing(void)
{
    size_t room = 0, moves = 0, count;
    int *items = NULL, sum = 0;

    test("an array of a thousand, one by one");
    for (count = 0; count < 1000; count++) {
        size_t before = room;

        if (!CHECK_INT(mq_array_reserve(&items, sizeof *items, count + 1,
                                        &room, "testing", NULL), mq_ok))
            break;
        items[count] = (int)count;
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

int main(void)
{
    test_growing();
    test_many_at_once();
    test_too_large();
    return tests_end();
}
