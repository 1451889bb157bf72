/* page_data.c - data of the format html, as JSON */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/page_data.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/thread_activity.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/json.h"
#include "report/pattern.h"
#include "report/place_words.h"
#include "report/sections.h"
#include "report/sentences.h"
#include "report/why.h"

static const int64_t none = INT64_MIN;

/* Texts, each once. */
struct texts {
    size_t count, room;
    char **items;
    struct mq_map index;        /* by their hashes */
};

struct page {
    const struct mq_analysis *a;
    const struct mq_picture *picture;
    const struct mq_report_options *options;
    struct mq_json json;
    struct mq_strbuf words;
    struct texts texts;
    size_t shown_count;
    uint32_t *shown;            /* processes, by their numbers on the page */
    struct mq_error *error;
};

/* ---- Texts -------------------------------------------------------------- */

/* The number of TEXT, which is noted unless it was before; none of null. */
static enum mq_result note_text(struct texts *texts, const char *text,
                                struct mq_error *error, int64_t *number)
{
    const size_t length = text != NULL ? strlen(text) : 0;
    const struct mq_key key = { mq_hash_bytes(MQ_HASH_BEGIN, text, length),
                                length };
    uint32_t *known;

    *number = none;
    if (text == NULL)
        return mq_ok;
    if (mq_array_reserve(&texts->items, sizeof texts->items[0],
                         texts->count + 1, &texts->room, "writing a page",
                         error) != mq_ok
        || mq_map_add(&texts->index, key, (uint32_t)texts->count, error, &known)
           != mq_ok)
        return mq_failed;
    if (*known < texts->count && strcmp(texts->items[*known], text) == 0) {
        *number = *known;
        return mq_ok;
    }
    texts->items[texts->count] = strdup(text);
    if (texts->items[texts->count] == NULL)
        return mq_fail_memory(error, "writing a page");
    *number = (int64_t)texts->count++;
    return mq_ok;
}

/* Notes the words so far, and forgets them; none if there are none. */
static enum mq_result note_words(struct page *page, int64_t *number)
{
    const char *text = mq_strbuf_text(&page->words);
    enum mq_result result = note_text(&page->texts, *text != '\0' ? text : NULL,
                                      page->error, number);

    mq_strbuf_empty(&page->words);
    return result;
}

/* Writes the words so far, and forgets them. */
static void write_words(struct page *page, const char *name)
{
    mq_json_text(&page->json, name, mq_strbuf_text(&page->words));
    mq_strbuf_empty(&page->words);
}

/* ---- Columns ------------------------------------------------------------ */

struct column {
    const char *name;
    bool is_hexadecimal;
    struct mq_strbuf text;
    int64_t value;              /* that came last ... */
    size_t times;               /* ... and so often */
};

static void end_run(struct column *column)
{
    const char *comma = column->text.length > 0 ? "," : "";

    if (column->times == 0)
        return;
    if (column->value == none)
        mq_strbuf_add(&column->text, "%s_", comma);
    else if (column->is_hexadecimal)
        mq_strbuf_add(&column->text, "%s%" PRIx64, comma,
                      (uint64_t)column->value);
    else
        mq_strbuf_add(&column->text, "%s%" PRId64, comma, column->value);
    if (column->times > 1)
        mq_strbuf_add(&column->text, "x%zu", column->times);
    column->times = 0;
}

static void add_value(struct column *column, int64_t value)
{
    if (column->times > 0 && column->value != value)
        end_run(column);
    column->value = value;
    column->times++;
}

/* Writes COUNT columns of so many ROWS, and gives back what they hold. */
static void write_columns(struct page *page, const char *name,
                          struct column *columns, size_t count, size_t rows)
{
    mq_json_open(&page->json, name, '{');
    mq_json_number(&page->json, "count", (int64_t)rows);
    for (size_t i = 0; i < count; i++) {
        end_run(&columns[i]);
        page->words.failed |= columns[i].text.failed;
        mq_json_text(&page->json, columns[i].name,
                     mq_strbuf_text(&columns[i].text));
        mq_strbuf_deinit(&columns[i].text);
    }
    mq_json_close(&page->json, '{');
}

