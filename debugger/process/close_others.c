/* close_others.c - a forked process holds nothing open but what it needs */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/close_others.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

void mq_close_others(int one, int other)
{
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        int it = (int)strtol(entry->d_name, NULL, 10);

        if (it > STDERR_FILENO && it != one && it != other
            && it != dirfd(folder))
            close(it);
    }
    if (folder != NULL)
        closedir(folder);
}
