/* spans.c - sets of ranks as sorted spans */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/spans.h"

#include <stdlib.h>
#include <string.h>

void mq_spans_deinit(struct mq_spans *spans)
{
    free(spans->spans);
    spans->spans = NULL;
    spans->count = 0;
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

enum mq_result mq_spans_copy(const struct mq_spans *spans,
                             struct mq_error *error, struct mq_spans *copy)
{
    struct mq_spans made = { spans->count, NULL };

    made.spans = malloc((spans->count + 1) * sizeof made.spans[0]);
    if (made.spans == NULL)
        return mq_fail_memory(error, "listing ranks");
    if (spans->count > 0)
        memcpy(made.spans, spans->spans, spans->count * sizeof made.spans[0]);
    *copy = made;
    return mq_ok;
}

size_t mq_spans_ranks(const struct mq_spans *spans)
{
    size_t ranks = 0;

    for (size_t i = 0; i < spans->count; i++)
        ranks += (size_t)(spans->spans[i].last - spans->spans[i].first) + 1;
    return ranks;
}
