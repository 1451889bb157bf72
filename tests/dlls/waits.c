/* waits.c - DLL that blocks until the file $WAITS is removed
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/dlls/before_image.h"

static void before_image(void)
{
    const char *place = getenv("WAITS");
    FILE *file = place != NULL ? fopen(place, "w") : NULL;

    if (file != NULL) {
        fclose(file);
        while (access(place, F_OK) == 0)
            poll(NULL, 0, 20);
    }
}