/* VALUE unless it is -1, which is none. */
static int64_t known(int64_t value)
{
    return value < 0 ? none : value;
}

/* The same less the base of the distance. */
static int64_t known_from(int64_t value, int64_t base)
{
    return value < 0 ? none : value - base;
}

/* The base of distances: 0 in the place of a rank that is not known. */
static int64_t origin(int64_t rank)
{
    return rank < 0 ? 0 : rank;
}

/* ---- Findings ----------------------------------------------------------- */

/* The words so far are of a finding of KIND. */
static void write_finding(struct page *page, const char *kind)
{
    mq_json_open(&page->json, NULL, '{');
    mq_json_text(&page->json, "kind", kind);
    write_words(page, "text");
    mq_json_close(&page->json, '{');
}

/* Whether the finding with this index, of COUNT of its KIND, is shown; in the
 * place of the first that is not, how many there are.
 */
static bool is_shown(struct page *page, size_t index, size_t count,
                     const char *kind)
{
    enum { most_findings = 50 };

    if (index >= most_findings) {
        mq_strbuf_add(&page->words, "and %zu more", count - index);
        write_finding(page, kind);
    }
    return index < most_findings;
}

static void write_findings(struct page *page)
{
    const struct mq_analysis *a = page->a;
    size_t i, alike;

    mq_json_open(&page->json, "findings", '[');
    for (i = mq_sentence_mismatch_leads(a); i < a->mismatches.count
         && is_shown(page, i, a->mismatches.count, "mismatch"); i++) {
        mq_sentence_mismatch(&page->words, a, &a->mismatches.mismatches[i]);
        write_finding(page, "mismatch");
    }
    for (i = 0; i < a->lags.count && is_shown(page, i, a->lags.count, "lag");
         i++) {
        mq_sentence_lag(&page->words, a, &a->lags.all[i]);
        write_finding(page, "lag");
    }
    for (i = 0; i < a->near_miss_count
         && is_shown(page, i, a->near_miss_count, "near miss"); i += alike) {
        alike = mq_sentence_misses_alike(a, i);
        if (&a->near_misses[i] == mq_sentence_leading_miss(a))
            continue;
        mq_sentence_near_misses(&page->words, a, i, alike);
        write_finding(page, a->near_misses[i].note ? "note" : "near miss");
    }
    for (i = 0; i < a->unclaimed_count
         && is_shown(page, i, a->unclaimed_count, "unclaimed"); i++) {
        if (a->unclaimed[i].is_explained)
            continue;
        mq_sentence_unclaimed(&page->words, a, &a->unclaimed[i]);
        write_finding(page, "unclaimed");
    }
    for (i = 0; i < a->unreadable_count
         && is_shown(page, i, a->unreadable_count, "unreadable"); i += alike) {
        alike = mq_sentence_alike(a, i);
        mq_sentence_unreadable(&page->words, a, i, alike);
        write_finding(page, "unreadable");
    }
    mq_json_close(&page->json, '[');
}

/* Where each world begins, if there are several. */
static void write_worlds(struct page *page)
{
    const struct mq_job *job = page->a->job;

    if (job->world_count == 0)
        return;
    mq_json_open(&page->json, "worlds", '[');
    for (size_t i = 0; i < job->world_count; i++)
        mq_json_number(&page->json, NULL, job->worlds[i].first);
    mq_json_close(&page->json, '[');
}

static enum mq_result write_patterns(struct page *page)
{
    enum { most_alternatives = 4, most_patterns = 50 };
    struct mq_patterns patterns;

