/* mqdump's options: one table, and what stores each of them. */
#include "mqdump/settings.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define SOURCE(name, kind)                                                  \
    static enum mq_result name(const struct mq_option *option,              \
                               char *const *values, void *settings,         \
                               struct mq_error *error)                      \
    {                                                                       \
        struct mq_settings *all = settings;                                 \
                                                                            \
        (void)option;                                                       \
        return mq_sources_add(&all->sources, kind, values, error);          \
    }

SOURCE(add_file, mq_source_file)
SOURCE(add_processes, mq_source_processes)
SOURCE(add_core, mq_source_core)
SOURCE(add_remote, mq_source_remote)
SOURCE(add_inferiors, mq_source_inferiors)
SOURCE(add_job, mq_source_job)

static enum mq_result add_launch(const struct mq_option *option,
                                 char *const *values, void *settings,
                                 struct mq_error *error)
{
    struct mq_settings *all = settings;

    (void)option;
    all->live.command = values;
    return mq_sources_add(&all->sources, mq_source_launch, values, error);
}

static enum mq_result store_format(const struct mq_option *option,
                                   char *const *values, void *settings,
                                   struct mq_error *error)
{
    struct mq_settings *all = settings;

    (void)option;
    return mq_format_find(values[0], error, &all->format);
}

static enum mq_result store_recordings(const struct mq_option *option,
                                       char *const *values, void *settings,
                                       struct mq_error *error)
{
    struct mq_settings *all = settings;

    (void)option;
    if (mq_sources_add(&all->before, mq_source_file, values, error) != mq_ok)
        return mq_failed;
    return mq_sources_add(&all->after, mq_source_file, values + 1, error);
}

static enum mq_result store_queues(const struct mq_option *option,
                                   char *const *values, void *settings,
                                   struct mq_error *error)
{
    struct mq_settings *all = settings;

    (void)option;
    return mq_filter_queues(values[0], error, &all->report.filter.queues);
}

static enum mq_result store_ranks(const struct mq_option *option,
                                  char *const *values, void *settings,
                                  struct mq_error *error)
{
    struct mq_settings *all = settings;
    struct mq_spans spans;

    (void)option;
    if (mq_spans_parse(values[0], error, &spans) != mq_ok)
        return mq_failed;
    mq_spans_deinit(&all->report.filter.ranks);
    all->report.filter.ranks = spans;
    return mq_ok;
}

static enum mq_result store_handle(const struct mq_option *option,
                                   char *const *values, void *settings,
                                   struct mq_error *error)
{
    struct mq_settings *all = settings;

    (void)option;
    return mq_handle_wishes_parse(values[0], values[1], error, &all->handles);
}

/* ---- Options that had another name before ------------------------------- */

static void tell_new_name(const struct mq_option *option, const char *name)
{
    fprintf(stderr, "mqdump: --%s is called --%s now\n", option->name, name);
}

static enum mq_result store_rank(const struct mq_option *option,
                                 char *const *values, void *settings,
                                 struct mq_error *error)
{
    tell_new_name(option, "ranks-are");
    return mq_store_text(option, values, settings, error);
}

static enum mq_result store_jobs(const struct mq_option *option,
                                 char *const *values, void *settings,
                                 struct mq_error *error)
{
    tell_new_name(option, "parallel");
    return mq_store_number(option, values, settings, error);
}

/* ---- The table ----------------------------------------------------------- */

#define PLACE(member) offsetof(struct mq_settings, member)

