/* waits.c - DLL that blocks until the file $WAITS is removed
 *
 * Or until a SIGTERM comes, which the process handles: so a test knows that it
 * has arrived.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/dlls/before_image.h"

static void before_image(void)
{
    const struct timespec some = { .tv_nsec = 20000000 };
    const char *place = getenv("WAITS");
    sigset_t term, before;
    FILE *file;

    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    sigprocmask(SIG_BLOCK, &term, &before);
    file = place != NULL ? fopen(place, "w") : NULL;
    if (file != NULL) {
        fclose(file);
        while (access(place, F_OK) == 0
               && ppoll(NULL, 0, &some, &before) == 0)
            continue;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
}
