/* 37_hang-input.c - reads standard input */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <unistd.h>

#define mqs_setup_image right_setup_image
#include "dll_mpich.c"
#undef mqs_setup_image

int mqs_setup_image(mqs_image *image, const mqs_image_callbacks *callbacks)
{
    char answer;

    if (read(0, &answer, 1) < 0)
        return err_bad_request;
    return right_setup_image(image, callbacks);
}
