#include "report/report.h"

#include <inttypes.h>

#include "base/map.h"
#include "base/text.h"

const enum mq_queue_class mq_report_order[mq_queue_classes] = {
    mq_receives, mq_unexpected, mq_sends
};

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

/* Remarks that tell the same of different communicators have the same key. */
static struct mq_key key_of(const struct mq_remark *remark)
{
    struct mq_key key = {(uintptr_t)remark->text,
                         (uint64_t)(remark->queue + 1) << 1
                         | remark->is_error};

    return key;
}

/* Counts how many remarks are alike; what there is no memory for is not. */
static void count_alike(const struct mq_process *process, struct mq_map *alike)
{
    uint32_t *count;
    size_t i;

    mq_map_empty(alike);
    for (i = 0; i < process->remark_count; i++) {
        if (mq_map_add(alike, key_of(&process->remarks[i]), 0, NULL, &count)
            == mq_ok)
            ++*count;
    }
}

/* Writes the first of the remarks that are alike. */
static void write_remark(const struct mq_process *process,
                         const struct mq_remark *remark, struct mq_map *alike,
                         const char *command, FILE *stream)
{
    uint32_t *count = mq_map_find(alike, key_of(remark));

    if (count != NULL && *count == 0)
        return;
    fprintf(stream, "%s: ", command);
    write_place(process, remark, stream);
    fputs(": ", stream);
    mq_text_write(stream, remark->text);
    if (count != NULL && *count > 1)
        fprintf(stream, "; and %" PRIu32 " more communicator%s alike",
                *count - 1, *count == 2 ? "" : "s");
    putc('\n', stream);
    if (count != NULL)
        *count = 0;
}

bool mq_report_remarks(const struct mq_job *job, bool only_errors,
                       const char *command, FILE *stream)
{
    struct mq_map alike = {0};
    bool has_error = false;
    size_t i, j;

    for (i = 0; i < job->process_count; i++) {
        const struct mq_process *process = &job->processes[i];

        count_alike(process, &alike);
        for (j = 0; j < process->remark_count; j++) {
            bool is_error = process->remarks[j].is_error;

            has_error |= is_error;
            if (is_error || !only_errors)
                write_remark(process, &process->remarks[j], &alike, command,
                             stream);
        }
    }
    mq_map_deinit(&alike);
    return has_error;
}
