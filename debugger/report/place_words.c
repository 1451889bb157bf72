/* place_words.c - locations of ranks as text */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/place_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/guess.h"
#include "analysis/holders.h"
#include "analysis/thread_activity.h"
#include "base/text.h"
#include "model/rank_text.h"
#include "mpi/call.h"

enum {
    most_places = 4             /* of several ranks; the rest is counted */
};

void mq_line_words(struct mq_strbuf *words, const struct mq_analysis *a,
                   const struct mq_frame *frame)
{
    if (frame->file != NULL)
        mq_strbuf_add(words, " at %s:%d",
                      a != NULL ? mq_file_name(&a->files, frame->file)
                                : frame->file, (int)frame->line);
}

void mq_site_words(struct mq_strbuf *words, const struct mq_analysis *a,
                   const struct mq_frame *frame)
{
    mq_line_words(words, a, frame);
    if (frame->file == NULL && frame->function != NULL)
        mq_strbuf_add(words, " in %s", frame->function);
}

void mq_frame_words(struct mq_strbuf *words, const struct mq_analysis *a,
                    const struct mq_frame *frame)
{
    mq_strbuf_add(words, "%s", frame->function != NULL ? frame->function : "?");
    mq_line_words(words, a, frame);
}

/* "called by H5Dwrite, called by write_species at species.c:31": the function
 * of a library that the program has called, and its caller.
 */
static void add_callers(struct mq_strbuf *words, const struct mq_analysis *a,
                        const struct mq_frame *site,
                        const struct mq_frame *caller)
{
    const struct mq_frame *entry = caller[-1].function != NULL ? caller - 1
                                                               : site;

    if (entry->function != NULL)
        mq_strbuf_add(words, ", called by %s", entry->function);
    mq_strbuf_add(words, ", called by ");
    mq_frame_words(words, a, caller);
}

/* "in dgemm_ (libopenblas.so.0)" */
static void add_called(struct mq_strbuf *words, const struct mq_frame *function)
{
    mq_strbuf_add(words, "%s", function->function);
    if (function->object != NULL)
        mq_strbuf_add(words, " (%s)", mq_text_last_name(function->object));
}

/* Facts that explain why a rank is in its call, or what that holds up. */
static void add_circumstances(struct mq_strbuf *words,
                              const struct mq_process *process)
{
    static const char *const finalizers[mq_finalizings] = {
        "", " inside an object's finalizer", " inside garbage collection"
    };
    enum mq_resource_kind held = mq_held_resource(process);

    if (held != mq_resource_none)
        mq_strbuf_add(words, " holding %s", mq_resource_rows[held].noun);
    if (process->thread_count == 0)
        return;
    mq_strbuf_add(words, "%s", finalizers[process->threads->finalizing]);
    if (process->threads->finalizing != mq_finalizing_none
        && mq_call_wait(process->call) == mq_wait_collective)
        mq_strbuf_add(words, " (collective)");
}

static void add_place(struct mq_strbuf *words, const struct mq_analysis *a,
                      const struct mq_process *process)
{
    const struct mq_called called = mq_called_find(process);
    const struct mq_frame *site = mq_call_site(process);
    const struct mq_frame *caller = mq_line_caller(process);
    const struct mq_frame *handler = mq_signal_handler(process);
    bool calls = mq_is_in_mpi(process->call);

    if (calls && handler != NULL) {
        mq_strbuf_add(words, " in a signal handler (");
        mq_frame_words(words, a, handler);
        mq_strbuf_add(words, ") that interrupted %s", process->call);
    } else if (calls)
        mq_strbuf_add(words, " in %s", process->call);
    else if (mq_is_in_library(process))
        mq_strbuf_add(words, " in an unknown MPI call");
    if (caller != NULL) {
        add_callers(words, a, site, caller);
        return;
    }
    if (called.function != NULL) {
        mq_strbuf_add(words, " in ");
        add_called(words, called.function);
        if (called.caller != NULL) {
            mq_strbuf_add(words, ", called by ");
            mq_frame_words(words, a, called.caller);
        }
        return;
    }
    if (site == NULL || (!calls && site->function == NULL))
        return;
    if (site->function != NULL)
        mq_strbuf_add(words, calls ? ", called by %s" : ": %s",
                      site->function);
    mq_line_words(words, a, site);
}

void mq_place_words(struct mq_strbuf *words, const struct mq_analysis *a,
                    const struct mq_process *process)
{
    add_place(words, a, process);
    add_circumstances(words, process);
}

