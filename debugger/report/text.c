/* text.c - the format text */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/operation_words.h"
#include "report/pattern.h"
#include "report/report.h"
#include "report/sections.h"
#include "report/sentences.h"

enum {
    most_causes = 4,
    most_lacks = 3,
    most_patterns = 8,
    most_alternatives = 4,      /* of what a rank waits for, */
    most_threads = 8,           /* lines of other threads, */
    most_stacks = 8,            /* of stacks, */
    most_findings = 5           /* and of one kind, unless all are asked for */
};

struct report {
    const struct mq_analysis *a;
    const struct mq_report_options *options;
    FILE *stream;
    struct mq_strbuf words;
};

/* ---- Lines ------------------------------------------------------------ */

static const char *const colours[mq_verdicts] = {
    "32", "32", "33;1", "33;1", "31;1", "31;1"
};

static void begin_colour(const struct report *r, const char *colour)
{
    if (r->options->colour)
        fprintf(r->stream, "\033[%sm", colour);
}

static void end_colour(const struct report *r)
{
    if (r->options->colour)
        fputs("\033[0m", r->stream);
}

/* Writes the words so far as a paragraph after a label, and forgets them. */
static void write_words(struct report *r, size_t indent, const char *label)
{
    fprintf(r->stream, "%*s", (int)indent, "");
    begin_colour(r, "1");
    fputs(label, r->stream);
    end_colour(r);
    mq_text_wrap(r->stream, mq_strbuf_text(&r->words), indent + strlen(label),
                 indent + 2, r->options->width);
    mq_strbuf_empty(&r->words);
}

/* How many of COUNT findings are shown. */
static size_t limit(const struct report *r, size_t count, size_t most)
{
    return r->options->all || count <= most ? count : most;
}

/* ---- Causes ----------------------------------------------------------- */

static void write_verdict(struct report *r)
{
    mq_sentence_verdict(&r->words, r->a);
    begin_colour(r, colours[r->a->verdict]);
    mq_text_wrap(r->stream, mq_strbuf_text(&r->words), 0, 0,
                 r->options->width);
    end_colour(r);
    mq_strbuf_empty(&r->words);
}

static void write_lacks(struct report *r)
{
    size_t shown = limit(r, r->a->missing_evidence.count, most_lacks);

    for (size_t i = 0; i < shown; i++) {
        mq_sentence_lack(&r->words, r->a, &r->a->missing_evidence.all[i]);
        write_words(r, 0, r->a->verdict == mq_verdict_unknown
                          ? "not known: " : "not certain: ");
    }
    mq_text_more(r->stream, 0, r->a->missing_evidence.count - shown, "reason",
                 "reasons");
}

/* The proof of the verdict, or the evidence that it lacks. */
static void write_evidence(struct report *r)
{
    if (mq_sentence_proof(&r->words, r->a))
        write_words(r, 0, "proof: ");
    if (mq_verdict_is_open(r->a))
        write_lacks(r);
}

static void write_causes(struct report *r)
{
    size_t shown = limit(r, r->a->cause_count, most_causes);
    char label[32];

    for (size_t i = mq_sentence_names_cause(r->a); i < shown; i++) {
        snprintf(label, sizeof label, "cause (%s): ",
                 mq_cause_degree(&r->a->causes[i]));
        mq_sentence_cause_ranks(&r->words, r->a, &r->a->causes[i]);
        write_words(r, 0, label);
    }
    mq_text_more(r->stream, 0, r->a->cause_count - shown, "cause", "causes");
    if (!mq_verdict_is_open(r->a))
        write_lacks(r);
}

static void write_mismatches(struct report *r)
{
    const struct mq_mismatches *all = &r->a->mismatches;
    size_t shown = limit(r, all->count, most_findings);

    /* One that leads is the headline. */
    for (size_t i = mq_sentence_mismatch_leads(r->a); i < shown; i++) {
        mq_sentence_mismatch(&r->words, r->a, &all->mismatches[i]);
        write_words(r, 0, all->mismatches[i].certain
                          ? "mismatch (certain): " : "mismatch (possible): ");
    }
    mq_text_more(r->stream, 0, all->count - shown, "mismatch", "mismatches");
}

static void write_lags(struct report *r)
{
    const struct mq_lags *lags = &r->a->lags;
    size_t shown = limit(r, lags->count, most_findings);

    for (size_t i = 0; i < shown; i++) {
        mq_sentence_lag(&r->words, r->a, &lags->all[i]);
        write_words(r, 0, "lag: ");
    }
    mq_text_more(r->stream, 0, lags->count - shown, "lag", "lags");
}

/* ---- The wait-for graph ----------------------------------------------- */

static enum mq_result write_patterns(struct report *r, struct mq_error *error)
{
    struct mq_patterns all;
    size_t shown;

