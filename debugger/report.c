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

/* Whether two remarks tell the same of different communicators. */
static bool is_alike(const struct mq_remark *a, const struct mq_remark *b)
{
    return a->text == b->text && a->queue == b->queue
           && a->is_error == b->is_error;
}

/* How many remarks from FIRST to before END are like REMARK. */
static size_t count_alike(const struct mq_process *process, size_t first,
                          size_t end, const struct mq_remark *remark)
{
    size_t count = 0, i;

    for (i = first; i < end; i++)
        count += is_alike(&process->remarks[i], remark);
    return count;
}

static void write_remark(const struct mq_process *process, size_t index,
                         const char *command, FILE *stream)
{
    const struct mq_remark *remark = &process->remarks[index];
    size_t more;

    if (count_alike(process, 0, index, remark) > 0)
        return;
    more = count_alike(process, index + 1, process->remark_count, remark);
    fprintf(stream, "%s: ", command);
    write_place(process, remark, stream);
    fputs(": ", stream);
    mq_text_write(stream, remark->text);
    if (more > 0)
        fprintf(stream, "; and %zu more communicator%s alike", more,
                more == 1 ? "" : "s");
    putc('\n', stream);
}

bool mq_report_remarks(const struct mq_job *job, bool only_errors,
                       const char *command, FILE *stream)
{
    bool has_error = false;
    size_t i, j;

    for (i = 0; i < job->process_count; i++) {
        const struct mq_process *process = &job->processes[i];

        for (j = 0; j < process->remark_count; j++) {
            bool is_error = process->remarks[j].is_error;

            has_error |= is_error;
            if (is_error || !only_errors)
                write_remark(process, j, command, stream);
        }
    }
    return has_error;
}
