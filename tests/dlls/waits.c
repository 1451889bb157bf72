/* A DLL that makes the file $WAITS when it is given an image, and goes on when
 * that is removed.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define mqs_setup_image right_setup_image
#include "dll_mpich.c"
#undef mqs_setup_image

extern int mqs_setup_image(mqs_image *image,
                           const mqs_image_callbacks *callbacks);

int mqs_setup_image(mqs_image *image, const mqs_image_callbacks *callbacks)
{
    const char *place = getenv("WAITS");
    FILE *file = place != NULL ? fopen(place, "w") : NULL;

    if (file != NULL) {
        fclose(file);
        while (access(place, F_OK) == 0)
            poll(NULL, 0, 20);
    }
    return right_setup_image(image, callbacks);
}
