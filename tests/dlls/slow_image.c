/* slow_image.c - DLL that needs 0.3 s per image, and logs each
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
