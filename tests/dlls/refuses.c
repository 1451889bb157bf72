/* refuses.c - DLL that recognises no image */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_image_has_queues other_image_has_queues
#include "dll_mpich.c"
#undef mqs_image_has_queues

extern int mqs_image_has_queues(mqs_image *image, char **message);

int mqs_image_has_queues(mqs_image *image, char **message)
{
    static char text[] = "%s was configured in another way";

    (void)image;
    *message = text;
    return mqs_first_user_code;
}
