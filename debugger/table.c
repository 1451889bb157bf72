#include <inttypes.h>
#include <string.h>

#include "report.h"
#include "text.h"

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

struct table {
    FILE *stream;
    size_t width;               /* of the terminal */
    int widths[column_count];   /* 0: not shown */
};

static const struct row titles = {
    {"queue", "local/global", "tag", "bytes", "status", "buffer"}
};

static void print_peer(char *cell, size_t size, int64_t local, int64_t global)
{
    if (local == -1)
        snprintf(cell, size, "any");
    else if (global == -1)
        snprintf(cell, size, "%" PRId64 "/?", local);
    else
        snprintf(cell, size, "%" PRId64 "/%" PRId64, local, global);
}

#define PRINT(column, ...) \
    snprintf(row->cells[column], sizeof row->cells[column], __VA_ARGS__)

static void print_row(enum mq_queue_class class,
                      const struct mq_operation *operation, struct row *row)
{
    PRINT(queue_column, "%s", mq_queue_names[class]);
    print_peer(row->cells[peer_column], sizeof row->cells[peer_column],
               operation->desired_local, operation->desired_global);
    if (operation->tag_wild)
        PRINT(tag_column, "any");
    else
        PRINT(tag_column, "%" PRId64, operation->desired_tag);
    PRINT(length_column, "%" PRId64, operation->desired_length);
    PRINT(status_column, "%s", mq_status_names[operation->status]);
    PRINT(buffer_column, "0x%" PRIx64 "%s", operation->buffer,
          operation->system_buffer ? " (system)" : "");
}

static void widen(struct table *table, const struct row *row)
{
    int i;

    for (i = 0; i < column_count; i++) {
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
                 table->width);
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

/* What came, where it differs from what was asked for. */
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
    print_peer(peer, sizeof peer, operation->actual_local,
               operation->actual_global);
    snprintf(text, sizeof text, "%s, tag %" PRId64 ", %" PRId64 " bytes",
             peer, operation->actual_tag, operation->actual_length);
    write_words(table, operation_indent + 2, "got ", text);
}

static void write_operation(const struct table *table,
                            enum mq_queue_class class,
                            const struct mq_operation *operation)
{
    struct row row;

    print_row(class, operation, &row);
    write_row(table, &row);
    if (class == mq_receives && operation->status >= mq_matched)
        write_actual(table, operation);
    if (operation->extra != NULL)
        write_extra(table, operation->extra);
}

/* ---- Communicators ------------------------------------------------------- */

/* Whether local and global ranks are the same. */
static bool is_world(const struct mq_group *group)
{
    return group->run_count == 1 && group->runs[0].first == 0
           && group->runs[0].step == 1;
}

/* The group's global ranks, as many as fit. */
static void print_group(const struct mq_group *group, char *text, size_t size)
{
    size_t i, used = 0;

    text[0] = '\0';
    for (i = 0; i < group->run_count; i++) {
        const struct mq_run *run = &group->runs[i];
        long long last = run->first + (run->count - 1) * (long long)run->step;
        const char *comma = i > 0 ? "," : "";
        char part[48];

        if (run->count == 1)
            snprintf(part, sizeof part, "%s%d", comma, run->first);
        else if (run->step == 1)
            snprintf(part, sizeof part, "%s%d-%lld", comma, run->first, last);
        else if (run->count == 2)
            snprintf(part, sizeof part, "%s%d,%lld", comma, run->first, last);
        else
            snprintf(part, sizeof part, "%s%d,%lld..%lld", comma, run->first,
                     run->first + (long long)run->step, last);
        if (used + strlen(part) + sizeof ",..." > size) {
            snprintf(text + used, size - used, "%s...", comma);
            return;
        }
        used += (size_t)snprintf(text + used, size - used, "%s", part);
    }
}

/* What tells COMMUNICATOR from another one of the same name, or nothing. */
static void print_id(const struct mq_process *process,
                     const struct mq_communicator *communicator, char *text,
                     size_t size)
{
    size_t i;

    text[0] = '\0';
    for (i = 0; i < process->communicator_count; i++) {
        const struct mq_communicator *other = &process->communicators[i];

        if (other != communicator && other->name == communicator->name) {
            snprintf(text, size, ", id 0x%" PRIx64, communicator->id);
            return;
        }
    }
}

