/* spans.h - sets of ranks as people write them: 0-3,7 */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_SPANS_H
#define MQ_SPANS_H

#include <stdbool.h>
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

/* Reads ranks and spans of ranks between commas, in any order. */
enum mq_result mq_spans_parse(const char *text, struct mq_error *,
                              struct mq_spans *spans);

/* From COUNT ranks in ascending order; a rank may come again. */
enum mq_result mq_spans_of(const int *ranks, size_t count, struct mq_error *,
                           struct mq_spans *spans);

void mq_spans_deinit(struct mq_spans *spans);

bool mq_spans_hold(const struct mq_spans *, int rank);
size_t mq_spans_ranks(const struct mq_spans *);

#endif
