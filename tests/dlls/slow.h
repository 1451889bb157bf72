/* slow.h - delay for slow DLLs
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef TESTS_SLOW_H
#define TESTS_SLOW_H

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Takes 0.3 s, and adds a line to the file $TRACE. */
static void be_slow(void)
{
    const struct timespec pause = { 0, 300000000 };
    const char *trace = getenv("TRACE");
    int file;

    nanosleep(&pause, NULL);
    if (trace == NULL)
        return;
    file = open(trace, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (write(file, "\n", 1) != 1)
        abort();
    close(file);
}

#endif
