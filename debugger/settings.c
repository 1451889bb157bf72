#include "settings.h"

#include <stddef.h>

#define SOURCE(name, read, count)                                           \
    static int name(const struct mq_option *option, char *const *values,   \
                    void *settings, struct mq_error *error)                 \
    {                                                                       \
        struct mq_settings *all = settings;                                 \
                                                                            \
        (void)option;                                                       \
        return mq_sources_add(&all->sources, read, values, count, error);   \
    }

SOURCE(add_snapshot, mq_read_snapshot, 1)
SOURCE(add_processes, mq_read_processes, 1)
SOURCE(add_core, mq_read_core, 2)
SOURCE(add_remote, mq_read_remote, 2)
SOURCE(add_inferiors, mq_read_inferiors, 1)

#define PLACE(member) offsetof(struct mq_settings, member)

const struct mq_option mq_settings_table[] = {
    {NULL, '\0', "SNAPSHOT...", "Show the processes that these mqsnap files "
     "hold.", add_snapshot, 0},
    {"pid", '\0', "PID[,PID...]", "Show these processes of this host.  Each is "
     "stopped only while it is read.", add_processes, 0},
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