    if (mq_patterns_find(page->a, page->error, &patterns) != mq_ok)
        return mq_failed;
    mq_json_open(&page->json, "patterns", '[');
    for (size_t i = 0; i < patterns.count && i < most_patterns; i++) {
        mq_pattern_words(&page->words, page->a, &patterns,
                         &patterns.patterns[i], most_alternatives);
        write_words(page, NULL);
    }
    if (patterns.count > most_patterns) {
        mq_strbuf_add(&page->words, "and %zu more; the table of ranks has all",
                      patterns.count - most_patterns);
        write_words(page, NULL);
    }
    mq_json_close(&page->json, '[');
    mq_patterns_destroy(&patterns);
    return mq_ok;
}

/* Of a job that has none the page says nothing. */
static enum mq_result write_threads(struct page *page)
{
    enum { most_lines = 50 };
    struct mq_other_threads threads;

    if (mq_other_threads_find(page->a, page->error, &threads) != mq_ok)
        return mq_failed;
    mq_json_open(&page->json, "threads", '[');
    for (size_t i = 0; i < threads.count && i < most_lines; i++) {
        mq_other_threads_words(&page->words, page->a->job, &threads.lines[i]);
        write_words(page, NULL);
    }
    if (threads.count > most_lines) {
        mq_strbuf_add(&page->words, "and %zu more groups of threads",
                      threads.count - most_lines);
        write_words(page, NULL);
    }
    mq_json_close(&page->json, '[');
    mq_other_threads_destroy(&threads);
    return mq_ok;
}

/* ---- The picture -------------------------------------------------------- */

/* Lines on why the first rank of a node is stuck, possibly stuck or free. */
static void write_why(struct page *page, const struct mq_node *node)
{
    const int rank = node->count > 0 ? page->picture->ranks[node->begin] : -1;
    char *line = NULL, *rest;
    uint32_t process;

    if (mq_is_process(mq_rank_process(&page->a->ranks, rank), &process)) {
        mq_rank_text_one(&page->words, page->a->job, rank);
        mq_strbuf_add(&page->words, ": ");
        mq_why_words(&page->words, page->a, process);
    }
    if (page->words.length > 0)
        line = strtok_r(page->words.text, "\n", &rest);
    mq_json_open(&page->json, "why", '[');
    for (; line != NULL; line = strtok_r(NULL, "\n", &rest))
        mq_json_text(&page->json, NULL, line);
    mq_json_close(&page->json, '[');
    mq_strbuf_empty(&page->words);
}

/* Of each node what the picture does not show. */
static void write_nodes(struct page *page)
{
    const struct mq_picture *picture = page->picture;

    mq_json_open(&page->json, "nodes", '[');
    for (uint32_t i = 0; i < picture->node_count; i++) {
        const struct mq_node *node = &picture->nodes[i];

        mq_json_open(&page->json, NULL, '{');
        mq_node_ranks(picture, node, &page->words);
        write_words(page, "ranks");
        write_why(page, node);
        mq_json_close(&page->json, '{');
    }
    mq_json_close(&page->json, '[');
}

/* ---- Stacks ------------------------------------------------------------- */

static enum mq_result write_number(struct page *page)
{
    int64_t number;

    if (note_words(page, &number) != mq_ok)
        return mq_failed;
    mq_json_number(&page->json, NULL, number);
    return mq_ok;
}

/* Its frames from the outermost in, down to its MPI call. */
static enum mq_result write_stack(struct page *page,
                                  const struct mq_process *process)
{
    const struct mq_thread *thread = process->threads;
    size_t i, end = thread->site >= 0 ? (size_t)thread->site : 0;

    mq_json_open(&page->json, NULL, '[');
    for (i = thread->frame_count; i > end; i--) {
        if (mq_frame_is_standard(&thread->frames[i - 1]))
            continue;
        mq_frame_words(&page->words, page->a, &thread->frames[i - 1]);
        if (write_number(page) != mq_ok)
            return mq_failed;
    }
    if (mq_is_in_mpi(process->call)) {
        mq_strbuf_add(&page->words, "%s", process->call);
        if (write_number(page) != mq_ok)
            return mq_failed;
    }
    mq_json_close(&page->json, '[');
    return mq_ok;
}

