/* mqcheck.c - test program for message-queue and handle DLLs */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "base/options.h"
#include "base/version.h"
#include "mqcheck/child.h"
#include "mqcheck/exercises/exercises.h"
#include "mqcheck/findings/finding.h"
#include "mqcheck/findings/verdicts.h"
#include "mqcheck/handles/handle_exercises.h"
#include "mqcheck/host/budget.h"
#include "mqcheck/host/entry_call.h"
#include "mqcheck/host/dll_file.h"
#include "mqcheck/host/mock_host.h"
#include "mqcheck/simulation/sim.h"
#include "process/standard.h"

enum exit_status {
    exit_kept = 0,              /* no rule is broken */
    exit_broken = 1,
    exit_trouble = 2
};

/* ---- The command line ---------------------------------------------------- */

enum { MOST_SNAPSHOTS = 1000 };

struct settings {
    bool tap, help, version;
    int limit;
    const char *dll;
    int snapshot_count;
    const char *snapshots[MOST_SNAPSHOTS];
};

static int store_limit(const struct mq_option *option, char *const *values,
                       void *settings, struct mq_error *error)
{
    int *limit = &((struct settings *)settings)->limit;

    return mq_number_is(values[0], 1, 3600, limit) ? mq_ok
           : mq_fail(error, "--%s %s: give seconds from 1 to 3600",
                     option->name, values[0]);
}

static int store_operand(const struct mq_option *option, char *const *values,
                         void *settings, struct mq_error *error)
{
    struct settings *all = settings;

    (void)option;
    if (all->dll == NULL)
        all->dll = values[0];
    else if (all->snapshot_count < MOST_SNAPSHOTS)
        all->snapshots[all->snapshot_count++] = values[0];
    else
        return mq_fail(error, "give at most %d snapshots", MOST_SNAPSHOTS);
    return mq_ok;
}

static const struct mq_option table[] = {
    { NULL, '\0', "DLL [SNAPSHOT...]",
      "Check this message-queue or handle DLL, also with recorded processes of "
      "its MPI; one of MPICH 1.x is simulated anyway.",
      store_operand, 0 },
    { "tap", '\0', NULL,
      "Print one line per rule, in the Test Anything Protocol.",
      mq_store_true, offsetof(struct settings, tap) },
    { "limit", '\0', "SECONDS",
      "Count a call that takes longer as a hang (10).",
      store_limit, 0 },
    { "help", 'h', NULL, "Print this and exit.", mq_store_true,
      offsetof(struct settings, help) },
    { "version", '\0', NULL, "Print the version and exit.", mq_store_true,
      offsetof(struct settings, version) },
};

/* ---- One exercise -------------------------------------------------------- */

/* What the parent knows while exercises are done. */
struct examination {
    const struct settings *settings;
    struct verdicts verdicts;
    char where[300];            /* exhibit and exercise under way */
    int is_understood;          /* by the latest exercise */
    int understood_count;
    struct exhibit latest;      /* that was understood */
    int is_cut_short;           /* nothing more can be learnt */
    struct timespec begin;
    long said;                  /* second of the latest word of progress */
};

/* What a child shall do: an exercise with an exhibit, or look at this beside a
 * neighbour, at all shapes, or at an empty image.
 */
struct task {
    const char *dll;
    const struct exercise *exercise;            /* or null */
    const struct exhibit *exhibit, *neighbour;  /* or null */
    bool all_shapes;
};

/* A line from the child: a letter, a rule, and a text. */
static void take_line(void *context, char *line)
{
    struct examination *examination = context;
    char *text;
    long rule = strtol(line + 1, &text, 10);

    text += *text == ' ';
    if (line[0] == 'g') {
        fprintf(stderr, "mqcheck: %s\n", text);
        exit(exit_trouble);
    }
    if (line[0] == 'u')
        examination->is_understood = 1;
    if (rule <= rule_none || rule >= rule_count)
        return;
    if (line[0] == 't')
        verdicts_tested(&examination->verdicts, (enum rule)rule);
    else if (line[0] == 'b') {
        verdicts_broken(&examination->verdicts, (enum rule)rule,
                      examination->where, text);
        examination->is_cut_short |= rule == rule_hang;
    }
}

