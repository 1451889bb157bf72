#include "settings.h"

#include <stddef.h>

static int add_snapshot(const struct mq_option *option, char *const *values,
                        void *settings, struct mq_error *error)
{
    struct mq_settings *all = settings;

    (void)option;
    return mq_sources_add(&all->sources, mq_read_snapshot, values, 1, error);
}

#define PLACE(member) offsetof(struct mq_settings, member)

const struct mq_option mq_settings_table[] = {
    {NULL, '\0', "SNAPSHOT...", "Show the processes that these mqsnap files "
     "hold.", add_snapshot, 0},
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
