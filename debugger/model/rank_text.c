/* rank_text.c - ranks and groups as text */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/rank_text.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/number.h"
#include "model/worlds.h"

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

/* The part of SPAN in the world of its first rank, as ranks there; and "1:" for
 * that world.
 */
static struct mq_span take_part(struct mq_strbuf *words,
                                const struct mq_job *job, struct mq_span *span)
{
    struct mq_span part = *span;
    int rank, world = mq_worlds_find(job, span->first, &rank);

    if (world >= 0) {
        const struct mq_world *it = &job->worlds[world];

        mq_strbuf_add(words, "%d:", world);
        if (part.last >= it->first + it->size)
            part.last = it->first + it->size - 1;
        span->first = part.last + 1;
        part.first -= it->first;
        part.last -= it->first;
    } else
        span->first = part.last + 1;
    return part;
}

/* Spans between commas, cut where they are too many. */
static void add_spans(struct mq_strbuf *words, const struct mq_job *job,
                      const struct mq_spans *spans)
{
    size_t count = 0;

    for (size_t i = 0; i < spans->count; i++) {
        struct mq_span rest = spans->spans[i], part;

        while (rest.first <= rest.last) {
            if (count == most_spans) {
                mq_strbuf_add(words, ", ..., %zu in all",
                              mq_spans_ranks(spans));
                return;
            }
            mq_strbuf_add(words, "%s", count++ > 0 ? ", " : "");
            part = take_part(words, job, &rest);
            add_span(words, &part);
        }
    }
}

void mq_rank_text_short(struct mq_strbuf *words, const struct mq_job *job,
                        int64_t rank)
{
    int own, world = mq_worlds_find(job, rank, &own);

    if (world >= 0)
        mq_strbuf_add(words, "%d:%d", world, own);
    else
        mq_strbuf_add(words, "%" PRId64, rank);
}

void mq_rank_text_one(struct mq_strbuf *words, const struct mq_job *job,
                      int64_t rank)
{
    int own, world = mq_worlds_find(job, rank, &own);

    if (world >= 0)
        mq_strbuf_add(words, "rank %d of world %d", own, world);
    else
        mq_strbuf_add(words, "rank %" PRId64, rank);
}

void mq_rank_text_spans(struct mq_strbuf *words, const struct mq_job *job,
                        const struct mq_spans *spans)
{
    size_t ranks = mq_spans_ranks(spans);
    const char *comma = "";

    if (ranks == 1) {
        mq_rank_text_one(words, job, spans->spans[0].first);
        return;
    }
    mq_strbuf_add(words, "ranks ");
    if (ranks > single_ranks) {
        add_spans(words, job, spans);
        return;
    }
    for (size_t i = 0; i < spans->count; i++)
        for (int rank = spans->spans[i].first; rank <= spans->spans[i].last;
             rank++) {
            mq_strbuf_add(words, "%s", comma);
            mq_rank_text_short(words, job, rank);
            comma = ", ";
        }
}

void mq_rank_text_ranks(struct mq_strbuf *words, const struct mq_job *job,
                        const int *ranks, size_t count)
{
    struct mq_spans spans;

    if (mq_spans_of(ranks, count, NULL, &spans) != mq_ok) {
        words->failed = true;
        return;
    }
    mq_rank_text_spans(words, job, &spans);
    mq_spans_deinit(&spans);
}

void mq_rank_text_sorted(struct mq_strbuf *words, const struct mq_job *job,
                         int *ranks, size_t count)
{
    qsort(ranks, count, sizeof *ranks, mq_compare_ints);
    mq_rank_text_ranks(words, job, ranks, count);
}

void mq_rank_text_folded(struct mq_strbuf *words, const struct mq_job *job,
                         int *ranks, size_t count)
{
    struct mq_spans spans;

    qsort(ranks, count, sizeof *ranks, mq_compare_ints);
    if (mq_spans_of(ranks, count, NULL, &spans) != mq_ok) {
        words->failed = true;
        return;
    }
    mq_strbuf_add(words, "ranks [");
    add_spans(words, job, &spans);
    mq_strbuf_add(words, "]");
    mq_spans_deinit(&spans);
}

void mq_rank_text_span_list(struct mq_strbuf *words,
                            const struct mq_spans *spans)
{
    for (size_t i = 0; i < spans->count; i++) {
        mq_strbuf_add(words, "%s", i > 0 ? "," : "");
        add_span(words, &spans->spans[i]);
    }
}

/* The last rank behind the FIRST, whose world is not named once more. */
static void add_last(struct mq_strbuf *words, const struct mq_job *job,
                     int64_t first, int64_t last)
{
    int own, unused, world = mq_worlds_find(job, last, &own);

    if (world >= 0 && mq_worlds_find(job, first, &unused) == world)
        mq_strbuf_add(words, "%d", own);
    else
        mq_rank_text_short(words, job, last);
}

void mq_rank_text_run(struct mq_strbuf *words, const struct mq_job *job,
                      const struct mq_run *run)
{
    int64_t last = run->first + (run->count - 1) * (int64_t)run->step;

    mq_rank_text_short(words, job, run->first);
    if (run->step == 0 && run->count > 1) {
        mq_strbuf_add(words, "x%" PRId32, run->count);
        return;
    }
    if (run->count == 2 && run->step != 1) {
        mq_strbuf_add(words, ",");
        mq_rank_text_short(words, job, last);
    } else if (run->count > 1) {
        mq_strbuf_add(words, "-");
        add_last(words, job, run->first, last);
    }
    if (run->count > 2 && run->step != 1)
        mq_strbuf_add(words, "/%" PRId32, run->step);
}

void mq_rank_text_members(struct mq_strbuf *words, const struct mq_job *job,
                          const struct mq_group *group)
{
    for (size_t i = 0; i < group->run_count; i++) {
        mq_strbuf_add(words, "%s", i > 0 ? "," : "");
        mq_rank_text_run(words, job, &group->runs[i]);
    }
}

void mq_rank_text_group(struct mq_strbuf *words, const struct mq_group *group)
{
    static const struct mq_job one_world;

    mq_rank_text_members(words, &one_world, group);
}
