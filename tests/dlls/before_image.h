/* A right DLL that calls before_image(), which whoever includes this defines,
 * when it is given an image.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define mqs_setup_image right_setup_image
#include "dll_mpich.c"
#undef mqs_setup_image

extern int mqs_setup_image(mqs_image *image,
                           const mqs_image_callbacks *callbacks);

static void before_image(void);

int mqs_setup_image(mqs_image *image, const mqs_image_callbacks *callbacks)
{
    before_image();
    return right_setup_image(image, callbacks);
}
