/* 46_handle_early.c - answers queries before a process is set up */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mpidbg_errhandler_query right_errhandler_query
#include "mpich/dll_handles.c"
#undef mpidbg_errhandler_query

int mpidbg_errhandler_query(mqs_image *image, mqs_image_info *image_info,
    mqs_process *process, mqs_process_info *info, mqs_taddr_t value,
    struct mpidbg_errhandler_info_t **result)
{
    static struct mpidbg_errhandler_info_t *empty;

    if (info != NULL)
        return right_errhandler_query(image, image_info, process, info, value,
        result);
    *result = empty;
    return MPIDBG_SUCCESS;
}
