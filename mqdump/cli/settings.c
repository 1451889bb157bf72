/* settings.c - mqdump's command line */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/cli/settings.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "mqdump/cli/handle_question.h"

/* A function that keeps an option in the settings. */
#define STORER(name) \
    static enum mq_result name(const struct mq_option *option, \
                               char *const *values, void *settings, \
                               struct mq_error *error)

#define SOURCE(name, kind) \
    STORER(name) \
    { \
        struct mq_settings *all = settings; \
        \
        (void)option; \
        return mq_sources_add(&all->sources, kind, values, error); \
    }

SOURCE(add_file, mq_source_file)
SOURCE(add_processes, mq_source_processes)
SOURCE(add_core, mq_source_core)
SOURCE(add_held, mq_source_held)
SOURCE(add_job, mq_source_job)

STORER(add_launch)
{
    struct mq_settings *all = settings;

    (void)option;
    all->live.command = values;
    return mq_sources_add(&all->sources, mq_source_launch, values, error);
}

/* Several options are about one source. */
STORER(add_cluster)
{
    struct mq_settings *all = settings;

    mq_store_text(option, values, settings, error);
    for (size_t i = 0; i < all->sources.count; i++)
        if (all->sources.items[i].kind == mq_source_cluster)
            return mq_ok;
    return mq_sources_add(&all->sources, mq_source_cluster, values, error);
}

STORER(store_format)
{
    struct mq_settings *all = settings;

    (void)option;
    return mq_format_find(values[0], error, &all->format);
}

/* Common variants. */
STORER(refuse_format)
{
    (void)values, (void)settings;
    return mq_fail(error, "there is no option --%s; do you mean --format %s?",
                   option->name, option->name);
}

STORER(store_recordings)
{
    struct mq_settings *all = settings;

    (void)option;
    if (mq_sources_add(&all->before, mq_source_file, values, error) != mq_ok)
        return mq_failed;
    return mq_sources_add(&all->after, mq_source_file, values + 1, error);
}

STORER(store_queues)
{
    struct mq_settings *all = settings;

    (void)option;
    return mq_filter_queues(values[0], error, &all->report.filter.queues);
}

STORER(store_tag)
{
    struct mq_settings *all = settings;
    const char *text = values[0];
    int64_t tag;

    (void)option;
    if (strcmp(text, "any") != 0
        && (mq_number_read_signed(&text, &tag) != mq_number_ok
            || *text != '\0'))
        return mq_fail(error, "--tag %s: a tag is a number, or the word any",
                       values[0]);
    all->report.filter.tag = values[0];
    return mq_ok;
}

STORER(store_ranks)
{
    struct mq_settings *all = settings;
    struct mq_rank_choice ranks;

    (void)option;
    if (mq_rank_choice_parse(values[0], error, &ranks) != mq_ok)
        return mq_failed;
    mq_rank_choice_deinit(&all->report.filter.ranks);
    all->report.filter.ranks = ranks;
    return mq_ok;
}

STORER(store_handle)
{
    struct mq_settings *all = settings;

    (void)option;
    return mq_handle_question_parse(values[0], values[1], error,
                                    &all->handles);
}

/* Handles are shown beside the queues. */
STORER(store_handles)
{
    struct mq_settings *all = settings;

    (void)option, (void)values, (void)error;
    all->handles.all = true;
    all->report.queues = true;
    return mq_ok;
}

/* The ranks, where there are any, are those that --only-ranks chooses. */
STORER(store_why)
{
    struct mq_settings *all = settings;

    all->report.why = true;
    return values[0] == NULL ? mq_ok
                             : store_ranks(option, values, settings, error);
}

STORER(store_colour)
{
    static const char *const names[] = {
        [mq_colour_auto] = "auto",
        [mq_colour_always] = "always",
        [mq_colour_never] = "never"
    };
    struct mq_settings *all = settings;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(values[0], names[i]) == 0) {
            all->colour = (enum mq_colour)i;
            return mq_ok;
        }
    return mq_fail(error, "--%s %s: it takes auto, always or never",
                   option->name, values[0]);
}

STORER(store_seconds)
{
    char *end;
    double seconds = strtod(values[0], &end);

    if (values[0][0] < '0' || values[0][0] > '9' || *end != '\0'
        || !(seconds > 0 && seconds <= 3600))
        return mq_fail(error, "--%s takes seconds, up to an hour, not '%s'",
                       option->name, values[0]);
    memcpy((char *)settings + option->offset, &seconds, sizeof seconds);
    return mq_ok;
}

STORER(store_watch)
{
    struct mq_settings *all = settings;

    all->watch.is_wanted = true;
    return values[0] == NULL ? mq_ok
                             : store_seconds(option, values, settings, error);
}

