/* 48_handle_blocks.c - returns counts larger than its arrays */
/* SPDX-License-Identifier: BSD-2-Clause */
/* also breaks: 36 */
#define mpidbg_group_query right_group_query
#include "mpich/dll_handles.c"
#undef mpidbg_group_query

int mpidbg_group_query(mqs_image *image, mqs_image_info *image_info,
    mqs_process *process, mqs_process_info *info, mqs_taddr_t value,
    struct mpidbg_group_info_t **result)
{
    int status = right_group_query(image, image_info, process, info, value,
        result);

    if (status == mqs_ok && value == 202)
        (*result)->group_num_procs = 1000;
    return status;
}