/* Reports progress of long runs. */
static void report_progress(void *context)
{
    enum { PERIOD = 5 };        /* seconds */
    struct examination *examination = context;
    struct timespec now;
    long seconds;

    clock_gettime(CLOCK_MONOTONIC, &now);
    seconds = (long)(now.tv_sec - examination->begin.tv_sec);
    if (seconds - examination->said < PERIOD)
        return;
    examination->said = seconds;
    fprintf(stderr, "mqcheck: %ld s: %s, %lu calls made\n", seconds,
            examination->where, calls_made());
}

static const char *last_call(void)
{
    return call_under_way[0] != '\0' ? call_under_way : "the first call";
}

/* Does a task in a child.  After a hang nothing more is done: each exercise
 * would hang, and take its time.
 */
static void examine(struct examination *examination, const char *where,
                    void (*work)(const void *), const void *argument)
{
    struct verdicts *verdicts = &examination->verdicts;
    int limit = examination->settings->limit;
    char text[200];

    if (examination->is_cut_short)
        return;
    examination->is_understood = 0;
    snprintf(examination->where, sizeof examination->where, "%s", where);
    verdicts_tested(verdicts, rule_hang);
    verdicts_tested(verdicts, rule_crash);
    switch (child_run(work, argument, limit, take_line, report_progress,
                      examination)) {
    case child_is_done:
        break;
    case child_crashed:
        snprintf(text, sizeof text, "%s in or after %s", child_cause(),
                 last_call());
        verdicts_broken(verdicts, rule_crash, where, text);
        break;
    case child_hung:
        snprintf(text, sizeof text, "%s did not come back for %d seconds; the "
                 "other exercises are left out", last_call(), limit);
        verdicts_broken(verdicts, rule_hang, where, text);
        examination->is_cut_short = 1;
        break;
    }
    examination->understood_count += examination->is_understood;
}

/* Seconds for the first exhibit that the DLL understands, with which every rule
 * is put to the test however slow it is, and for each of the others.
 */
enum { FOR_THE_FIRST = 22, FOR_ANOTHER = 9 };

/* The same if there is time for it, one of PARTS, as for budget_share.  It is
 * noted of the rules from RULE to rule_none if that is too little.
 */
static void examine_in_time(struct examination *examination, const char *where,
                            void (*work)(const void *), const void *argument,
                            int parts, const enum rule *rule)
{
    int is_first = examination->understood_count <= 1;
    int is_done = budget_share(is_first ? FOR_THE_FIRST : FOR_ANOTHER, parts)
                  || is_first;

    if (is_done)
        examine(examination, where, work, argument);
    if (is_done && !budget_was_short())
        return;
    for (; *rule != rule_none; rule++)
        verdicts_fewer(&examination->verdicts, *rule);
}

/* ---- What children do ---------------------------------------------------- */

static void do_library(const void *argument)
{
    examine_library(argument);
}

/* Loads the DLL as a debugger would that is not interested in its faults. */
static void do_task(const void *argument)
{
    const struct task *task = argument;
    struct mq_dll_entries entries = { 0 };

    if (library_load(task->dll, &mq_queue_entry_points, &entries) == NULL)
        return;
    enter("mqs_setup_basic_callbacks");
    entries.setup_basic_callbacks(&mock_basic_callbacks);
    leave();
    if (task->exercise != NULL)
        task->exercise->perform(&entries, task->exhibit);
    else if (task->neighbour != NULL)
        examine_neighbours(&entries, task->exhibit, task->neighbour);
    else if (task->all_shapes)
        examine_shapes(&entries);
    else
        examine_empty_image(&entries);
}

