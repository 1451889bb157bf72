/* diff.c - comparison of two recordings */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/map.h"
#include "base/number.h"
#include "base/text.h"
#include "model/rank_text.h"
#include "report/operation_words.h"

void mq_diff_destroy(struct mq_diff *diff)
{
    free(diff->ranks);
    free(diff->gone);
    free(diff->come);
    free(diff->only_before);
    free(diff->only_after);
    memset(diff, 0, sizeof *diff);
}

struct differ {
    struct mq_diff *made;
    const struct mq_filter *filter;
    struct mq_rank_index before, after;
    struct mq_map known;        /* operations before, of one rank: how many */
    size_t gone_room, come_room;
};

/* ---- One rank --------------------------------------------------------- */

/* The identity of an operation among others of its rank, as 128 bits. */
static struct mq_key identity(const struct mq_job *job,
                              const struct mq_operation_ref *ref)
{
    const struct mq_operation *op = mq_operation_ref_operation(job, ref);
    const struct mq_communicator *it = mq_operation_ref_communicator(job, ref);
    const uint64_t facts[] = {
        it->id, (uint64_t)it->size, ref->queue, op->status,
        (uint64_t)op->desired_local, op->tag_wild,
        op->tag_wild ? 0 : (uint64_t)op->desired_tag,
        (uint64_t)op->desired_length, op->buffer
    };
    struct mq_key key = { 1, 2 };

    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        key.a = mq_hash_number(key.a, facts[i]);
        key.b = mq_hash_number(key.b + 0x632be59bd9b4e019u, facts[i]);
    }
    for (const char *c = it->name; *c != '\0'; c++)
        key.a = mq_hash_number(key.a, (unsigned char)*c);
    return key;
}

static enum mq_result append(struct mq_operation_ref **list, size_t *count,
                             size_t *room, const struct mq_operation_ref *ref,
                             struct mq_error *error)
{
    if (mq_array_reserve(list, sizeof **list, *count + 1, room,
                         "comparing recordings", error) != mq_ok)
        return mq_failed;
    (*list)[(*count)++] = *ref;
    return mq_ok;
}

/* Counts the operations that the rank had. */
static enum mq_result note_before(struct differ *d, uint32_t process,
                                  struct mq_error *error)
{
    struct mq_operation_ref ref = mq_operation_ref_before(process);
    uint32_t *count;

    mq_map_empty(&d->known);
    while (mq_operation_ref_next(d->made->before, &ref)) {
        if (!mq_filter_shows_operation(d->filter, d->made->before, &ref))
            continue;
        if (mq_map_add(&d->known, identity(d->made->before, &ref), 0, error,
                       &count) != mq_ok)
            return mq_failed;
        ++*count;
    }
    return mq_ok;
}

/* Takes the operations that the rank has from those that it had. */
static enum mq_result compare_after(struct differ *d, struct mq_diff_rank *rank,
                                    struct mq_error *error)
{
    struct mq_operation_ref ref = mq_operation_ref_before(rank->after);