STORER(store_until_stuck)
{
    (void)option, (void)values, (void)error;
    ((struct mq_settings *)settings)->watch.is_wanted = true;
    ((struct mq_settings *)settings)->watch.until_stuck = true;
    return mq_ok;
}

STORER(store_period)
{
    ((struct mq_settings *)settings)->watch.is_wanted = true;
    return store_seconds(option, values, settings, error);
}

STORER(store_for_hang)
{
    ((struct mq_settings *)settings)->watch.is_wanted = true;
    return mq_store_text(option, values, settings, error);
}

/* ---- Options that had another name before ------------------------------- */

STORER(store_rank)
{
    ((struct mq_settings *)settings)->says_rank = true;
    return mq_store_text(option, values, settings, error);
}

STORER(store_jobs)
{
    ((struct mq_settings *)settings)->says_jobs = true;
    return mq_store_number(option, values, settings, error);
}

/* ---- The table ----------------------------------------------------------- */

#define PLACE(member) offsetof(struct mq_settings, member)
#define TITLE(text) {NULL, '\0', NULL, text, NULL, 0}

const struct mq_option mq_settings_table[] = {
    TITLE("What to read:"),
    {NULL, '\0', "RECORDING...",
     "Show these snapshots and digests, or folders.", add_file, 0},
    {"pid", '\0', "PID[,PID...]", "Read these processes of this host.",
     add_processes, 0},
    {"job", '\0', "PID", "Read the whole job of this launcher (mpirun).",
     add_job, 0},
    {"slurm", '\0', "JOB", "Read all of a Slurm job, on all its nodes.",
     add_cluster, PLACE(live.cluster.slurm)},
    {"hosts", '\0', "HOST[,HOST...]",
     "Read your ranks on these hosts, by ssh.",
     add_cluster, PLACE(live.cluster.hosts)},
    {"launch", '\0', "COMMAND...",
     "Start a job; show it on Ctrl-C or MPI_Abort.", add_launch, 0},
    {"core", '\0', "EXE CORE", "Read the process that left this core file.",
     add_core, 0},
    {"no-write", '\0', NULL, "Change nothing in any process.",
     mq_store_true, PLACE(live.no_write)},
    {"watch", '\0', "[SECONDS]", "Keep looking, every SECONDS (10).",
     store_watch, PLACE(watch.seconds)},
    {"until-stuck", '\0', NULL, "Watch until the job hangs, then show it.",
     store_until_stuck, 0},
    {"no-progress", '\0', "SECONDS",
     "Watch; report a hang if no call returns for so long.",
     store_period, PLACE(watch.no_progress)},
    {"stuck-after", '\0', "SECONDS",
     "Watch; report a hang only after this long (run: 60).",
     store_period, PLACE(watch.stuck_after)},
    {"on-stuck", '\0', "COMMAND",
     "Watch; run this with the report when the job hangs.",
     store_for_hang, PLACE(watch.command)},
    {"report", '\0', "FILE",
     "Watch; write the report there when the job hangs.",
     store_for_hang, PLACE(watch.report)},

    TITLE("How to read it:"),
    {"dll", '\0', "FILE", "Use this message-queue DLL.",
     mq_store_text, PLACE(dll)},
    {"looks", '\0', "N", "Sample each process N times (default: 3 to 10).",
     mq_store_number, PLACE(live.looks)},

    TITLE("What to show:"),
    {"format", '\0', "NAME",
     "Output format: text, json, csv, svg or html.", store_format, 0},
    {"queue", '\0', "NAME[,NAME...]",
     "Show only these: receive, unexpected, send.", store_queues, 0},
    {"comm", '\0', "NAME", "Show only communicators of this name or id.",
     mq_store_text, PLACE(report.filter.communicator)},
    {"tag", '\0', "N", "Show operations of tag N; any: wildcard receives.",
     store_tag, 0},
    {"only-ranks", '\0', "N[-N][,...]",
     "Show only these; 1:N is rank N of world 1.", store_ranks, 0},
    {"why", '\0', "[N[-N][,...]]",
     "Explain the verdict, or why these ranks are stuck.",
     store_why, 0},
    {"queues", '\0', NULL,
     "Show all queues, not only those in findings.",
     mq_store_true, PLACE(report.queues)},
    {"still", '\0', NULL, "Assume that no rank moved; allows \"certain\".",
     mq_store_true, PLACE(still)},
    {"all", '\0', NULL, "Do not shorten anything.",
     mq_store_true, PLACE(report.all)},
    {"diff", '\0', "OLD NEW", "Show what changed between two recordings.",
     store_recordings, 0},
    {"handles", '\0', NULL, "Describe communicators and datatypes, too.",
     store_handles, 0},

    TITLE("What else to write:"),
    {"record", '\0', "DIR", "Save a snapshot of each process in DIR.",
     mq_store_text, PLACE(live.record)},
    {"progress", '\0', NULL, "Report progress on stderr.",
     mq_store_true, PLACE(live.progress)},
    {"verbose", 'v', NULL, "Explain choices on stderr.",
     mq_store_true, PLACE(verbose)},
    {"help", 'h', NULL, "Print this and exit.", mq_store_true, PLACE(help)},
    {"help-all", '\0', NULL, "Print all options, also rare ones, and exit.",
     mq_store_true, PLACE(help_all)},
    {"version", 'V', NULL, "Print the version and exit.",
     mq_store_true, PLACE(version)},

    {NULL, '\0', NULL, NULL, NULL, 0},
    TITLE("Rarely needed:"),
    {"after", '\0', "SECONDS", "Show a launched job after this long.",
     mq_store_number, PLACE(live.after)},
    {"keep", '\0', "DIR", "Let ranks keep libmqwatch records in DIR.",
     mq_store_text, PLACE(live.keep)},
    {"launcher", '\0', "NAME",
     "Start on the hosts with this instead of ssh: slurm, hydra, openmpi, "
     "prrte, clush, pdsh, flux, lsf, pals, pbs.", mq_store_text,
     PLACE(live.cluster.launcher)},
    {"within", '\0', "SECONDS",
     "Wait this long for the answers of hosts (60).",
     mq_store_number, PLACE(live.cluster.within)},
    {"world", '\0', "NAME", "Show this job, where the hosts run several.",
     mq_store_text, PLACE(live.cluster.world)},
    {"mqdump-there", '\0', "FILE", "Run this mqdump on the hosts.",
     mq_store_text, PLACE(live.cluster.there)},
    {"agent", '\0', "NAME", NULL, add_cluster, PLACE(live.cluster.node)},
    {"rounds", '\0', "N", NULL,
     mq_store_number, PLACE(live.cluster.rounds)},
    {"starter-dll", '\0', "FILE", NULL, mq_store_text,
     PLACE(live.cluster.starter_dll)},
    {"starter-lists", '\0', "HOST=PID", NULL, mq_store_text,
     PLACE(live.cluster.starter_lists)},
    {"until", '\0', "FUNCTION",
     "Run a job until its launcher enters FUNCTION (MPIR_Breakpoint).",
     mq_store_text, PLACE(live.until)},
    {"open-gate", '\0', NULL,
     "Release ranks that wait in MPI_Init for a debugger.",
     mq_store_true, PLACE(live.open_gate)},
    {"held", '\0', "MEMORY REGISTERS", NULL, add_held, 0},
    {"ranks-are", '\0', "N[,N...]", "World ranks of the processes, in order.",
     mq_store_text, PLACE(live.ranks)},
    {"rank", '\0', "N[,N...]", NULL, store_rank, PLACE(live.ranks)},
    {"types", '\0', "OBJECT", "Read missing types from this object file.",
     mq_store_text, PLACE(live.types)},
    {"parallel", 'j', "N",
     "Run N readers in parallel (default: one per processor).",
     mq_store_number, PLACE(live.parallel)},
    {"settle", '\0', "SECONDS",
     "Let processes run this long between samples (0.2).",
     store_seconds, PLACE(live.settle)},
    {"jobs", '\0', "N", NULL, store_jobs, PLACE(live.parallel)},
    {"json", '\0', NULL, NULL, refuse_format, 0},
    {"csv", '\0', NULL, NULL, refuse_format, 0},
    {"html", '\0', NULL, NULL, refuse_format, 0},
    {"internal", '\0', NULL, "Show the library's own communicators, too.",
     mq_store_true, PLACE(report.filter.internal)},
    {"handle", '\0', "KIND VALUE",
     "Describe only this handle: comm, datatype, request, group, op "
     "or errhandler, and its value.", store_handle, 0},
    {"raw", '\0', NULL, "Write one line per operation, no analysis.",
     mq_store_true, PLACE(raw)},
    {"color", '\0', "WHEN", "Use colour: auto, always or never.",
     store_colour, 0},
    {"digest", '\0', "FILE",
     "Write a digest to FILE instead of a report.", mq_store_text,
     PLACE(digest)},
    {"stats", '\0', NULL, "Print the cost of reading each process on stderr.",
     mq_store_true, PLACE(stats)}
};

const char mq_settings_examples[] =
    "Examples (man mqdump has more):\n"
    "  mqdump --job 4711                # the job of this mpirun\n"
    "  mqdump --record hang --job 4711  # the same, and keep it\n"
    "  mqdump --slurm 1234              # on all nodes of a job\n"
    "  mqdump run -- mpirun ./solver    # end it if it hangs\n"
    "  mqdump doctor --pid 4712         # why is nothing shown?\n";

const size_t mq_settings_count = sizeof mq_settings_table
                                 / sizeof mq_settings_table[0];