/* ---- The same for handle DLLs ---- */

struct handle_task {
    const char *dll;
    const struct handle_exercise *exercise;     /* or null: the file */
    const char *snapshot;                       /* or null: nothing */
    int shape;
};

static void do_handle_library(const void *argument)
{
    examine_handle_library(argument);
}

/* Descriptions of version 1 are shorter, and say nothing that could be
 * compared.
 */
static void do_handle_task(const void *argument)
{
    const struct handle_task *task = argument;
    struct mq_handle_entries entries = { 0 };

    if (library_load(task->dll, &mq_handle_entry_points, &entries) == NULL)
        return;
    enter("mpidbg_init_once");
    entries.init_once(&mock_basic_callbacks);
    leave();
    if (entries.interface_version_compatibility() < MPIDBG_INTERFACE_VERSION)
        return;
    if (task->exercise != NULL)
        task->exercise->perform(&entries, task->shape);
    else if (task->snapshot != NULL)
        examine_handle_snapshot(&entries, task->snapshot);
    else
        examine_handles_of_nothing(&entries);
}

static void examine_handle_shape(struct examination *examination, int shape)
{
    struct handle_task task = { examination->settings->dll, NULL, NULL,
                                shape };

    budget_begin();
    for (int i = 0; i < handle_exercise_count; i++) {
        char where[300];

        task.exercise = &handle_exercises[i];
        snprintf(where, sizeof where, "%s, %s", sim_shapes[shape].name,
                 task.exercise->name);
        examine_in_time(examination, where, do_handle_task, &task,
                        task.exercise->is_repeated
                            ? handle_exercise_count - i : 0,
                        task.exercise->rules);
        if (i == 0 && !examination->is_understood)
            return;
    }
}

/* Without these a DLL cannot be asked anything. */
static void stop_if_broken(struct examination *examination, enum rule rule)
{
    examination->is_cut_short |= examination->verdicts.of[rule].broken > 0;
}

static void examine_all_handles(struct examination *examination)
{
    const struct settings *settings = examination->settings;
    struct handle_task task = { settings->dll, NULL, NULL, 0 };

    examine(examination, "the library", do_handle_library, settings->dll);
    stop_if_broken(examination, rule_loads);
    stop_if_broken(examination, rule_entry_points);
    stop_if_broken(examination, rule_handle_width);
    examine(examination, "an empty image", do_handle_task, &task);
    for (int i = 0; i < (int)sim_shape_count; i++)
        examine_handle_shape(examination, i);
    for (int i = 0; i < settings->snapshot_count; i++) {
        task.snapshot = settings->snapshots[i];
        examine(examination, task.snapshot, do_handle_task, &task);
    }
}

/* ---- All exercises ------------------------------------------------------- */

/* The exhibit beside the one that was understood before it. */
static void examine_beside_latest(struct examination *examination,
                                  const struct exhibit *exhibit)
{
    struct task task = { examination->settings->dll, NULL, exhibit,
                         &examination->latest, false };
    static const enum rule shared[] = { rule_shared_state, rule_none };
    char where[300];

    if (examination->latest.name != NULL) {
        snprintf(where, sizeof where, "%s beside %s", exhibit->name,
                 examination->latest.name);
        examine_in_time(examination, where, do_task, &task, 0, shared);
    }
    examination->latest = *exhibit;
}

static void examine_exhibit(struct examination *examination,
                            const struct exhibit *exhibit)
{
    struct task task = { examination->settings->dll, NULL, exhibit, NULL,
                         false };

    budget_begin();
    for (int i = 0; i < exercise_count; i++) {
        char where[300];

        task.exercise = &exercises[i];
        if (task.exercise->is_simulated && exhibit->snapshot != NULL)
            continue;
        snprintf(where, sizeof where, "%s, %s", exhibit->name,
                 task.exercise->name);
        examine_in_time(examination, where, do_task, &task,
                        task.exercise->is_repeated ? exercise_count - i : 0,
                        task.exercise->rules);
        if (i == 0 && !examination->is_understood)
            return;
    }
    examine_beside_latest(examination, exhibit);
}

