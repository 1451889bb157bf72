/* watch.c - watches a job until it hangs */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/follow/watch.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/number.h"
#include "mqdump/cli/input.h"
#include "mqdump/follow/alarm.h"
#include "mqdump/follow/no_progress.h"
#include "mqdump/follow/sampling_budget.h"
#include "mqdump/follow/watch_hosts.h"
#include "mqdump/follow/watch_page.h"
#include "mqdump/launch/preload.h"
#include "mqdump/source/source_launch.h"
#include "mqdump/system/command_proxy.h"
#include "mqdump/system/interrupt.h"
#include "process/proc_stat.h"
#include "process/refusal.h"

static const double usual_interval = 10;    /* seconds */
/* Looks before the reason is logged; ranks that a command starts may take
 * longer.
 */
enum { vain_looks = 3, vain_looks_of_run = 10 };

/* A logger that keeps the latest warning, and passes on verbose messages. */
struct warning_logger {
    struct mq_logger logger;
    struct mq_logger *next;     /* or null */
    struct mq_strbuf *warning;
};

struct watch {
    const struct mq_settings *settings;
    struct mq_settings quick;   /* the same, for one look at each process, or
                                   more if one shows too little */
    struct mq_logger *logger;   /* of the user */
    struct mq_alarm *alarm;
    struct mq_screen screen;
    struct mq_watch_view view;
    double begin;
    double reading_cost, pulse_cost;    /* of the last: seconds that they
                                           stopped ranks for */
    double quiet_since;         /* no rank has made progress */
    double held_since;          /* nobody has left or entered an MPI call */
    bool is_held;               /* for too long */
    size_t vain;                /* looks that found no rank, one after the
                                   other */
    bool is_suspected;          /* it was seen once that ranks are stuck */
    double suspected_since;
    double read_quiet;          /* seconds without progress of any rank when
                                   they were read */
    enum mq_exit status;
};

/* ---- Messages ---------------------------------------------------------- */

static void listen(struct mq_logger *logger, enum mq_log_level kind,
                   const char *text)
{
    struct warning_logger *warning_logger = (struct warning_logger *)logger;

    if (kind == mq_verbose)
        mq_log(warning_logger->next, kind, "%s", text);
    if (kind != mq_warning)
        return;
    mq_strbuf_empty(warning_logger->warning);
    mq_strbuf_add(warning_logger->warning, "%.500s", text);
}

/* Logs an event, unless a page shows it. */
static void log_event(struct watch *watch, enum mq_log_level kind,
                      struct mq_strbuf *words)
{
    if (!watch->screen.is_open)
        mq_log(watch->logger, kind, "%s", mq_strbuf_text(words));
    mq_strbuf_deinit(words);
}

/* Log level of events of a job that continues: where a command is run, the
 * command's own output shows it.
 */
static enum mq_log_level usual(const struct watch *watch)
{
    return watch->settings->run ? mq_verbose : mq_info;
}

static void log_stuck(struct watch *watch)
{
    struct mq_strbuf words = {0};
    char now[mq_watch_time_room], since[mq_watch_time_room];

    mq_watch_time(time(NULL), now);
    mq_watch_time(watch->view.since, since);
    mq_strbuf_add(&words, "%s: the job is hung: no progress since %s or "
                  "earlier: %s", now, since,
                  mq_strbuf_text(&watch->view.summary));
    log_event(watch, mq_info, &words);
}

static void log_going(struct watch *watch)
{
    struct mq_strbuf words = {0};
    char now[mq_watch_time_room];

    mq_watch_time(time(NULL), now);
    mq_strbuf_add(&words, "%s: the job continues", now);
    log_event(watch, usual(watch), &words);
}

static void log_end(struct watch *watch, const char *what)
{
    struct mq_strbuf words = {0};

    mq_strbuf_add(&words, "%s; ", what);
    mq_watch_cost(&watch->view, &words);
    log_event(watch, usual(watch), &words);
}

/* ---- Reading ------------------------------------------------------------ */

static void raise_alarm(struct watch *watch,
                        const struct mq_analysis *analysis)
{
    struct mq_error error;

    if (mq_alarm_raise(watch->alarm, analysis, &error) == mq_ok)
        return;
    mq_strbuf_empty(&watch->view.trouble);
    mq_strbuf_add(&watch->view.trouble, "%s", error.text);
    if (!watch->screen.is_open)
        mq_log(watch->logger, mq_warning, "%s", error.text);
}

