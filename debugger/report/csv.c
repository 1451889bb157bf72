/* csv.c - the format csv */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "report/report.h"

static const char columns[] =
    "rank,call,communicator,communicator_id,local_rank,size,queue,status,"
    "peer_local,peer_global,tag,bytes,buffer,system_buffer,actual_local,"
    "actual_global,actual_tag,actual_bytes,extra,name,image,state,stuck,"
    "cause,finding,internal\n";

static const char *quote(char c)
{
    return c == '"' ? "\"\"" : NULL;
}

/* A text field.  A spreadsheet takes what begins with one of these for a
 * formula, and runs it.
 */
static void write_text(FILE *stream, const char *text)
{
    putc('"', stream);
    if (text != NULL && *text != '\0' && strchr("=+-@", *text) != NULL
        && strcmp(text, "-") != 0)
        putc('\'', stream);
    if (text != NULL)
        mq_text_write_quoted(stream, text, quote);
    putc('"', stream);
}

/* A number; -1: not known. */
static void write_known(FILE *stream, int64_t number)
{
    if (number < 0)
        fputs("?,", stream);
    else
        fprintf(stream, "%" PRId64 ",", number);
}

static void write_place(FILE *stream, const struct mq_job *job,
                        const struct mq_operation_ref *ref)
{
    const struct mq_process *process = mq_operation_ref_process(job, ref);
    const struct mq_communicator *communicator =
        mq_operation_ref_communicator(job, ref);

    write_known(stream, process->rank);
    write_text(stream, process->call);
    putc(',', stream);
    write_text(stream, communicator->name);
    fprintf(stream, ",0x%" PRIx64 ",%" PRId64 ",%" PRId64 ",%s,",
            communicator->id, communicator->local_rank, communicator->size,
            mq_queue_names[ref->queue]);
}

static void write_peer(FILE *stream, enum mq_queue_class queue,
                       const struct mq_operation *op)
{
    if (mq_operation_is_any(queue, op)) {
        fputs("any,any,", stream);
        return;
    }
    write_known(stream, op->desired_local);
    write_known(stream, op->desired_global);
}

static bool are_equal(const struct mq_operation_ref *a,
                      const struct mq_operation_ref *b)
{
    return a->process == b->process && a->operation == b->operation;
}

/* The finding that an operation is part of. */
static const char *finding_of(const struct mq_analysis *a,
                              const struct mq_operation_ref *ref)
{
    for (size_t i = 0; i < a->near_miss_count; i++)
        if (!a->near_misses[i].note
            && (are_equal(ref, &a->near_misses[i].receive)
                || are_equal(ref, &a->near_misses[i].message)))
            return "near-miss";
    for (size_t i = 0; i < a->mismatches.count; i++)
        if (a->mismatches.mismatches[i].few.process == ref->process
            || a->mismatches.mismatches[i].many.process == ref->process)
            return "collective-mismatch";
    return "";
}

static void write_operation(FILE *stream, const struct mq_analysis *a,
                            const struct mq_operation_ref *ref)
{
    const struct mq_job *job = a->job;
    const struct mq_process *process = mq_operation_ref_process(job, ref);
    const struct mq_operation *op = mq_operation_ref_operation(job, ref);

    write_place(stream, job, ref);
    fprintf(stream, "%s,", mq_status_names[op->status]);
    write_peer(stream, ref->queue, op);
    if (op->tag_wild)
        fputs("any,", stream);
    else
        fprintf(stream, "%" PRId64 ",", op->desired_tag);
    write_known(stream, op->desired_length);
    if (!mq_knows_buffer(op))
        fprintf(stream, "?,%d,", op->system_buffer);
    else
        fprintf(stream, "0x%" PRIx64 ",%d,", op->buffer, op->system_buffer);
    if (ref->queue == mq_sends || op->status != mq_pending) {
        write_known(stream, op->actual_local);
        write_known(stream, op->actual_global);
        fprintf(stream, "%" PRId64 ",", op->actual_tag);
        write_known(stream, op->actual_length);
    } else
        fputs(",,,,", stream);
    write_text(stream, op->extra);
    putc(',', stream);
    write_text(stream, process->name);
    putc(',', stream);
    write_text(stream, process->image);
    fprintf(stream, ",%s,%s,%d,%s,%d",
            mq_rank_state_names[a->waits.of[ref->process].state],
            mq_is_surely_stuck(a, ref->process) ? "certain"
            : mq_is_stuck(a, ref->process) ? "possible" : "",
            a->is_cause[ref->process], finding_of(a, ref),
            mq_is_internal(&a->table, ref));
    putc('\n', stream);
}

enum mq_result mq_report_csv(const struct mq_analysis *analysis,
                             const struct mq_report_options *options,
                             FILE *stream, struct mq_error *error)
{
    (void)error;
    fputs(columns, stream);
    for (size_t p = 0; p < analysis->job->process_count; p++) {
        struct mq_operation_ref ref = mq_operation_ref_before(p);

        while (mq_operation_ref_next(analysis->job, &ref))
            if (mq_filter_shows_operation(&options->filter, analysis->job,
                                          &ref))
                write_operation(stream, analysis, &ref);
    }
    return mq_ok;
}