void mq_place_short(struct mq_strbuf *words, const struct mq_analysis *a,
                    const struct mq_process *process)
{
    const struct mq_called called = mq_called_find(process);
    const struct mq_frame *site = mq_call_site(process);

    if (mq_is_in_mpi(process->call))
        mq_strbuf_add(words, "%s", process->call);
    else if (called.function != NULL)
        add_called(words, called.function);
    else if (site != NULL && site->function != NULL)
        mq_strbuf_add(words, "%s", site->function);
    else
        mq_strbuf_add(words, "no MPI call");
    if (mq_line_caller(process) != NULL)
        site = mq_line_caller(process);
    if (called.caller != NULL)
        site = called.caller;
    if (site != NULL)
        mq_line_words(words, a, site);
    add_circumstances(words, process);
}

/* The holder of what a thread waits for, if no thread of its process is that.
 */
static void add_holder(struct mq_strbuf *words, const struct mq_analysis *a,
                       const struct mq_resource *it)
{
    if (it->holder == mq_holder_nobody) {
        mq_strbuf_add(words, " %s", mq_resource_rows[it->kind].nobody);
        if (it->thread != 0)
            mq_strbuf_add(words, ": its owner, thread %" PRId32 ", has ended, "
                          "or is in the process from which this one was forked",
                          it->thread);
        return;
    }
    if (it->process == 0 || it->holder == mq_holder_thread)
        return;
    mq_strbuf_add(words, "%s ", mq_resource_rows[it->kind].link);
    if (it->rank >= 0) {
        mq_rank_text_one(words, a->job, it->rank);
    } else {
        mq_strbuf_add(words, "process %" PRId32, it->process);
        if (it->activity != NULL)
            mq_strbuf_add(words, " (%s)", it->activity);
    }
    if (it->holder == mq_holder_unknown)
        mq_strbuf_add(words, " and perhaps others");
    else if (it->rank < 0)
        mq_strbuf_add(words, ", not a rank of the job");
}

/* "held by its thread that waits at ring.c:12", of a thread that holds what
 * BEFORE waits for, or is that; whether what it waits for itself is to follow.
 */
static bool add_thread(struct mq_strbuf *words, const struct mq_analysis *a,
                       const struct mq_process *process,
                       const struct mq_thread *before,
                       const struct mq_thread *thread)
{
    const struct mq_frame *site = mq_thread_site(thread);
    bool is_main = thread == process->threads && !mq_is_in_mpi(thread->call);
    bool waits = thread->resource.kind != mq_resource_none;

    mq_strbuf_add(words, "%s", mq_resource_rows[before->resource.kind].link);
    mq_strbuf_add(words, thread == before ? " itself"
                  : is_main ? " its main thread" : " its thread");
    if (thread == before || is_main)
        return false;
    if (waits)
        mq_strbuf_add(words, " that waits");
    else if (mq_is_in_mpi(thread->call))
        mq_strbuf_add(words, " in %s", thread->call);
    else if (site != NULL && site->function != NULL)
        mq_strbuf_add(words, " in %s", site->function);
    if (site != NULL)
        mq_line_words(words, a, site);
    return waits;
}

void mq_resource_words(struct mq_strbuf *words, const struct mq_analysis *a,
                       const struct mq_process *process,
                       const struct mq_thread *thread)
{
    for (size_t i = 0; i <= process->thread_count; i++) {
        const struct mq_resource *it = &thread->resource;
        const struct mq_thread *holder = mq_holding_thread(process, it);

        mq_strbuf_add(words, i > 0 ? " for %s" : "%s",
                      mq_resource_rows[it->kind].noun);
        if (it->name != NULL)
            mq_strbuf_add(words, " (%s)", it->name);
        if (holder == NULL)
            add_holder(words, a, it);
        if (holder == NULL || !add_thread(words, a, process, thread, holder))
            return;
        thread = holder;
    }
}

static bool is_same_frame(const struct mq_frame *l, const struct mq_frame *r)
{
    if (l == NULL || r == NULL)
        return l == r;
    return l->function == r->function && l->file == r->file
           && l->line == r->line;
}

static bool is_same_place(const struct mq_process *left,
                          const struct mq_process *right)
{
    return left->call == right->call
           && is_same_frame(mq_call_site(left), mq_call_site(right))
           && is_same_frame(mq_line_caller(left), mq_line_caller(right))
           && is_same_frame(mq_called_find(left).function,
                            mq_called_find(right).function)
           && mq_held_resource(left) == mq_held_resource(right);
}

/* An unknown one for a rank without process. */
static const struct mq_process *process_of(const struct mq_analysis *a,
                                           int rank)
{
    static const struct mq_process nothing = { .rank = -1 };
    uint32_t process;

    return mq_is_process(mq_rank_process(&a->ranks, rank), &process)
           ? &a->job->processes[process] : &nothing;
}

/* Moves the ranks at the place of the first one to the front, in order, and
 * counts them.
 */
static size_t part(const struct mq_analysis *a, int *ranks, int *others,
                   size_t count)
{
    const struct mq_process *first = process_of(a, ranks[0]);
    size_t alike = 0, rest = 0;

    for (size_t i = 0; i < count; i++) {
        if (is_same_place(first, process_of(a, ranks[i])))
            ranks[alike++] = ranks[i];
        else
            others[rest++] = ranks[i];
    }
    memcpy(ranks + alike, others, rest * sizeof *ranks);
    return alike;
}