/* The job is hung: that is said once. */
static void find_stuck(struct watch *watch, const struct mq_reading *reading,
                       const struct mq_analysis *analysis)
{
    bool ends = watch->settings->watch.until_stuck;

    watch->view.since = mq_watch_view_since(&watch->view);
    if (ends)
        mq_screen_close(&watch->screen);
    log_stuck(watch);
    if (!watch->screen.is_open)
        watch->status = mq_output_job(watch->settings, reading, watch->logger);
    else
        watch->status = mq_exit_stuck;
    raise_alarm(watch, analysis);
}

/* The job is held up by ranks outside MPI, or by calls of which it is unknown
 * whether they return: the same.
 */
static void find_held(struct watch *watch, const struct mq_reading *reading,
                      const struct mq_analysis *analysis)
{
    struct mq_strbuf words = {0};
    char now[mq_watch_time_room];

    mq_watch_time(time(NULL), now);
    watch->view.since = mq_watch_view_held_since(&watch->view);
    mq_watch_view_holders(&watch->view);
    if (watch->settings->watch.until_stuck)
        mq_screen_close(&watch->screen);
    mq_strbuf_add(&words, "%s: no progress: %s", now,
                  mq_strbuf_text(&watch->view.holders));
    if (mq_watch_view_is_held(&watch->view)
        && !mq_watch_view_is_blocked(&watch->view, 0))
        mq_no_progress_advice(watch->settings, &words);
    log_event(watch, mq_info, &words);
    if (!watch->screen.is_open)
        mq_output_job(watch->settings, reading, watch->logger);
    watch->status = mq_exit_stuck;
    raise_alarm(watch, analysis);
}

/* Whether the finding has lasted as long as the user wants.  A certain one
 * holds whatever other ranks do; for others, nothing in the job may have moved.
 */
static bool has_lasted(const struct watch *watch,
                       const struct mq_reading *reading,
                       const struct mq_analysis *analysis)
{
    double limit = watch->settings->watch.stuck_after, now = mq_now();

    if (limit <= 0)
        return true;
    if (now - watch->suspected_since < limit)
        return false;
    return analysis->verdict > mq_verdict_possible
           || (now - watch->quiet_since >= limit && !reading->is_incomplete);
}

/* Takes the result of a reading into the watch. */
static enum mq_result conclude(struct watch *watch, bool is_thorough,
                               const struct mq_reading *reading,
                               struct mq_error *error)
{
    struct mq_analysis *analysis = NULL;
    bool is_stuck, is_open;

    reading->job->still = watch->settings->still;
    if (mq_analyse(reading->job, error, &analysis) != mq_ok)
        return mq_failed;
    is_stuck = mq_exit_of(analysis) == mq_exit_stuck;
    is_open = analysis->verdict == mq_verdict_unknown
              || analysis->verdict == mq_verdict_held_up;
    if (mq_watch_view_renew(&watch->view, reading, analysis, error) != mq_ok) {
        mq_analysis_destroy(analysis);
        return mq_failed;
    }
    if (mq_watch_view_went_on(&watch->view))
        watch->quiet_since = watch->held_since = mq_now();
    if (is_stuck && !watch->is_suspected)
        watch->suspected_since = watch->quiet_since;    /* so it was before */
    watch->is_suspected = is_stuck;
    if (is_stuck && is_thorough && watch->view.since == 0
        && has_lasted(watch, reading, analysis))
        find_stuck(watch, reading, analysis);
    else if (watch->is_held && watch->view.since == 0
             && (mq_watch_view_is_held(&watch->view)
                 || (is_open && mq_watch_view_stays(&watch->view))))
        find_held(watch, reading, analysis);
    watch->quick.live.looks = is_open ? watch->settings->live.looks : 1;
    mq_analysis_destroy(analysis);
    return mq_ok;
}

/* No rank could be read: the job may only begin, or end, or be none. */
static void note_vain_look(struct watch *watch, enum mq_log_level kind,
                           const char *why)
{
    struct mq_strbuf words = {0};

    mq_watch_view_forget(&watch->view);
    if (++watch->vain == (watch->settings->run ? vain_looks_of_run
                                               : vain_looks)) {
        mq_strbuf_add(&words, "no rank can be read so far: %s", why);
        log_event(watch, kind, &words);
    }
}

