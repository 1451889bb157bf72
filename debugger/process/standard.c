/* standard.c - standard input, output and error as programs need them
 *
 * Filling the descriptors 0 to 2, and whole lines on standard error.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/standard.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

bool mq_standard_prepare(void)
{
    static char line[BUFSIZ];
    int it;

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
