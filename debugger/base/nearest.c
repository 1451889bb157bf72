/* nearest.c - closest match for a misspelled name */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/nearest.h"

#include <stdint.h>
#include <string.h>

enum {
    longest = 31,               /* words that are longer are like no name */
    shortest_beginning = 3,
    characters_a_slip = 3       /* one slip is allowed for so many of them */
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The distance of Damerau and Levenshtein, a row for each character of WORD. */
static size_t distance(const char *word, size_t length, const char *name,
                       size_t name_length)
{
    size_t rows[3][longest + 1];

    for (size_t j = 0; j <= name_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= length; i++) {
        const size_t *above = rows[(i - 1) % 3], *second = rows[(i + 1) % 3];
        size_t *row = rows[i % 3];

        row[0] = i;
        for (size_t j = 1; j <= name_length; j++) {
            row[j] = least(above[j], row[j - 1]) + 1;
            row[j] = least(row[j], above[j - 1] + (word[i - 1] != name[j - 1]));
            if (i > 1 && j > 1 && word[i - 1] == name[j - 2]
                && word[i - 2] == name[j - 1])
                row[j] = least(row[j], second[j - 2] + 1);
        }
    }
    return rows[length % 3][name_length];
}

size_t mq_slips(const char *word, size_t length, const char *name)
{
    size_t name_length = strlen(name), common = least(length, name_length);
    size_t slips;

    if (length > longest || name_length > longest)
        return SIZE_MAX;
    if (common >= shortest_beginning && memcmp(word, name, common) == 0)
        return 0;
    slips = distance(word, length, name, name_length);
    return slips * characters_a_slip <= length ? slips : SIZE_MAX;
}
