/* raw.c - the format raw: the answers of the DLL */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>

#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "report/report.h"

/* Writes LINES, null or separated by newlines. */
static void write_extra(const char *lines, FILE *stream)
{
    struct mq_strbuf line = { 0 };

    while (lines != NULL && *lines != '\0') {
        size_t length = strcspn(lines, "\n");

        mq_strbuf_empty(&line);
        mq_strbuf_add(&line, "%.*s", (int)length, lines);
        fputs("extra \"", stream);
        mq_text_write(stream, mq_strbuf_text(&line));
        fputs("\"\n", stream);
        lines += length + (lines[length] == '\n');
    }
    mq_strbuf_deinit(&line);
}

static void write_operation(enum mq_queue_class class,
                            const struct mq_operation *operation, FILE *stream)
{
    fprintf(stream, "%s status=%s desired_local=%" PRId64 " desired_global=%"
            PRId64 " tag=", mq_queue_names[class],
            mq_status_names[operation->status], operation->desired_local,
            operation->desired_global);
    if (operation->tag_wild)
        fputs("any", stream);
    else
        fprintf(stream, "%" PRId64, operation->desired_tag);
    fprintf(stream, " length=%" PRId64 " system=%d buffer=0x%" PRIx64,
            operation->desired_length, operation->system_buffer,
            operation->buffer);
    if (class == mq_sends || operation->status >= mq_matched)
        fprintf(stream, " actual_local=%" PRId64 " actual_global=%" PRId64
                " actual_tag=%" PRId64 " actual_length=%" PRId64,
                operation->actual_local, operation->actual_global,
                operation->actual_tag, operation->actual_length);
    putc('\n', stream);
    write_extra(operation->extra, stream);
}

static void write_communicator(const struct mq_process *process,
                               const struct mq_communicator *communicator,
                               FILE *stream)
{
    fprintf(stream, "comm id=0x%" PRIx64 " local_rank=%" PRId64 " size=%"
            PRId64 " name=\"", communicator->id, communicator->local_rank,
            communicator->size);
    mq_text_write(stream, communicator->name);
    fputs("\"\n", stream);
    if (communicator->group != NULL) {
        fputs("group", stream);
        for (size_t i = 0; i < communicator->group->run_count; i++) {
            const struct mq_run *run = &communicator->group->runs[i];

            for (int32_t j = 0; j < run->count; j++)
                fprintf(stream, " %lld", run->first + (long long)j * run->step);
        }
        putc('\n', stream);
    }
    for (int i = 0; i < mq_queue_classes; i++) {
        enum mq_queue_class class = mq_report_order[i];
        const struct mq_queue *queue = &communicator->queues[class];

        if (queue->state == mq_absent)
            fprintf(stream, "none %s\n", mq_queue_names[class]);
        for (uint32_t j = 0; j < queue->count; j++)
            if (!process->operations[queue->first + j].from_stack)
                write_operation(class, &process->operations[queue->first + j],
                                stream);
    }
}

void mq_report_raw(const struct mq_job *job, FILE *stream)
{
    for (size_t i = 0; i < job->process_count; i++) {
        const struct mq_process *process = &job->processes[i];

        for (size_t j = 0; j < process->communicator_count; j++)
            write_communicator(process, &process->communicators[j], stream);
    }
}
