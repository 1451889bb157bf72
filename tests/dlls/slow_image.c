/* slow_image.c - a DLL that takes 0.3 s for each image, and notes it in a file
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "tests/dlls/slow.h"

#define mqs_setup_image Mqs_right_setup
#include "dll_mpich.c"
#undef mqs_setup_image

extern int mqs_setup_image(mqs_image *image, const mqs_image_callbacks *table);

int mqs_setup_image(mqs_image *image, const mqs_image_callbacks *table)
{
    be_slow();
    return Mqs_right_setup(image, table);
}
