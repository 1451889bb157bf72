/* offspring.c - processes found by a word in their environment */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/launch/offspring.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "process/owner.h"
#include "process/proc_stat.h"

static const char name[] = "MQDUMP_COMMAND";

struct mq_offspring_token mq_offspring_token(void)
{
    struct mq_offspring_token mark;
    struct mq_owner own = { .start = 0 };

    mq_owner_pin((int)getpid(), NULL, &own);
    snprintf(mark.value, sizeof mark.value, "%d.%" PRIu64, (int)getpid(),
             own.start);
    return mark;
}

void mq_offspring_put(const struct mq_offspring_token *mark)
{
    setenv(name, mark->value, 1);
}

/* Whether process PID was executed with that mark. */
static bool has_mark(int pid, const struct mq_offspring_token *mark)
{
    const size_t length = sizeof name - 1;
    char path[64], *line = NULL;
    size_t room = 0;
    bool found = false;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/environ", pid);
    file = fopen(path, "re");
    if (file == NULL)
        return false;
    while (!found && getdelim(&line, &room, '\0', file) > 0)
        found = strncmp(line, name, length) == 0 && line[length] == '='
                && strcmp(line + length + 1, mark->value) == 0;
    free(line);
    fclose(file);
    return found;
}

static bool signal_one(int pid, const struct mq_offspring_token *mark,
                       int number)
{
    struct mq_owner owner;

    if (pid == (int)getpid() || mq_owner_pin(pid, NULL, &owner) != mq_ok
        || !has_mark(pid, mark) || mq_proc_state(pid) == 'Z')
        return false;
    if (number != 0)
        mq_owner_signal(&owner, number, NULL);
    return true;
}

size_t mq_offspring_signal(const struct mq_offspring_token *mark, int number)
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
