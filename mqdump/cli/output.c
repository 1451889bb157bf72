/* output.c - writes the reports */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/cli/output.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "model/digest.h"
#include "model/rank_index.h"
#include "mqdump/cli/handle_question.h"
#include "report/sentences.h"

enum mq_exit mq_output_fail(const char *sentence)
{
    fprintf(stderr, "mqdump: %s\n", sentence);
    return mq_exit_could_not;
}

static enum mq_exit fail_to_write(const char *what)
{
    fprintf(stderr, "mqdump: %s cannot be written: %s\n", what,
            strerror(errno != 0 ? errno : EIO));
    return mq_exit_could_not;
}

/* Whether the reader of the output has closed it, as head does. */
static bool reader_is_gone(void)
{
    struct pollfd output = { STDOUT_FILENO, POLLOUT, 0 };

    return poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
}

enum mq_exit mq_output_finish(enum mq_exit status)
{
    if ((fflush(stdout) == 0 && !ferror(stdout)) || reader_is_gone())
        return status;
    return fail_to_write("the output");
}

/* ---- Remarks beside a report ------------------------------------------- */

/* A filter that lets nothing through makes an empty report, and of two
 * processes that claim the same rank one is left out: a warning says so, lest
 * the reader take the report for all there is.
 */

enum {
    most_reported = 8,          /* ranks that are named one by one */
    long_ranks = 4 << 20,       /* in groups; some 30 MB of text */
    rank_bytes = 7              /* of such a rank */
};

/* Warns of each rank that more than one process of JOB says to be. */
static enum mq_result warn_of_duplicates(const struct mq_job *job,
                                         struct mq_logger *logger,
                                         struct mq_error *error)
{
    struct mq_rank_index index;
    size_t i, reported = 0;

    if (mq_rank_index_init(job, error, &index) != mq_ok)
        return mq_failed;
    for (i = 0; i < job->process_count; i++) {
        const struct mq_process *process = &job->processes[i];
        uint32_t first;

        if (!mq_is_process(mq_rank_process(&index, process->rank), &first)
            || first == i)
            continue;
        if (reported++ < most_reported)
            mq_log(logger, mq_warning, "rank %d" MQ_CLAIMED_TWICE,
                   process->rank, job->processes[first].name, process->name);
    }
    if (reported > most_reported)
        mq_log(logger, mq_warning, "%zu more processes claim ranks that are "
               "already taken", reported - most_reported);
    mq_rank_index_deinit(&index);
    return mq_ok;
}

/* Warns if each part of FILTER matches nothing in JOB. */
static void warn_of_empty_filter(const struct mq_job *job,
                                 const struct mq_filter *filter,
                                 struct mq_logger *logger)
{
    bool by_operation = filter->tag != NULL || filter->queues != 0
                        || filter->communicator != NULL;
    bool has_rank = false;

    if (!by_operation && filter->ranks.count == 0)
        return;
    for (size_t i = 0; i < job->process_count; i++) {
        const struct mq_process *process = &job->processes[i];

        if (!mq_filter_shows_rank(filter, job, process))
            continue;
        has_rank = true;
        if (!by_operation || mq_filter_shows_some(filter, job, i))
            return;
    }
    mq_log(logger, mq_warning, has_rank
           ? "no operation matches --queue, --comm and --tag"
           : "no process has a rank of --only-ranks");
}

/* Says beforehand that the groups of --raw, which are written in full for each
 * process that shares them, are going to be long.
 */
static void remark_long_groups(const struct mq_job *job,
                               struct mq_logger *logger)
{
    unsigned long long ranks = 0;

    for (size_t i = 0; i < job->process_count; i++) {
        for (size_t j = 0; j < job->processes[i].communicator_count; j++) {
            const struct mq_group *group =
                job->processes[i].communicators[j].group;

            ranks += group != NULL ? group->size : 0;
        }
    }
    if (ranks > long_ranks)
        mq_log(logger, mq_verbose, "--raw writes each group of each process "
               "in full: %llu ranks, about %llu MB; --format json names each "
               "group in short", ranks, ranks * rank_bytes >> 20);
}

/* ---- Files ------------------------------------------------------------ */

/* The content of a file. */
struct content {
    const struct mq_job *job;   /* of a digest, or */
    const struct mq_analysis *analysis; /* of a report */
    const struct mq_report_options *options;
    enum mq_format format;
};

/* Writes to STREAM and closes it. */
static enum mq_exit fill_file(const char *file, FILE *stream,
                              const struct content *content)
{
    enum mq_exit status = mq_exit_shown;
    struct mq_error error;
    bool failed;

    if ((content->analysis == NULL
         ? mq_digest_write(content->job, stream, &error)
         : mq_format_analysis(content->format, content->analysis,
                              content->options, stream, &error)) != mq_ok)
        status = mq_output_fail(error.text);
    failed = ferror(stream) != 0;
    failed |= fclose(stream) != 0;
    return failed ? fail_to_write(file) : status;
}

/* Writes beside FILE and renames, so that what there was before is only gone
 * when the new one is whole.
 */
static enum mq_exit write_file(const char *file, const struct content *content)
{
    enum mq_exit status;
    struct stat before;
    char beside[4096];
    FILE *stream;