    if (mq_patterns_find(r->a, error, &all) != mq_ok)
        return mq_failed;
    shown = limit(r, all.count, most_patterns);
    if (shown + 1 == all.count) /* as many lines as saying so takes */
        shown++;
    if (all.count > 0)
        fputs("who waits for whom:\n", r->stream);
    for (size_t i = 0; i < shown; i++) {
        mq_pattern_words(&r->words, r->a, &all, &all.patterns[i],
                         r->options->all ? 0 : most_alternatives);
        write_words(r, 2, "");
    }
    mq_text_more(r->stream, 2, all.count - shown, "group of waiting ranks",
                 "groups of waiting ranks");
    mq_patterns_destroy(&all);
    return mq_ok;
}

/* ---- Messages that nobody asks for ------------------------------------ */

/* Unclaimed messages of one communicator and tag, at all ranks. */
struct heap {
    size_t begin, end;          /* in an array of indices */
    uint64_t messages;
    int64_t bytes;
};

struct entry {
    uint32_t number;            /* of the communicator */
    int64_t tag;
    uint32_t index;             /* in the analysis */
};

static int compare_entries(const void *left, const void *right)
{
    const struct entry *l = left, *r = right;

    if (l->number != r->number)
        return l->number < r->number ? -1 : 1;
    if (l->tag != r->tag)
        return l->tag < r->tag ? -1 : 1;
    return l->index < r->index ? -1 : 1;
}

static int compare_heaps(const void *left, const void *right)
{
    const struct heap *l = left, *r = right;

    if (l->bytes != r->bytes)
        return l->bytes > r->bytes ? -1 : 1;
    return l->begin < r->begin ? -1 : 1;
}

static struct entry *sorted_entries(const struct mq_analysis *a, size_t *count)
{
    struct entry *entries = malloc((a->unclaimed_count + 1)
                                   * sizeof *entries);

    *count = 0;
    for (size_t i = 0; entries != NULL && i < a->unclaimed_count; i++) {
        const struct mq_operation_ref *ref = &a->unclaimed[i].first;
        struct entry *it = &entries[*count];

        if (a->unclaimed[i].is_explained)
            continue;
        it->number = mq_match_number(&a->match, ref->process,
                                     ref->communicator);
        it->tag = mq_operation_ref_operation(a->job, ref)->desired_tag;
        it->index = (uint32_t)i;
        ++*count;
    }
    if (entries != NULL)
        qsort(entries, *count, sizeof *entries, compare_entries);
    return entries;
}

static size_t gather_heaps(const struct mq_analysis *a,
                           const struct entry *entries, size_t entry_count,
                           struct heap *heaps)
{
    size_t count = 0;

    for (size_t i = 0; i < entry_count; i++) {
        const struct mq_unclaimed *it = &a->unclaimed[entries[i].index];

        if (i == 0 || entries[i].number != entries[i - 1].number
            || entries[i].tag != entries[i - 1].tag)
            heaps[count++] = (struct heap){ i, i, 0, 0 };
        heaps[count - 1].end = i + 1;
        heaps[count - 1].messages += it->messages;
        heaps[count - 1].bytes = mq_unclaimed_bytes(heaps[count - 1].bytes,
                                                    it->bytes);
    }
    qsort(heaps, count, sizeof *heaps, compare_heaps);
    return count;
}

/* Adds the ranks that hold a heap's messages, or that sent them. */
static void add_ranks(struct report *r, const struct heap *heap,
                      const struct entry *entries, bool senders)
{
    size_t count = 0;
    int *ranks = malloc((heap->end - heap->begin) * sizeof *ranks);

    if (ranks == NULL) {
        r->words.failed = true;
        return;
    }
    for (size_t i = heap->begin; i < heap->end; i++) {
        const struct mq_operation_ref *ref =
            &r->a->unclaimed[entries[i].index].first;
        int64_t sender = mq_operation_ref_operation(r->a->job,
                                                    ref)->desired_global;

        if (senders && sender >= 0 && sender <= INT32_MAX)
            ranks[count++] = (int)sender;
        else if (!senders)
            ranks[count++] = mq_operation_ref_process(r->a->job, ref)->rank;
    }
    if (count > 0)
        mq_rank_text_sorted(&r->words, r->a->job, ranks, count);
    else
        mq_strbuf_add(&r->words, "a rank that is not known");
    free(ranks);
}

static void write_heap(struct report *r, const struct heap *heap,
                       const struct entry *entries)
{
    const struct mq_operation_ref *ref =
        &r->a->unclaimed[entries[heap->begin].index].first;

    mq_strbuf_add(&r->words, "%" PRIu64 " message%s of tag %" PRId64 " on %s"
                 " (", heap->messages,
                 heap->messages == 1 ? "" : "s", entries[heap->begin].tag,
                 mq_operation_ref_communicator(r->a->job, ref)->name);
    mq_bytes_words(&r->words, heap->bytes);
    mq_strbuf_add(&r->words, ") from ");
    add_ranks(r, heap, entries, true);
    mq_strbuf_add(&r->words, ", not received by ");
    add_ranks(r, heap, entries, false);
    write_words(r, 0, "unclaimed: ");
}

