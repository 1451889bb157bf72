/* mqdump.c - prints the message queues of MPI processes and explains hangs */
/* SPDX-License-Identifier: BSD-2-Clause */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/version.h"
#include "direct/direct.h"
#include "mqdump/cli/input.h"
#include "mqdump/cli/output.h"
#include "mqdump/cli/settings.h"
#include "mqdump/doctor.h"
#include "mqdump/follow/agent.h"
#include "mqdump/follow/watch.h"
#include "mqdump/jobs.h"
#include "mqdump/system/command_proxy.h"
#include "mqdump/system/precedence.h"
#include "mqdump/system/printer.h"
#include "mqdump/system/run_in_child.h"
#include "process/program.h"
#include "process/standard.h"

static enum mq_exit examine(const struct mq_settings *settings)
{
    char folder[PATH_MAX];
    const struct mq_dll_choice choice = mq_reader_choice(settings, folder,
                                                         NULL);

    return mq_doctor(settings, &choice);
}

static enum mq_exit show(const struct mq_settings *settings,
                         struct mq_logger *logger)
{
    struct mq_reading reading;
    enum mq_exit status;
    struct mq_error error;

    if (settings->watch.is_wanted)
        return mq_watch(settings, logger);
    if (mq_reader_read(settings, &settings->sources, logger, &error, &reading)
        != mq_ok)
        return mq_output_fail(error.text);
    status = mq_output_job(settings, &reading, logger);
    mq_reading_deinit(&reading);
    return status;
}

/* Whether a program may read what is written to standard output. */
static bool is_for_programs(const struct mq_settings *settings)
{
    return settings->raw || settings->format != mq_format_text
           || (settings->digest != NULL && strcmp(settings->digest, "-") == 0);
}

/* Whether a list of jobs is an answer: one of them has to be examined or
 * watched, and programs read a report.
 */
static bool takes_list(const struct mq_settings *settings)
{
    return !settings->doctor && !settings->watch.is_wanted
           && !is_for_programs(settings);
}

/* Shows or examines the only job of this user's, or lists them. */
static enum mq_exit show_own(const struct mq_settings *settings,
                             struct mq_logger *logger)
{
    struct mq_settings own = *settings;
    char text[16], *value = text;
    enum mq_exit status;
    struct mq_error error;
    size_t count = 0;
    int starter = 0;
    enum mq_result result = mq_jobs_only(&error, &starter, &count);

    if (result == mq_absent && count > 0 && takes_list(settings))
        return mq_jobs_list(settings);
    if (result == mq_absent && count > 0)
        return mq_output_fail("several MPI jobs of yours run on this host: "
                              "name one with --job; mqdump alone lists them");
    if (result == mq_absent)
        return mq_output_fail("there is nothing to show: no MPI job of yours "
                              "runs on this host; name a recording or a "
                              "process; --help lists what else there is");
    snprintf(text, sizeof text, "%d", starter);
    if (result != mq_ok || mq_sources_add(&own.sources, mq_source_job, &value,
                                          &error) != mq_ok)
        return mq_output_fail(error.text);
    mq_log(logger, mq_verbose, "the only job of yours on this host was started "
           "by process %d", starter);
    status = own.doctor ? examine(&own) : show(&own, logger);
    mq_sources_deinit(&own.sources);
    return status;
}

static enum mq_exit compare(const struct mq_settings *settings,
                            struct mq_logger *logger)
{
    struct mq_reading before, after;
    enum mq_exit status = mq_exit_could_not;
    struct mq_error error;

    if (mq_reader_read(settings, &settings->before, logger, &error, &before)
        != mq_ok)
        return mq_output_fail(error.text);
    if (mq_reader_read(settings, &settings->after, logger, &error, &after)
        == mq_ok) {
        status = mq_output_diff(settings, &before, &after);
        mq_reading_deinit(&after);
    } else {
        mq_output_fail(error.text);
    }
    mq_reading_deinit(&before);
    return status;
}

/* What the words `run` and `doctor` have for themselves. */
static void help_on_word(const struct mq_settings *settings, size_t width)
{
    static const char *const of_run[] = {
        "stuck-after", "on-stuck", "report", "keep", "format", "help-all", NULL
    };
    static const char *const of_doctor[] = {
        "pid", "job", "core", "dll", "help-all", NULL
    };

    mq_text_wrap(stdout, settings->run
                 ? "usage: mqdump run [OPTION]... -- COMMAND..."
                 : "usage: mqdump doctor [OPTION]... [RECORDING]", 0, 0, width);
    mq_text_wrap(stdout, settings->run
                 ? "Runs a job and exits with its status.  If it hangs, writes"
                   " a report, ends it, and exits with 124."
                 : "Checks each step from a process, or your only job, to its"
                   " queues, and suggests a remedy for the first failure.",
                 0, 0, width);
    mq_options_help_on(mq_settings_table, mq_settings_count,
                       settings->run ? of_run : of_doctor, width, stdout);
}

static enum mq_exit run(const struct mq_settings *settings)
{
    struct mq_counter counter;
    struct mq_printer printer;
    enum mq_exit status;