/* Ranks that cannot be read are a loss, unless they have yet to begin. */
static enum mq_log_level loss(const struct watch *watch)
{
    return watch->view.read_at == 0 && !watch->settings->run ? mq_info
                                                             : mq_warning;
}

/* No lack of progress is known, from now on. */
static void count_anew(struct watch *watch)
{
    watch->quiet_since = watch->held_since = watch->suspected_since = mq_now();
    watch->read_quiet = 0;
}

static void begin_count(struct watch *watch)
{
    struct mq_strbuf words = {0};

    count_anew(watch);
    mq_strbuf_add(&words, "watching %zu rank%s, sampled every %g s",
                  watch->view.count, watch->view.count == 1 ? "" : "s",
                  watch->view.interval);
    log_event(watch, usual(watch), &words);
}

/* Reads all of the job: once, or as thoroughly as without a watch. */
static void read_job(struct watch *watch, bool is_thorough)
{
    const struct mq_settings *how = is_thorough ? watch->settings
                                                : &watch->quick;
    struct warning_logger warning_logger = {
        { listen }, watch->screen.is_open ? NULL : watch->logger,
        &watch->view.trouble
    };
    size_t before = watch->view.count;
    struct mq_reading reading;
    struct mq_error error;

    mq_strbuf_empty(&watch->view.trouble);
    if (mq_reader_read(how, &watch->quick.sources, &warning_logger.logger,
                       &error, &reading) != mq_ok) {
        note_vain_look(watch, watch->settings->run ? mq_verbose : loss(watch),
                       error.text);
        return;
    }
    watch->reading_cost = reading.stopped_seconds;
    watch->view.stopped += reading.stopped_seconds;
    if (mq_interrupted)
        ;                       /* it may be anything that could not be read */
    else if (reading.lead_count == 0)
        note_vain_look(watch, loss(watch),
                       mq_strbuf_text(&watch->view.trouble));
    else if (conclude(watch, is_thorough, &reading, &error) != mq_ok)
        note_vain_look(watch, mq_warning, error.text);
    else
        watch->vain = 0;
    if (before == 0 && watch->view.count > 0)
        begin_count(watch);
    mq_reading_deinit(&reading);
}

/* ---- Between readings --------------------------------------------------- */

/* How many ranks do what. */
struct tally {
    size_t of[mq_progress_kinds];
    size_t going;               /* of those that seemed stuck */
    bool is_quiet;              /* none does anything */
    bool is_held;               /* none in MPI does, and some are outside, or
                                   the user gave a limit */
};

/* What a rank did: polls in vain are no progress, if the user says for how long
 * there may be none.
 */
static enum mq_progress progress_of(const struct watch *watch,
                                    const struct mq_pulse *pulse)
{
    return pulse->progress != mq_progress_polls ? pulse->progress
           : mq_no_progress_limit(watch->settings) > 0 ? mq_progress_still
                                                       : mq_progress_moved;
}

static struct tally take_pulses(struct watch *watch)
{
    struct tally tally = { .is_quiet = false };
    time_t now = time(NULL);

    watch->pulse_cost = 0;
    for (size_t i = 0; i < watch->view.count; i++) {
        struct mq_pulse *pulse = &watch->view.pulses[i];
        double before = pulse->stopped;
        enum mq_progress progress;

        mq_pulse_take(pulse, now);
        progress = progress_of(watch, pulse);
        tally.of[progress]++;
        tally.going += pulse->is_stuck && progress != mq_progress_still;
        if (pulse->stopped - before > watch->pulse_cost)
            watch->pulse_cost = pulse->stopped - before;
    }
    watch->view.stopped += watch->pulse_cost;
    tally.is_quiet = tally.of[mq_progress_still] == watch->view.count;
    tally.is_held = (tally.of[mq_progress_outside] > 0
                     || mq_no_progress_limit(watch->settings) > 0)
                    && tally.of[mq_progress_outside]
                       + tally.of[mq_progress_still] == watch->view.count;
    if (!tally.is_held)
        watch->held_since = mq_now();
    if (watch->settings->watch.stuck_after > 0
        && mq_watch_view_is_stopped(&watch->view))
        count_anew(watch);
    if (!tally.is_quiet) {
        watch->quiet_since = mq_now();
        watch->read_quiet = 0;
    }
    return tally;
}