static void write_unclaimed(struct report *r)
{
    size_t entry_count;
    struct entry *entries = sorted_entries(r->a, &entry_count);
    struct heap *heaps = malloc((r->a->unclaimed_count + 1) * sizeof *heaps);

    if (entries == NULL || heaps == NULL) {
        r->words.failed = true;
    } else {
        size_t count = gather_heaps(r->a, entries, entry_count, heaps);
        size_t shown = limit(r, count, most_findings);

        for (size_t i = 0; i < shown; i++)
            write_heap(r, &heaps[i], entries);
        mq_text_more(r->stream, 0, count - shown, "tag of unclaimed messages",
                     "tags of unclaimed messages");
    }
    free(entries);
    free(heaps);
}

/* ---- All findings ----------------------------------------------------- */

static void write_near_misses(struct report *r)
{
    const struct mq_near_miss *leading = mq_sentence_leading_miss(r->a);
    size_t count = 0, most = r->options->all ? SIZE_MAX : most_findings;

    for (size_t i = 0, alike; i < r->a->near_miss_count; i += alike) {
        alike = mq_sentence_misses_alike(r->a, i);
        if (r->a->near_misses[i].note || &r->a->near_misses[i] == leading
            || count++ >= most)
            continue;
        mq_sentence_near_misses(&r->words, r->a, i, alike);
        write_words(r, 0, "near miss: ");
    }
    mq_text_more(r->stream, 0, count > most ? count - most : 0, "near miss",
                 "near misses");
}

static void write_unreadable(struct report *r)
{
    size_t reported = 0, first = 0, most = r->options->all ? SIZE_MAX
                                                        : most_findings;

    while (first < r->a->unreadable_count && reported++ < most) {
        size_t alike = mq_sentence_alike(r->a, first);

        mq_sentence_unreadable(&r->words, r->a, first, alike);
        write_words(r, 0, "unreadable: ");
        first += alike;
    }
    mq_text_more(r->stream, 0, r->a->unreadable_count - first, "error",
                 "errors");
}

static void write_notes(struct report *r)
{
    size_t count = 0;

    while (mq_sentence_note(&r->words, r->a, count)) {
        if (count++ < most_findings || r->options->all)
            write_words(r, 0, "note: ");
        mq_strbuf_empty(&r->words);
    }
    mq_text_more(r->stream, 0, count - limit(r, count, most_findings), "note",
                 "notes");
}

/* Findings first, then what they rest on. */
static enum mq_result write_report(struct report *r, struct mq_error *error)
{
    bool mismatch_leads = mq_sentence_mismatch_leads(r->a);

    write_verdict(r);
    write_evidence(r);
    if (mq_origin_words(&r->words, r->a->job, r->options))
        write_words(r, 0, "job: ");
    if (mismatch_leads)
        write_mismatches(r);
    write_causes(r);
    if (!mismatch_leads)
        write_mismatches(r);
    write_lags(r);
    write_near_misses(r);
    write_unreadable(r);
    write_notes(r);
    if (write_patterns(r, error) != mq_ok
        || mq_other_threads_write(r->a, r->options->all ? 0 : most_threads,
                                  r->options->width, r->stream, error) != mq_ok
        || mq_stacks_write(r->a, r->options->all ? 0 : most_stacks,
                           r->options->width, r->stream, error) != mq_ok)
        return mq_failed;
    if (r->options->all && mq_history_write(r->a, r->options, r->stream, error)
                           != mq_ok)
        return mq_failed;
    if (r->a->unclaimed_count > 0)
        write_unclaimed(r);
    return r->words.failed ? mq_fail_memory(error, "writing the report")
                           : mq_ok;
}

void mq_report_verdict(const struct mq_analysis *analysis,
                       const struct mq_report_options *options, FILE *stream)
{
    struct report r = { analysis, options, stream, { NULL, 0, 0, false } };

    write_verdict(&r);
    write_evidence(&r);
    mq_strbuf_deinit(&r.words);
}

enum mq_result mq_report_text(const struct mq_analysis *analysis,
                              const struct mq_report_options *options,
                              FILE *stream, struct mq_error *error)
{
    struct report r = { analysis, options, stream, { NULL, 0, 0, false } };
    enum mq_result result = write_report(&r, error);

    mq_strbuf_deinit(&r.words);
    if (result != mq_ok)
        return result;
    return mq_report_queues(analysis, options, stream, error);
}
