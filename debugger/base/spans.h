/* spans.h - sets of ranks as sorted spans */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_SPANS_H
#define MQ_SPANS_H

#include <stddef.h>

#include "base/error.h"

struct mq_span {
    int first;
    int last;
};

/* Ascending, and none touches the next. */
struct mq_spans {
    size_t count;
    struct mq_span *spans;
};

/* From COUNT ranks in ascending order; a rank may come again. */
enum mq_result mq_spans_of(const int *ranks, size_t count, struct mq_error *,
                           struct mq_spans *spans);

enum mq_result mq_spans_copy(const struct mq_spans *, struct mq_error *,
                             struct mq_spans *copy);

void mq_spans_deinit(struct mq_spans *spans);

size_t mq_spans_ranks(const struct mq_spans *);

#endif