/* Whether the whole job has to be read again.  A quiet job is, since a later
 * reading may have a result, but less and less often.
 */
static bool needs_reading(const struct watch *watch, const struct tally *tally)
{
    double now = mq_now(), cost = watch->reading_cost;
    double quiet = now - watch->quiet_since;
    bool is_due = now - watch->begin
                  >= mq_sampling_due(watch->view.stopped, cost);

    if (watch->view.since != 0
        || (!is_due && quiet < mq_sampling_patience(cost)))
        return false;
    if (watch->is_suspected && tally->going == 0)
        return true;
    if (tally->is_quiet && quiet >= 2 * watch->read_quiet)
        return true;
    return is_due && tally->of[mq_progress_moved] < watch->view.count;
}

/* Whether that has lasted too long; never if nobody waits for them. */
static bool is_held_too_long(const struct watch *watch,
                             const struct tally *tally)
{
    double limit = mq_no_progress_limit(watch->settings);

    if (!tally->is_held || watch->view.since != 0)
        return false;
    if (limit > 0 && tally->of[mq_progress_still] > 0)
        return mq_now() - watch->held_since >= limit;
    return mq_watch_view_is_blocked(&watch->view,
                                    limit > 0 ? limit : mq_usual_blocked);
}

static void look(struct watch *watch)
{
    struct tally tally;

    if (watch->view.count == 0) {
        read_job(watch, false);
        return;
    }
    tally = take_pulses(watch);
    if (watch->view.since != 0
        && (watch->is_held ? !tally.is_held : tally.going > 0)) {
        watch->view.since = 0;
        mq_strbuf_empty(&watch->view.holders);
        watch->status = mq_exit_shown;
        log_going(watch);
    }
    watch->is_suspected = watch->is_suspected && tally.going == 0;
    watch->is_held = watch->view.since != 0
                     ? watch->is_held && tally.is_held
                     : is_held_too_long(watch, &tally);
    if (needs_reading(watch, &tally)
        || (watch->is_held && watch->view.since == 0
            && (!tally.is_quiet
                || watch->read_quiet < mq_no_progress_limit(watch->settings))))
    {
        if (tally.is_quiet)
            watch->read_quiet = mq_now() - watch->quiet_since;
        read_job(watch, watch->is_suspected || watch->is_held
                        || tally.is_quiet);
    }
}

/* ---- The end ------------------------------------------------------------ */

/* Whether a process runs from which the job may still come. */
static bool has_starter(const struct mq_sources *sources)
{
    int pid;

    for (size_t i = 0; i < sources->count; i++)
        if (sources->items[i].kind == mq_source_job
            && mq_number_is(sources->items[i].values[0], 1, INT_MAX, &pid)
            && !mq_proc_has_ended(pid))
            return true;
    return false;
}

/* Whether there was a job; one that mqdump has launched may have been too short
 * to be seen.
 */
static bool was_there(const struct watch *watch)
{
    return watch->view.count > 0 || watch->view.read_at != 0
           || watch->settings->sources.items[0].kind == mq_source_launch;
}

static bool is_over(struct watch *watch)
{
    if (mq_interrupted)
        return true;
    if (watch->view.since != 0 && watch->settings->watch.until_stuck)
        return true;
    if (mq_watch_view_has_rank(&watch->view)
        || has_starter(&watch->quick.sources))
        return false;
    if (was_there(watch)) {
        watch->status = mq_exit_shown;
        log_end(watch, "the job has ended");
    } else {
        mq_screen_close(&watch->screen);
        watch->status = mq_output_fail(watch->view.trouble.length > 0
                                       ? mq_strbuf_text(&watch->view.trouble)
                                       : "there is no job to watch");
    }
    return true;
}

/* ---- The watch ---------------------------------------------------------- */

/* Waits for the next look; a page shows the time meanwhile, and a job that has
 * ended is noticed.
 */
static bool wait_for_look(struct watch *watch, double seconds)
{
    const double longest_gap = 10;
    double latest = mq_now(), end = latest + seconds, next_second = 0;

    while (!mq_interrupted && mq_now() < end) {
        double now = mq_now(), left = end - now;

        if (now - latest > longest_gap) {   /* all may have been stopped */
            watch->quiet_since += now - latest;
            watch->held_since += now - latest;
            watch->suspected_since += now - latest;
        }
        latest = now;
        if (now >= next_second) {
            if (is_over(watch))
                return false;
            watch->view.watched = mq_now() - watch->begin;
            if (watch->screen.is_open)
                mq_watch_page(&watch->screen, &watch->view);
            next_second = mq_now() + 1;
        }
        mq_nap(left < 0.1 ? (int)(left * 1000) + 1 : 100);
    }
    return !is_over(watch);
}