    while (mq_operation_ref_next(d->made->after, &ref)) {
        uint32_t *count;

        if (!mq_filter_shows_operation(d->filter, d->made->after, &ref))
            continue;
        count = mq_map_find(&d->known, identity(d->made->after, &ref));
        if (count != NULL && *count > 0) {
            --*count;
            rank->stayed++;
            continue;
        }
        rank->come++;
        if (append(&d->made->come, &d->made->come_count, &d->come_room, &ref,
                   error) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

static enum mq_result list_gone(struct differ *d, struct mq_diff_rank *rank,
                                struct mq_error *error)
{
    struct mq_operation_ref ref = mq_operation_ref_before(rank->before);

    while (mq_operation_ref_next(d->made->before, &ref)) {
        uint32_t *count;

        if (!mq_filter_shows_operation(d->filter, d->made->before, &ref))
            continue;
        count = mq_map_find(&d->known, identity(d->made->before, &ref));
        if (count == NULL || *count == 0)
            continue;
        --*count;
        rank->gone++;
        if (append(&d->made->gone, &d->made->gone_count, &d->gone_room, &ref,
                   error) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* ---- All ranks -------------------------------------------------------- */

/* The ranks of ONE that OTHER does not have. */
static enum mq_result list_missing(const struct differ *d,
                                   const struct mq_rank_index *one,
                                   const struct mq_rank_index *other,
                                   int **ranks, size_t *count,
                                   struct mq_error *error)
{
    size_t processes = one->job->process_count;

    *ranks = malloc((processes + 1) * sizeof **ranks);
    if (*ranks == NULL)
        return mq_fail_memory(error, "comparing recordings");
    for (size_t p = 0; p < processes; p++) {
        int rank = one->job->processes[p].rank;
        uint32_t there;

        if (mq_rank_counts(one, p)
            && mq_filter_shows_rank(d->filter, one->job,
                                    &one->job->processes[p])
            && !mq_is_process(mq_rank_process(other, rank), &there))
            (*ranks)[(*count)++] = rank;
    }
    qsort(*ranks, *count, sizeof **ranks, mq_compare_ints);
    return mq_ok;
}

static enum mq_result compare_ranks(struct differ *d, struct mq_error *error)
{
    const struct mq_job *after = d->made->after;

    d->made->ranks = calloc(after->process_count + 1,
                            sizeof d->made->ranks[0]);
    if (d->made->ranks == NULL)
        return mq_fail_memory(error, "comparing recordings");
    for (size_t p = 0; p < after->process_count; p++) {
        struct mq_diff_rank *rank = &d->made->ranks[d->made->rank_count];

        if (!mq_is_process(mq_rank_process(&d->before,
                                           after->processes[p].rank),
                           &rank->before)
            || !mq_rank_counts(&d->after, p)
            || !mq_filter_shows_rank(d->filter, after, &after->processes[p]))
            continue;
        rank->after = (uint32_t)p;
        rank->first_gone = (uint32_t)d->made->gone_count;
        rank->first_come = (uint32_t)d->made->come_count;
        if (note_before(d, rank->before, error) != mq_ok
            || compare_after(d, rank, error) != mq_ok
            || list_gone(d, rank, error) != mq_ok)
            return mq_failed;
        rank->moved =
            rank->come > 0 || rank->gone > 0
            || !mq_text_is_same(d->made->before->processes[rank->before].call,
                                d->made->after->processes[rank->after].call);
        d->made->rank_count++;
    }
    return mq_ok;
}

static enum mq_result compare(struct differ *d, struct mq_error *error)
{
    struct mq_diff *made = d->made;

    if (mq_rank_index_init(made->before, error, &d->before) != mq_ok
        || mq_rank_index_init(made->after, error, &d->after) != mq_ok
        || compare_ranks(d, error) != mq_ok
        || list_missing(d, &d->before, &d->after, &made->only_before,
                        &made->only_before_count, error) != mq_ok
        || list_missing(d, &d->after, &d->before, &made->only_after,
                        &made->only_after_count, error) != mq_ok)
        return mq_failed;
    return mq_ok;
}

enum mq_result mq_diff_create(const struct mq_job *before,
                              const struct mq_job *after,
                              const struct mq_filter *filter,
                              struct mq_error *error, struct mq_diff *diff)
{
    struct mq_diff made;
    struct differ d;
    enum mq_result result;

    memset(&made, 0, sizeof made);
    memset(&d, 0, sizeof d);
    made.before = before;
    made.after = after;
    d.made = &made;
    d.filter = filter;
    result = compare(&d, error);
    mq_rank_index_deinit(&d.before);
    mq_rank_index_deinit(&d.after);
    mq_map_deinit(&d.known);
    if (result == mq_ok)
        *diff = made;
    else
        mq_diff_destroy(&made);
    return result;
}

/* ---- Report of a comparison, as text and JSON --------------------------- */

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
        mq_operation_words(&r->words, job, &places[i]);
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
        mq_operation_words(&r->words, job, &places[i]);
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
