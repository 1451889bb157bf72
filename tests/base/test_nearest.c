/* test_nearest.c - suggestions for misspelled names */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdint.h>
#include <string.h>

#include "base/nearest.h"
#include "tests/kit/harness.h"

int main(void)
{
    static const struct {
        const char *word, *name;
        size_t slips;
    } cases[] = {
        {"format", "format", 0},
        {"formt", "format", 1},
        {"fromat", "format", 1},
        {"formaat", "format", 1},
        {"farmet", "format", 2},
        {"for", "format", 0},
        {"formatting", "format", 0},
        {"fo", "format", SIZE_MAX},
        {"a", "b", SIZE_MAX},
        {"row", "raw", 1},
        {"ab", "ba", SIZE_MAX},
        {"", "raw", SIZE_MAX},
        {"loud", "quiet", SIZE_MAX},
        {"this-word-is-longer-than-any-name-is", "this-word", SIZE_MAX},
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test("'%s' for '%s'", cases[i].word, cases[i].name);
        CHECK(mq_slips(cases[i].word, strlen(cases[i].word),
                            cases[i].name) == cases[i].slips);
    }
    return tests_end();
}
