/* test_resource.c - resources as text: round trip, and refusals */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "model/resource.h"
#include "tests/kit/harness.h"

static char *written(const struct mq_resource *resource)
{
    size_t length;
    char *text;
    FILE *stream = open_memstream(&text, &length);

    if (stream == NULL)
        exit(2);
    mq_resource_write(resource, stream);
    fclose(stream);
    text[length - 1] = '\0';
    return text;
}

static void check_kinds(void)
{
    static const char *const texts[] = { NULL, "pipe:[17]", "a b, %c" };

    for (int i = 0; i < mq_resource_kinds * mq_holders; i++) {
        struct mq_resource it = {
            .kind = (enum mq_resource_kind)(i % mq_resource_kinds),
            .holder = (enum mq_holder)(i / mq_resource_kinds),
            .rank = i - 1, .process = i == 7 ? INT32_MAX : i, .thread = 3 * i,
            .name = texts[i % 3], .activity = texts[(i + 1) % 3]
        }, again = { .rank = 77 };
        char *text = written(&it), *at = text;

        test("%s", text);
        CHECK_INT(mq_resource_take(&at, NULL, &again), mq_ok);
        CHECK_INT(again.kind, it.kind);
        CHECK_INT(again.holder, it.holder);
        CHECK_INT(again.rank, it.rank);
        CHECK_INT(again.process, it.process);
        CHECK_INT(again.thread, it.thread);
        CHECK_STRING(again.name, it.name);
        CHECK_STRING(again.activity, it.activity);
        free(text);
    }
}

static void check_damage(void)
{
    static const char *const damaged[] = {
        "", "mutex", "mutex thread", "mutex thread 1 2",
        "lock thread 1 2 3 % %",
        "mutex owner 1 2 3 % %", "mutex thread -2 2 3 % %",
        "mutex thread 1 -1 3 % %", "mutex thread 1 2 2147483648 % %"
    };

    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        struct mq_resource it = { .rank = 77 };
        struct mq_error error = { "" };
        char text[64], *at = text;

        test("'%s'", damaged[i]);
        strcpy(text, damaged[i]);
        CHECK_INT(mq_resource_take(&at, &error, &it), mq_failed);
        CHECK_CONTAINS(error.text, "resource");
        CHECK_INT(it.rank, 77);
    }
}

int main(void)
{
    check_kinds();
    check_damage();
    return tests_end();
}
