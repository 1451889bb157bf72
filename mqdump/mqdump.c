/* mqdump - shows the message queues of a job's processes */
/* SPDX-License-Identifier: BSD-2-Clause */

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/version.h"
#include "direct/direct.h"
#include "mqdump/cli/output.h"
#include "mqdump/cli/reader.h"
#include "mqdump/cli/settings.h"
#include "mqdump/cluster/answer.h"
#include "mqdump/doctor.h"
#include "mqdump/follow/watch.h"
#include "mqdump/jobs.h"
#include "mqdump/read/types.h"
#include "mqdump/system/printer.h"
#include "mqdump/system/supervisor.h"
#include "process/standard.h"

static enum mq_exit examine(const struct mq_settings *settings)
{
    char folder[PATH_MAX];
    const struct mq_dll_choice choice = mq_reader_choice(settings, folder,
                                                         NULL);

    return mq_doctor(settings, &choice);
}

static enum mq_exit show(const struct mq_settings *settings,
                         struct mq_teller *teller)
{
    struct mq_reading reading;
    enum mq_exit status;
    struct mq_error error;

    if (settings->watch.is_wanted)
        return mq_watch(settings, teller);
    if (mq_reader_read(settings, &settings->sources, teller, &error, &reading)
        != mq_ok)
        return mq_output_fail(error.text);
    status = mq_output_job(settings, &reading, teller);
    mq_reading_deinit(&reading);
    return status;
}

static enum mq_exit make_types(const struct mq_settings *settings,
                               struct mq_teller *teller)
{
    char folder[PATH_MAX];
    const struct mq_dll_choice choice = mq_reader_choice(settings, folder,
                                                         teller);
    struct mq_error error;

    return mq_types_make(choice.folder, teller, &error) == mq_ok
           ? mq_exit_shown : mq_output_fail(error.text);
}

/* Shows the only job of this user's, or lists them. */
static enum mq_exit show_own(const struct mq_settings *settings,
                             struct mq_teller *teller)
{
    struct mq_settings own = *settings;
    char text[16], *value = text;
    enum mq_exit status;
    struct mq_error error;
    size_t count = 0;
    int starter = 0;
    enum mq_result result = mq_jobs_only(&error, &starter, &count);

    if (result == mq_absent && count > 0)
        return mq_jobs_list(settings);
    if (result == mq_absent)
        return mq_output_fail("there is nothing to show: no MPI job of yours "
                              "runs on this host; name a recording or a "
                              "process; --help lists what else there is");
    snprintf(text, sizeof text, "%d", starter);
    if (result != mq_ok || mq_sources_add(&own.sources, mq_source_job, &value,
                                          &error) != mq_ok)
        return mq_output_fail(error.text);
    mq_tell(teller, mq_story, "the only job of yours on this host was started "
            "by process %d", starter);
    status = show(&own, teller);
    mq_sources_deinit(&own.sources);
    return status;
}

/* On a node: answers the mqdump that has started this one. */
static enum mq_exit answer(const struct mq_settings *settings)
{
    struct mq_answer_teller told;
    struct mq_reading reading;
    enum mq_result result;
    struct mq_error error;

    mq_answer_teller_begin(&told, settings->verbose);
    result = mq_reader_read(settings, &settings->sources, &told.teller, &error,
                      &reading);
    if (result == mq_ok) {
        result = mq_answer_send(&told, reading.world, reading.job, stdout,
                                &error);
        mq_reading_deinit(&reading);
    }
    mq_answer_teller_end(&told);
    return result == mq_ok ? mq_output_finish(mq_exit_shown)
           : mq_output_fail(error.text);
}

static enum mq_exit compare(const struct mq_settings *settings,
                            struct mq_teller *teller)
{
    struct mq_reading before, after;
    enum mq_exit status = mq_exit_could_not;
    struct mq_error error;

    if (mq_reader_read(settings, &settings->before, teller, &error, &before)
        != mq_ok)
        return mq_output_fail(error.text);
    if (mq_reader_read(settings, &settings->after, teller, &error, &after)
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
    struct mq_counter counter;
    struct mq_printer printer;
    enum mq_exit status;

    mq_printer_begin(&printer, "mqdump", settings->verbose);
    mq_counter_init(&counter, &printer.teller);
    if (settings->help || settings->help_all) {
        mq_options_help(mq_settings_table, mq_settings_count, "mqdump",
                        mq_text_columns(stdout), settings->help_all, stdout);
        fputs(mq_settings_examples, stdout);
        return mq_output_finish(mq_exit_shown);
    }
    if (settings->version) {
        printf("mqdump " MQ_VERSION "\nReads processes of this host by %s.\n",
               mq_direct_library() != NULL ? mq_direct_library() : "gdb");
        return mq_output_finish(mq_exit_shown);
    }
    if (settings->says_rank)
        mq_tell(&counter.teller, mq_story, "--rank is called --ranks-are now");
    if (settings->says_jobs)
        mq_tell(&counter.teller, mq_story, "--jobs is called --parallel now");
    if (settings->doctor)
        return examine(settings);
    if (settings->make_types)
        return make_types(settings, &counter.teller);
    if (settings->before.count > 0)
        status = compare(settings, &counter.teller);
    else if (settings->sources.count == 0)
        status = show_own(settings, &counter.teller);
    else if (settings->live.cluster.node != NULL)
        status = answer(settings);
    else
        status = show(settings, &counter.teller);
    return counter.warnings > 0 ? mq_exit_both(status, mq_exit_untold)
                                : status;
}

/* Whether a program may read what is written to standard output. */
static bool is_for_programs(const struct mq_settings *settings)
{
    return settings->raw || settings->format != mq_format_text
           || (settings->digest != NULL && strcmp(settings->digest, "-") == 0);
}

static const char *option_that_writes(const struct mq_settings *settings)
{
    if (settings->digest != NULL && strcmp(settings->digest, "-") != 0)
        return "--digest";
    return settings->live.record != NULL ? "--record" : NULL;
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
                         words + settings.doctor, &settings, &error) == mq_ok) {
        settings.live.writes_file = option_that_writes(&settings);
        settings.live.owns_output = is_for_programs(&settings);
        status = run(&settings);
    } else {
        status = mq_output_fail(error.text);
    }
    mq_sources_deinit(&settings.sources);
    mq_sources_deinit(&settings.before);
    mq_sources_deinit(&settings.after);
    mq_rank_choice_deinit(&settings.report.filter.ranks);
    return mq_exit_status(status);
}

int main(int argc, char **argv)
{
    if (!mq_standard_prepare())
        return mq_exit_status(mq_exit_could_not);
    signal(SIGPIPE, SIG_IGN);   /* a closed pipe is a write error */
    return mq_supervise(work, argv + (argc > 0),
                        mq_exit_status(mq_exit_could_not));
}