/* Until there are ranks it is looked for them more often. */
static double pause_of(const struct watch *watch)
{
    double usual = watch->view.interval;
    double longer = mq_sampling_pause(watch->pulse_cost);
    double shorter = watch->vain > 10 ? usual
                                      : (double)(1U << watch->vain) / 4;

    if (watch->view.count > 0)
        return longer > usual ? longer : usual;
    return shorter < usual ? shorter : usual;
}

static void watch_on(struct watch *watch)
{
    watch->begin = watch->quiet_since = watch->held_since = mq_now();
    do
        look(watch);
    while (wait_for_look(watch, pause_of(watch)));
    watch->view.watched = mq_now() - watch->begin;
    mq_screen_close(&watch->screen);
    if (mq_interrupted)
        log_end(watch, "interrupted");
    else if (watch->view.since != 0)
        log_end(watch, "the watch has ended");
}

static enum mq_exit watch_sources(const struct mq_settings *settings,
                                  const struct mq_sources *sources,
                                  struct mq_alarm *alarm,
                                  struct mq_logger *logger)
{
    struct watch watch = {
        .settings = settings, .quick = *settings, .logger = logger,
        .alarm = alarm, .status = mq_exit_shown
    };

    watch.quick.sources = *sources;
    watch.quick.live.looks = 1;
    watch.quick.live.record = NULL;
    watch.quick.live.quiet = true;
    watch.quick.stats = false;
    watch.view.interval = settings->watch.seconds > 0 ? settings->watch.seconds
                                                      : usual_interval;
    if (!settings->run && isatty(STDOUT_FILENO) && isatty(STDERR_FILENO))
        mq_screen_open(&watch.screen, stdout, mq_output_colour(settings));
    watch_on(&watch);
    mq_watch_view_deinit(&watch.view);
    return mq_output_finish(watch.status);
}

/* ---- What is watched ---------------------------------------------------- */

/* Watches the job of a command until it ends, by the records in FOLDER unless
 * that is null.
 */
static enum mq_exit watch_job(const struct mq_settings *settings,
                              const struct mq_command *command,
                              const char *folder, struct mq_alarm *alarm,
                              struct mq_logger *logger)
{
    struct mq_settings own = *settings;
    struct mq_sources sources = {0};
    enum mq_exit status;
    char source[PATH_MAX];
    char *values[mq_source_values] = { source, NULL };
    struct mq_error error;

    if (folder != NULL)
        snprintf(source, sizeof source, "%s", folder);
    else
        snprintf(source, sizeof source, "%d", (int)command->pid);
    own.live.mark = command->mark.entry;
    if (mq_sources_add(&sources, folder != NULL ? mq_source_file
                                                : mq_source_job,
                       values, &error) != mq_ok)
        status = mq_output_fail(error.text);
    else if (folder != NULL)
        status = mq_watch_records(&own, &sources, alarm, logger);
    else
        status = watch_sources(&own, &sources, alarm, logger);
    mq_sources_deinit(&sources);
    return status;
}

/* Starts the job, and watches it as one that somebody else has started. */
static enum mq_exit watch_launched(const struct mq_settings *settings,
                                   struct mq_alarm *alarm,
                                   struct mq_logger *logger)
{
    char folder[PATH_MAX];
    const struct mq_read_options how = {
        .choice = mq_reader_choice(settings, folder, logger),
        .live = &settings->live
    };
    enum mq_exit status;
    struct mq_command command;
    struct mq_error error;
    enum mq_result result = mq_launch_leave(&how, &error, &command);

    if (result == mq_absent) {
        mq_log(logger, mq_info, "the job ended before it was sampled");
        return mq_output_finish(mq_exit_shown);
    }
    if (result != mq_ok)
        return mq_output_fail(error.text);
    status = watch_job(settings, &command, NULL, alarm, logger);
    mq_command_end(&command);
    return status;
}

/* The folder of the command's records if its processes cannot be read, or null.
 */
