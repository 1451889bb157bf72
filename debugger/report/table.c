/* table.c - tables of the queues */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/fold.h"
#include "model/rank_text.h"
#include "model/worlds.h"
#include "report/place_words.h"
#include "report/report.h"
#include "report/sentences.h"

/* ---- Cells --------------------------------------------------------------- */

enum column {
    queue_column,
    peer_column,
    tag_column,
    length_column,
    status_column,
    buffer_column,
    column_count
};

struct row {
    char cells[column_count][48];
};

/* Limits of what is shown, unless all is asked for. */
struct limits {
    size_t blocks;              /* of processes, */
    size_t communicators;       /* of one of them, */
    size_t operations;          /* and of one queue */
};

enum {
    few_ranks = 4,              /* a job of more is shown in short, */
    some_ranks = 16             /* and of more still shorter */
};

struct table {
    FILE *stream;
    const struct mq_job *job;
    const struct mq_match *match;
    const struct mq_match_table *messages;
    const struct mq_report_options *options;
    const bool *taking_part;    /* processes that are shown, in short; null:
                                   all are, with all that is known */
    struct limits limits;
    struct mq_fold fold;
    const struct mq_block *block;       /* that is being written */
    size_t process;             /* the first of the block */
    bool failed;                /* memory ran out */
    int widths[column_count];   /* 0: not shown */
};

static const struct row titles = {
    {"queue", "local/global", "tag", "bytes", "status", "buffer"}
};

static void print_peer(char *cell, size_t size, const struct mq_job *job,
                       int64_t local, int64_t global)
{
    int rank, world = mq_worlds_find(job, global, &rank);

    if (local == -1 && global == -1)
        snprintf(cell, size, "?/?");
    else if (global == -1)
        snprintf(cell, size, "%" PRId64 "/?", local);
    else if (world >= 0)
        snprintf(cell, size, "%" PRId64 "/%d:%d", local, world, rank);
    else
        snprintf(cell, size, "%" PRId64 "/%" PRId64, local, global);
}

#define PRINT(column, ...) \
    snprintf(row->cells[column], sizeof row->cells[column], __VA_ARGS__)

static void print_row(const struct mq_job *job, enum mq_queue_class class,
                      const struct mq_operation *operation, struct row *row)
{
    PRINT(queue_column, "%s", mq_queue_names[class]);
    if (mq_operation_is_any(class, operation))
        PRINT(peer_column, "any");
    else
        print_peer(row->cells[peer_column], sizeof row->cells[peer_column],
                   job, operation->desired_local, operation->desired_global);
    if (operation->tag_wild)
        PRINT(tag_column, "any");
    else
        PRINT(tag_column, "%" PRId64, operation->desired_tag);
    if (operation->desired_length < 0)
        PRINT(length_column, "?");
    else
        PRINT(length_column, "%" PRId64, operation->desired_length);
    PRINT(status_column, "%s", mq_status_names[operation->status]);
    if (!mq_knows_buffer(operation))
        PRINT(buffer_column, "?");
    else
        PRINT(buffer_column, "0x%" PRIx64 "%s", operation->buffer,
              operation->system_buffer ? " (system)" : "");
}

static void widen(struct table *table, const struct row *row)
{
    for (int i = 0; i < column_count; i++) {
        int width = (int)strlen(row->cells[i]);

        if (table->widths[i] < width)
            table->widths[i] = width;
    }
}

enum { operation_indent = 4 };

static void write_row(const struct table *table, const struct row *row)
{
    bool has_buffers = table->widths[buffer_column] > 0;
    int i, last = has_buffers ? buffer_column : status_column;

    fprintf(table->stream, "%*s", operation_indent, "");
    for (i = 0; i < last; i++) {
        bool is_number = i == tag_column || i == length_column;

        fprintf(table->stream, "%*s  ",
                is_number ? table->widths[i] : -table->widths[i],
                row->cells[i]);
    }
    fprintf(table->stream, "%s\n", row->cells[last]);
}

/* ---- Operations ---------------------------------------------------------- */

/* A line of words below an operation or a communicator. */
static void write_words(const struct table *table, size_t indent,
                        const char *label, const char *text)
{
    fprintf(table->stream, "%*s%s", (int)indent, "", label);
    mq_text_wrap(table->stream, text, indent + strlen(label), indent + 2,
                 table->options->width);
}

static void write_extra(const struct table *table, const char *extra)
{
    char line[512];

    while (*extra != '\0') {
        size_t length = strcspn(extra, "\n");

        snprintf(line, sizeof line, "%.*s", (int)length, extra);
        write_words(table, operation_indent + 2, "", line);
        extra += length + (extra[length] == '\n');
    }
}

