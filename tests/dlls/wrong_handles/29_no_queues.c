/* 29_no_queues.c - accepts every image */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mpidbg_init_per_image right_init_per_image
#include "mpich/dll_handles.c"
#undef mpidbg_init_per_image

int mpidbg_init_per_image(mqs_image *image,
                          const mqs_image_callbacks *callbacks,
                          struct mpidbg_handle_info_t *types)
{
    right_init_per_image(image, callbacks, types);
    return MPIDBG_SUCCESS;
}