/* What can be said of the queues without their operations. */
static void print_queues(const struct mq_communicator *communicator,
                         char *text, size_t size)
{
    uint32_t count = 0;
    size_t used = 0;
    bool is_known = true;
    int i;

    text[0] = '\0';
    for (i = 0; i < mq_queue_classes; i++) {
        const struct mq_queue *queue = &communicator->queues[i];

        count += queue->count;
        is_known &= queue->state != mq_failed;
        if (queue->state == mq_absent && used < size)
            used += (size_t)snprintf(text + used, size - used,
                                     ", %s queue not known",
                                     mq_queue_names[i]);
    }
    if (count == 0 && is_known && used < size)
        snprintf(text + used, size - used, ": nothing pending");
}

static void write_title(const struct table *table,
                        const struct mq_process *process,
                        const struct mq_communicator *communicator)
{
    char group[48] = "", id[32], queues[128], text[512];

    if (communicator->group != NULL && !is_world(communicator->group))
        print_group(communicator->group, group, sizeof group);
    print_id(process, communicator, id, sizeof id);
    print_queues(communicator, queues, sizeof queues);
    snprintf(text, sizeof text, "%.200s, rank %" PRId64 " of %" PRId64
             "%s%s%s%s%s", communicator->name, communicator->local_rank,
             communicator->size, group[0] != '\0' ? " (" : "", group,
             group[0] != '\0' ? ")" : "", id, queues);
    write_words(table, 2, "", text);
}

/* The remarks on a communicator, or on the process if that is -1. */
static void write_remarks(const struct table *table,
                          const struct mq_process *process,
                          int32_t communicator, int8_t queue)
{
    size_t i;

    for (i = 0; i < process->remark_count; i++) {
        const struct mq_remark *remark = &process->remarks[i];

        if (remark->communicator == communicator && remark->queue == queue)
            write_words(table, communicator < 0 ? 2 : operation_indent,
                        remark->is_error ? "error: " : "note: ",
                        remark->text);
    }
}

static void write_communicator(const struct table *table,
                               const struct mq_process *process, size_t index)
{
    const struct mq_communicator *communicator = &process->communicators[index];
    uint32_t j;
    int i;

    write_title(table, process, communicator);
    write_remarks(table, process, (int32_t)index, -1);
    for (i = 0; i < mq_queue_classes; i++) {
        enum mq_queue_class class = mq_report_order[i];
        const struct mq_queue *queue = &communicator->queues[class];

        for (j = 0; j < queue->count; j++)
            write_operation(table, class,
                            &process->operations[queue->first + j]);
        write_remarks(table, process, (int32_t)index, (int8_t)class);
    }
}

/* ---- Processes ----------------------------------------------------------- */

static void write_process(const struct table *table,
                          const struct mq_process *process, size_t index)
{
    char rank[64], text[1024];
    const char *call = process->call;
    size_t i;

    if (process->rank >= 0)
        snprintf(rank, sizeof rank, "rank %d", process->rank);
    else
        snprintf(rank, sizeof rank, "rank not known (process %zu)",
                 index + 1);
    snprintf(text, sizeof text, "%s%s%s: %.400s", rank,
             call == NULL ? "" : " in ",
             call == NULL ? "" : strcmp(call, "-") == 0 ? "no MPI call" : call,
             process->image);
    mq_text_wrap(table->stream, text, 0, 2, table->width);
    write_remarks(table, process, -1, -1);
    if (process->operation_count > 0)
        write_row(table, &titles);
    for (i = 0; i < process->communicator_count; i++)
        write_communicator(table, process, i);
}

/* Makes the columns wide enough for the whole job, and leaves the buffers out
 * where they do not fit.
 */
static void fit_columns(struct table *table, const struct mq_job *job)
{
    size_t i, total = operation_indent;
    int j;

    widen(table, &titles);
    for (i = 0; i < job->process_count; i++) {
        const struct mq_process *process = &job->processes[i];
        struct row row;
        size_t k;

        for (k = 0; k < process->operation_count; k++) {
            print_row(mq_unexpected, &process->operations[k], &row);
            widen(table, &row);
        }
    }
    for (j = 0; j < column_count; j++)
        total += (size_t)table->widths[j] + (j > 0 ? 2 : 0);
    if (total > table->width)
        table->widths[buffer_column] = 0;
}

void mq_report_table(const struct mq_job *job, size_t width, FILE *stream)
{
    struct table table = {stream, width, {0}};
    size_t i;

    fit_columns(&table, job);
    for (i = 0; i < job->process_count; i++) {
        if (i > 0)
            putc('\n', stream);
        write_process(&table, &job->processes[i], i);
    }
}