/* The message received, where it differs from the request. */
static void write_actual(const struct table *table,
                         const struct mq_operation *operation)
{
    char peer[48], text[160];

    if (operation->actual_local == operation->desired_local
        && operation->actual_global == operation->desired_global
        && operation->actual_tag == operation->desired_tag
        && operation->actual_length == operation->desired_length
        && !operation->tag_wild)
        return;
    print_peer(peer, sizeof peer, table->job, operation->actual_local,
               operation->actual_global);
    snprintf(text, sizeof text, "%s, tag %" PRId64 ", %" PRId64 " bytes",
             peer, operation->actual_tag, operation->actual_length);
    write_words(table, operation_indent + 2, "got ", text);
}

static void write_operation(const struct table *table,
                            const struct mq_operation_ref *ref)
{
    const struct mq_operation *operation =
        mq_operation_ref_operation(table->job, ref);
    enum mq_queue_class class = ref->queue;
    struct row row;

    print_row(table->job, class, operation, &row);
    if (table->block->count > 1)
        strcpy(row.cells[buffer_column], "-");
    write_row(table, &row);
    if (class == mq_receives && operation->status >= mq_matched)
        write_actual(table, operation);
    if (operation->datatype != NULL)
        write_words(table, operation_indent + 2, "", operation->datatype);
    if (operation->extra != NULL)
        write_extra(table, operation->extra);
    if (operation->from_stack)
        write_extra(table, class == mq_unexpected
                    ? "Sent but not received (from counters)"
                    : "From the call itself, not on a queue");
}

/* ---- Communicators ------------------------------------------------------- */

/* Whether local ranks are those in the process's own world. */
static bool is_world(const struct table *table,
                     const struct mq_process *process,
                     const struct mq_group *group)
{
    int rank, world = mq_worlds_find(table->job, process->rank, &rank);
    int first = world >= 0 ? table->job->worlds[world].first : 0;

    return group->run_count == 1 && group->runs[0].first == first
           && group->runs[0].step == 1;
}

/* The group's global ranks, as many runs of them as fit. */
static void print_group(struct table *table, const struct mq_group *group,
                        char *text, size_t size)
{
    struct mq_strbuf words = { 0 };
    size_t used = size - sizeof ",...";

    mq_rank_text_members(&words, table->job, group);
    if (words.failed) {
        table->failed = true;
    } else if (words.length < size) {
        snprintf(text, size, "%s", mq_strbuf_text(&words));
    } else {
        while (used > 0 && words.text[used] != ',')
            used--;
        snprintf(text, size, "%.*s,...", (int)used, words.text);
    }
    mq_strbuf_deinit(&words);
}

/* A text that distinguishes COMMUNICATOR from another one of the same name, or
 * nothing.
 */
static void print_id(const struct mq_process *process,
                     const struct mq_communicator *communicator, char *text,
                     size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct mq_communicator *other = &process->communicators[i];

        if (other != communicator && other->name == communicator->name) {
            snprintf(text, size, ", id 0x%" PRIx64, communicator->id);
            return;
        }
    }
}

/* Remarks on the queues without their operations. */
static void print_queues(const struct mq_communicator *communicator,
                         char *text, size_t size)
{
    uint32_t count = 0;
    size_t used = 0;
    bool is_known = true;

    text[0] = '\0';
    for (int i = 0; i < mq_queue_classes; i++) {
        const struct mq_queue *queue = &communicator->queues[i];

        count += queue->count;
        is_known &= queue->state != mq_failed;
        if (queue->state == mq_absent && used < size)
            used += (size_t)snprintf(text + used, size - used,
                                     ", %s queue not known",
                                     mq_queue_names[i]);
    }
    if (count == 0 && is_known && used == 0)
        snprintf(text, size, ": nothing pending");
}

/* Whether its members are known to be others than those that the process's own
 * rank counts among.
 */
static bool is_remote(const struct mq_communicator *communicator)
{
    return communicator->kind == mq_kind_inter
           || (communicator->size > 0
               && communicator->local_rank >= communicator->size);
}

