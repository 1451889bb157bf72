/* report.c - reports, and parts that they share */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/report.h"

#include <inttypes.h>

#include "base/map.h"
#include "base/strbuf.h"
#include "model/rank_text.h"

const enum mq_queue_class mq_report_order[mq_queue_classes] = {
    mq_receives, mq_unexpected, mq_sends
};

/* Equal remarks about different communicators have the same key. */
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

    mq_map_empty(alike);
    for (size_t i = 0; i < process->remark_count; i++)
        if (mq_map_add(alike, key_of(&process->remarks[i]), 0, NULL, &count)
            == mq_ok)
            ++*count;
}

/* Counts in how many processes there are remarks that are alike. */
static void count_processes(const struct mq_job *job, struct mq_map *alike,
                            struct mq_map *processes)
{
    for (size_t i = 0; i < job->process_count; i++) {
        const struct mq_process *process = &job->processes[i];

        count_alike(process, alike);
        for (size_t j = 0; j < process->remark_count; j++) {
            struct mq_key key = key_of(&process->remarks[j]);
            uint32_t *own = mq_map_find(alike, key), *count;

            if (own == NULL || *own == 0)
                continue;
            *own = 0;
            if (mq_map_add(processes, key, 0, NULL, &count) == mq_ok)
                ++*count;
        }
    }
}

static void add_more(struct mq_strbuf *words, const uint32_t *count,
                     const char *one, const char *several)
{
    if (count != NULL && *count > 1)
        mq_strbuf_add(words, "; and %" PRIu32 " more %s alike", *count - 1,
                      *count == 2 ? one : several);
}

/* Logs the first of equal remarks. */
static void log_remark(const struct mq_job *job,
                       const struct mq_process *process,
                       const struct mq_remark *remark,
                       const struct mq_map *alike, struct mq_map *processes,
                       struct mq_logger *logger)
{
    uint32_t *count = mq_map_find(processes, key_of(remark));
    struct mq_strbuf words = {0};

    if (count != NULL && *count == 0)
        return;
    if (process->rank >= 0) {
        mq_rank_text_one(&words, job, process->rank);
        mq_strbuf_add(&words, ", ");
    }
    mq_strbuf_add(&words, "%s", process->name);
    if (remark->communicator >= 0)
        mq_strbuf_add(&words, ", %s",
                      process->communicators[remark->communicator].name);
    if (remark->queue >= 0)
        mq_strbuf_add(&words, ", %s queue", mq_queue_names[remark->queue]);
    mq_strbuf_add(&words, ": %s", remark->text);
    add_more(&words, mq_map_find(alike, key_of(remark)), "communicator",
             "communicators");
    add_more(&words, count, "process", "processes");
    mq_log(logger, remark->is_error ? mq_warning : mq_verbose, "%s",
           mq_strbuf_text(&words));
    mq_strbuf_deinit(&words);
    if (count != NULL)
        *count = 0;
}

bool mq_report_remarks(const struct mq_job *job, bool only_errors,
                       struct mq_logger *logger)
{
    struct mq_map alike = {0}, processes = {0};
    bool has_error = false;

    count_processes(job, &alike, &processes);
    for (size_t i = 0; i < job->process_count; i++) {
        const struct mq_process *process = &job->processes[i];

        count_alike(process, &alike);
        for (size_t j = 0; j < process->remark_count; j++) {
            bool is_error = process->remarks[j].is_error;

            has_error |= is_error;
            if (is_error || !only_errors)
                log_remark(job, process, &process->remarks[j], &alike,
                           &processes, logger);
        }
    }
    mq_map_deinit(&alike);
    mq_map_deinit(&processes);
    return has_error;
}
