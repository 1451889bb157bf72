/* watch_hosts.c - watches a job of many nodes, or by records, until it hangs */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/follow/watch_hosts.h"

#include <string.h>
#include <time.h>

#include "analysis/analysis.h"
#include "analysis/thread_activity.h"
#include "base/clock.h"
#include "base/strbuf.h"
#include "mqdump/cli/input.h"
#include "mqdump/cluster/gather.h"
#include "mqdump/follow/alarm.h"
#include "mqdump/follow/no_progress.h"
#include "mqdump/follow/watch_page.h"
#include "mqdump/system/interrupt.h"
#include "report/diff.h"

static const double usual_interval = 10;        /* seconds */
enum {
    vain_looks = 3,             /* in turn, before the job has ended */
    vain_looks_of_run = 10      /* before the reason is logged */
};

/* A logger that passes on what it has not just said. */
struct repeater {
    struct mq_logger logger;    /* first */
    struct mq_logger *next;
    struct mq_strbuf last;
    bool is_silent;             /* it keeps warnings, and passes on none */
};

struct watch {
    const struct mq_settings *settings;
    struct mq_settings quiet;   /* the same without progress, for agents that
                                   stay */
    struct mq_gathering *agents;        /* null: they are not started */
    struct repeater repeater;
    struct mq_alarm *alarm;
    struct mq_reading before;   /* the look before; without a job: none */
    size_t vain;                /* looks that found no rank, in turn; one that
                                   finds the ranks of two successive jobs is
                                   not used, and not counted */
    double looked;              /* when that was */
    double suspected_since;     /* 0: the job is not suspected to be hung */
    double held_since;          /* 0: ranks outside MPI do not hold it up */
    bool is_stuck, was_there;
    enum mq_exit status;
};

static void log_once(struct mq_logger *logger, enum mq_log_level kind,
                     const char *text)
{
    struct repeater *self = (struct repeater *)logger;

    if (kind == mq_warning && strcmp(mq_strbuf_text(&self->last), text) == 0)
        return;
    if (kind == mq_warning) {
        mq_strbuf_empty(&self->last);
        mq_strbuf_add(&self->last, "%s", text);
    }
    if (!self->is_silent || kind == mq_verbose)
        mq_log(self->next, kind, "%s", text);
}

static void log_event(const struct watch *watch, const char *what)
{
    char now[mq_watch_time_room];

    mq_watch_time(time(NULL), now);
    mq_log(watch->repeater.next, mq_info, "%s: %s", now, what);
}

/* Whether calls have returned, but for polls in vain, where that is counted. */
static bool went_on(const struct mq_process *before,
                    const struct mq_process *after)
{
    return before->counter_at != 0 && before->counter_at == after->counter_at
           && after->counter - before->counter > after->polls;
}

/* Whether all ranks of both jobs are the same, and do the same. */
static bool nothing_moved(const struct mq_job *before,
                          const struct mq_job *after)
{
    const struct mq_filter all = { .queues = 0 };
    struct mq_error error;
    struct mq_diff diff;
    bool moved;

    if (mq_diff_create(before, after, &all, &error, &diff) != mq_ok)
        return false;
    moved = diff.only_before_count > 0 || diff.only_after_count > 0;
    for (size_t i = 0; i < diff.rank_count; i++)
        moved = moved || diff.ranks[i].moved
                || went_on(&before->processes[diff.ranks[i].before],
                           &after->processes[diff.ranks[i].after]);
    mq_diff_destroy(&diff);
    return !moved;
}

/* Whether ranks wait in MPI for others outside it, and those do nothing if
 * IS_BLOCKED, or whatever they do.
 */
static bool is_held(const struct mq_analysis *a, bool is_blocked)
{
    size_t inside = 0, outside = 0;

    for (size_t p = 0; p < a->job->process_count; p++) {
        const struct mq_process *it = &a->job->processes[p];

        switch ((enum mq_rank_state)a->waits.of[p].state) {
        case mq_rank_waits:
        case mq_rank_starting:
            if (it->movement == mq_moved)
                return false;
            inside++;
            break;
        case mq_rank_runs:
            if (is_blocked && (!mq_is_asleep(it) || mq_is_napping(it)))
                return false;
            outside++;
            break;
        case mq_rank_polls:
        case mq_rank_stopped:
            return false;
        default:
            break;
        }
    }
    return inside > 0 && outside > 0;
}

/* Whether something IS_SO for as long as LIMIT: it was by the look before if
 * nothing moved since then.
 */
static bool has_lasted(const struct watch *watch, bool is_so, bool is_quiet,
                       double limit, double *since)
{
    if (!is_so)
        *since = 0;
    else if (*since <= 0)
        *since = is_quiet ? watch->looked : mq_now();
    return is_so && mq_now() - *since >= limit;
}

static void log_hung(const struct watch *watch, bool is_stuck, double limit)
{
    struct mq_strbuf words = { 0 };

    mq_strbuf_add(&words, is_stuck ? "the job is hung" : "no progress");
    if (!is_stuck && limit > 0)
        mq_no_progress_advice(watch->settings, &words);
    if (!words.failed)
        log_event(watch, mq_strbuf_text(&words));
    mq_strbuf_deinit(&words);
}

/* Whether a rank may have gone on unseen, as one on another host may whose
 * record arrives late.
 */
