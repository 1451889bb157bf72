/* diff_report.c - report of a comparison, as text and JSON */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/diff_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "report/sentences.h"

enum {
    shown_ranks = 20,           /* that moved, */
    shown_operations = 20       /* and of one of them, unless all are asked
                                   for */
};

struct report {
    const struct mq_diff *diff;
    const struct mq_report_options *options;
    FILE *stream;
    struct mq_strbuf words;
};

static const struct mq_process *after(const struct mq_diff *diff,
                                      const struct mq_diff_rank *rank)
{
    return &diff->after->processes[rank->after];
}

/* The ranks that moved, or those that did not, to be freed by the caller. */
static int *list_ranks(const struct mq_diff *diff, bool moved, size_t *count)
{
    int *ranks = malloc((diff->rank_count + 1) * sizeof *ranks);

    *count = 0;
    for (size_t i = 0; ranks != NULL && i < diff->rank_count; i++)
        if (diff->ranks[i].moved == moved)
            ranks[(*count)++] = after(diff, &diff->ranks[i])->rank;
    return ranks;
}

static size_t count_stayed(const struct mq_diff *diff)
{
    size_t stayed = 0;

    for (size_t i = 0; i < diff->rank_count; i++)
        stayed += diff->ranks[i].stayed;
    return stayed;
}

/* ---- Text ------------------------------------------------------------- */

static void write_words(struct report *r, size_t indent, const char *label)
{
    fprintf(r->stream, "%*s%s", (int)indent, "", label);
    mq_text_wrap(r->stream, mq_strbuf_text(&r->words), indent + strlen(label),
                 indent + 2, r->options->width);
    mq_strbuf_empty(&r->words);
}

static void write_summary(struct report *r)
{
    const struct mq_diff *diff = r->diff;
    size_t count;
    int *ranks = list_ranks(diff, false, &count);

    if (ranks == NULL) {
        r->words.failed = true;
        return;
    }
    mq_strbuf_add(&r->words, "%zu of %zu ranks did not move", count,
                 diff->rank_count);
    if (count > 0 && count < diff->rank_count) {
        mq_strbuf_add(&r->words, ": ");
        mq_rank_text_sorted(&r->words, r->diff->after, ranks, count);
    }
    mq_strbuf_add(&r->words, ". %zu operation%s unchanged, %zu new, %zu gone",
                 count_stayed(diff), count_stayed(diff) == 1 ? "" : "s",
                 diff->come_count, diff->gone_count);
    write_words(r, 0, "");
    free(ranks);
}

static void write_list(struct report *r, const char *label,
                       const struct mq_job *job,
                       const struct mq_operation_ref *places,
                       uint32_t count)
{
    uint32_t shown = r->options->all || count < shown_operations
                     ? count : shown_operations;

    for (uint32_t i = 0; i < shown; i++) {
        mq_sentence_operation(&r->words, job, &places[i]);
        write_words(r, 2, label);
    }
    mq_text_more(r->stream, 2, count - shown, "operation", "operations");
}

static void add_call(struct report *r, const char *call)
{
    mq_strbuf_add(&r->words, "%s", call == NULL ? "in an unknown call"
                 : strcmp(call, "-") == 0 ? "in no MPI call" : call);
}

static void write_rank(struct report *r, const struct mq_diff_rank *rank)
{
    const char *now = after(r->diff, rank)->call;
    const char *then = r->diff->before->processes[rank->before].call;

    mq_rank_text_one(&r->words, r->diff->after, after(r->diff, rank)->rank);
    mq_strbuf_add(&r->words, ": ");
    if (now != NULL && then != NULL && strcmp(now, then) == 0) {
        mq_strbuf_add(&r->words, "still ");
        add_call(r, now);
    } else {
        mq_strbuf_add(&r->words, "was ");
        add_call(r, then);
        mq_strbuf_add(&r->words, ", is ");
        add_call(r, now);
    }
    write_words(r, 0, "");
    if (rank->gone > 0)
        write_list(r, "gone: ", r->diff->before,
                   &r->diff->gone[rank->first_gone], rank->gone);
    if (rank->come > 0)
        write_list(r, "new: ", r->diff->after,
                   &r->diff->come[rank->first_come], rank->come);
}

