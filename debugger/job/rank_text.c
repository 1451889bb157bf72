#include "job/rank_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Growing texts ---------------------------------------------------- */

static bool make_room(struct mq_words *words, size_t needed)
{
    size_t room = words->room;
    char *larger;

    if (needed <= room)
        return true;
    while (room < needed)
        room = room + room / 2 + 128;
    larger = realloc(words->text, room);
    if (larger == NULL) {
        words->failed = true;
        return false;
    }
    words->text = larger;
    words->room = room;
    return true;
}

void mq_words_add(struct mq_words *words, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || !make_room(words, words->length + (size_t)length + 1))
        return;
    va_start(arguments, format);
    vsnprintf(words->text + words->length, (size_t)length + 1, format,
              arguments);
    va_end(arguments);
    words->length += (size_t)length;
}

void mq_words_empty(struct mq_words *words)
{
    words->length = 0;
    if (words->room > 0)
        words->text[0] = '\0';
}

void mq_words_clear(struct mq_words *words)
{
    free(words->text);
    memset(words, 0, sizeof *words);
}

const char *mq_words_text(const struct mq_words *words)
{
    return words->text != NULL ? words->text : "";
}

/* ---- Ranks ------------------------------------------------------------ */

enum {
    single_ranks = 8,           /* so many are named one by one */
    most_stretches = 12
};

static void add_span(struct mq_words *words, const struct mq_span *span)
{
    if (span->first == span->last)
        mq_words_add(words, "%d", span->first);
    else
        mq_words_add(words, "%d-%d", span->first, span->last);
}

/* Stretches between commas, cut where they are too many. */
static void add_spans(struct mq_words *words, const struct mq_spans *spans)
{
    for (size_t i = 0; i < spans->count; i++) {
        if (i == most_stretches) {
            mq_words_add(words, ", ..., %zu in all", mq_spans_ranks(spans));
            return;
        }
        mq_words_add(words, "%s", i > 0 ? ", " : "");
        add_span(words, &spans->spans[i]);
    }
}

void mq_words_spans(struct mq_words *words, const struct mq_spans *spans)
{
    size_t ranks = mq_spans_ranks(spans);
    const char *comma = "";

    mq_words_add(words, ranks == 1 ? "rank " : "ranks ");
    if (ranks > single_ranks) {
        add_spans(words, spans);
        return;
    }
    for (size_t i = 0; i < spans->count; i++)
        for (int rank = spans->spans[i].first; rank <= spans->spans[i].last;
             rank++) {
            mq_words_add(words, "%s%d", comma, rank);
            comma = ", ";
        }
}

void mq_words_ranks(struct mq_words *words, const int *ranks, size_t count)
{
    struct mq_spans spans;

    if (mq_spans_of(ranks, count, NULL, &spans) != mq_ok) {
        words->failed = true;
        return;
    }
    mq_words_spans(words, &spans);
    mq_spans_clear(&spans);
}

static int compare_ints(const void *left, const void *right)
{
    const int *l = left, *r = right;

    return *l < *r ? -1 : *l > *r;
}

void mq_words_sorted(struct mq_words *words, int *ranks, size_t count)
{
    qsort(ranks, count, sizeof *ranks, compare_ints);
    mq_words_ranks(words, ranks, count);
}

void mq_words_folded(struct mq_words *words, int *ranks, size_t count)
{
    struct mq_spans spans;

    qsort(ranks, count, sizeof *ranks, compare_ints);
    if (mq_spans_of(ranks, count, NULL, &spans) != mq_ok) {
        words->failed = true;
        return;
    }
    mq_words_add(words, "ranks [");
    add_spans(words, &spans);
    mq_words_add(words, "]");
    mq_spans_clear(&spans);
}

void mq_words_span_list(struct mq_words *words, const struct mq_spans *spans)
{
    for (size_t i = 0; i < spans->count; i++) {
        mq_words_add(words, "%s", i > 0 ? "," : "");
        add_span(words, &spans->spans[i]);
    }
}

void mq_words_group(struct mq_words *words, const struct mq_group *group)
{
    for (size_t i = 0; i < group->run_count; i++) {
        const struct mq_run *run = &group->runs[i];
        long long last = run->first + (run->count - 1) * (long long)run->step;

        mq_words_add(words, "%s%" PRId32, i > 0 ? "," : "", run->first);
        if (run->count == 2 && run->step != 1)
            mq_words_add(words, ",%lld", last);
        else if (run->count > 1)
            mq_words_add(words, "-%lld", last);
        if (run->count > 2 && run->step != 1)
            mq_words_add(words, "/%" PRId32, run->step);
    }
}

void mq_words_rank(struct mq_words *words, const struct mq_process *process)
{
    mq_words_add(words, "rank %d", process->rank);
    if (process->call != NULL && strcmp(process->call, "-") != 0)
        mq_words_add(words, " in %s", process->call);
}
