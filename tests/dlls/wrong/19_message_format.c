/* 19_message_format.c - returns a message with a %d */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_image_has_queues right_image_has_queues
#include "dll_mpich.c"
#undef mqs_image_has_queues

int mqs_image_has_queues(mqs_image *image, char **message)
{
    int status = right_image_has_queues(image, message);

    *message = "The queues of %s are shown, version %d";
    return status;
}
