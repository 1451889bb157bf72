/* listen.c - events that the ranks of a launched job report */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/launch/listen.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "find/variables.h"
#include "mqdump/sample/members.h"

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