static const char *find_records(const struct mq_settings *settings,
                                struct mq_logger *logger)
{
    const char *folder = settings->live.keep != NULL ? settings->live.keep
                         : getenv("MQWATCH_RECORD");

    if (folder == NULL || mq_may_trace())
        return NULL;
    mq_log(logger, mq_verbose, "no process may be traced here: watching the "
           "records in %s", folder);
    return folder;
}

/* Watches a command that is run: what is said of it goes to standard error, as
 * standard output is the command's.
 */
static enum mq_exit watch_run(const struct mq_settings *settings,
                              struct mq_alarm *alarm,
                              struct mq_command *command,
                              struct mq_logger *logger)
{
    const pid_t parent = getppid();
    enum mq_exit status;

    signal(SIGTTOU, SIG_IGN);   /* it is in the background of a terminal */
    dup2(STDERR_FILENO, STDOUT_FILENO);
    mq_interrupt_await(command->waiter);
    status = watch_job(settings, command, find_records(settings, logger), alarm,
                       logger);
    if (getppid() != parent) {
        mq_command_end(command);
    } else if (status == mq_exit_stuck && !mq_interrupted) {
        mq_command_end(command);
        mq_command_proxy_ended(settings->proxy);
        mq_log(logger, mq_info, "ended the job, which made no progress for "
               "%g s; exit status %d", settings->watch.stuck_after,
               mq_proxy_ended);
    }
    return status;
}

/* Starts the command as its user would. */
static enum mq_exit run_command(const struct mq_settings *settings,
                                struct mq_alarm *alarm,
                                struct mq_logger *logger)
{
    char folder[PATH_MAX];
    char *const *words = settings->live.command;
    const struct mq_dll_choice choice = mq_reader_choice(settings, folder,
                                                         NULL);
    struct mq_preload preload;
    struct mq_command command;
    struct mq_error error;
    siginfo_t end;
    enum mq_result result;

    if (mq_preload_init(&settings->live, choice.folder, NULL, &error, &preload)
        != mq_ok)
        return mq_output_fail(error.text);
    result = mq_command_start_for_parent(words, &preload, &error, &command);
    mq_preload_deinit(&preload);
    if (result != mq_ok)
        return mq_output_fail(error.text);
    mq_command_proxy_started(settings->proxy, (int)command.pid);
    if (mq_command_release(&command, &error) != mq_ok)
        return mq_exit_shown;   /* a signal has ended it before */
    if (mq_command_check(&command, words[0], &error) != mq_ok) {
        waitid(P_PID, (id_t)command.waiter, &end, WEXITED | WNOWAIT);
        return mq_output_fail(error.text);
    }
    return watch_run(settings, alarm, &command, logger);
}

static bool can_be_watched(const struct mq_sources *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        enum mq_source_kind kind = sources->items[i].kind;

        if (kind != mq_source_processes && kind != mq_source_job
            && !(kind == mq_source_launch && sources->count == 1))
            return false;
    }
    return sources->count > 0;
}

enum mq_exit mq_watch(const struct mq_settings *settings,
                      struct mq_logger *logger)
{
    struct sigaction before[mq_interrupt_signals];
    struct mq_alarm alarm;
    struct mq_error error;
    bool is_hosts = settings->sources.count == 1
                    && settings->sources.items[0].kind == mq_source_cluster;
    enum mq_exit status;

    if (!is_hosts && settings->sources.items[0].kind == mq_source_file)
        return mq_output_fail("--watch takes processes that run, and no files;"
                              " a command goes after --launch --, or after"
                              " mqdump run");
    if (!is_hosts && !can_be_watched(&settings->sources))
        return mq_output_fail("--watch takes processes that run: name them "
                              "with --job, --pid, --launch, --slurm or "
                              "--hosts");
    if (mq_alarm_begin(settings, &error, &alarm) != mq_ok)
        return mq_output_fail(error.text);
    mq_interrupt_catch(before);
    if (settings->run)
        status = run_command(settings, &alarm, logger);
    else if (is_hosts)
        status = mq_watch_hosts(settings, &alarm, logger);
    else if (settings->sources.items[0].kind == mq_source_launch)
        status = watch_launched(settings, &alarm, logger);
    else
        status = watch_sources(settings, &settings->sources, &alarm, logger);
    mq_alarm_end(&alarm);
    mq_interrupt_restore(before);
    return status;
}