/* Writes each stack once, and fills COLUMN with which each process has. */
static enum mq_result write_stacks(struct page *page, struct column *column)
{
    struct mq_map index = { 0 };
    enum mq_result result = mq_ok;
    uint32_t *number;
    size_t i, count = 0;

    mq_json_open(&page->json, "stacks", '[');
    for (i = 0; result == mq_ok && i < page->shown_count; i++) {
        const struct mq_process *it = &page->a->job->processes[page->shown[i]];
        struct mq_key key = { 0, (uintptr_t)it->call };

        if (it->thread_count == 0 || it->threads->frame_count == 0) {
            add_value(column, none);
            continue;
        }
        key.a = (uintptr_t)it->threads->frames
                ^ (uint64_t)it->threads->frame_count << 48;
        result = mq_map_add(&index, key, (uint32_t)count, page->error, &number);
        if (result == mq_ok)
            add_value(column, *number);
        if (result == mq_ok && *number == count) {
            result = write_stack(page, it);
            count++;
        }
    }
    mq_json_close(&page->json, '[');
    mq_map_deinit(&index);
    return result;
}

/* ---- Processes ---------------------------------------------------------- */

enum {
    process_rank, process_state, process_call, process_site, process_stuck,
    process_name, process_note, process_stack, process_columns
};

/* Gaps in the queues of a process, and its remarks. */
static void add_process_notes(struct mq_strbuf *words,
                              const struct mq_process *process)
{
    bool incomplete[mq_queue_classes] = { false };

    for (size_t i = 0; i < process->communicator_count; i++) {
        for (int k = 0; k < mq_queue_classes; k++)
            incomplete[k] |= process->communicators[i].queues[k].state != mq_ok;
    }
    for (int k = 0; k < mq_queue_classes; k++) {
        if (incomplete[k])
            mq_strbuf_add(words, "%s%s queue not known whole",
                          words->length > 0 ? "; " : "", mq_queue_names[k]);
    }
    for (size_t i = 0; i < process->remark_count; i++)
        mq_strbuf_add(words, "%s%s", words->length > 0 ? "; " : "",
                      process->remarks[i].text);
}

/* Adds the process that is the row ROW. */
static enum mq_result add_process(struct page *page, size_t row,
                                  struct column *columns)
{
    uint32_t number = page->shown[row];
    const struct mq_process *it = &page->a->job->processes[number];
    const struct mq_frame *caller = mq_line_caller(it);
    const struct mq_frame *site = caller != NULL ? caller : mq_call_site(it);
    const char *state =
        mq_rank_state_names[page->a->waits.of[number].state];
    int64_t texts[5];

    if (site != NULL)
        mq_frame_words(&page->words, page->a, site);
    if (note_words(page, &texts[0]) != mq_ok
        || note_text(&page->texts, state, page->error, &texts[1]) != mq_ok
        || note_text(&page->texts, it->call, page->error, &texts[2]) != mq_ok
        || note_text(&page->texts, it->name, page->error, &texts[3]) != mq_ok)
        return mq_failed;
    add_process_notes(&page->words, it);
    if (note_words(page, &texts[4]) != mq_ok)
        return mq_failed;
    add_value(&columns[process_rank], known_from(it->rank, (int64_t)row));
    add_value(&columns[process_state], texts[1]);
    add_value(&columns[process_call], texts[2]);
    add_value(&columns[process_site], texts[0]);
    add_value(&columns[process_stuck], mq_is_surely_stuck(page->a, number) ? 2
                                       : mq_is_stuck(page->a, number));
    add_value(&columns[process_name], texts[3]);
    add_value(&columns[process_note], texts[4]);
    return mq_ok;
}

static enum mq_result write_processes(struct page *page)
{
    struct column columns[process_columns] = {
        [process_rank] = { .name = "rank" },
        [process_state] = { .name = "state" },
        [process_call] = { .name = "call" },
        [process_site] = { .name = "site" },
        [process_stuck] = { .name = "stuck" },
        [process_name] = { .name = "name" },
        [process_note] = { .name = "note" },
        [process_stack] = { .name = "stack" }
    };
    enum mq_result result = write_stacks(page, &columns[process_stack]);

