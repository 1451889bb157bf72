/* input.c - reads the processes of the command line into one job */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/cli/input.h"

#include <string.h>
#include <unistd.h>

#include "model/tallies.h"

/* The folder that this program is in, or null. */
static const char *own_folder(char folder[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    char *slash;

    if (length < 0)
        return NULL;
    folder[length] = '\0';
    slash = strrchr(folder, '/');
    if (slash != NULL)
        *slash = '\0';
    return folder;
}

struct mq_dll_choice mq_reader_choice(const struct mq_settings *settings,
                                      char folder[PATH_MAX],
                                      struct mq_logger *logger)
{
    struct mq_dll_choice choice = {0};

    choice.asked = settings->dll;
    choice.is_users = settings->dll != NULL;
    choice.folder = own_folder(folder);
    choice.user = geteuid();
    choice.logger = logger;
    return choice;
}

enum mq_result mq_reader_read(const struct mq_settings *settings,
                              const struct mq_sources *sources,
                              struct mq_logger *logger, struct mq_error *error,
                              struct mq_reading *reading)
{
    char folder[PATH_MAX];
    struct mq_dll_cache dlls = {0};
    const struct mq_read_options how = {
        mq_reader_choice(settings, folder, logger), &settings->live, &dlls,
        settings->verbose, settings->stats, settings->handles, false
    };

    if (mq_reading_init(reading, settings->live.ranks, error) != mq_ok)
        return mq_failed;
    mq_sources_read(sources, &how, reading);
    mq_dll_cache_clear(&dlls);
    if (mq_tallies_apply(reading->job, error) == mq_ok)
        return mq_ok;
    mq_reading_deinit(reading);
    return mq_failed;
}
