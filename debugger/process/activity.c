/* activity.c - activity of a process between looks */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/activity.h"

#include <ctype.h>
#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/word.h"
#include "process/proc_stat.h"
#include "process/proc_status.h"
#include "process/program.h"

const char *const mq_doing_names[mq_doings] = {
    "unknown", "computing", "asleep", "stopped"
};

/* ---- Data of the kernel ------------------------------------------------- */

static bool read_first_line(const char *path, char *line, int room)
{
    FILE *file = fopen(path, "re");
    bool is_read;

    if (file == NULL)
        return false;
    is_read = fgets(line, room, file) != NULL;
    fclose(file);
    if (is_read)
        line[strcspn(line, "\n")] = '\0';
    return is_read;
}

const char *mq_system_call_name(int pid, long number)
{
    /* Others number their system calls in another way than this program. */
    if (mq_program_class(pid) != (sizeof(void *) == 8 ? ELFCLASS64
                                                      : ELFCLASS32))
        return NULL;
    for (size_t i = 0; i < mq_system_call_count; i++)
        if (mq_system_calls[i].number == number)
            return mq_system_calls[i].name;
    return NULL;
}

/* The line of the kernel's about the system call of a thread, "NUMBER 0x..." of
 * its arguments, and the call's name; null: not known.
 */
static const char *read_call(int pid, int thread, char *line, int room,
                             char **arguments)
{
    char path[64];
    long number;

    snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", pid, thread);
    if (!read_first_line(path, line, room))
        return NULL;
    number = strtol(line, arguments, 10);
    return *arguments > line ? mq_system_call_name(pid, number) : NULL;
}

bool mq_activity_arguments(int pid, int thread, uint64_t *arguments,
                           size_t count, char *name, size_t room)
{
    char line[256], *at;
    const char *call = read_call(pid, thread, line, sizeof line, &at);

    if (call == NULL || snprintf(name, room, "%s", call) >= (int)room)
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *from = at;

        arguments[i] = strtoull(from, &at, 16);
        if (at == from)
            return false;
    }
    return true;
}

void mq_activity_call(int pid, int thread, char *name, size_t room)
{
    char path[64], line[256], *end;
    const char *call = read_call(pid, thread, line, sizeof line, &end);

    if (call != NULL && strcmp(call, "restart_syscall") == 0)
        return;
    snprintf(path, sizeof path, "/proc/%d/task/%d/wchan", pid, thread);
    if (call == NULL && read_first_line(path, line, sizeof line)
        && strcmp(line, "0") != 0)
        call = line;
    snprintf(name, room, "%.*s", (int)room - 1, call != NULL ? call : "");
}

/* The states of all threads of a process as one: 'R' if any runs, 't' if a
 * tracer holds one, which proves nothing.
 */
static char state_of(int pid)
{
    DIR *threads = mq_proc_threads(pid);
    char state = '\0';
    int thread;

    while ((thread = mq_proc_next_thread(threads)) != 0) {
        char its = mq_proc_state(thread);

        if (its == 'R' || (its == 't' && state != 'R')
            || (state != 'R' && state != 't' && its != '\0'))
            state = its;
    }
    mq_proc_end_threads(threads);
    return state;
}

/* ---- Looks --------------------------------------------------------------- */

/* The seconds of processor that all threads have had or waited for; -1: not
 * known.
 */
static double sought_by(int pid)
{
    DIR *threads = mq_proc_threads(pid);
    double sum = 0;
    int thread;

    while ((thread = mq_proc_next_thread(threads)) != 0) {
        struct mq_proc_sched sched;

        if (!mq_proc_sched_read(thread, &sched)) {
            sum = -1;
            break;
        }
        sum += sched.used + sched.waited;
    }
    mq_proc_end_threads(threads);
    return sum;
}

static int64_t slept_by(int pid)
{
    struct mq_proc_status status = { .process = 0 };

    mq_proc_status_read(pid, &status);
    return (int64_t)status.waits - (int64_t)status.preemptions;
}

void mq_activity_begin(struct mq_activity_series *series, int pid)
{
    struct mq_proc_stat stat = { .ticks = series->ticks };

    series->begin = mq_proc_stat_read(pid, &stat) ? mq_now() : 0;
    series->ticks = stat.ticks;
    series->sought = sought_by(pid);
    series->slept = slept_by(pid);
}

/* The share of the processor that it has used since the begin; whether it is
 * known to have had none at all.
 */
