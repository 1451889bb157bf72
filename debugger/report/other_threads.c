/* other_threads.c - report of the other threads of a rank
 *
 * Each thread, or all at one barrier of a process, is put into words; of ranks
 * with the same words one line is made.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "report/sections.h"

#include <stdlib.h>

#include "analysis/thread_activity.h"
#include "base/array.h"
#include "base/text.h"
#include "model/rank_text.h"
#include "report/place_words.h"

void mq_other_threads_destroy(struct mq_other_threads *it)
{
    for (size_t i = 0; i < it->count; i++)
        free(it->lines[i].ranks);
    free(it->lines);
    mq_interned_deinit(&it->texts);
    mq_map_deinit(&it->index);
}

/* ---- One thread ---------------------------------------------------------- */

static bool is_in_call(const struct mq_thread *thread)
{
    return mq_call_blocks(mq_call_wait(thread->call));
}

bool mq_other_thread_waits(const struct mq_thread *thread)
{
    return is_in_call(thread) || mq_thread_is_at_barrier(thread)
           || mq_lock_of(thread) != NULL
           || thread->resource.kind != mq_resource_none;
}

static void add_site(struct mq_strbuf *words, const struct mq_analysis *a,
                     const struct mq_thread *thread)
{
    const struct mq_frame *site = mq_thread_site(thread);

    if (site != NULL)
        mq_site_words(words, a, site);
}

/* The whole team waits for those that have not come: if the one that represents
 * the process is in MPI, and in a team, it is of these.
 */
static void add_barrier(struct mq_strbuf *words, const struct mq_analysis *a,
                        const struct mq_process *process,
                        const struct mq_thread *thread)
{
    mq_strbuf_add(words, "at an OpenMP barrier");
    add_site(words, a, thread);
    if (!is_in_call(process->threads)
        || !mq_thread_is_of_team(process->threads))
        return;
    mq_strbuf_add(words, ", waiting for the thread in %s",
                  process->threads->call);
    add_site(words, a, process->threads);
}

static void add_lock(struct mq_strbuf *words, const struct mq_analysis *a,
                     const struct mq_process *process,
                     const struct mq_thread *thread)
{
    const struct mq_frame *lock = mq_lock_of(thread);

    if (lock != NULL)
        mq_strbuf_add(words, "in %s", lock->function);
    else
        mq_strbuf_add(words, "outside MPI");
    add_site(words, a, thread);
    if (thread->resource.kind == mq_resource_none)
        return;
    mq_strbuf_add(words, ", for ");
    mq_resource_words(words, a, process, thread);
}

/* ---- One process --------------------------------------------------------- */

static enum mq_result add_rank(struct mq_other_threads *lines, int rank,
                               const struct mq_threads_alike *alike,
                               struct mq_error *error)
{
    struct mq_key key = { (uintptr_t)alike->text, alike->count };
    struct mq_other_threads_line *line;
    uint32_t *index;

    if (mq_map_add(&lines->index, key, (uint32_t)lines->count, error, &index)
        != mq_ok
        || mq_array_reserve(&lines->lines, sizeof *lines->lines,
                            lines->count + 1, &lines->room,
                            "reporting threads", error) != mq_ok)
        return mq_failed;
    line = &lines->lines[*index];
    if (*index == lines->count) {
        *line = (struct mq_other_threads_line){ .alike = *alike };
        lines->count++;
    }
    if (mq_array_reserve(&line->ranks, sizeof *line->ranks,
                         line->rank_count + 1, &line->room,
                         "reporting threads", error) != mq_ok)
        return mq_failed;
    line->ranks[line->rank_count++] = rank;
    return mq_ok;
}

/* One more thread of the COUNT kinds in ALIKE. */
static void count_thread(struct mq_threads_alike *alike, size_t *count,
                         const char *text)
{
    size_t i = 0;

    while (i < *count && alike[i].text != text)
        i++;
    if (i == *count)
        alike[(*count)++] = (struct mq_threads_alike){ text, 0 };
    alike[i].count++;
}

static enum mq_result put_into_words(struct mq_other_threads *lines,
                                     const struct mq_process *process,
                                     const struct mq_thread *thread,
                                     struct mq_error *error, const char **text)
{
    struct mq_strbuf words = { 0 };
    const void *kept = NULL;
    enum mq_result result;