static void write_moved(struct report *r)
{
    size_t moved = 0;

    for (size_t i = 0; i < r->diff->rank_count; i++) {
        if (!r->diff->ranks[i].moved)
            continue;
        if (moved++ < shown_ranks || r->options->all)
            write_rank(r, &r->diff->ranks[i]);
    }
    if (moved > shown_ranks && !r->options->all)
        mq_text_more(r->stream, 0, moved - shown_ranks, "rank that moved",
                     "ranks that moved");
}

static void write_only(struct report *r, const struct mq_job *job,
                       const int *ranks, size_t count, const char *where)
{
    if (count == 0)
        return;
    mq_rank_text_ranks(&r->words, job, ranks, count);
    mq_strbuf_add(&r->words, " only in the %s recording", where);
    write_words(r, 0, "note: ");
}

enum mq_result mq_report_diff_text(const struct mq_diff *diff,
                                   const struct mq_report_options *options,
                                   FILE *stream, struct mq_error *error)
{
    struct report r = { diff, options, stream, { NULL, 0, 0, false } };
    bool failed;

    write_summary(&r);
    write_moved(&r);
    write_only(&r, diff->before, diff->only_before, diff->only_before_count,
               "old");
    write_only(&r, diff->after, diff->only_after, diff->only_after_count,
               "new");
    failed = r.words.failed;
    mq_strbuf_deinit(&r.words);
    return failed ? mq_fail_memory(error, "writing the report") : mq_ok;
}

/* ---- JSON ------------------------------------------------------------- */

struct json_report {
    const struct mq_diff *diff;
    struct mq_json json;
    struct mq_strbuf words;
};

static void write_places(struct json_report *r, const char *name,
                         const struct mq_job *job,
                         const struct mq_operation_ref *places, uint32_t count)
{
    mq_json_open(&r->json, name, '[');
    for (uint32_t i = 0; i < count; i++) {
        mq_sentence_operation(&r->words, job, &places[i]);
        mq_json_text(&r->json, NULL, mq_strbuf_text(&r->words));
        mq_strbuf_empty(&r->words);
    }
    mq_json_close(&r->json, '[');
}

static void write_json_rank(struct json_report *r,
                            const struct mq_diff_rank *rank)
{
    mq_json_open(&r->json, NULL, '{');
    mq_json_number(&r->json, "rank", after(r->diff, rank)->rank);
    mq_json_truth(&r->json, "moved", rank->moved);
    mq_json_text(&r->json, "call_before",
                 r->diff->before->processes[rank->before].call);
    mq_json_text(&r->json, "call_after", after(r->diff, rank)->call);
    mq_json_number(&r->json, "stayed", rank->stayed);
    write_places(r, "went", r->diff->before,
                 rank->gone > 0 ? &r->diff->gone[rank->first_gone] : NULL,
                 rank->gone);
    write_places(r, "came", r->diff->after,
                 rank->come > 0 ? &r->diff->come[rank->first_come] : NULL,
                 rank->come);
    mq_json_close(&r->json, '{');
}

enum mq_result mq_report_diff_json(const struct mq_diff *diff,
                                   const struct mq_report_options *options,
                                   FILE *stream, struct mq_error *error)
{
    struct json_report r = { diff, { stream, 0, false },
                             { NULL, 0, 0, false } };
    bool failed;

    (void)options;
    mq_json_open(&r.json, NULL, '{');
    mq_json_number(&r.json, "format", 1);
    mq_json_number(&r.json, "stayed", (int64_t)count_stayed(diff));
    mq_json_number(&r.json, "came", (int64_t)diff->come_count);
    mq_json_number(&r.json, "went", (int64_t)diff->gone_count);
    mq_json_numbers(&r.json, "only_before", diff->only_before,
                    diff->only_before_count);
    mq_json_numbers(&r.json, "only_after", diff->only_after,
                    diff->only_after_count);
    mq_json_open(&r.json, "ranks", '[');
    for (size_t i = 0; i < diff->rank_count; i++)
        write_json_rank(&r, &diff->ranks[i]);
    mq_json_close(&r.json, '[');
    mq_json_close(&r.json, '{');
    failed = r.words.failed;
    mq_strbuf_deinit(&r.words);
    return failed ? mq_fail_memory(error, "writing the report") : mq_ok;
}
