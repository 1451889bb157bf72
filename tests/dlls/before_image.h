/* before_image.h - hook of a correct DLL before set-up of an image
 *
 * A right DLL that calls before_image(), which whoever includes this defines,
 * when it is given an image or, if $AT_PROCESS is a number, so many processes.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdlib.h>

#define mqs_setup_image right_setup_image
#define mqs_setup_process right_setup_process
#include "dll_mpich.c"
#undef mqs_setup_image
#undef mqs_setup_process

extern int mqs_setup_image(mqs_image *image,
                           const mqs_image_callbacks *callbacks);
extern int mqs_setup_process(mqs_process *process,
                             const mqs_process_callbacks *callbacks);

static void before_image(void);
static int processes;

int mqs_setup_image(mqs_image *image, const mqs_image_callbacks *callbacks)
{
    if (getenv("AT_PROCESS") == NULL)
        before_image();
    return right_setup_image(image, callbacks);
}

int mqs_setup_process(mqs_process *process,
                      const mqs_process_callbacks *callbacks)
{
    const char *which = getenv("AT_PROCESS");

    if (which != NULL && ++processes == atoi(which))
        before_image();
    return right_setup_process(process, callbacks);
}
