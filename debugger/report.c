#include "report.h"

#include "text.h"

const enum mq_queue_class mq_report_order[mq_queue_classes] = {
    mq_receives, mq_unexpected, mq_sends
};

const char *const mq_queue_names[mq_queue_classes] = {
    "send", "receive", "unexpected"
};

const char *const mq_status_names[3] = {"pending", "matched", "complete"};

static void write_place(const struct mq_process *process,
                        const struct mq_remark *remark, FILE *stream)
{
    if (process->rank >= 0)
        fprintf(stream, "rank %d, ", process->rank);
    mq_text_write(stream, process->name);
    if (remark->communicator >= 0) {
        fputs(", ", stream);
        mq_text_write(stream,
                      process->communicators[remark->communicator].name);
    }
    if (remark->queue >= 0)
        fprintf(stream, ", %s queue", mq_queue_names[remark->queue]);
}

bool mq_report_remarks(const struct mq_job *job, bool only_errors,
                       const char *command, FILE *stream)
{
    bool has_error = false;
    size_t i, j;

    for (i = 0; i < job->process_count; i++) {
        const struct mq_process *process = &job->processes[i];

        for (j = 0; j < process->remark_count; j++) {
            const struct mq_remark *remark = &process->remarks[j];

            has_error |= remark->is_error;
            if (only_errors && !remark->is_error)
                continue;
            fprintf(stream, "%s: ", command);
            write_place(process, remark, stream);
            fputs(": ", stream);
            mq_text_write(stream, remark->text);
            putc('\n', stream);
        }
    }
    return has_error;
}
