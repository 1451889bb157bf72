/* 33_repeat.c - returns a different answer each time */
/* SPDX-License-Identifier: BSD-2-Clause */
/* also breaks: 12 30 31 34 */
#define mpidbg_errhandler_query right_errhandler_query
#include "mpich/dll_handles.c"
#undef mpidbg_errhandler_query

static int count;

int mpidbg_errhandler_query(mqs_image *image, mqs_image_info *image_info,
    mqs_process *process, mqs_process_info *info, mqs_taddr_t value,
    struct mpidbg_errhandler_info_t **result)
{
    int status = right_errhandler_query(image, image_info, process, info, value,
        result);

    if (status == mqs_ok && value == 160)
        (*result)->eh_callback_func += count++;
    return status;
}
