/* outside.c - activity of a rank outside of MPI */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/sample/outside.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/thread_activity.h"
#include "base/text.h"
#include "process/proc_status.h"

static void find_place(struct mq_outside *outside,
                       const struct mq_process *process)
{
    const struct mq_frame *site = mq_call_site(process);

    if (site != NULL && site->file != NULL && site->line > 0)
        snprintf(outside->place, sizeof outside->place, "%.150s:%" PRId32,
                 mq_text_last_name(site->file), site->line);
}

/* Whether it did the same all the time until it was read, which gives it a
 * processor.
 */
static bool goes_on(const struct mq_outside *before,
                    const struct mq_outside *now)
{
    return before->is_outside && before->doing == now->doing
           && strcmp(before->call, now->call) == 0
           && strcmp(before->place, now->place) == 0
           && (now->doing != mq_asleep || before->is_quiet);
}

/* Its activity is compared by name, place and, once a debugger has resumed it,
 * by how often it had a processor.
 */
void mq_outside_begin(struct mq_outside *outside,
                      const struct mq_process *process, int pid,
                      const struct mq_outside *before, time_t now)
{
    const struct mq_activity *activity = &process->activity;
    const char *call = activity->system_call;

    memset(outside, 0, sizeof *outside);
    outside->is_outside = process->call != NULL
                          && strcmp(process->call, "-") == 0;
    if (!outside->is_outside)
        return;
    find_place(outside, process);
    outside->doing = activity->doing;
    snprintf(outside->call, sizeof outside->call, "%.39s",
             call != NULL ? call : "");
    outside->since = before != NULL && goes_on(before, outside) ? before->since
                                                                : now;
    mq_activity_begin(&outside->activity, pid);
}

void mq_outside_look(struct mq_outside *outside, int pid, time_t now)
{
    struct mq_activity_series latest = {
        .begin = outside->activity.begin, .ticks = outside->activity.ticks,
        .sought = outside->activity.sought,
        .slept = outside->activity.slept
    };
    struct mq_proc_status status = { .process = 0 };
    uint64_t switches;          /* of the main thread; 0: that is not known */
    const char *call;

    mq_proc_status_read(pid, &status);
    switches = status.waits + status.preemptions;
    mq_activity_look(&latest, pid, pid);
    call = latest.now.system_call != NULL ? latest.now.system_call : "";
    if (latest.now.doing != outside->doing
        || (call[0] != '\0' && strcmp(call, outside->call) != 0)
        || (outside->doing == mq_asleep && outside->switches != 0
            && switches != outside->switches))
        outside->since = now;
    outside->is_quiet = latest.now.doing == mq_asleep
                        && outside->switches != 0
                        && switches == outside->switches;
    outside->doing = latest.now.doing;
    if (call[0] != '\0' || latest.now.doing != mq_asleep)
        snprintf(outside->call, sizeof outside->call, "%s", call);
    outside->switches = switches;
    mq_activity_begin(&outside->activity, pid);
}

/* Whether the clock ends that system call, or a child, which may compute. */
static bool ends_by_itself(const char *call)
{
    static const char *const calls[] = {
        "nanosleep", "clock_nanosleep", "wait4", "waitid"
    };

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (strcmp(call, calls[i]) == 0)
            return true;
    return false;
}

bool mq_outside_is_blocked(const struct mq_outside *outside)
{
    return outside->is_outside && outside->doing == mq_asleep
           && outside->is_quiet && !ends_by_itself(outside->call);
}

void mq_outside_words(const struct mq_outside *outside,
                      struct mq_strbuf *words)
{
    char since[32] = "";
    struct tm parts;

    if (localtime_r(&outside->since, &parts) == NULL
        || strftime(since, sizeof since, "%H:%M", &parts) == 0)
        since[0] = '\0';
    mq_strbuf_add(words, "%s", outside->doing == mq_doing_unknown
                               ? "outside MPI"
                               : mq_doing_names[outside->doing]);
    if (outside->call[0] != '\0')
        mq_strbuf_add(words, " in %s", outside->call);
    if (since[0] != '\0')
        mq_strbuf_add(words, " since %s", since);
    if (outside->place[0] != '\0')
        mq_strbuf_add(words, " at %s", outside->place);
}
