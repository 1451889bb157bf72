/* watch_view.c - state of a watched job */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/follow/watch_view.h"

#include <stdlib.h>

#include "model/rank_text.h"
#include "process/proc_stat.h"
#include "report/sentences.h"

static const struct mq_pulse *pulse_of(const struct mq_watch_view *view,
                                       int pid)
{
    for (size_t i = 0; i < view->count; i++)
        if (view->pulses[i].pin.pid == pid)
            return &view->pulses[i];
    return NULL;
}

static void end_pulses(struct mq_watch_view *view)
{
    for (size_t i = 0; i < view->count; i++)
        mq_pulse_end(&view->pulses[i]);
    free(view->pulses);
    free(view->worlds.worlds);
    view->pulses = NULL;
    view->worlds.worlds = NULL;
    view->count = view->worlds.world_count = 0;
}

/* Takes the pulses of what was read. */
static enum mq_result renew_pulses(struct mq_watch_view *view,
                                   const struct mq_reading *reading,
                                   const struct mq_analysis *analysis,
                                   struct mq_error *error)
{
    struct mq_pulse *pulses = calloc(reading->lead_count + 1, sizeof *pulses);
    size_t count = reading->job->world_count, i;
    struct mq_world *worlds = calloc(count + 1, sizeof *worlds);

    if (pulses == NULL || worlds == NULL) {
        free(pulses);
        free(worlds);
        return mq_fail_memory(error, "for a watch");
    }
    for (i = 0; i < count; i++)
        worlds[i] = reading->job->worlds[i];
    view->read_at = time(NULL);
    for (i = 0; i < reading->lead_count; i++)
        mq_pulse_begin(&pulses[i], &reading->leads[i], analysis,
                       pulse_of(view, reading->leads[i].pin.pid),
                       view->read_at);
    end_pulses(view);
    view->pulses = pulses;
    view->count = reading->lead_count;
    view->worlds.worlds = worlds;
    view->worlds.world_count = count;
    return mq_ok;
}

static void renew_words(struct mq_watch_view *view,
                        const struct mq_analysis *analysis)
{
    enum { most_causes = 4, most_misses = 4 };
    size_t i, misses = 0;

    view->verdict = analysis->verdict;
    mq_strbuf_empty(&view->summary);
    mq_strbuf_empty(&view->causes);
    mq_sentence_verdict(&view->summary, analysis);
    for (i = 0; i < analysis->cause_count && i < most_causes; i++) {
        mq_strbuf_add(&view->causes, "cause: ");
        mq_sentence_cause(&view->causes, analysis, &analysis->causes[i]);
        mq_strbuf_add(&view->causes, "\n");
    }
    for (i = 0; i < analysis->near_miss_count && misses < most_misses; i++) {
        if (analysis->near_misses[i].note)
            continue;
        misses++;
        mq_strbuf_add(&view->causes, "near miss: ");
        mq_sentence_near_miss(&view->causes, analysis,
                              &analysis->near_misses[i]);
        mq_strbuf_add(&view->causes, "\n");
    }
}

enum mq_result mq_watch_view_renew(struct mq_watch_view *view,
                                   const struct mq_reading *reading,
                                   const struct mq_analysis *analysis,
                                   struct mq_error *error)
{
    renew_words(view, analysis);
    return renew_pulses(view, reading, analysis, error);
}

void mq_watch_view_forget(struct mq_watch_view *view)
{
    end_pulses(view);
    mq_strbuf_empty(&view->summary);
}

void mq_watch_view_deinit(struct mq_watch_view *view)
{
    end_pulses(view);
    mq_strbuf_deinit(&view->summary);
    mq_strbuf_deinit(&view->causes);
    mq_strbuf_deinit(&view->holders);
    mq_strbuf_deinit(&view->trouble);
}

time_t mq_watch_view_since(const struct mq_watch_view *view)
{
    time_t since = 0;

    for (size_t i = 0; i < view->count; i++)
        if (view->pulses[i].is_stuck && view->pulses[i].since > since)
            since = view->pulses[i].since;
    return since != 0 ? since : view->read_at;
}

bool mq_watch_view_is_held(const struct mq_watch_view *view)
{
    for (size_t i = 0; i < view->count; i++)
        if (view->pulses[i].outside.is_outside)
            return true;
    return false;
}

bool mq_watch_view_is_blocked(const struct mq_watch_view *view, double seconds)
{
    time_t now = time(NULL);

    for (size_t i = 0; i < view->count; i++) {
        const struct mq_outside *it = &view->pulses[i].outside;

        if (it->is_outside && (!mq_outside_is_blocked(it)
                               || (double)(now - it->since) < seconds))
            return false;
    }
    return mq_watch_view_is_held(view);
}

time_t mq_watch_view_held_since(const struct mq_watch_view *view)
{
    time_t since = 0;

    for (size_t i = 0; i < view->count; i++) {
        const struct mq_pulse *it = &view->pulses[i];
        time_t its = it->outside.is_outside ? it->outside.since : it->since;

        if (its > since)
            since = its;
    }
    return since;
}

void mq_watch_view_holders(struct mq_watch_view *view)
{
    enum { most = 4 };
    size_t count = 0;

    mq_strbuf_empty(&view->holders);
    for (size_t i = 0; i < view->count; i++) {
        const struct mq_pulse *it = &view->pulses[i];
        int rank = it->rank;

        if (!it->outside.is_outside || count++ >= most)
            continue;
        mq_strbuf_add(&view->holders, "%s ", count == 1 ? "held up by" : ";");
        mq_rank_text_sorted(&view->holders, &view->worlds, &rank, 1);
        mq_strbuf_add(&view->holders, ", ");
        mq_outside_words(&it->outside, &view->holders);
    }
    if (count > most)
        mq_strbuf_add(&view->holders, "; and %zu more", count - most);
    if (count == 0)
        mq_strbuf_add(&view->holders, "%s", mq_strbuf_text(&view->summary));
}

bool mq_watch_view_went_on(const struct mq_watch_view *view)
{
    for (size_t i = 0; i < view->count; i++)
        if (view->pulses[i].went_on && !view->pulses[i].outside.is_outside)
            return true;
    return false;
}

bool mq_watch_view_stays(const struct mq_watch_view *view)
{
    for (size_t i = 0; i < view->count; i++) {
        const struct mq_pulse *it = &view->pulses[i];

        if (it->outside.is_outside || it->went_on
            || it->state == mq_rank_starting)
            return false;
    }
    return view->count > 0;
}

bool mq_watch_view_is_stopped(const struct mq_watch_view *view)
{
    for (size_t i = 0; i < view->count; i++) {
        char state = mq_proc_state(view->pulses[i].pin.pid);

        if (state == 'T' || state == 't')
            return true;
    }
    return false;
}

bool mq_watch_view_has_rank(const struct mq_watch_view *view)
{
    for (size_t i = 0; i < view->count; i++)
        if (!mq_proc_has_ended(view->pulses[i].pin.pid))
            return true;
    return false;
}
