/* 18_host_codes.c - returns the debugger's error code */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mpidbg_op_query right_op_query
#include "mpich/dll_handles.c"
#undef mpidbg_op_query

int mpidbg_op_query(mqs_image *image, mqs_image_info *image_info,
    mqs_process *process, mqs_process_info *info, mqs_taddr_t value,
    struct mpidbg_op_info_t **result)
{
    struct view *view = enter(info);
    char byte;
    int status;

    if (view == NULL)
        return MPIDBG_ERR_UNAVAILABLE;
    status = view->process.callbacks->mqs_fetch_data_fp(
        process, view->process.addresses[row_PtrBlocks], 1, &byte);
    return status != mqs_ok
        ? status
        : right_op_query(image, image_info, process, info, value, result);
}