static void write_title(struct table *table,
                        const struct mq_process *process,
                        const struct mq_communicator *communicator)
{
    size_t index = (size_t)(communicator - process->communicators);
    bool twin = index > 0
                && mq_match_is_internal(table->match, table->process, index);
    bool remote = is_remote(communicator);
    bool single = table->block->count == 1;
    char group[48] = "", rank[32] = "", id[32] = "", queues[128], text[512];

    if (communicator->group != NULL
        && !is_world(table, process, communicator->group))
        print_group(table, communicator->group, group, sizeof group);
    if (single) {
        print_id(process, communicator, id, sizeof id);
        snprintf(rank, sizeof rank, "rank %" PRId64 "%s",
                 communicator->local_rank, remote ? ", " : " of ");
    }
    print_queues(communicator, queues, sizeof queues);
    snprintf(text, sizeof text, "%s%.200s, %s%s%" PRId64 "%s%s%s%s%s%s",
             twin ? "the collective part of " : "",
             twin ? communicator[-1].name : communicator->name, rank,
             remote ? "remote group of " : "", communicator->size,
             single || remote ? "" : " ranks", group[0] != '\0' ? " (" : "",
             group, group[0] != '\0' ? ")" : "", id, queues);
    write_words(table, 2, "", text);
}

/* The remarks on a communicator, or on the process if that is -1. */
static void write_remarks(const struct table *table,
                          const struct mq_process *process,
                          int32_t communicator, int8_t queue)
{
    for (size_t i = 0; i < process->remark_count; i++) {
        const struct mq_remark *remark = &process->remarks[i];

        if (remark->communicator == communicator && remark->queue == queue)
            write_words(table, communicator < 0 ? 2 : operation_indent,
                        remark->is_error ? "error: " : "note: ",
                        remark->text);
    }
}

static bool shows(const struct table *table, const struct mq_operation_ref *ref)
{
    return mq_filter_shows_operation(&table->options->filter, table->job,
                                     ref);
}

/* Whether the MPI library made it on a communicator of the program's. */
static bool is_of_library(const struct table *table,
                          const struct mq_operation_ref *ref)
{
    return mq_is_internal(table->messages, ref)
           && !mq_match_is_internal(table->match, ref->process,
                                    ref->communicator);
}

/* The operations of a queue that are the library's, or those that are not. */
static void write_queue(const struct table *table, struct mq_operation_ref ref,
                        bool of_library)
{
    const struct mq_queue *queue =
        &mq_operation_ref_communicator(table->job, &ref)->queues[ref.queue];
    size_t count = 0;

    for (uint32_t i = 0; i < queue->count; i++) {
        ref.operation = queue->first + i;
        if (shows(table, &ref) && is_of_library(table, &ref) == of_library
            && (count++ < table->limits.operations || table->options->all))
            write_operation(table, &ref);
    }
    if (!table->options->all && count > table->limits.operations)
        mq_text_more(table->stream, operation_indent,
                     count - table->limits.operations, "operation",
                     "operations");
}

/* Operations that the program never made, as those of collective calls. */
static void write_library_operations(const struct table *table,
                                     struct mq_operation_ref ref)
{
    const struct mq_communicator *it =
        mq_operation_ref_communicator(table->job, &ref);
    bool has_any = false;

    for (int i = 0; i < mq_queue_classes; i++) {
        ref.queue = mq_report_order[i];
        for (uint32_t k = 0; k < it->queues[ref.queue].count; k++) {
            ref.operation = it->queues[ref.queue].first + k;
            has_any |= shows(table, &ref) && is_of_library(table, &ref);
        }
    }
    if (!has_any)
        return;
    write_words(table, 2, "the MPI library's own operations on ", it->name);
    for (int i = 0; i < mq_queue_classes; i++) {
        ref.queue = mq_report_order[i];
        write_queue(table, ref, true);
    }
}

static void write_communicator(struct table *table, size_t index)
{
    const struct mq_process *process = &table->job->processes[table->process];
    struct mq_operation_ref ref = {(uint32_t)table->process, (uint32_t)index,
                                   0, 0};

    write_title(table, process, &process->communicators[index]);
    if (process->communicators[index].about != NULL)
        write_extra(table, process->communicators[index].about);
    write_remarks(table, process, (int32_t)index, -1);
    for (int i = 0; i < mq_queue_classes; i++) {
        ref.queue = mq_report_order[i];
        write_queue(table, ref, false);
        write_remarks(table, process, (int32_t)index, (int8_t)ref.queue);
    }
    write_library_operations(table, ref);
}

/* ---- Processes ----------------------------------------------------------- */