static void add_places(struct mq_strbuf *words, const struct mq_analysis *a,
                       int *ranks, int *others, size_t count)
{
    size_t done = 0;

    for (int i = 0; i < most_places && done < count; i++) {
        size_t alike = part(a, ranks + done, others, count - done);

        mq_strbuf_add(words, i == 0 ? " (" : ", ");
        mq_rank_text_ranks(words, a->job, ranks + done, alike);
        mq_strbuf_add(words, " in ");
        mq_place_short(words, a, process_of(a, ranks[done]));
        done += alike;
    }
    if (done < count)
        mq_strbuf_add(words, ", and %zu more elsewhere", count - done);
    mq_strbuf_add(words, ")");
}

bool mq_is_at_one_place(const struct mq_analysis *a, const int *ranks,
                        size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (!is_same_place(process_of(a, ranks[0]), process_of(a, ranks[i])))
            return false;
    return true;
}

void mq_places_words(struct mq_strbuf *words, const struct mq_analysis *a,
                     const int *ranks, size_t count)
{
    int *copies;

    if (count == 0)
        return;
    if (mq_is_at_one_place(a, ranks, count)) {
        mq_place_words(words, a, process_of(a, ranks[0]));
        return;
    }
    copies = malloc((2 * count + 1) * sizeof *copies);
    if (copies == NULL) {
        words->failed = true;
        return;
    }
    memcpy(copies, ranks, count * sizeof *copies);
    add_places(words, a, copies, copies + count, count);
    free(copies);
}

/* ---- Arguments of a call as text ---------------------------------------- */

static const char *const shown[] = {
    "count", "sendcount", "recvcount", "incount", "datatype", "sendtype",
    "recvtype", "source", "dest", "root", "tag", "sendtag", "recvtag",
    "request", "requests", "comm"
};

enum { shown_count = sizeof shown / sizeof shown[0], most_shown = 20 };

/* The place of ARGUMENT in the table; shown_count: none. */
static size_t place_of(const struct mq_argument *argument)
{
    size_t i = 0;

    while (i < shown_count && strcmp(shown[i], argument->name) != 0)
        i++;
    return i;
}

static void add_value(struct mq_strbuf *words,
                      const struct mq_process *process,
                      const struct mq_argument *argument)
{
    const enum mq_type type = mq_parameter_type(argument->name);
    const struct mq_communicator *comm =
        type == mq_type_communicator ? mq_guess_communicator(process, argument)
                               : NULL;

    if (argument->meaning != NULL)
        mq_strbuf_add(words, "%s", argument->meaning);
    else if (comm != NULL) {
        /* By its id, too, if another one has the same name. */
        size_t alike = 0;

        for (size_t i = 0; i < process->communicator_count; i++)
            alike += strcmp(process->communicators[i].name, comm->name) == 0;
        mq_strbuf_add(words, "%s", comm->name);
        if (alike > 1)
            mq_strbuf_add(words, " (id 0x%" PRIx64 ")", comm->id);
    } else if (type == mq_type_int)
        mq_strbuf_add(words, "%" PRId64, argument->value);
    else
        mq_strbuf_add(words, "0x%" PRIx64, (uint64_t)argument->value);
    if (argument->doubtful)
        mq_strbuf_add(words, " (doubtful)");
}

/* The text in front of the value: a datatype is that of the count before it, if
 * that is known, and the elements of an array are shown under one name.
 */
static void add_name(struct mq_strbuf *words, size_t place, size_t before)
{
    if (place == before) {
        mq_strbuf_add(words, ", ");
        return;
    }
    if (before < shown_count
        && mq_parameter_type(shown[place]) == mq_type_datatype
        && strstr(shown[before], "count") != NULL) {
        mq_strbuf_add(words, " of ");
        return;
    }
    mq_strbuf_add(words, "%s%s ", before == shown_count ? "" : ", ",
                  shown[place]);
}

void mq_arguments_words(struct mq_strbuf *words,
                        const struct mq_process *process)
{
    if (process->thread_count > 0)
        mq_thread_arguments_words(words, process, process->threads);
}

void mq_thread_arguments_words(struct mq_strbuf *words,
                               const struct mq_process *process,
                               const struct mq_thread *thread)
{
    size_t before = shown_count, count = 0;

    for (size_t i = 0; i < thread->argument_count; i++) {
        size_t place = place_of(&thread->arguments[i]);

        if (place == shown_count || count++ >= most_shown)
            continue;
        add_name(words, place, before);
        add_value(words, process, &thread->arguments[i]);
        before = place;
    }
    if (count > most_shown)
        mq_strbuf_add(words, " and %zu more", count - most_shown);
}