    for (size_t i = 0; result == mq_ok && i < page->shown_count; i++)
        result = add_process(page, i, columns);
    write_columns(page, "processes", columns, process_columns,
                  page->shown_count);
    return result;
}

/* ---- Operations --------------------------------------------------------- */

enum {
    operation_process, operation_queue, operation_communicator, operation_own,
    operation_local, operation_global, operation_any, operation_tag,
    operation_bytes, operation_status, operation_buffer, operation_more,
    operation_columns
};

/* Adds data without a column. */
static void add_more(struct mq_strbuf *words, enum mq_queue_class queue,
                     const struct mq_operation *op, bool is_internal)
{
    if (is_internal)
        mq_strbuf_add(words, "the MPI library's own");
    if (queue == mq_receives && op->status != mq_pending)
        mq_strbuf_add(words, "%sgot tag %" PRId64 " from %" PRId64 ", %" PRId64
                      " bytes", words->length > 0 ? "; " : "", op->actual_tag,
                      op->actual_global, op->actual_length);
    if (op->system_buffer)
        mq_strbuf_add(words, "%sin a system buffer",
                      words->length > 0 ? "; " : "");
    if (op->from_stack)
        mq_strbuf_add(words, "%son no queue", words->length > 0 ? "; " : "");
    if (op->datatype != NULL)
        mq_strbuf_add(words, "%s%s", words->length > 0 ? "; " : "",
                      op->datatype);
    if (op->extra != NULL)
        mq_strbuf_add(words, "%s%s", words->length > 0 ? "; " : "", op->extra);
}

static enum mq_result add_operation(struct page *page,
                                    const struct mq_operation_ref *ref,
                                    int64_t process, struct column *columns)
{
    const struct mq_job *job = page->a->job;
    const struct mq_operation *op = mq_operation_ref_operation(job, ref);
    const struct mq_communicator *it = mq_operation_ref_communicator(job, ref);
    enum mq_queue_class queue = (enum mq_queue_class)ref->queue;
    int64_t rank = mq_operation_ref_process(job, ref)->rank;
    int64_t distance = op->desired_global < 0
                       ? 0 : op->desired_global - origin(rank);
    int64_t name, more;

    add_more(&page->words, queue, op, mq_is_internal(&page->a->table, ref));
    if (note_words(page, &more) != mq_ok
        || note_text(&page->texts, it->name, page->error, &name) != mq_ok)
        return mq_failed;
    add_value(&columns[operation_process], process);
    add_value(&columns[operation_queue], queue);
    add_value(&columns[operation_communicator], name);
    add_value(&columns[operation_own], known_from(it->local_rank,
                                                  origin(rank)));
    add_value(&columns[operation_local],
              known_from(op->desired_local,
                         origin(it->local_rank) + distance));
    add_value(&columns[operation_global],
              op->desired_global < 0 ? none : distance);
    add_value(&columns[operation_any], mq_operation_is_any(queue, op));
    add_value(&columns[operation_tag], op->tag_wild ? none : op->desired_tag);
    add_value(&columns[operation_bytes], known(op->desired_length));
    add_value(&columns[operation_status], op->status);
    add_value(&columns[operation_buffer],
              mq_knows_buffer(op) ? (int64_t)op->buffer : none);
    add_value(&columns[operation_more], more);
    return mq_ok;
}

static enum mq_result write_operations(struct page *page)
{
    struct column columns[operation_columns] = {
        [operation_process] = { .name = "process" },
        [operation_queue] = { .name = "queue" },
        [operation_communicator] = { .name = "communicator" },
        [operation_own] = { .name = "own" },
        [operation_local] = { .name = "local" },
        [operation_global] = { .name = "global" },
        [operation_any] = { .name = "any" },
        [operation_tag] = { .name = "tag" },
        [operation_bytes] = { .name = "bytes" },
        [operation_status] = { .name = "status" },
        [operation_buffer] = { .name = "buffer", .is_hexadecimal = true },
        [operation_more] = { .name = "more" }
    };
    enum mq_result result = mq_ok;
    size_t i, rows = 0, last = 0;

