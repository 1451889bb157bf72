/* descendants.c - all descendants of a command */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/launch/descendants.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/number.h"
#include "process/pin.h"
#include "process/proc_stat.h"
#include "target/rank_process.h"

static const char name[] = "MQDUMP_COMMAND";

struct mq_descendants_token mq_descendants_token(void)
{
    struct mq_descendants_token mark;
    struct mq_pin own = { .start = 0 };

    mq_pin_process((int)getpid(), NULL, &own);
    snprintf(mark.entry, sizeof mark.entry, "%s=%d.%" PRIu64, name,
             (int)getpid(), own.start);
    return mark;
}

void mq_descendants_put(const struct mq_descendants_token *mark)
{
    setenv(name, mark->entry + sizeof name, 1);
}

static bool signal_one(int pid, const struct mq_descendants_token *mark,
                       int number)
{
    struct mq_pin pin;

    if (pid == (int)getpid() || mq_pin_process(pid, NULL, &pin) != mq_ok
        || !mq_process_has_entry("/proc", pid, mark->entry)
        || mq_proc_state(pid) == 'Z')
        return false;
    if (number != 0)
        mq_pin_signal(&pin, number, NULL);
    return true;
}

size_t mq_descendants_signal(const struct mq_descendants_token *mark,
                             int number)
{
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    size_t count = 0;
    int pid;

    if (folder == NULL)
        return 0;
    while ((entry = readdir(folder)) != NULL)
        if (mq_number_is(entry->d_name, 1, INT_MAX, &pid))
            count += signal_one(pid, mark, number);
    closedir(folder);
    return count;
}
