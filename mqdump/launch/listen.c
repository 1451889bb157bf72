/* listen.c - tracing of a launched job, and events that its ranks report */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/launch/listen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "find/variables.h"
#include "mqdump/sample/members.h"
#include "mqdump/system/interrupt.h"
#include "process/proc_stat.h"
#include "target/memory.h"

static const char *const stops[] = {
    "MPIR_Breakpoint", "MPI2DD_breakpoint", NULL
};

static enum mq_result register_undo(struct mq_patch_guard *guard,
                                    struct mq_target *memory,
                                    const struct mq_code_patch *patch,
                                    struct mq_error *error)
{
    struct mq_starter_trace *trace = (struct mq_starter_trace *)guard;
    const struct mq_debug_mark mark = { .memory = memory, .code = *patch };

    return mq_undo_process_register(&trace->marker->undo, &mark, error);
}

/* Has TARGET spin at the breakpoint it is at; mq_absent if it is at none. */
static enum mq_result spin(struct mq_starter_trace *trace,
                           struct mq_target *target, struct mq_error *error)
{
    struct mq_spinner made;
    enum mq_result result;

    if (mq_array_reserve(&trace->spinners, sizeof made, trace->count + 1,
                         &trace->room, "for a process", error) != mq_ok
        || mq_memory_open(target->pid, error, &made.memory) != mq_ok)
        return mq_failed;
    result = mq_run_control_spin(target, error, &made.patch);
    if (result == mq_ok)
        trace->spinners[trace->count++] = made;
    else
        mq_target_destroy(made.memory);
    return result;
}

static void end_spins(struct mq_starter_trace *trace)
{
    while (trace->count > 0) {
        struct mq_spinner *last = &trace->spinners[--trace->count];

        mq_code_patch_undo(&last->patch, last->memory, NULL);
        mq_target_destroy(last->memory);
    }
}

enum mq_result mq_starter_trace_open(struct mq_starter_trace *trace,
                                     const struct mq_pin *pin,
                                     struct mq_marker *marker,
                                     struct mq_error *error)
{
    enum mq_result result;

    *trace = (struct mq_starter_trace){
        .guard = { register_undo }, .marker = marker
    };
    result = mq_run_control_create(&trace->guard, error, &trace->control);
    if (result == mq_ok)
        result = mq_run_control_add(trace->control, pin, error,
                                    &trace->starter);
    if (result != mq_ok)
        mq_starter_trace_close(trace);
    return result;
}

void mq_starter_trace_close(struct mq_starter_trace *trace)
{
    end_spins(trace);
    free(trace->spinners);
    mq_target_destroy(trace->starter);
    mq_run_control_destroy(trace->control);
    memset(trace, 0, sizeof *trace);
}

enum mq_result mq_starter_trace_add(struct mq_starter_trace *trace,
                                    const struct mq_pin *pin,
                                    struct mq_error *error,
                                    struct mq_target **target)
{
    return mq_run_control_add(trace->control, pin, error, target);
}

enum mq_result mq_starter_trace_run(struct mq_starter_trace *trace, int seconds,
                                    struct mq_error *error,
                                    struct mq_run_event *event)
{
    return mq_run_control_run(trace->control, stops, seconds, &mq_interrupted,
                              error, event);
}

enum mq_result mq_starter_trace_resume(struct mq_starter_trace *trace,
                                       struct mq_target *target,
                                       struct mq_error *error)
{
    enum mq_result result = spin(trace, target, error);

    return result == mq_absent ? target->live->resume(target, error) : result;
}

void mq_starter_trace_finish(struct mq_starter_trace *trace, int seconds)
{
    double deadline = mq_now() + seconds;
    int pid = trace->starter->pid;

    end_spins(trace);
    trace->starter->live->resume(trace->starter, NULL);
    while (!mq_proc_has_ended(pid) && mq_now() < deadline)
        mq_nap(50);
}

enum { most = 64 };             /* all of them are held for as long */

struct mq_listener *mq_listen_of_event(const struct mq_listening *listening,
                                       const struct mq_run_event *event)
{
    for (size_t i = 0; i < listening->count; i++)
        if (event->target == listening->listeners[i].target)
            return &listening->listeners[i];
    return NULL;
}

struct mq_target *mq_listen_target(const struct mq_listening *listening,
                                   int pid)
{
    for (size_t i = 0; i < listening->count; i++)
        if (listening->listeners[i].pid == pid)
            return listening->listeners[i].target;
    return listening->trace != NULL && listening->trace->starter->pid == pid
           ? listening->trace->starter : NULL;
}

/* Whether a process has the variables that report to a debugger: the documents
 * ask for the reason of an abort where that is to be heard.
 */
static bool may_speak(struct mq_loaded *files, int pid)
{
    uint64_t places[mq_variables];

    return mq_variables_find(files, pid, mq_loaded_to_write, NULL, places)
           == mq_ok
           && (places[mq_mpir_abort_string] != 0
               || places[mq_variable_info] != 0);
}

static enum mq_result attach(struct mq_listening *listening,
                             const struct mq_pin *pin,
                             struct mq_error *error)
{
    struct mq_listener made = { NULL, pin->pid };

    if (mq_array_reserve(&listening->listeners, sizeof made,
                         listening->count + 1, &listening->room,
                         "listening to ranks", error) != mq_ok
        || mq_starter_trace_add(listening->trace, pin, error, &made.target)
           != mq_ok)
        return mq_failed;
    listening->listeners[listening->count++] = made;
    return mq_ok;
}

/* mq_absent if ENTRY is not to be listened to. */
static enum mq_result add(struct mq_listening *listening,
                          const struct mq_proctable *table,
                          const struct mq_procdesc *entry,
                          struct mq_loaded *files, struct mq_error *error)
{
    const int pid = (int)entry->place.pid;
    struct mq_pin pin;

    if (!mq_member_is_here(entry) || mq_listen_target(listening, pid) != NULL
        || !may_speak(files, pid))
        return mq_absent;
    if (mq_pin_named_process(&table->namer, pid, error, &pin) != mq_ok)
        return mq_failed;
    return attach(listening, &pin, error);
}

void mq_listen_add(struct mq_listening *listening,
                   struct mq_starter_trace *trace,
                   const struct mq_proctable *table,
                   const struct mq_read_options *how)
{
    struct mq_loaded files = { .names = NULL };
    struct mq_error error;

    listening->trace = trace;
    for (size_t i = 0; i < table->count && listening->count < most; i++)
        if (add(listening, table, &table->entries[i], &files, &error)
            == mq_failed)
            mq_log(how->choice.logger, mq_verbose, "rank %" PRId64 ": its "
                   "events cannot be followed: %s", table->entries[i].rank,
                   error.text);
    mq_loaded_deinit(&files);
    mq_log(how->choice.logger, mq_verbose, "%zu rank%s may report that the job "
           "aborts or changes", listening->count,
           listening->count == 1 ? "" : "s");
}

void mq_listen_drop(struct mq_listening *listening,
                    struct mq_listener *listener)
{
    mq_target_destroy(listener->target);
    *listener = listening->listeners[--listening->count];
}

void mq_listen_end(struct mq_listening *listening)
{
    while (listening->count > 0)
        mq_listen_drop(listening, listening->listeners);
    free(listening->listeners);
    *listening = (struct mq_listening){ .count = 0 };
}
