/* mqdump - shows the message queues of a job's processes */

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "printer.h"
#include "reader.h"
#include "report.h"
#include "settings.h"
#include "text.h"
#include "version.h"

enum exit_status {
    exit_shown = 0,
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

static enum exit_status report(const struct mq_settings *settings,
                               const struct mq_reader *reader)
{
    bool has_error = mq_report_remarks(reader->job, !settings->raw, "mqdump",
                                       stderr);

    if (settings->stats)
        mq_reader_tell_total(reader);
    if (settings->raw)
        mq_report_raw(reader->job, stdout);
    else
        mq_report_table(reader->job, mq_text_columns(stdout), stdout);
    return finish(has_error || reader->is_incomplete ? exit_could_not
                                                     : exit_shown);
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
    return (int)status;
}
