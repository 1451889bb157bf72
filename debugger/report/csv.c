#include <inttypes.h>
#include <string.h>

#include "report/report.h"

static const char columns[] =
    "rank,call,communicator,communicator_id,local_rank,size,queue,status,"
    "peer_local,peer_global,tag,bytes,buffer,system_buffer,actual_local,"
    "actual_global,actual_tag,actual_bytes,extra,name,image\n";

/* A text field; quotes are doubled, and control characters are blanks. */
static void write_text(FILE *stream, const char *text)
{
    putc('"', stream);
    for (; text != NULL && *text != '\0'; text++) {
        if (*text == '"')
            putc('"', stream);
        putc((unsigned char)*text < ' ' || *text == 0x7f ? ' ' : *text,
             stream);
    }
    putc('"', stream);
}

/* A rank, or nothing for -1. */
static void write_rank(FILE *stream, int64_t rank)
{
    if (rank >= 0)
        fprintf(stream, "%" PRId64, rank);
    putc(',', stream);
}

static void write_place(FILE *stream, const struct mq_job *job,
                        const struct mq_operation_ref *place)
{
    const struct mq_process *process = mq_operation_ref_process(job, place);
    const struct mq_communicator *communicator =
        mq_operation_ref_communicator(job, place);

    write_rank(stream, process->rank);
    write_text(stream, process->call);
    putc(',', stream);
    write_text(stream, communicator->name);
    fprintf(stream, ",0x%" PRIx64 ",%" PRId64 ",%" PRId64 ",%s,",
            communicator->id, communicator->local_rank, communicator->size,
            mq_queue_names[place->queue]);
}

static void write_peer(FILE *stream, enum mq_queue_class queue,
                       const struct mq_operation *op)
{
    if (mq_operation_is_any(queue, op)) {
        fputs("any,any,", stream);
        return;
    }
    write_rank(stream, op->desired_local);
    write_rank(stream, op->desired_global);
}

static void write_actual(FILE *stream, const struct mq_operation *op)
{
    write_rank(stream, op->actual_local);
    write_rank(stream, op->actual_global);
    fprintf(stream, "%" PRId64 ",%" PRId64 ",", op->actual_tag,
            op->actual_length);
}

static void write_operation(FILE *stream, const struct mq_job *job,
                            const struct mq_operation_ref *place)
{
    const struct mq_process *process = mq_operation_ref_process(job, place);
    const struct mq_operation *op = mq_operation_ref_operation(job, place);

    write_place(stream, job, place);
    fprintf(stream, "%s,", mq_status_names[op->status]);
    write_peer(stream, place->queue, op);
    if (op->tag_wild)
        fputs("any,", stream);
    else
        fprintf(stream, "%" PRId64 ",", op->desired_tag);
    fprintf(stream, "%" PRId64 ",0x%" PRIx64 ",%d,", op->desired_length,
            op->buffer, op->system_buffer);
    if (place->queue == mq_sends || op->status != mq_pending)
        write_actual(stream, op);
    else
        fputs(",,,,", stream);
    write_text(stream, op->extra);
    putc(',', stream);
    write_text(stream, process->name);
    putc(',', stream);
    write_text(stream, process->image);
    putc('\n', stream);
}

enum mq_result mq_report_csv(const struct mq_analysis *analysis,
                             const struct mq_report_options *options,
                             FILE *stream, struct mq_error *error)
{
    (void)error;
    fputs(columns, stream);
    for (size_t p = 0; p < analysis->job->process_count; p++) {
        struct mq_operation_ref place = mq_operation_ref_before(p);

        while (mq_operation_ref_next(analysis->job, &place))
            if (mq_filter_shows_operation(&options->filter, analysis->job,
                                          &place))
                write_operation(stream, analysis->job, &place);
    }
    return mq_ok;
}