static void examine_all(struct examination *examination)
{
    const struct settings *settings = examination->settings;
    struct task task = { settings->dll, NULL, NULL, NULL, false };
    struct exhibit exhibit = { NULL, 0, NULL };

    examine(examination, "the library", do_library, settings->dll);
    stop_if_broken(examination, rule_loads);
    stop_if_broken(examination, rule_entry_points);
    stop_if_broken(examination, rule_width);
    examine(examination, "an empty image", do_task, &task);
    for (int i = 0; i < (int)sim_shape_count; i++) {
        exhibit.name = sim_shapes[i].name;
        exhibit.shape = i;
        examine_exhibit(examination, &exhibit);
    }
    task.all_shapes = true;
    if (examination->understood_count > 1)
        examine(examination, "all shapes", do_task, &task);
    exhibit.shape = -1;
    for (int i = 0; i < settings->snapshot_count; i++) {
        exhibit.name = exhibit.snapshot = settings->snapshots[i];
        examine_exhibit(examination, &exhibit);
    }
}

/* STATUS if all that was to be shown is written. */
static enum exit_status finish(enum exit_status status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "mqcheck: the report cannot be written: %s\n",
            strerror(errno));
    return exit_trouble;
}

static enum exit_status check(const struct settings *settings)
{
    struct examination examination = { 0 };
    enum exit_status status = exit_kept;
    struct stat file;
    bool is_readable = access(settings->dll, R_OK) == 0
                       && stat(settings->dll, &file) == 0;

    if (!is_readable || !S_ISREG(file.st_mode)) {
        fprintf(stderr, "mqcheck: %s: %s\n", settings->dll, !is_readable
                ? strerror(errno) : "it is not a regular file");
        return exit_trouble;
    }
    examination.settings = settings;
    examination.verdicts.dlls = library_is_of_handles(settings->dll)
                                ? dlls_HANDLES : dlls_QUEUES;
    clock_gettime(CLOCK_MONOTONIC, &examination.begin);
    calls_prepare();
    budget_prepare();
    if (examination.verdicts.dlls == dlls_HANDLES)
        examine_all_handles(&examination);
    else
        examine_all(&examination);
    if (settings->tap)
        verdicts_print_tap(&examination.verdicts, settings->dll, stdout);
    else
        verdicts_print(&examination.verdicts, settings->dll, stdout);
    if (examination.understood_count == 0 && !examination.is_cut_short)
        fprintf(stderr, "mqcheck: %s: it understands none of the processes "
                "that it was shown; give snapshots of its own MPI\n",
                settings->dll);
    if (verdicts_count_broken(&examination.verdicts) > 0)
        status = exit_broken;
    verdicts_clear(&examination.verdicts);
    return finish(status);
}

int main(int argc, char **argv)
{
    static struct settings settings = { .limit = 10 };
    const size_t count = sizeof table / sizeof table[0];
    struct mq_error error;

    if (!mq_standard_prepare())
        return exit_trouble;
    if (mq_options_parse(table, count, argv + (argc > 0), &settings, &error)
        != mq_ok) {
        fprintf(stderr, "mqcheck: %s\n", error.text);
        return exit_trouble;
    }
    if (settings.help) {
        mq_options_help(table, count, "mqcheck", 80, true, stdout);
        return (int)finish(exit_kept);
    }
    if (settings.version) {
        printf("mqcheck %s\n", MQ_VERSION);
        return (int)finish(exit_kept);
    }
    if (settings.dll == NULL) {
        fprintf(stderr, "mqcheck: which DLL?  See mqcheck --help\n");
        return exit_trouble;
    }
    return (int)check(&settings);
}