    if (is_in_call(thread)) {
        struct mq_strbuf arguments = { 0 };

        mq_strbuf_add(&words, "in %s", thread->call);
        add_site(&words, lines->a, thread);
        mq_thread_arguments_words(&arguments, process, thread);
        if (arguments.length > 0)
            mq_strbuf_add(&words, ", called with %s",
                          mq_strbuf_text(&arguments));
        words.failed |= arguments.failed;
        mq_strbuf_deinit(&arguments);
    } else if (mq_thread_is_at_barrier(thread))
        add_barrier(&words, lines->a, process, thread);
    else
        add_lock(&words, lines->a, process, thread);
    result = words.failed ? mq_fail_memory(error, "reporting threads")
             : mq_intern(&lines->texts, words.text, words.length + 1, error,
                         &kept);
    mq_strbuf_deinit(&words);
    if (result == mq_ok)
        *text = kept;
    return result;
}

/* Python's lock goes from thread to thread all the time. */
static bool is_worth_a_line(const struct mq_analysis *a,
                            const struct mq_thread *thread)
{
    return mq_other_thread_waits(thread)
           && (thread->resource.kind != mq_resource_interpreter
               || a->verdict != mq_verdict_none);
}

static enum mq_result add_process(struct mq_other_threads *lines,
                                  const struct mq_process *process,
                                  struct mq_error *error)
{
    struct mq_threads_alike *alike = calloc(process->thread_count,
                                            sizeof *alike);
    enum mq_result result = alike != NULL ? mq_ok
                            : mq_fail_memory(error, "reporting threads");
    const char *text = NULL;
    size_t count = 0;

    for (size_t i = 1; result == mq_ok && i < process->thread_count; i++) {
        if (!is_worth_a_line(lines->a, &process->threads[i]))
            continue;
        result = put_into_words(lines, process, &process->threads[i], error,
                                &text);
        if (result == mq_ok)
            count_thread(alike, &count, text);
    }
    for (size_t i = 0; result == mq_ok && i < count; i++)
        result = add_rank(lines, process->rank, &alike[i], error);
    free(alike);
    return result;
}

/* ---- All ----------------------------------------------------------------- */

enum mq_result mq_other_threads_find(const struct mq_analysis *a,
                                     struct mq_error *error,
                                     struct mq_other_threads *it)
{
    struct mq_other_threads found = { .a = a };
    enum mq_result result = mq_ok;

    for (size_t p = 0; result == mq_ok && p < a->job->process_count; p++)
        if (mq_rank_counts(&a->ranks, p)
            && a->job->processes[p].thread_count > 1)
            result = add_process(&found, &a->job->processes[p], error);
    if (result == mq_ok)
        *it = found;
    else
        mq_other_threads_destroy(&found);
    return result;
}

void mq_other_threads_words(struct mq_strbuf *words, const struct mq_job *job,
                            struct mq_other_threads_line *line)
{
    mq_rank_text_sorted(words, job, line->ranks, line->rank_count);
    mq_strbuf_add(words, ": %zu thread%s %s", line->alike.count,
                  line->alike.count == 1 ? "" : "s", line->alike.text);
}

enum mq_result mq_other_threads_write(const struct mq_analysis *a, size_t most,
                                      size_t width, FILE *stream,
                                      struct mq_error *error)
{
    struct mq_other_threads it;
    enum mq_result result = mq_other_threads_find(a, error, &it);
    size_t shown;

    if (result != mq_ok)
        return result;
    shown = most == 0 || it.count < most ? it.count : most;
    if (shown > 0)
        fputs("other threads that wait:\n", stream);
    for (size_t i = 0; result == mq_ok && i < shown; i++) {
        struct mq_strbuf words = { 0 };
        const size_t indent = 2;
        bool failed;

        mq_other_threads_words(&words, a->job, &it.lines[i]);
        failed = words.failed;
        fprintf(stream, "%*s", (int)indent, "");
        mq_text_wrap(stream, mq_strbuf_text(&words), indent, 2 * indent, width);
        mq_strbuf_deinit(&words);
        result = failed ? mq_fail_memory(error, "reporting threads") : mq_ok;
    }
    mq_text_more(stream, 2, it.count - shown, "group of threads",
                 "groups of threads");
    mq_other_threads_destroy(&it);
    return result;
}
