/* 29_no_queues.c - accepts every image */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_image_has_queues right_image_has_queues
#include "dll_mpich.c"
#undef mqs_image_has_queues

int mqs_image_has_queues(mqs_image *image, char **message)
{
    right_image_has_queues(image, message);
    return mqs_ok;
}
