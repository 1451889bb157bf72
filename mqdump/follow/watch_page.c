/* watch_page.c - terminal display of a watched job */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/follow/watch_page.h"

#include <stdlib.h>
#include <string.h>

#include "model/rank_text.h"

static const char *const colours[mq_verdicts] = {
    "32", "32", "33;1", "33;1", "31;1", "31;1"
};

void mq_watch_time(time_t moment, char text[mq_watch_time_room])
{
    struct tm parts;

    if (localtime_r(&moment, &parts) == NULL
        || strftime(text, mq_watch_time_room, "%Y-%m-%d %H:%M:%S", &parts) == 0)
        text[0] = '\0';
}

void mq_watch_cost(const struct mq_watch_view *view, struct mq_strbuf *words)
{
    double share = view->watched > 0 ? 100 * view->stopped / view->watched : 0;

    mq_strbuf_add(words, "ranks were stopped for %.2f s of %.0f s (%.2g %%)",
                  view->stopped, view->watched, share);
}

/* Writes the words as a line, and forgets them. */
static void write_words(struct mq_screen *screen, const char *colour,
                        struct mq_strbuf *words)
{
    mq_screen_line(screen, colour, mq_strbuf_text(words));
    mq_strbuf_empty(words);
}

/* ---- Ranks -------------------------------------------------------------- */

static int state_of(const struct mq_pulse *pulse)
{
    return (int)pulse->state;
}

static int progress_of(const struct mq_pulse *pulse)
{
    return (int)pulse->progress;
}

/* A line for each of so many NAMES that some ranks have in KIND. */
static void write_ranks(struct mq_screen *screen,
                        const struct mq_watch_view *view,
                        const char *const *names, int kinds,
                        int (*kind)(const struct mq_pulse *))
{
    int *ranks = calloc(view->count + 1, sizeof *ranks);
    struct mq_strbuf words = {0};

    for (int i = 0; ranks != NULL && i < kinds; i++) {
        size_t j, count = 0;

        for (j = 0; j < view->count; j++)
            if (kind(&view->pulses[j]) == i)
                ranks[count++] = view->pulses[j].rank;
        if (count == 0)
            continue;
        mq_strbuf_add(&words, "%zu %s: ", count, names[i]);
        mq_rank_text_sorted(&words, &view->worlds, ranks, count);
        write_words(screen, NULL, &words);
    }
    mq_strbuf_deinit(&words);
    free(ranks);
}

static void write_progress(struct mq_screen *screen,
                        const struct mq_watch_view *view)
{
    static const char *const names[mq_progress_kinds] = {
        [mq_progress_unknown] = "not compared yet",
        [mq_progress_moved] = "moved",
        [mq_progress_still] = "in the same MPI call",
        [mq_progress_polls] = "polling without result",
        [mq_progress_outside] = "outside MPI",
        [mq_progress_ended] = "ended"
    };

    mq_screen_line(screen, NULL, "");
    mq_screen_line(screen, "1", "Since the previous sample:");
    write_ranks(screen, view, names, mq_progress_kinds, progress_of);
}

static void write_states(struct mq_screen *screen,
                         const struct mq_watch_view *view)
{
    char moment[mq_watch_time_room];
    struct mq_strbuf words = {0};

    mq_watch_time(view->read_at, moment);
    mq_strbuf_add(&words, "As read at %s:", moment);
    mq_screen_line(screen, NULL, "");
    write_words(screen, "1", &words);
    write_ranks(screen, view, mq_rank_state_names, mq_rank_states, state_of);
    mq_strbuf_deinit(&words);
}

/* ---- The page ----------------------------------------------------------- */

static void write_head(struct mq_screen *screen,
                       const struct mq_watch_view *view)
{
    struct mq_strbuf words = {0};
    char moment[mq_watch_time_room];

    mq_watch_time(time(NULL), moment);
    mq_strbuf_add(&words, "mqdump at %s: %zu rank%s, sampled every %g s; ",
                  moment, view->count, view->count == 1 ? "" : "s",
                  view->interval);
    mq_watch_cost(view, &words);
    write_words(screen, NULL, &words);
    mq_screen_line(screen, NULL, "");
    mq_strbuf_deinit(&words);
}

static void write_verdict(struct mq_screen *screen,
                          const struct mq_watch_view *view)
{
    char moment[mq_watch_time_room];
    struct mq_strbuf words = {0};

    if (view->since != 0) {
        mq_watch_time(view->since, moment);
        mq_strbuf_add(&words, "Hung: no progress since %s or earlier", moment);
        write_words(screen, "31;1", &words);
    }
    if (view->holders.length > 0)
        mq_screen_line(screen, "31;1", mq_strbuf_text(&view->holders));
    mq_screen_line(screen, colours[view->verdict],
                   mq_strbuf_text(&view->summary));
    mq_strbuf_deinit(&words);
}

static void write_lines(struct mq_screen *screen, const char *text)
{
    const char *end;
    struct mq_strbuf line = {0};

    for (; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        mq_strbuf_add(&line, "%.*s", (int)(end - text), text);
        write_words(screen, NULL, &line);
    }
    mq_strbuf_deinit(&line);
}

/* Results are shown only as long as they are valid: of ranks that have moved
 * since nobody knows what they wait for now.
 */
static bool write_movement(struct mq_screen *screen,
                           const struct mq_watch_view *view)
{
    char moment[mq_watch_time_room];
    struct mq_strbuf words = {0};
    size_t moved = 0;

    for (size_t i = 0; i < view->count; i++)
        moved += view->pulses[i].has_moved;
    if (moved == 0)
        return false;
    mq_watch_time(view->read_at, moment);
    mq_strbuf_add(&words, "%zu of %zu rank%s moved since the job was read at "
                  "%s.", moved, view->count,
                  view->count == 1 ? " has" : "s have", moment);
    write_words(screen, "32", &words);
    mq_strbuf_deinit(&words);
    return true;
}

void mq_watch_page(struct mq_screen *screen, const struct mq_watch_view *view)
{
    mq_screen_begin_page(screen);
    write_head(screen, view);
    if (view->summary.length == 0) {
        mq_screen_line(screen, NULL, "Looking for the ranks.");
    } else {
        if (!write_movement(screen, view)) {
            write_verdict(screen, view);
            write_lines(screen, mq_strbuf_text(&view->causes));
            write_states(screen, view);
        }
        write_progress(screen, view);
    }
    mq_screen_line(screen, NULL, "");
    if (view->trouble.length > 0)
        mq_screen_line(screen, "33;1", mq_strbuf_text(&view->trouble));
    mq_screen_line(screen, NULL, "Ctrl-C ends the watch.");
    mq_screen_end_page(screen);
}