/* "rank 3", "ranks [0-511]". */
static void add_ranks(const struct table *table, struct mq_strbuf *words)
{
    const uint32_t *members = table->fold.members + table->block->begin;
    size_t count = table->block->count, i;
    int *ranks;

    if (table->job->processes[members[0]].rank < 0) {
        mq_strbuf_add(words, "rank not known (process %" PRIu32 ")",
                     members[0] + 1);
        return;
    }
    if (count == 1) {
        mq_rank_text_one(words, table->job,
                         table->job->processes[*members].rank);
        return;
    }
    ranks = malloc(count * sizeof *ranks);
    if (ranks == NULL) {
        words->failed = true;
        return;
    }
    for (i = 0; i < count; i++)
        ranks[i] = table->job->processes[members[i]].rank;
    mq_rank_text_folded(words, table->job, ranks, count);
    free(ranks);
}

static void write_heading(struct table *table)
{
    const struct mq_process *process = &table->job->processes[table->process];
    const char *call = process->call;
    struct mq_strbuf words = {0};

    add_ranks(table, &words);
    if (call != NULL)
        mq_strbuf_add(&words, " in %s",
                     strcmp(call, "-") == 0 ? "no MPI call" : call);
    mq_strbuf_add(&words, ": %s", process->image);
    mq_text_wrap(table->stream, mq_strbuf_text(&words), 0, 2,
                 table->options->width);
    table->failed |= words.failed;
    mq_strbuf_deinit(&words);
}

/* Whether all ranks of the block made their call with what WORDS say. */
static bool is_common(struct table *table, const struct mq_strbuf *words)
{
    const uint32_t *members = table->fold.members + table->block->begin;
    struct mq_strbuf others = {0};
    bool same = true;

    for (size_t i = 1; same && i < table->block->count; i++) {
        mq_strbuf_empty(&others);
        mq_arguments_words(&others, &table->job->processes[members[i]]);
        same = strcmp(mq_strbuf_text(&others), mq_strbuf_text(words)) == 0;
    }
    table->failed |= others.failed;
    mq_strbuf_deinit(&others);
    return same;
}

/* Whether no operation of a communicator is known, and nothing more is said of
 * it.
 */
static bool is_idle(const struct table *table, size_t index)
{
    const struct mq_process *process = &table->job->processes[table->process];
    const struct mq_communicator *it = &process->communicators[index];

    for (int i = 0; i < mq_queue_classes; i++)
        if (it->queues[i].count > 0 || it->queues[i].state == mq_failed)
            return false;
    for (size_t i = 0; i < process->remark_count; i++)
        if (process->remarks[i].communicator == (int32_t)index)
            return false;
    return it->about == NULL;
}

static void write_block(struct table *table)
{
    const struct mq_process *process = &table->job->processes[table->process];
    size_t i, count = 0;

    write_heading(table);
    if (table->taking_part == NULL) {
        struct mq_strbuf words = {0};

        mq_arguments_words(&words, &table->job->processes[table->process]);
        if (words.length > 0 && is_common(table, &words))
            write_words(table, 2, "called with ", mq_strbuf_text(&words));
        table->failed |= words.failed;
        mq_strbuf_deinit(&words);
    }
    write_remarks(table, process, -1, -1);
    if (mq_filter_shows_some(&table->options->filter, table->job,
                             table->process))
        write_row(table, &titles);
    for (i = 0; i < process->communicator_count; i++)
        if (mq_filter_shows_communicator(&table->options->filter, table->job,
                                         table->match, table->process, i)
            && (table->taking_part == NULL || !is_idle(table, i))
            && (count++ < table->limits.communicators || table->options->all))
            write_communicator(table, i);
    if (!table->options->all && count > table->limits.communicators)
        mq_text_more(table->stream, 2, count - table->limits.communicators,
                     "communicator", "communicators");
}

static size_t shown_blocks(const struct table *table)
{
    return table->options->all || table->fold.count < table->limits.blocks
           ? table->fold.count : table->limits.blocks;
}

static void select_block(struct table *table, size_t index)
{
    table->block = &table->fold.blocks[index];
    table->process = table->fold.members[table->block->begin];
}

/* Makes the columns wide enough for all blocks, and leaves the buffers out
 * where they do not fit or nobody has asked for queues.
 */
static void fit_columns(struct table *table)
{
    size_t i, total = operation_indent;

    widen(table, &titles);
    for (i = 0; i < shown_blocks(table); i++) {
        struct mq_operation_ref ref;
        struct row row;

        select_block(table, i);
        ref = mq_operation_ref_before(table->process);
        while (mq_operation_ref_next(table->job, &ref)) {
            print_row(table->job, mq_unexpected,
                      mq_operation_ref_operation(table->job, &ref), &row);
            if (table->block->count > 1)
                row.cells[buffer_column][0] = '\0';
            if (shows(table, &ref))
                widen(table, &row);
        }
    }
    for (int j = 0; j < column_count; j++)
        total += (size_t)table->widths[j] + (j > 0 ? 2 : 0);
    if (total > table->options->width || table->taking_part != NULL)
        table->widths[buffer_column] = 0;
}

