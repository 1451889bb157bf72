/* rank_choice.c - rank lists of users: 0-3,7 or, of world 1, 1:0-3 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/rank_choice.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "model/worlds.h"

void mq_rank_choice_deinit(struct mq_rank_choice *choice)
{
    free(choice->spans);
    choice->spans = NULL;
    choice->count = 0;
}

/* ---- Reading ------------------------------------------------------------ */

static bool read_rank(const char **text, int *rank)
{
    uint64_t value = 0;

    if (mq_number_read(text, INT_MAX - 1, &value) != mq_number_ok)
        return false;
    *rank = (int)value;
    return true;
}

/* Reads "[WORLD:]FIRST[-LAST]". */
static bool read_span(const char **text, struct mq_rank_span *span)
{
    span->world = -1;
    if (!read_rank(text, &span->first))
        return false;
    if (**text == ':') {
        span->world = span->first;
        (*text)++;
        if (!read_rank(text, &span->first))
            return false;
    }
    span->last = span->first;
    if (**text == '-' && ((*text)++, !read_rank(text, &span->last)))
        return false;
    return span->first <= span->last;
}

static int compare_spans(const void *left, const void *right)
{
    const struct mq_rank_span *l = left, *r = right;

    if (l->world != r->world)
        return l->world < r->world ? -1 : 1;
    return l->first < r->first ? -1 : l->first > r->first;
}

/* Sorts, and joins what touches. */
static void tidy(struct mq_rank_choice *choice)
{
    size_t kept = 0;

    qsort(choice->spans, choice->count, sizeof choice->spans[0],
          compare_spans);
    for (size_t i = 1; i < choice->count; i++) {
        struct mq_rank_span *last = &choice->spans[kept];
        const struct mq_rank_span *next = &choice->spans[i];

        if (next->world != last->world || next->first > last->last + 1)
            choice->spans[++kept] = *next;
        else if (next->last > last->last)
            last->last = next->last;
    }
    choice->count = kept + 1;
}

enum mq_result mq_rank_choice_parse(const char *text, struct mq_error *error,
                                    struct mq_rank_choice *choice)
{
    struct mq_rank_choice made = { 0, NULL };
    const char *at = text;

    made.spans = malloc((strlen(text) / 2 + 1) * sizeof made.spans[0]);
    if (made.spans == NULL)
        return mq_fail_memory(error, "reading a list of ranks");
    while (read_span(&at, &made.spans[made.count])) {
        made.count++;
        if (*at == '\0') {
            tidy(&made);
            *choice = made;
            return mq_ok;
        }
        if (*at++ != ',')
            break;
    }
    mq_rank_choice_deinit(&made);
    return mq_fail(error, "'%s' is not a list of ranks such as 0-3,7 or, of "
                   "world 1, 1:0-3,1:7", text);
}

/* ---- Asking -------------------------------------------------------------- */

static bool holds(const struct mq_rank_choice *choice, int world, int rank)
{
    size_t low = 0, high = choice->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct mq_rank_span *span = &choice->spans[middle];

        if (span->world < world
            || (span->world == world && span->last < rank))
            low = middle + 1;
        else
            high = middle;
    }
    return low < choice->count && choice->spans[low].world == world
           && choice->spans[low].first <= rank;
}

bool mq_rank_choice_has(const struct mq_rank_choice *choice,
                          const struct mq_job *job, int rank)
{
    int own = rank, world = mq_worlds_find(job, rank, &own);

    return choice->count == 0 || holds(choice, -1, rank)
           || holds(choice, world >= 0 ? world : 0, own);
}
