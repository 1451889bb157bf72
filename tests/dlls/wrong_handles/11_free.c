/* 11_free.c - frees a block twice */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mpidbg_group_query right_group_query
#include "mpich/dll_handles.c"
#undef mpidbg_group_query

int mpidbg_group_query(mqs_image *image, mqs_image_info *image_info,
    mqs_process *process, mqs_process_info *info, mqs_taddr_t value,
    struct mpidbg_group_info_t **result)
{
    void *block = allocate(8);

    release(block);
    release(block);
    return right_group_query(image, image_info, process, info, value,
        result);
}