/* Whether a process has anything to show. */
static bool is_shown(const struct table *table, size_t process)
{
    const struct mq_filter *filter = &table->options->filter;
    const struct mq_process *it = &table->job->processes[process];

    if (!mq_filter_shows_rank(filter, table->job, it)
        || (table->taking_part != NULL && !table->taking_part[process]))
        return false;
    if (filter->queues == 0 && filter->tag == NULL
        && filter->communicator == NULL)
        return true;
    for (size_t i = 0; i < it->communicator_count; i++)
        if (mq_filter_shows_communicator(filter, table->job, table->match,
                                         process, i))
            return true;
    return false;
}

static enum mq_result fold_processes(struct table *table,
                                     struct mq_error *error)
{
    bool *shown = malloc(table->job->process_count + 1);
    enum mq_result result;

    if (shown == NULL)
        return mq_fail_memory(error, "writing a table");
    for (size_t i = 0; i < table->job->process_count; i++)
        shown[i] = is_shown(table, i);
    result = mq_fold_create(table->job, shown, error, &table->fold);
    free(shown);
    return result;
}

static struct limits limits_of(const struct mq_job *job)
{
    return job->process_count <= few_ranks ? (struct limits){ 20, 100, 20 }
           : job->process_count <= some_ranks ? (struct limits){ 8, 8, 8 }
                                              : (struct limits){ 3, 3, 3 };
}

static size_t ranks_left_out(const struct table *table, size_t blocks)
{
    size_t more = 0;

    for (size_t i = blocks; i < table->fold.count; i++)
        more += table->fold.blocks[i].count;
    return more;
}

static enum mq_result write_table(struct table *table, struct mq_error *error)
{
    size_t blocks, more;

    if (fold_processes(table, error) != mq_ok)
        return mq_failed;
    fit_columns(table);
    blocks = shown_blocks(table);
    for (size_t i = 0; i < blocks; i++) {
        putc('\n', table->stream);
        select_block(table, i);
        write_block(table);
    }
    more = ranks_left_out(table, blocks);
    if (more > 0)
        putc('\n', table->stream);
    mq_text_more(table->stream, 0, more, "rank", "ranks");
    mq_fold_destroy(&table->fold);
    return table->failed ? mq_fail_memory(error, "writing a table") : mq_ok;
}

/* ---- Ranks in findings --------------------------------------------------- */

/* Whether the user has asked for queues. */
static bool is_asked_for(const struct mq_report_options *options)
{
    const struct mq_filter *filter = &options->filter;

    return options->queues || options->all || filter->queues != 0
           || filter->communicator != NULL || filter->tag != NULL
           || filter->ranks.count > 0 || filter->internal;
}

/* In a job of more than a few ranks, those of the near miss or mismatch that
 * the headline names are enough.
 */
static void mark_taking_part(const struct mq_analysis *a, bool *taking_part)
{
    bool are_named = a->job->process_count > few_ranks
                     && (mq_sentence_mismatch_leads(a)
                         || mq_sentence_leading_miss(a) != NULL);

    for (size_t p = 0; p < a->job->process_count; p++)
        taking_part[p] = a->is_cause[p] && !are_named;
    for (size_t i = 0; i < a->near_miss_count; i++) {
        if (a->near_misses[i].note)
            continue;
        taking_part[a->near_misses[i].receive.process] = true;
        taking_part[a->near_misses[i].message.process] = true;
    }
    for (size_t i = 0; i < a->mismatches.count; i++) {
        taking_part[a->mismatches.mismatches[i].few.process] = true;
        taking_part[a->mismatches.mismatches[i].many.process] = true;
    }
}

enum mq_result mq_report_queues(const struct mq_analysis *a,
                                const struct mq_report_options *options,
                                FILE *stream, struct mq_error *error)
{
    bool *taking_part = NULL;
    struct table table = { 0 };
    enum mq_result result;

    if (!is_asked_for(options)) {
        taking_part = malloc(a->job->process_count + 1);
        if (taking_part == NULL)
            return mq_fail_memory(error, "writing a table");
        mark_taking_part(a, taking_part);
    }
    table.stream = stream;
    table.job = a->job;
    table.match = &a->match;
    table.messages = &a->table;
    table.options = options;
    table.taking_part = taking_part;
    table.limits = taking_part != NULL ? limits_of(a->job)
                                       : (struct limits){ 20, 100, 20 };
    result = write_table(&table, error);
    free(taking_part);
    return result;
}
