/* standard.c - set-up of standard streams and inherited descriptors
 *
 * Filling the descriptors 0 to 2, whole lines on standard error, nothing else
 * open, and room for many more.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/standard.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static struct rlimit files_before;      /* rlim_max is 0: it is not known */

void mq_standard_restore(void)
{
    if (files_before.rlim_max != 0)
        setrlimit(RLIMIT_NOFILE, &files_before);
}

bool mq_standard_prepare(void)
{
    static char line[BUFSIZ];
    struct rlimit files;
    int it;

    /* A job of many ranks takes many files; the usual limit is for programs
     * that use select.
     */
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files_before = files;
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    do {
        it = open("/dev/null", O_RDONLY);
    } while (it >= 0 && it <= STDERR_FILENO);
    return it >= 0 && close(it) == 0
           && setvbuf(stderr, line, _IOLBF, sizeof line) == 0;
}

void mq_standard_leave(void)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

    if (nothing < 0)
        return;
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    close(nothing);
}

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