const struct mq_option mq_settings_table[] = {
    {NULL, '\0', "SNAPSHOT...", "Show the processes that these mqsnap files "
     "and digests hold, or those in these folders.  With the word doctor in "
     "front of all else, tell why nothing is shown.", add_file, 0},
    {"pid", '\0', "PID[,PID...]", "Show these processes of this host.  Each is "
     "stopped only while it is read.", add_processes, 0},
    {"job", '\0', "PID", "Show all processes of the MPI job that this process "
     "started.", add_job, 0},
    {"launch", '\0', "COMMAND...", "Start an MPI job, let it run, show its "
     "processes when you interrupt it (Ctrl-C) or when it aborts, and end it.",
     add_launch, 0},
    {"after", '\0', "SECONDS", "Show a launched job that long after it has "
     "started.", mq_store_number, PLACE(live.after)},
    {"core", '\0', "EXE CORE", "Show the process that left the core file CORE.",
     add_core, 0},
    {"remote", '\0', "HOST:PORT EXE", "Show the process that a gdbserver or an "
     "emulator's stub holds there.", add_remote, 0},
    {"until", '\0', "FUNCTION", "Let a process behind --remote run until it "
     "enters this function: an emulator holds it at its very start.",
     mq_store_text, PLACE(live.until)},
    {"ranks-are", '\0', "N[,N...]", "The ranks in MPI_COMM_WORLD of the "
     "processes, in their order, where these cannot tell.", mq_store_text,
     PLACE(live.ranks)},
    {"gdb", '\0', "PROGRAM", "Use this gdb, such as gdb-multiarch.",
     mq_store_text, PLACE(live.gdb)},
    {"gdb-limit", '\0', "SECONDS", "Let gdb work that long on one request, in "
     "the place of 900 seconds.", mq_store_number, PLACE(live.gdb_limit)},
    {"types", '\0', "OBJECT", "Take types that the processes' programs do not "
     "describe from this object file, compiled with -g.", mq_store_text,
     PLACE(live.types)},
    {"parallel", 'j', "N", "Read N processes at a time; as many as there are "
     "processors if it is not given.", mq_store_number, PLACE(live.parallel)},
    {"rank", '\0', "N[,N...]", NULL, store_rank, PLACE(live.ranks)},
    {"jobs", '\0', "N", NULL, store_jobs, PLACE(live.parallel)},
    {"record", '\0', "DIR", "Keep what was read, one mqsnap file for each "
     "process.", mq_store_text, PLACE(live.record)},
    {"all-inferiors", '\0', NULL, "For gdb's command mqdump: show all "
     "processes that gdb has.", mq_store_true, PLACE(live.all_inferiors)},
    {"gdb-socket", '\0', "FD", NULL, add_inferiors, 0},
    {"dll", '\0', "FILE", "Read the queues with this message-queue DLL, not "
     "with the one that the process names or the libtvmpich.so that came with "
     "mqdump.",
     mq_store_text, PLACE(dll)},
    {"format", '\0', "NAME", "Write text, json, csv, or a picture of who waits "
     "for whom as dot or svg.", store_format, 0},
    {"queue", '\0', "NAME[,NAME...]", "Show only these queues: receive, "
     "unexpected, send.", store_queues, 0},
    {"comm", '\0', "NAME", "Show only communicators with this name or id.",
     mq_store_text, PLACE(report.filter.communicator)},
    {"tag", '\0', "N", "Show only operations with this tag, which can be any.",
     mq_store_text, PLACE(report.filter.tag)},
    {"only-ranks", '\0', "N[-N][,...]", "Show only these ranks.", store_ranks,
     0},
    {"internal", '\0', NULL, "Show the MPI library's own communicators also "
     "where they hold nothing.", mq_store_true,
     PLACE(report.filter.internal)},
    {"all", '\0', NULL, "Cut nothing, however long it is.", mq_store_true,
     PLACE(report.all)},
    {"handles", '\0', NULL, "Show of each communicator its topology, its "
     "attributes and its error handler, and of each operation its datatype.",
     mq_store_true, PLACE(handles.all)},
    {"handle", '\0', "KIND VALUE", "Tell only what this handle stands for: a "
     "comm, datatype, request, group, op or errhandler, and the number that "
     "the variable holds.", store_handle, 0},
    {"diff", '\0', "OLD NEW", "Tell what changed between two recordings of a "
     "job, each a file or a folder.", store_recordings, 0},
    {"digest", '\0', "FILE", "Write what was found to FILE, for mqdump to read "
     "in the place of snapshots, and show nothing.", mq_store_text,
     PLACE(digest)},
    {"raw", '\0', NULL, "Write one line for each communicator, group and "
     "operation, for programs.", mq_store_true, PLACE(raw)},
    {"stats", '\0', NULL, "Tell on stderr what reading each process cost.",
     mq_store_true, PLACE(stats)},
    {"verbose", 'v', NULL, "Tell on stderr how the job and the DLL are found.",
     mq_store_true, PLACE(verbose)},
    {"help", 'h', NULL, "Write this and exit.", mq_store_true, PLACE(help)},
    {"version", 'V', NULL, "Write the version and exit.", mq_store_true,
     PLACE(version)}
};

const size_t mq_settings_count = sizeof mq_settings_table
                                 / sizeof mq_settings_table[0];