    for (i = 0; result == mq_ok && i < page->shown_count; i++) {
        struct mq_operation_ref ref = mq_operation_ref_before(page->shown[i]);

        while (result == mq_ok && mq_operation_ref_next(page->a->job, &ref)) {
            if (!mq_filter_shows_operation(&page->options->filter,
                                           page->a->job, &ref))
                continue;
            result = add_operation(page, &ref, (int64_t)(i - last), columns);
            last = i;
            rows++;
        }
    }
    write_columns(page, "operations", columns, operation_columns, rows);
    return result;
}

/* ---- All of it ---------------------------------------------------------- */

static enum mq_result choose_processes(struct page *page)
{
    const struct mq_job *job = page->a->job;

    page->shown = malloc((job->process_count + 1) * sizeof page->shown[0]);
    if (page->shown == NULL)
        return mq_fail_memory(page->error, "writing a page");
    for (size_t i = 0; i < job->process_count; i++)
        if (mq_filter_shows_rank(&page->options->filter, job,
                                 &job->processes[i]))
            page->shown[page->shown_count++] = (uint32_t)i;
    return mq_ok;
}

static enum mq_result write_all(struct page *page)
{
    mq_json_open(&page->json, NULL, '{');
    mq_json_text(&page->json, "verdict", mq_verdict_names[page->a->verdict]);
    write_worlds(page);
    /* The proof of the verdict, or the evidence that it lacks. */
    mq_json_open(&page->json, "evidence", '[');
    if (mq_sentence_proof(&page->words, page->a))
        write_finding(page, "proof");
    for (size_t i = 0; i < page->a->missing_evidence.count; i++) {
        mq_sentence_lack(&page->words, page->a,
                         &page->a->missing_evidence.all[i]);
        write_finding(page, page->a->verdict == mq_verdict_unknown
                            ? "not known" : "not certain");
    }
    mq_json_close(&page->json, '[');
    mq_json_open(&page->json, "cause", '[');
    for (size_t i = mq_sentence_names_cause(page->a);
         i < page->a->cause_count; i++) {
        const struct mq_cause *it = &page->a->causes[i];

        mq_json_open(&page->json, NULL, '{');
        mq_json_text(&page->json, "certainty", mq_cause_degree(it));
        mq_sentence_cause(&page->words, page->a, it);
        write_words(page, "text");
        mq_json_close(&page->json, '{');
    }
    mq_json_close(&page->json, '[');
    write_findings(page);
    mq_json_open(&page->json, "notes", '[');
    for (size_t i = 0; mq_sentence_note(&page->words, page->a, i); i++)
        write_words(page, NULL);
    mq_json_close(&page->json, '[');
    write_nodes(page);
    if (write_patterns(page) != mq_ok || write_threads(page) != mq_ok
        || write_processes(page) != mq_ok || write_operations(page) != mq_ok)
        return mq_failed;
    mq_json_open(&page->json, "strings", '[');
    for (size_t i = 0; i < page->texts.count; i++)
        mq_json_text(&page->json, NULL, page->texts.items[i]);
    mq_json_close(&page->json, '[');
    mq_json_close(&page->json, '{');
    return page->words.failed ? mq_fail_memory(page->error, "writing a page")
                              : mq_ok;
}

enum mq_result mq_page_data_write(const struct mq_picture *picture,
                                  const struct mq_report_options *options,
                                  FILE *stream, struct mq_error *error)
{
    struct page page = {
        .a = picture->a, .picture = picture, .options = options,
        .json = { .stream = stream }, .error = error
    };
    enum mq_result result = choose_processes(&page);

    if (result == mq_ok)
        result = write_all(&page);
    for (size_t i = 0; i < page.texts.count; i++)
        free(page.texts.items[i]);
    free(page.texts.items);
    mq_map_deinit(&page.texts.index);
    mq_strbuf_deinit(&page.words);
    free(page.shown);
    return result;
}