static bool add_share(struct mq_activity_series *series, int pid)
{
    struct mq_proc_stat stat;
    double sought;
    bool had_none = false;

    if (series->begin > 0 && mq_proc_stat_read(pid, &stat)) {
        series->free_seconds += mq_now() - series->begin;
        series->used_ticks += stat.ticks - series->ticks;
        sought = series->sought < 0 ? -1 : sought_by(pid);
        series->sought_freely += sought - series->sought;
        had_none = sought >= 0 && sought <= series->sought;
        series->sought = sought;
        series->slept_freely += slept_by(pid) - series->slept;
    }
    series->begin = 0;
    return had_none;
}

static int32_t share_of(const struct mq_activity_series *series)
{
    double seconds = (double)series->used_ticks
                     / (double)sysconf(_SC_CLK_TCK);

    return series->free_seconds > 0
           ? (int32_t)(100 * seconds / series->free_seconds + 0.5) : -1;
}

enum { busy = 10 };             /* percent */

/* Whether it hardly had a processor while it ran freely, and did not wait for
 * one most of the time, or gave it back more often than it was taken.
 */
static bool hardly_ran(const struct mq_activity_series *series)
{
    const double most = 0.5;    /* a part */

    return series->free_seconds > 0 && share_of(series) < busy
           && ((series->sought >= 0
                && series->sought_freely < most * series->free_seconds)
               || series->slept_freely > 0);
}

/* Whether it is runnable only for an instant, or as a look has woken it on a
 * host where it gets no processor for some time.
 */
static bool was_woken(const struct mq_activity_series *series)
{
    const double is_long = 0.5;         /* seconds */

    return series->free_seconds >= is_long && hardly_ran(series);
}

/* Its activity by its STATE now; what a tracer holds is as it was, and so is
 * what is runnable and HAD_NONE of the processor.
 */
static enum mq_doing doing_now(const struct mq_activity_series *series,
                               char state, bool had_none)
{
    const struct mq_activity *before = &series->now;

    if (state == 't' || (state == 'R' && had_none
                         && before->doing != mq_doing_unknown))
        return before->doing;
    if (state == 'T')
        return mq_doing_stopped;
    if (share_of(series) >= busy || (state == 'R' && !was_woken(series)))
        return mq_computing;
    return state == '\0' || strchr("RSD", state) == NULL ? mq_doing_unknown
           : before->doing == mq_computing && !hardly_ran(series) ? mq_computing
                                                                 : mq_asleep;
}

void mq_activity_look(struct mq_activity_series *series, int pid, int thread)
{
    struct mq_activity *now = &series->now;
    enum mq_doing before = now->doing;
    char state, name[sizeof series->name];
    bool had_none = add_share(series, pid);

    state = state_of(pid);
    memcpy(name, series->name, sizeof name);
    now->doing = doing_now(series, state, had_none);
    now->share = share_of(series);
    if (now->doing != mq_asleep)
        series->name[0] = '\0';
    else if (state != 't')
        mq_activity_call(pid, thread, series->name, sizeof series->name);
    now->system_call = series->name[0] != '\0' ? series->name : NULL;
    if (!series->is_known || now->doing != before
        || strcmp(name, series->name) != 0)
        now->since = (int64_t)time(NULL);
    series->is_known = true;
}

/* ---- Words --------------------------------------------------------------- */

static const char working[] = "working";

enum mq_result mq_activity_take(char **words, struct mq_error *error,
                                struct mq_activity *activity)
{
    const char *what = mq_word_next(words);
    int64_t share, since;
    bool works = strcmp(what, working) == 0;
    int doing = 0;
    char *call;

    if (works)
        what = mq_doing_names[mq_computing];
    while (doing < mq_doings && strcmp(what, mq_doing_names[doing]) != 0)
        doing++;
    if (doing == mq_doings)
        return mq_fail(error, "'%.40s' is not an activity", what);
    if (!mq_word_number(words, -1, INT32_MAX, &share)
        || !mq_word_number(words, 0, INT64_MAX, &since))
        return mq_fail(error, "the share of a processor, or the start time, is "
                       "not a number");
    call = mq_word_next(words);
    if (strcmp(call, "%") == 0)
        *call = '\0';
    for (const char *c = call; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '.')
            return mq_fail(error, "the system call is not a name");
    activity->doing = (enum mq_doing)doing;
    activity->works = works;
    activity->share = (int32_t)share;
    activity->since = since;
    activity->system_call = *call != '\0' ? call : NULL;
    return mq_ok;
}

void mq_activity_write(const struct mq_activity *activity, FILE *file)
{
    fprintf(file, "activity %s %" PRId32 " %" PRId64 " ",
            activity->works ? working : mq_doing_names[activity->doing],
            activity->share, activity->since);
    mq_word_write(activity->system_call, file);
    putc('\n', file);
}
