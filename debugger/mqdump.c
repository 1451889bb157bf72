/* mqdump - shows the message queues of a job's processes */

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "digest.h"
#include "printer.h"
#include "reader.h"
#include "report.h"
#include "settings.h"
#include "text.h"
#include "version.h"

enum exit_status {
    exit_shown = 0,
    exit_deadlock = 1,
    exit_could_not = 2
};

static enum exit_status fail(const char *sentence)
{
    fprintf(stderr, "mqdump: %s\n", sentence);
    return exit_could_not;
}

/* Writes all of the output, and makes sure that it arrives. */
static enum exit_status finish(enum exit_status status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "mqdump: the output cannot be written: %s\n",
            strerror(errno != 0 ? errno : EIO));
    return exit_could_not;
}

static enum exit_status write_digest(const char *file,
                                     const struct mq_job *job)
{
    FILE *stream = strcmp(file, "-") == 0 ? stdout : fopen(file, "we");
    struct mq_error error;
    bool written;

    if (stream == NULL) {
        fprintf(stderr, "mqdump: %s cannot be written: %s\n", file,
                strerror(errno));
        return exit_could_not;
    }
    if (mq_digest_write(job, stream, &error) != mq_ok) {
        if (stream != stdout)
            fclose(stream);
        return fail(error.text);
    }
    if (stream == stdout)
        return exit_shown;
    written = !ferror(stream);
    if (fclose(stream) != 0 || !written) {
        fprintf(stderr, "mqdump: %s cannot be written: %s\n", file,
                strerror(errno));
        return exit_could_not;
    }
    return exit_shown;
}

static bool wants_colour(void)
{
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");

    return isatty(STDOUT_FILENO) && (refused == NULL || *refused == '\0')
           && terminal != NULL && strcmp(terminal, "dumb") != 0;
}

static enum exit_status write_analysis(const struct mq_settings *settings,
                                       const struct mq_job *job)
{
    struct mq_report_options options = settings->report;
    struct mq_analysis *analysis = NULL;
    enum exit_status status;
    struct mq_error error;

    options.width = mq_text_columns(stdout);
    options.colour = wants_colour();
    if (mq_analyse(job, &error, &analysis) != mq_ok)
        return fail(error.text);
    status = (enum exit_status)mq_analysis_exit_status(analysis);
    if ((settings->format != NULL ? settings->format : mq_report_text)
        (analysis, &options, stdout, &error) != mq_ok)
        status = fail(error.text);
    mq_analysis_destroy(analysis);
    return status;
}

static enum exit_status report(const struct mq_settings *settings,
                               const struct mq_reader *reader)
{
    bool has_error = mq_report_remarks(reader->job, !settings->raw, "mqdump",
                                       stderr);
    enum exit_status status = exit_shown;

    if (settings->stats)
        mq_reader_tell_total(reader);
    if (settings->digest != NULL)
        status = write_digest(settings->digest, reader->job);
    else if (settings->raw)
        mq_report_raw(reader->job, stdout);
    else if (reader->job->process_count > 0)
        status = write_analysis(settings, reader->job);
    if (status == exit_shown && (has_error || reader->is_incomplete))
        status = exit_could_not;
    return finish(status);
}

/* The folder that this program is in, or null. */
static const char *own_folder(char folder[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    char *slash;

    if (length < 0)
        return NULL;
    folder[length] = '\0';
    slash = strrchr(folder, '/');
    if (slash != NULL)
        *slash = '\0';
    return folder;
}

static enum exit_status show(const struct mq_settings *settings)
{
    struct mq_printer printer;
    struct mq_reader reader = {0};
    enum exit_status status;
    struct mq_error error;
    char folder[PATH_MAX];

    mq_printer_begin(&printer, "mqdump", settings->verbose);
    reader.choice.asked = settings->dll;
    reader.choice.folder = own_folder(folder);
    reader.choice.user = geteuid();
    reader.choice.teller = &printer.teller;
    reader.live = &settings->live;
    reader.stats = settings->stats;
    if (mq_job_create(&error, &reader.job) != mq_ok)
        return fail(error.text);
    mq_sources_read(&settings->sources, &reader);
    status = report(settings, &reader);
    mq_reader_clear(&reader);
    mq_job_destroy(reader.job);
    return status;
}

static enum exit_status run(const struct mq_settings *settings)
{
    if (settings->help) {
        mq_options_help(mq_settings_table, mq_settings_count, "mqdump",
                        mq_text_columns(stdout), stdout);
        return finish(exit_shown);
    }
    if (settings->version) {
        puts("mqdump " MQ_VERSION);
        return finish(exit_shown);
    }
    if (settings->sources.count == 0)
        return fail("there is nothing to show: name a snapshot; --help lists "
                    "what else there is");
    return show(settings);
}

int main(int argc, char **argv)
{
    struct mq_settings settings = {0};
    enum exit_status status;
    struct mq_error error;

    signal(SIGPIPE, SIG_IGN);   /* a closed pipe is a write error */
    if (mq_options_parse(mq_settings_table, mq_settings_count,
                         argv + (argc > 0), &settings, &error) == mq_ok)
        status = run(&settings);
    else
        status = fail(error.text);
    mq_sources_clear(&settings.sources);
    mq_spans_clear(&settings.report.filter.ranks);
    return (int)status;
}
