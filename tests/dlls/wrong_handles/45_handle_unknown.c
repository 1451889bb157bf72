/* 45_handle_unknown.c - describes invalid handles */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mpidbg_errhandler_query right_errhandler_query
#include "mpich/dll_handles.c"
#undef mpidbg_errhandler_query

int mpidbg_errhandler_query(mqs_image *image, mqs_image_info *image_info,
    mqs_process *process, mqs_process_info *info, mqs_taddr_t value,
    struct mpidbg_errhandler_info_t **result)
{
    int status = right_errhandler_query(image, image_info, process, info, value,
        result);

    if (status != MPIDBG_ERR_NOT_FOUND)
        return status;
    return right_errhandler_query(image, image_info, process, info, 0,
                                  result);
}
