/* origin.c - the job that a report is of */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/sections.h"

#include "base/text.h"
#include "base/version.h"
#include "mpi/libraries.h"

/* The name of the MPI library, or null. */
static const char *find_mpi(const struct mq_job *job)
{
    for (size_t p = 0; p < job->process_count; p++)
        for (size_t t = 0; t < job->processes[p].thread_count; t++) {
            const struct mq_thread *thread = &job->processes[p].threads[t];

            for (size_t i = 0; i < thread->frame_count; i++)
                if (thread->frames[i].object != NULL
                    && mq_library_kind(thread->frames[i].object) & mq_of_mpi)
                    return mq_library_mpi(thread->frames[i].object);
        }
    return NULL;
}

/* The name of the program of the first rank, or null. */
static const char *find_program(const struct mq_job *job)
{
    return job->process_count > 0
           ? mq_text_last_name(job->processes[0].image) : NULL;
}

static size_t count_ranks(const struct mq_job *job)
{
    size_t count = 0;

    for (size_t p = 0; p < job->process_count; p++)
        count += job->processes[p].rank >= 0;
    return count;
}

/* False if it is not known. */
static bool print_time(time_t time, char text[64])
{
    struct tm parts;

    return time != 0 && localtime_r(&time, &parts) != NULL
           && strftime(text, 64, "%Y-%m-%d %H:%M:%S", &parts) > 0;
}

bool mq_origin_words(struct mq_strbuf *words, const struct mq_job *job,
                     const struct mq_report_options *options)
{
    const char *program = find_program(job), *mpi = find_mpi(job);
    size_t ranks = count_ranks(job);
    char read[64], last[64];
    bool is_read = print_time(options->time, read);
    bool is_over = print_time(options->last_call, last);

    if (program == NULL || (!is_read && !is_over))
        return false;
    mq_strbuf_add(words, "%s, %zu rank%s", program, ranks,
                  ranks == 1 ? "" : "s");
    if (mpi != NULL)
        mq_strbuf_add(words, " of %s", mpi);
    if (options->host != NULL)
        mq_strbuf_add(words, " on %s", options->host);
    if (is_over)
        mq_strbuf_add(words, ", which made no call after %s", last);
    if (is_read)
        mq_strbuf_add(words, ", read at %s by mqdump " MQ_VERSION, read);
    return true;
}

void mq_origin_write(struct mq_json *json, const struct mq_job *job,
                     const struct mq_report_options *options)
{
    char time[64];

    mq_json_open(json, "job", '{');
    mq_json_text(json, "program", find_program(job));
    mq_json_number(json, "ranks", (int64_t)count_ranks(job));
    mq_json_text(json, "mpi", find_mpi(job));
    mq_json_text(json, "host", options->host);
    mq_json_text(json, "time", print_time(options->time, time) ? time : NULL);
    mq_json_text(json, "last_call",
                 print_time(options->last_call, time) ? time : NULL);
    mq_json_text(json, "version", MQ_VERSION);
    mq_json_close(json, '{');
}
