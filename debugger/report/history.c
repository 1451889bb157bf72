/* history.c - report of the latest collective operations */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/sections.h"

#include <inttypes.h>
#include <time.h>

#include "base/text.h"
#include "model/rank_text.h"
#include "report/operation_words.h"
#include "report/place_words.h"

static void add_time(struct mq_strbuf *words, int64_t nanoseconds)
{
    time_t seconds = (time_t)(nanoseconds / 1000000000);
    struct tm parts;
    char text[32];

    if (nanoseconds > 0 && localtime_r(&seconds, &parts) != NULL
        && strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts) > 0)
        mq_strbuf_add(words, " %s.%06d", text,
                      (int)(nanoseconds / 1000 % 1000000));
}

static void write_process(const struct mq_analysis *a, size_t process,
                          const struct mq_report_options *options,
                          FILE *stream, struct mq_strbuf *words)
{
    const struct mq_process *it = &a->job->processes[process];

    for (size_t i = 0; i < it->past_count; i++) {
        const uint32_t communicator = it->past[i].communicator;

        if (!mq_filter_shows_communicator(&options->filter, a->job, &a->match,
                                          process, communicator))
            continue;
        if (i == 0 || it->past[i - 1].communicator != communicator) {
            if (it->rank >= 0)
                mq_rank_text_one(words, a->job, it->rank);
            else
                mq_strbuf_add(words, "%s", it->name);
            mq_strbuf_add(words, ", collective operations on ");
            mq_communicator_words(words, a, process, communicator);
            mq_strbuf_add(words, ", %" PRIu64 " so far:",
                          it->communicators[communicator].entered);
            mq_text_wrap(stream, mq_strbuf_text(words), 0, 2, options->width);
            mq_strbuf_empty(words);
        }
        mq_strbuf_add(words, "%" PRIu64, it->past[i].entered);
        add_time(words, it->past[i].began);
        mq_strbuf_add(words, " %s", it->past[i].call);
        mq_site_words(words, a, &it->past[i].site);
        if (it->past[i].root >= 0)
            mq_strbuf_add(words, ", root %" PRId64, it->past[i].root);
        if (it->past[i].count >= 0)
            mq_strbuf_add(words, ", count %" PRId64, it->past[i].count);
        if (it->past[i].bytes >= 0) {
            mq_strbuf_add(words, ", ");
            mq_bytes_words(words, it->past[i].bytes);
        }
        if (!it->past[i].has_ended)
            mq_strbuf_add(words, ", completion unknown");
        fputs("  ", stream);
        mq_text_wrap(stream, mq_strbuf_text(words), 2, 6, options->width);
        mq_strbuf_empty(words);
    }
}

enum mq_result mq_history_write(const struct mq_analysis *a,
                                const struct mq_report_options *options,
                                FILE *stream, struct mq_error *error)
{
    struct mq_strbuf words = { 0 };
    bool failed;

    for (size_t p = 0; p < a->job->process_count; p++)
        if (mq_filter_shows_rank(&options->filter, a->job,
                                 &a->job->processes[p]))
            write_process(a, p, options, stream, &words);
    failed = words.failed;
    mq_strbuf_deinit(&words);
    return failed ? mq_fail_memory(error, "writing the report") : mq_ok;
}
