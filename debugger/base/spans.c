/* Sets of ranks as sorted spans. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/spans.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

void mq_spans_deinit(struct mq_spans *spans)
{
    free(spans->spans);
    spans->spans = NULL;
    spans->count = 0;
}

static bool read_rank(const char **text, int *rank)
{
    uint64_t value = 0;

    if (mq_number_read(text, INT_MAX - 1, &value) != mq_number_ok)
        return false;
    *rank = (int)value;
    return true;
}

static int compare_spans(const void *left, const void *right)
{
    const struct mq_span *l = left, *r = right;

    return l->first < r->first ? -1 : l->first > r->first;
}

/* Sorts, and joins what touches. */
static void tidy(struct mq_spans *spans)
{
    size_t kept = 0;

    if (spans->count == 0)
        return;
    qsort(spans->spans, spans->count, sizeof spans->spans[0], compare_spans);
    for (size_t i = 1; i < spans->count; i++) {
        struct mq_span *last = &spans->spans[kept];

        if (spans->spans[i].first > last->last + 1)
            spans->spans[++kept] = spans->spans[i];
        else if (spans->spans[i].last > last->last)
            last->last = spans->spans[i].last;
    }
    spans->count = kept + 1;
}

enum mq_result mq_spans_parse(const char *text, struct mq_error *error,
                              struct mq_spans *spans)
{
    struct mq_spans made = { 0, NULL };
    const char *at = text;

    made.spans = malloc((strlen(text) / 2 + 1) * sizeof made.spans[0]);
    if (made.spans == NULL)
        return mq_fail_memory(error, "reading a list of ranks");
    for (;; at++) {
        struct mq_span span;

        if (!read_rank(&at, &span.first))
            break;
        span.last = span.first;
        if (*at == '-' && (at++, !read_rank(&at, &span.last)))
            break;
        if (span.last < span.first)
            break;
        made.spans[made.count++] = span;
        if (*at == '\0') {
            tidy(&made);
            *spans = made;
            return mq_ok;
        }
        if (*at != ',')
            break;
    }
    mq_spans_deinit(&made);
    return mq_fail(error, "'%s' is not a list of ranks such as 0-3,7", text);
}

enum mq_result mq_spans_of(const int *ranks, size_t count,
                           struct mq_error *error, struct mq_spans *spans)
{
    struct mq_spans made = { 0, NULL };
    size_t needed = 1;

    for (size_t i = 1; i < count; i++)
        needed += ranks[i] > ranks[i - 1] + 1;
    made.spans = malloc(needed * sizeof made.spans[0]);
    if (made.spans == NULL)
        return mq_fail_memory(error, "listing ranks");
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || ranks[i] > ranks[i - 1] + 1)
            made.spans[made.count++] =
                (struct mq_span){ ranks[i], ranks[i] };
        else
            made.spans[made.count - 1].last = ranks[i];
    }
    *spans = made;
    return mq_ok;
}

bool mq_spans_hold(const struct mq_spans *spans, int rank)
{
    size_t low = 0, high = spans->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (rank > spans->spans[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < spans->count && rank >= spans->spans[low].first;
}

size_t mq_spans_ranks(const struct mq_spans *spans)
{
    size_t ranks = 0;

    for (size_t i = 0; i < spans->count; i++)
        ranks += (size_t)(spans->spans[i].last - spans->spans[i].first) + 1;
    return ranks;
}
