/* Ranks and groups in sentences. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/rank_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum {
    single_ranks = 8,           /* so many are named one by one */
    most_spans = 12
};

static void add_span(struct mq_strbuf *words, const struct mq_span *span)
{
    if (span->first == span->last)
        mq_strbuf_add(words, "%d", span->first);
    else
        mq_strbuf_add(words, "%d-%d", span->first, span->last);
}

/* Spans between commas, cut where they are too many. */
static void add_spans(struct mq_strbuf *words, const struct mq_spans *spans)
{
    for (size_t i = 0; i < spans->count; i++) {
        if (i == most_spans) {
            mq_strbuf_add(words, ", ..., %zu in all", mq_spans_ranks(spans));
            return;
        }
        mq_strbuf_add(words, "%s", i > 0 ? ", " : "");
        add_span(words, &spans->spans[i]);
    }
}

void mq_rank_text_spans(struct mq_strbuf *words, const struct mq_spans *spans)
{
    size_t ranks = mq_spans_ranks(spans);
    const char *comma = "";

    mq_strbuf_add(words, ranks == 1 ? "rank " : "ranks ");
    if (ranks > single_ranks) {
        add_spans(words, spans);
        return;
    }
    for (size_t i = 0; i < spans->count; i++)
        for (int rank = spans->spans[i].first; rank <= spans->spans[i].last;
             rank++) {
            mq_strbuf_add(words, "%s%d", comma, rank);
            comma = ", ";
        }
}

void mq_rank_text_ranks(struct mq_strbuf *words, const int *ranks, size_t count)
{
    struct mq_spans spans;

    if (mq_spans_of(ranks, count, NULL, &spans) != mq_ok) {
        words->failed = true;
        return;
    }
    mq_rank_text_spans(words, &spans);
    mq_spans_deinit(&spans);
}

void mq_rank_text_sorted(struct mq_strbuf *words, int *ranks, size_t count)
{
    qsort(ranks, count, sizeof *ranks, mq_compare_ints);
    mq_rank_text_ranks(words, ranks, count);
}

void mq_rank_text_folded(struct mq_strbuf *words, int *ranks, size_t count)
{
    struct mq_spans spans;

    qsort(ranks, count, sizeof *ranks, mq_compare_ints);
    if (mq_spans_of(ranks, count, NULL, &spans) != mq_ok) {
        words->failed = true;
        return;
    }
    mq_strbuf_add(words, "ranks [");
    add_spans(words, &spans);
    mq_strbuf_add(words, "]");
    mq_spans_deinit(&spans);
}

void mq_rank_text_span_list(struct mq_strbuf *words, const struct mq_spans *spans)
{
    for (size_t i = 0; i < spans->count; i++) {
        mq_strbuf_add(words, "%s", i > 0 ? "," : "");
        add_span(words, &spans->spans[i]);
    }
}

void mq_rank_text_group(struct mq_strbuf *words, const struct mq_group *group)
{
    for (size_t i = 0; i < group->run_count; i++) {
        const struct mq_run *run = &group->runs[i];
        long long last = run->first + (run->count - 1) * (long long)run->step;

        mq_strbuf_add(words, "%s%" PRId32, i > 0 ? "," : "", run->first);
        if (run->step == 0 && run->count > 1) {
            mq_strbuf_add(words, "x%" PRId32, run->count);
            continue;
        }
        if (run->count == 2 && run->step != 1)
            mq_strbuf_add(words, ",%lld", last);
        else if (run->count > 1)
            mq_strbuf_add(words, "-%lld", last);
        if (run->count > 2 && run->step != 1)
            mq_strbuf_add(words, "/%" PRId32, run->step);
    }
}

void mq_rank_text_rank(struct mq_strbuf *words, const struct mq_process *process)
{
    mq_strbuf_add(words, "rank %d", process->rank);
    if (process->call != NULL && strcmp(process->call, "-") != 0)
        mq_strbuf_add(words, " in %s", process->call);
}