    mq_printer_begin(&printer, "mqdump", settings->verbose);
    mq_counter_init(&counter, &printer.logger);
    if (settings->help && (settings->run || settings->doctor)) {
        help_on_word(settings, mq_text_columns(stdout));
        return mq_output_finish(mq_exit_shown);
    }
    if (settings->help || settings->help_all) {
        mq_options_help(mq_settings_table, mq_settings_count, "mqdump",
                        mq_text_columns(stdout), settings->help_all, stdout);
        fputs(mq_settings_examples, stdout);
        return mq_output_finish(mq_exit_shown);
    }
    if (settings->version) {
        const char *library = mq_direct_library();

        puts("mqdump " MQ_VERSION);
        if (library != NULL)
            printf("Reads processes of this host by %s.\n", library);
        else
            puts("Reads no processes: it was built without libdw.");
        return mq_output_finish(mq_exit_shown);
    }
    if (settings->says_rank)
        mq_log(&counter.logger, mq_verbose, "--rank is called --ranks-are now");
    if (settings->says_jobs)
        mq_log(&counter.logger, mq_verbose, "--jobs is called --parallel now");
    if (settings->doctor && settings->sources.count > 0)
        return examine(settings);
    if (settings->before.count > 0)
        status = compare(settings, &counter.logger);
    else if (settings->sources.count == 0)
        status = show_own(settings, &counter.logger);
    else if (settings->live.cluster.node != NULL)
        status = mq_agent_run(settings);
    else
        status = show(settings, &counter.logger);
    return counter.warnings > 0 ? mq_exit_both(status, mq_exit_unknown)
                                : status;
}

static const char *option_that_writes(const struct mq_settings *settings)
{
    if (settings->digest != NULL && strcmp(settings->digest, "-") != 0)
        return "--digest";
    return settings->live.record != NULL ? "--record" : NULL;
}

/* The command line of `run`: a watch of a job that it starts. */
static void prepare_run(struct mq_settings *settings)
{
    struct mq_watch_settings *watch = &settings->watch;

    watch->is_wanted = watch->until_stuck = true;
    watch->is_usual = watch->stuck_after <= 0;
    if (watch->is_usual)
        watch->stuck_after = 60;
    if (watch->seconds <= 0)
        watch->seconds = watch->stuck_after < 60 ? watch->stuck_after / 6 : 10;
    settings->live.no_write = true;
}

/* Whether the words after `run` name a command, and nothing but that. */
static enum mq_result check_run(const struct mq_settings *settings,
                                struct mq_error *error)
{
    if (settings->help || settings->help_all || settings->version)
        return mq_ok;
    if (settings->sources.count != 1 || settings->live.command == NULL)
        return mq_fail(error, "mqdump run takes options, -- and a command");
    return mq_ok;
}

/* Whether there is a job to start, if it shall keep records. */
static enum mq_result check_keep(const struct mq_settings *settings,
                                 struct mq_error *error)
{
    if (settings->live.keep == NULL || settings->live.command != NULL)
        return mq_ok;
    return mq_fail(error, "--keep %s is for a job that mqdump starts, by "
                   "--launch or run", settings->live.keep);
}

/* Whether the words so far are a watch, and the last of them a program. */
static bool watches_command(const struct mq_settings *settings)
{
    const struct mq_source *last = settings->sources.count == 0 ? NULL
        : &settings->sources.items[settings->sources.count - 1];
    char *program = settings->watch.is_wanted && last != NULL
                    && last->kind == mq_source_file
                    ? mq_find_program(last->values[0]) : NULL;
    bool is_program = program != NULL;

    free(program);
    return is_program;
}

static enum mq_result parse(char *const *words, struct mq_settings *settings,
                            struct mq_error *error)
{
    if (mq_options_parse(mq_settings_table, mq_settings_count, words, settings,
                         error) == mq_ok)
        return mq_ok;
    return watches_command(settings)
           ? mq_fail(error, "a command to watch goes after --launch --, or "
                     "after mqdump run") : mq_failed;
}

/* All that mqdump does, but for seeing that it is done to the end. */
static enum mq_exit do_all(char *const *words, struct mq_settings *settings)
{
    struct mq_error error;

    if (parse(words, settings, &error) != mq_ok
        || (settings->run && check_run(settings, &error) != mq_ok)
        || check_keep(settings, &error) != mq_ok)
        return mq_output_fail(error.text);
    settings->live.writes_file = option_that_writes(settings);
    settings->live.owns_output = is_for_programs(settings);
    if (settings->run)
        prepare_run(settings);
    return run(settings);
}

static void settings_deinit(struct mq_settings *settings)
{
    mq_sources_deinit(&settings->sources);
    mq_sources_deinit(&settings->before);
    mq_sources_deinit(&settings->after);
    mq_rank_choice_deinit(&settings->report.filter.ranks);
}

static int work(void *argument)
{
    char *const *words = argument;
    struct mq_settings settings = {0};
    enum mq_exit status;

    mq_precedence_prefer();
    settings.doctor = words[0] != NULL && strcmp(words[0], "doctor") == 0;
    status = do_all(words + settings.doctor, &settings);
    settings_deinit(&settings);
    return mq_exit_status(status);
}

/* Whether the words after `run` end in a command: behind "--", or all of them.
 */
static bool name_command(char *const *words)
{
    if (words[0] != NULL && words[0][0] != '-')
        return true;
    while (*words != NULL && strcmp(*words, "--") != 0)
        words++;
    return *words != NULL;
}

/* The words after `run` are those of a launch. */
static int work_for_run(void *argument, int proxy)
{
    static char launch[] = "--launch";
    struct mq_settings settings = { .run = true, .proxy = proxy };
    char **words = argument;
    enum mq_exit status;

    words[0] = launch;
    status = do_all(words + !name_command(words + 1), &settings);
    settings_deinit(&settings);
    return status == mq_exit_could_not ? mq_proxy_failed
                                       : mq_exit_status(status);
}

int main(int argc, char **argv)
{
    if (!mq_standard_prepare())
        return mq_exit_status(mq_exit_could_not);
    signal(SIGPIPE, SIG_IGN);   /* a closed pipe is a write error */
    if (argc > 1 && strcmp(argv[1], "run") == 0)
        return mq_command_proxy(work_for_run, argv + 1);
    return mq_run_in_child(work, argv + (argc > 0),
                           mq_exit_status(mq_exit_could_not));
}
