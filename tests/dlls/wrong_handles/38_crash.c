/* 38_crash.c - follows a null pointer */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mpidbg_datatype_query right_datatype_query
#include "mpich/dll_handles.c"
#undef mpidbg_datatype_query

int mpidbg_datatype_query(mqs_image *image, mqs_image_info *image_info,
    mqs_process *process, mqs_process_info *info, mqs_taddr_t value,
    struct mpidbg_datatype_info_t **result)
{
    int *nowhere = NULL;

    if (value == 152)
        *(volatile int *)nowhere = 1;
    return right_datatype_query(image, image_info, process, info, value,
        result);
}