    if (stat(file, &before) == 0 && !S_ISREG(before.st_mode)) {
        stream = fopen(file, "we");
        return stream == NULL ? fail_to_write(file)
                              : fill_file(file, stream, content);
    }
    if ((size_t)snprintf(beside, sizeof beside, "%s.%ld.part", file,
                         (long)getpid()) >= sizeof beside) {
        errno = ENAMETOOLONG;
        return fail_to_write(file);
    }
    stream = fopen(beside, "wxe");
    if (stream == NULL)
        return fail_to_write(file);
    status = fill_file(file, stream, content);
    if (status == mq_exit_shown && rename(beside, file) != 0)
        status = fail_to_write(file);
    if (status != mq_exit_shown)
        unlink(beside);
    return status;
}

static enum mq_exit write_digest(const char *file, const struct mq_job *job)
{
    const struct content content = { .job = job };
    struct mq_error error;

    if (strcmp(file, "-") != 0)
        return write_file(file, &content);
    return mq_digest_write(job, stdout, &error) == mq_ok
           ? mq_exit_shown : mq_output_fail(error.text);
}

/* ---- Reports ---------------------------------------------------------- */

bool mq_output_colour(const struct mq_settings *settings)
{
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
    enum mq_colour colour = settings->colour;

    if (colour != mq_colour_auto)
        return colour == mq_colour_always;
    return isatty(STDOUT_FILENO) && (refused == NULL || *refused == '\0')
           && terminal != NULL && strcmp(terminal, "dumb") != 0;
}

/* The options of the settings, with the time and the host of what was read, if
 * these are of processes that run.
 */
static struct mq_report_options options_of(const struct mq_settings *settings)
{
    static char host[256];
    struct mq_report_options options = settings->report;
    const struct mq_sources *sources = &settings->sources;
    bool is_live = sources->count > 0, is_local = true;

    for (size_t i = 0; i < sources->count; i++) {
        is_live &= sources->items[i].kind != mq_source_file
                   && sources->items[i].kind != mq_source_core;
        is_local &= sources->items[i].kind != mq_source_cluster;
    }
    options.time = is_live ? time(NULL) : 0;
    if (is_live && is_local && gethostname(host, sizeof host - 1) == 0)
        options.host = host;
    options.width = mq_text_columns(stdout);
    options.colour = mq_output_colour(settings);
    return options;
}

enum mq_exit mq_output_report(const char *file,
                              const struct mq_settings *settings,
                              const struct mq_analysis *analysis)
{
    struct mq_report_options options = options_of(settings);
    const struct content content = {
        .analysis = analysis, .options = &options,
        .format = mq_format_of_file(file, settings->format)
    };

    options.colour = false;
    options.width = 80;
    return write_file(file, &content);
}

static enum mq_exit write_analysis(const struct mq_settings *settings,
                                   const struct mq_reading *reading)
{
    struct mq_report_options options = options_of(settings);
    struct mq_analysis *analysis = NULL;
    enum mq_exit status;
    struct mq_error error;

    options.last_call = reading->last_call;
    if (mq_analyse(reading->job, &error, &analysis) != mq_ok)
        return mq_output_fail(error.text);
    status = mq_exit_of(analysis);
    if (mq_format_analysis(settings->format, analysis, &options, stdout,
                           &error) != mq_ok)
        status = mq_output_fail(error.text);
    mq_analysis_destroy(analysis);
    return status;
}

enum mq_exit mq_output_job(const struct mq_settings *settings,
                           const struct mq_reading *reading,
                           struct mq_logger *logger)
{
    bool has_error = mq_report_remarks(reading->job, !settings->raw, logger);
    enum mq_exit status = mq_exit_shown;
    struct mq_error error;

    reading->job->still = settings->still;
    if (!settings->raw
        && warn_of_duplicates(reading->job, logger, &error) != mq_ok)
        return mq_output_fail(error.text);
    if (settings->digest == NULL && settings->raw)
        remark_long_groups(reading->job, logger);
    else if (settings->digest == NULL)
        warn_of_empty_filter(reading->job, &settings->report.filter, logger);
    if (settings->stats)
        mq_reading_log_total(reading);
    if (settings->digest != NULL)
        status = write_digest(settings->digest, reading->job);
    else if (settings->handles.one)
        mq_handle_answers_write(&settings->handles, reading->job,
                                settings->format == mq_format_json,
                                mq_text_columns(stdout), stdout);
    else if (settings->raw)
        mq_report_raw(reading->job, stdout);
    else if (reading->job->process_count > 0)
        status = write_analysis(settings, reading);
    else if (!reading->is_incomplete)
        status = mq_output_fail("there is nothing to show: what was given "
                                "holds no process");
    if (has_error || reading->is_incomplete)
        status = mq_exit_both(status, mq_exit_unknown);
    return mq_output_finish(status);
}

/* ---- Comparisons ------------------------------------------------------ */

enum mq_exit mq_output_diff(const struct mq_settings *settings,
                            const struct mq_reading *before,
                            const struct mq_reading *after)
{
    struct mq_report_options options = options_of(settings);
    enum mq_exit status = mq_exit_shown;
    struct mq_error error;
    struct mq_diff diff;

    if (mq_diff_create(before->job, after->job, &settings->report.filter,
                       &error, &diff) != mq_ok)
        return mq_output_fail(error.text);
    if (mq_format_diff(settings->format, &diff, &options, stdout, &error)
        != mq_ok)
        status = mq_output_fail(error.text);
    mq_diff_destroy(&diff);
    if (before->is_incomplete || after->is_incomplete)
        status = mq_exit_both(status, mq_exit_unknown);
    return mq_output_finish(status);
}
