/* 44_handle_untouched.c - returns data together with an error */
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

    if (status != mqs_ok && result != NULL)
        *result = NULL;
    return status;
}
