/* activity.c - what a process does while nobody holds it */
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
#include "process/program.h"

const char *const mq_doing_names[mq_doings] = {
    "unknown", "computing", "asleep", "stopped"
};

/* ---- What the kernel tells ---------------------------------------------- */

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

/* Whether the process numbers its system calls as this program does. */
static bool has_our_numbers(int pid)
{
    return mq_program_class(pid) == (sizeof(void *) == 8 ? ELFCLASS64
                                                         : ELFCLASS32);
}

static const char *name_of(long number)
{
    for (size_t i = 0; i < mq_system_call_count; i++)
        if (mq_system_calls[i].number == number)
            return mq_system_calls[i].name;
    return NULL;
}

/* Where the thread sleeps, to NAME: the system call, or else the function of
 * the kernel's.  A wait that a debugger has interrupted goes on as another
 * system call: then what NAME is stays.
 */
static void find_sleep(int pid, int thread, char *name, size_t room)
{
    char path[64], line[256], *end;
    const char *call = NULL;
    long number;

    snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", pid, thread);
    if (has_our_numbers(pid) && read_first_line(path, line, sizeof line)) {
        number = strtol(line, &end, 10);
        call = end > line ? name_of(number) : NULL;
        if (call != NULL && strcmp(call, "restart_syscall") == 0)
            return;
    }
    snprintf(path, sizeof path, "/proc/%d/task/%d/wchan", pid, thread);
    if (call == NULL && read_first_line(path, line, sizeof line)
        && strcmp(line, "0") != 0)
        call = line;
    snprintf(name, room, "%.*s", (int)room - 1, call != NULL ? call : "");
}

/* The states of all threads of a process as one: 'R' if any runs, 't' if a
 * tracer holds one, which tells nothing.
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

void mq_activity_begin(struct mq_activity_series *series, int pid)
{
    struct mq_proc_stat stat = { .ticks = series->ticks };

    series->begin = mq_proc_stat_read(pid, &stat) ? mq_now() : 0;
    series->ticks = stat.ticks;
}

/* What of the processor it has used since the begin. */
static void add_share(struct mq_activity_series *series, int pid)
{
    struct mq_proc_stat stat;

    if (series->begin > 0 && mq_proc_stat_read(pid, &stat)) {
        series->free_seconds += mq_now() - series->begin;
        series->used_ticks += stat.ticks - series->ticks;
    }
    series->begin = 0;
}

static int32_t share_of(const struct mq_activity_series *series)
{
    double seconds = (double)series->used_ticks
                     / (double)sysconf(_SC_CLK_TCK);

    return series->free_seconds > 0
           ? (int32_t)(100 * seconds / series->free_seconds + 0.5) : -1;
}

/* What it does by its STATE now; what a tracer holds is as it was. */
static enum mq_doing doing_now(const struct mq_activity_series *series,
                               char state)
{
    enum { busy = 10 };         /* percent */
    const struct mq_activity *before = &series->now;

    if (state == 't')
        return before->doing;
    if (state == 'T')
        return mq_doing_stopped;
    if (state == 'R' || share_of(series) >= busy)
        return mq_computing;
    return state != 'S' && state != 'D' ? mq_doing_unknown
           : before->doing == mq_computing ? mq_computing : mq_asleep;
}

void mq_activity_look(struct mq_activity_series *series, int pid, int thread)
{
    struct mq_activity *now = &series->now;
    enum mq_doing before = now->doing;
    char state = state_of(pid), name[sizeof series->name];

    add_share(series, pid);
    memcpy(name, series->name, sizeof name);
    now->doing = doing_now(series, state);
    now->share = share_of(series);
    if (now->doing != mq_asleep)
        series->name[0] = '\0';
    else if (state != 't')
        find_sleep(pid, thread, series->name, sizeof series->name);
    now->system_call = series->name[0] != '\0' ? series->name : NULL;
    if (!series->is_known || now->doing != before
        || strcmp(name, series->name) != 0)
        now->since = (int64_t)time(NULL);
    series->is_known = true;
}

/* ---- Words --------------------------------------------------------------- */

enum mq_result mq_activity_take(char **words, struct mq_error *error,
                                struct mq_activity *activity)
{
    const char *what = mq_word_next(words);
    int64_t share, since;
    int doing = 0;
    char *call;

    while (doing < mq_doings && strcmp(what, mq_doing_names[doing]) != 0)
        doing++;
    if (doing == mq_doings)
        return mq_fail(error, "'%.40s' is nothing that a process does", what);
    if (!mq_word_number(words, -1, INT32_MAX, &share)
        || !mq_word_number(words, 0, INT64_MAX, &since))
        return mq_fail(error, "the share of a processor, or since when, is no "
                       "number");
    call = mq_word_next(words);
    if (strcmp(call, "%") == 0)
        *call = '\0';
    for (const char *c = call; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '.')
            return mq_fail(error, "the system call is no name");
    activity->doing = (enum mq_doing)doing;
    activity->share = (int32_t)share;
    activity->since = since;
    activity->system_call = *call != '\0' ? call : NULL;
    return mq_ok;
}

void mq_activity_write(const struct mq_activity *activity, FILE *file)
{
    fprintf(file, "activity %s %" PRId32 " %" PRId64 " ",
            mq_doing_names[activity->doing], activity->share, activity->since);
    mq_word_write(activity->system_call, file);
    putc('\n', file);
}
