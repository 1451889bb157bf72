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
#include "mqdump/cli/handle_question.h"
#include "mqdump/cli/remarks.h"

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

/* ---- Files ------------------------------------------------------------ */

/* What a file is to hold. */
struct content {
    enum mq_result (*write)(const struct content *, FILE *, struct mq_error *);
    const struct mq_job *job;   /* of a digest, or */
    const struct mq_analysis *analysis;
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

    if (content->write(content, stream, &error) != mq_ok)
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

static enum mq_result write_job(const struct content *content, FILE *stream,
                                struct mq_error *error)
{
    return mq_digest_write(content->job, stream, error);
}

static enum mq_result write_report(const struct content *content,
                                   FILE *stream, struct mq_error *error)
{
    return mq_format_analysis(content->format, content->analysis,
                              content->options, stream, error);
}

static enum mq_exit write_digest(const char *file, const struct mq_job *job)
{
    const struct content content = { .write = write_job, .job = job };
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
        .write = write_report, .analysis = analysis, .options = &options,
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
        && mq_remark_duplicates(reading->job, logger, &error) != mq_ok)
        return mq_output_fail(error.text);
    if (settings->digest == NULL && settings->raw)
        mq_remark_long_groups(reading->job, logger);
    else if (settings->digest == NULL)
        mq_remark_empty_filter(reading->job, &settings->report.filter, logger);
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