static bool has_unseen(const struct mq_reading *now)
{
    for (size_t p = 0; p < now->job->process_count; p++)
        if (now->job->processes[p].presence == mq_present
            && now->job->processes[p].looks < 2)
            return true;
    return now->is_incomplete;
}

/* Takes the result of the look NOW, with its ANALYSIS. */
static void conclude(struct watch *watch, const struct mq_reading *now,
                     const struct mq_analysis *analysis)
{
    const double limit = mq_no_progress_limit(watch->settings);
    const struct mq_job *before = watch->before.job;
    bool is_quiet = before != NULL && nothing_moved(before, now->job)
                    && !(watch->settings->run && has_unseen(now));
    /* A certain finding holds whatever other ranks do. */
    bool is_suspected = mq_exit_of(analysis) == mq_exit_stuck
                        && (is_quiet
                            || analysis->verdict > mq_verdict_possible);
    bool is_stuck =
        has_lasted(watch, is_suspected, is_quiet,
                   watch->settings->watch.stuck_after,
                   &watch->suspected_since);
    bool is_over =
        has_lasted(watch, is_quiet && is_held(analysis, limit <= 0), is_quiet,
                   limit > 0 ? limit : mq_usual_blocked, &watch->held_since)
        || is_stuck;
    struct mq_error error;

    watch->looked = mq_now();
    if (watch->is_stuck && !is_over) {
        log_event(watch, "the job continues");
        watch->status = mq_exit_shown;
    } else if (is_over && !watch->is_stuck) {
        log_hung(watch, is_stuck, limit);
        watch->repeater.is_silent = false;
        mq_output_job(watch->settings, now, &watch->repeater.logger);
        watch->status = mq_exit_stuck;
        if (mq_alarm_raise(watch->alarm, analysis, &error) != mq_ok)
            mq_log(watch->repeater.next, mq_warning, "%s", error.text);
    }
    watch->is_stuck = is_over;
}

/* Looks once at all nodes. */
static enum mq_result look(struct watch *watch, struct mq_error *error)
{
    struct mq_analysis *analysis = NULL;
    struct mq_reading now;
    enum mq_result result;

    watch->repeater.is_silent = watch->settings->run;
    result = mq_reader_read(&watch->quiet, &watch->quiet.sources,
                            &watch->repeater.logger, error, &now);
    if (result != mq_ok)
        return mq_failed;
    if (mq_interrupted || now.job->process_count == 0) {
        watch->vain = now.hosts > 0 ? 0 : watch->vain + 1;
        if (watch->settings->run && watch->vain == vain_looks_of_run)
            mq_log(watch->repeater.next, mq_warning, "no rank can be read so "
                   "far: %s", mq_strbuf_text(&watch->repeater.last));
        mq_reading_deinit(&now);
        return mq_ok;
    }
    watch->vain = 0;
    watch->was_there = true;
    now.job->still = watch->settings->still;
    result = mq_analyse(now.job, error, &analysis);
    if (result == mq_ok)
        conclude(watch, &now, analysis);
    mq_analysis_destroy(analysis);
    if (watch->before.job != NULL)
        mq_reading_deinit(&watch->before);
    watch->before = now;
    return result;
}

/* The agents are gone, as those of a job that has ended, or were never there:
 * the next look starts others.
 */
static void begin_anew(struct watch *watch)
{
    double end = mq_now() + watch->quiet.live.cluster.period;

    mq_gather_destroy(watch->agents);
    watch->agents = NULL;
    while (!mq_interrupted && mq_now() < end)
        mq_nap(100);
}

static void watch_on(struct watch *watch)
{
    struct mq_error error;

    for (;;) {
        if (look(watch, &error) != mq_ok) {
            watch->status = mq_output_fail(error.text);
            return;
        }
        if (mq_interrupted
            || (watch->is_stuck && watch->settings->watch.until_stuck))
            return;
        if (watch->vain >= vain_looks && !watch->settings->run)
            break;
        if (watch->agents == NULL || !mq_gather_goes_on(watch->agents))
            begin_anew(watch);
    }
    if (watch->was_there) {
        log_event(watch, "the job has ended");
        watch->status = mq_exit_shown;
    } else {
        watch->status = mq_output_fail("there is no job to watch");
    }
}

enum mq_exit mq_watch_records(const struct mq_settings *settings,
                              const struct mq_sources *sources,
                              struct mq_alarm *alarm, struct mq_logger *logger)
{
    struct mq_settings own = *settings;

    own.sources = *sources;
    own.live.record = NULL;     /* they are kept already */
    return mq_watch_hosts(&own, alarm, logger);
}

enum mq_exit mq_watch_hosts(const struct mq_settings *settings,
                            struct mq_alarm *alarm, struct mq_logger *logger)
{
    struct watch watch = {
        .settings = settings, .quiet = *settings,
        .repeater = { .logger = { log_once }, .next = logger },
        .alarm = alarm, .status = mq_exit_shown
    };

    watch.quiet.live.quiet = true;
    watch.quiet.live.cluster.kept = &watch.agents;
    watch.quiet.live.cluster.period = settings->watch.seconds > 0
                                      ? settings->watch.seconds
                                      : usual_interval;
    watch_on(&watch);
    mq_gather_destroy(watch.agents);
    if (watch.before.job != NULL)
        mq_reading_deinit(&watch.before);
    mq_strbuf_deinit(&watch.repeater.last);
    return mq_output_finish(watch.status);
}
