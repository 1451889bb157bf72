/* mqdump - shows the message queues of a job's processes */

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mqdump/consult.h"
#include "mqdump/output.h"
#include "mqdump/printer.h"
#include "mqdump/reading.h"
#include "mqdump/settings.h"
#include "base/text.h"
#include "base/version.h"

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

/* Reads SOURCES into a job of the reader's. */
static enum mq_result read_job(const struct mq_settings *settings,
                               const struct mq_sources *sources,
                               struct mq_printer *printer,
                               struct mq_reader *reader, struct mq_error *error)
{
    char folder[PATH_MAX];

    mq_printer_begin(printer, "mqdump", settings->verbose);
    memset(reader, 0, sizeof *reader);
    reader->choice.asked = settings->dll;
    reader->choice.folder = own_folder(folder);
    reader->choice.user = geteuid();
    reader->choice.teller = &printer->teller;
    reader->live = &settings->live;
    reader->stats = settings->stats;
    if (mq_job_create(error, &reader->job) != mq_ok)
        return mq_failed;
    mq_sources_read(sources, reader);
    mq_reader_clear(reader);
    reader->choice.folder = NULL;
    return mq_ok;
}

static enum mq_exit examine(const struct mq_settings *settings)
{
    struct mq_dll_choice choice = {0};
    char folder[PATH_MAX];

    choice.asked = settings->dll;
    choice.folder = own_folder(folder);
    choice.user = geteuid();
    return mq_consult(settings, &choice);
}

static enum mq_exit show(const struct mq_settings *settings)
{
    struct mq_printer printer;
    struct mq_reader reader;
    enum mq_exit status;
    struct mq_error error;

    if (read_job(settings, &settings->sources, &printer, &reader, &error)
        != mq_ok)
        return mq_output_fail(error.text);
    status = mq_output_job(settings, &reader);
    mq_job_destroy(reader.job);
    return status;
}

static enum mq_exit compare(const struct mq_settings *settings)
{
    struct mq_printer printer;
    struct mq_reader before, after;
    enum mq_exit status = mq_exit_could_not;
    struct mq_error error;

    if (read_job(settings, &settings->before, &printer, &before, &error)
        != mq_ok)
        return mq_output_fail(error.text);
    if (read_job(settings, &settings->after, &printer, &after, &error)
        == mq_ok) {
        status = mq_output_diff(settings, &before, &after);
        mq_job_destroy(after.job);
    } else {
        mq_output_fail(error.text);
    }
    mq_job_destroy(before.job);
    return status;
}

static enum mq_exit run(const struct mq_settings *settings)
{
    if (settings->help) {
        mq_options_help(mq_settings_table, mq_settings_count, "mqdump",
                        mq_text_columns(stdout), stdout);
        return mq_output_finish(mq_exit_shown);
    }
    if (settings->version) {
        puts("mqdump " MQ_VERSION);
        return mq_output_finish(mq_exit_shown);
    }
    if (settings->doctor)
        return examine(settings);
    if (settings->before.count > 0)
        return compare(settings);
    if (settings->sources.count == 0)
        return mq_output_fail("there is nothing to show: name a snapshot;"
                              " --help lists what else there is");
    return show(settings);
}

int main(int argc, char **argv)
{
    struct mq_settings settings = {0};
    enum mq_exit status;
    struct mq_error error;

    signal(SIGPIPE, SIG_IGN);   /* a closed pipe is a write error */
    settings.doctor = argc > 1 && strcmp(argv[1], "doctor") == 0;
    if (mq_options_parse(mq_settings_table, mq_settings_count,
                         argv + (argc > 0) + settings.doctor, &settings,
                         &error) == mq_ok)
        status = run(&settings);
    else
        status = mq_output_fail(error.text);
    mq_sources_clear(&settings.sources);
    mq_sources_clear(&settings.before);
    mq_sources_clear(&settings.after);
    mq_spans_clear(&settings.report.filter.ranks);
    return (int)status;
}
