/* mqdump's options: one table, and what stores each of them. */
#include "mqdump/settings.h"

#include <stddef.h>
#include <string.h>

#include "mqdump/source_launch.h"
#include "mqdump/source_job.h"

#define SOURCE(name, read, count)                                           \
    static int name(const struct mq_option *option, char *const *values,   \
                    void *settings, struct mq_error *error)                 \
    {                                                                       \
        struct mq_settings *all = settings;                                 \
                                                                            \
        (void)option;                                                       \
        return mq_sources_add(&all->sources, read, values, count, error);   \
    }

SOURCE(add_snapshot, mq_read_file, 1)
SOURCE(add_processes, mq_read_processes, 1)
SOURCE(add_core, mq_read_core, 2)
SOURCE(add_remote, mq_read_remote, 2)
SOURCE(add_inferiors, mq_read_inferiors, 1)
SOURCE(add_job, mq_read_job, 1)

static enum mq_result add_launch(const struct mq_option *option,
                                 char *const *values, void *settings,
                                 struct mq_error *error)
{
    struct mq_settings *all = settings;

    (void)option;
    all->live.command = values;
    return mq_sources_add(&all->sources, mq_read_launch, values, 0, error);
}

static enum mq_result store_format(const struct mq_option *option,
                                   char *const *values, void *settings,
                                   struct mq_error *error)
{
    static const struct {
        const char *name;
        enum mq_result (*write)(const struct mq_analysis *,
                                const struct mq_report_options *, FILE *,
                                struct mq_error *);
    } formats[] = {
        {"text", mq_report_text}, {"json", mq_report_json},
        {"csv", mq_report_csv}, {"dot", mq_report_dot},
        {"svg", mq_report_svg}
    };
    struct mq_settings *all = settings;
    size_t i;

    (void)option;
    for (i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(values[0], formats[i].name) == 0) {
            all->format = formats[i].write;
            return mq_ok;
        }
    return mq_fail(error, "there is no format '%s'; there are text, json, csv,"
                   " dot and svg", values[0]);
}

static enum mq_result store_recordings(const struct mq_option *option,
                                       char *const *values, void *settings,
                                       struct mq_error *error)
{
    struct mq_settings *all = settings;

    (void)option;
    if (mq_sources_add(&all->before, mq_read_file, values, 1, error) != mq_ok)
        return mq_failed;
    return mq_sources_add(&all->after, mq_read_file, values + 1, 1, error);
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
    mq_spans_clear(&all->report.filter.ranks);
    all->report.filter.ranks = spans;
    return mq_ok;
}

#define PLACE(member) offsetof(struct mq_settings, member)

const struct mq_option mq_settings_table[] = {
    {NULL, '\0', "SNAPSHOT...", "Show the processes that these mqsnap files "
     "and digests hold, or those in these folders.  With the word doctor in "
     "front of all else, tell why nothing is shown.", add_snapshot, 0},
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
    {"rank", '\0', "N[,N...]", "The ranks in MPI_COMM_WORLD of the processes, "
     "in their order, where these cannot tell.", mq_store_text,
     PLACE(live.ranks)},
    {"gdb", '\0', "PROGRAM", "Use this gdb, such as gdb-multiarch.",
     mq_store_text, PLACE(live.gdb)},
    {"gdb-limit", '\0', "SECONDS", "Let gdb work that long on one request, in "
     "the place of 900 seconds.", mq_store_number, PLACE(live.gdb_limit)},
    {"types", '\0', "OBJECT", "Take types that the processes' programs do not "
     "describe from this object file, compiled with -g.", mq_store_text,
     PLACE(live.types)},
    {"jobs", 'j', "N", "Read N processes at a time; as many as there are "
     "processors if it is not given.", mq_store_number, PLACE(live.jobs)},
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
