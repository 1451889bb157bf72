/* 43_handle_codes.c - returns codes of the queue interface */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mpidbg_group_query right_group_query
#include "mpich/dll_handles.c"
#undef mpidbg_group_query

int mpidbg_group_query(mqs_image *image, mqs_image_info *image_info,
    mqs_process *process, mqs_process_info *info, mqs_taddr_t value,
    struct mpidbg_group_info_t **result)
{
    int status = right_group_query(image, image_info, process, info, value,
        result);

    return status == mqs_ok ? status : 77;
}
