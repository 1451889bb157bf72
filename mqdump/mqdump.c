/* mqdump - shows the message queues of a job's processes */

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/version.h"
#include "mqdump/doctor.h"
#include "mqdump/output.h"
#include "mqdump/printer.h"
#include "job/tallies.h"
#include "mqdump/reading.h"
#include "mqdump/settings.h"
#include "mqdump/supervisor.h"

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

static struct mq_dll_choice choice_of(const struct mq_settings *settings,
                                      char folder[PATH_MAX],
                                      struct mq_teller *teller)
{
    struct mq_dll_choice choice = {0};

    choice.asked = settings->dll;
    choice.folder = own_folder(folder);
    choice.user = geteuid();
    choice.teller = teller;
    return choice;
}

/* Reads SOURCES, and tells TELLER how that goes. */
static enum mq_result read_all(const struct mq_settings *settings,
                               const struct mq_sources *sources,
                               struct mq_teller *teller,
                               struct mq_error *error,
                               struct mq_reading *reading)
{
    char folder[PATH_MAX];
    struct mq_dll_cache dlls = {0};
    const struct mq_read_options how = {
        choice_of(settings, folder, teller), &settings->live, &dlls,
        settings->stats, settings->handles, false
    };

    if (mq_reading_init(reading, settings->live.ranks, error) != mq_ok)
        return mq_failed;
    mq_sources_read(sources, &how, reading);
    mq_dll_cache_clear(&dlls);
    if (mq_tallies_settle(reading->job, error) == mq_ok)
        return mq_ok;
    mq_reading_deinit(reading);
    return mq_failed;
}

static enum mq_exit examine(const struct mq_settings *settings)
{
    char folder[PATH_MAX];
    const struct mq_dll_choice choice = choice_of(settings, folder, NULL);

    return mq_doctor(settings, &choice);
}

static enum mq_exit show(const struct mq_settings *settings,
                         struct mq_teller *teller)
{
    struct mq_reading reading;
    enum mq_exit status;
    struct mq_error error;

    if (read_all(settings, &settings->sources, teller, &error, &reading)
        != mq_ok)
        return mq_output_fail(error.text);
    status = mq_output_job(settings, &reading, teller);
    mq_reading_deinit(&reading);
    return status;
}

static enum mq_exit compare(const struct mq_settings *settings,
                            struct mq_teller *teller)
{
    struct mq_reading before, after;
    enum mq_exit status = mq_exit_could_not;
    struct mq_error error;

    if (read_all(settings, &settings->before, teller, &error, &before)
        != mq_ok)
        return mq_output_fail(error.text);
    if (read_all(settings, &settings->after, teller, &error, &after)
        == mq_ok) {
        status = mq_output_diff(settings, &before, &after);
        mq_reading_deinit(&after);
    } else {
        mq_output_fail(error.text);
    }
    mq_reading_deinit(&before);
    return status;
}

static enum mq_exit run(const struct mq_settings *settings)
{
    struct mq_printer printer;

    mq_printer_begin(&printer, "mqdump", settings->verbose);
    if (settings->help) {
        mq_options_help(mq_settings_table, mq_settings_count, "mqdump",
                        mq_text_columns(stdout), stdout);
        fputs(mq_settings_examples, stdout);
        return mq_output_finish(mq_exit_shown);
    }
    if (settings->version) {
        puts("mqdump " MQ_VERSION);
        return mq_output_finish(mq_exit_shown);
    }
    if (settings->doctor)
        return examine(settings);
    if (settings->before.count > 0)
        return compare(settings, &printer.teller);
    if (settings->sources.count == 0)
        return mq_output_fail("there is nothing to show: name a snapshot;"
                              " --help lists what else there is");
    return show(settings, &printer.teller);
}

/* All that mqdump does, but for seeing that it is done to the end. */
static int work(void *argument)
{
    char *const *words = argument;
    struct mq_settings settings = {0};
    enum mq_exit status;
    struct mq_error error;

    settings.doctor = words[0] != NULL && strcmp(words[0], "doctor") == 0;
    if (mq_options_parse(mq_settings_table, mq_settings_count,
                         words + settings.doctor, &settings, &error) == mq_ok)
        status = run(&settings);
    else
        status = mq_output_fail(error.text);
    mq_sources_deinit(&settings.sources);
    mq_sources_deinit(&settings.before);
    mq_sources_deinit(&settings.after);
    mq_spans_deinit(&settings.report.filter.ranks);
    return (int)status;
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN);   /* a closed pipe is a write error */
    return mq_supervise(work, argv + (argc > 0), mq_exit_could_not);
}
