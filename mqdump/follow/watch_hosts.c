/* watch_hosts.c - a job of many nodes, looked at as a whole again and again */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/follow/watch_hosts.h"

#include <string.h>
#include <time.h>

#include "analysis/analysis.h"
#include "analysis/diff.h"
#include "base/clock.h"
#include "base/strbuf.h"
#include "mqdump/cli/input.h"
#include "mqdump/follow/alarm.h"
#include "mqdump/follow/watch_page.h"
#include "mqdump/system/interrupt.h"

static const double usual_interval = 10;        /* seconds */
enum { vain_looks = 3 };        /* in turn, before the job has ended */

/* A teller that passes on what it has not just said. */
struct sayer {
    struct mq_teller teller;    /* first */
    struct mq_teller *next;
    struct mq_strbuf last;
};

struct watch {
    const struct mq_settings *settings;
    struct mq_settings quiet;   /* the same without progress */
    struct sayer sayer;
    struct mq_alarm *alarm;
    struct mq_reading before;   /* the look before; without a job: none */
    size_t vain;                /* looks that found no rank, in turn */
    double looked;              /* when that was */
    double suspected_since;     /* 0: the job is not suspected to be hung */
    bool is_stuck, was_there;
    enum mq_exit status;
};

static void say_once(struct mq_teller *teller, enum mq_telling kind,
                     const char *text)
{
    struct sayer *self = (struct sayer *)teller;

    if (kind == mq_warning && strcmp(mq_strbuf_text(&self->last), text) == 0)
        return;
    if (kind == mq_warning) {
        mq_strbuf_empty(&self->last);
        mq_strbuf_add(&self->last, "%s", text);
    }
    mq_tell(self->next, kind, "%s", text);
}

static void tell(struct watch *watch, const char *what)
{
    char now[mq_watch_time_room];

    mq_watch_time(time(NULL), now);
    mq_tell(watch->sayer.next, mq_notice, "%s: %s", now, what);
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
        moved = moved || diff.ranks[i].moved;
    mq_diff_destroy(&diff);
    return !moved;
}

/* Whether it is suspected for as long as the user wants: nothing moved since
 * the look before.
 */
static bool has_lasted(struct watch *watch, bool is_suspected)
{
    if (!is_suspected)
        watch->suspected_since = 0;
    else if (watch->suspected_since <= 0)
        watch->suspected_since = watch->looked;
    watch->looked = mq_now();
    return is_suspected && watch->looked - watch->suspected_since
                           >= watch->settings->watch.stuck_after;
}

/* What NOW means, of which ANALYSIS is. */
static void conclude(struct watch *watch, const struct mq_reading *now,
                     const struct mq_analysis *analysis)
{
    const struct mq_job *before = watch->before.job;
    bool is_suspected = mq_exit_of(analysis) == mq_exit_stuck
                        && before != NULL && nothing_moved(before, now->job);
    bool is_stuck = has_lasted(watch, is_suspected);
    struct mq_error error;

    if (watch->is_stuck && !is_stuck) {
        tell(watch, "the job goes on");
        watch->status = mq_exit_shown;
    } else if (is_stuck && !watch->is_stuck) {
        tell(watch, "the job is hung");
        watch->status = mq_output_job(watch->settings, now,
                                      &watch->sayer.teller);
        if (mq_alarm_raise(watch->alarm, analysis, &error) != mq_ok)
            mq_tell(watch->sayer.next, mq_warning, "%s", error.text);
    }
    watch->is_stuck = is_stuck;
}

/* Looks once at all nodes. */
static enum mq_result look(struct watch *watch, struct mq_error *error)
{
    struct mq_analysis *analysis = NULL;
    struct mq_reading now;
    enum mq_result result = mq_reader_read(&watch->quiet,
                                           &watch->quiet.sources,
                                           &watch->sayer.teller, error, &now);

    if (result != mq_ok)
        return mq_failed;
    if (mq_interrupted || now.job->process_count == 0) {
        watch->vain++;
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

static void rest(const struct watch *watch)
{
    double seconds = watch->settings->watch.seconds > 0
                     ? watch->settings->watch.seconds : usual_interval;
    double end = mq_now() + (watch->vain > 0 ? 1 : seconds);

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
        if (watch->vain >= vain_looks)
            break;
        rest(watch);
    }
    if (watch->was_there) {
        tell(watch, "the job has ended");
        watch->status = mq_exit_shown;
    } else {
        watch->status = mq_output_fail("there is no job to watch");
    }
}

enum mq_exit mq_watch_hosts(const struct mq_settings *settings,
                            struct mq_alarm *alarm, struct mq_teller *teller)
{
    struct watch watch = {
        .settings = settings, .quiet = *settings,
        .sayer = { .teller = { say_once }, .next = teller },
        .alarm = alarm, .status = mq_exit_shown
    };

    watch.quiet.live.quiet = true;
    watch_on(&watch);
    if (watch.before.job != NULL)
        mq_reading_deinit(&watch.before);
    mq_strbuf_deinit(&watch.sayer.last);
    return mq_output_finish(watch.status);
}
