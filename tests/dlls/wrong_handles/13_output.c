/* 13_output.c - prints to the terminal */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#define mpidbg_comm_query right_comm_query
#include "mpich/dll_handles.c"
#undef mpidbg_comm_query

int mpidbg_comm_query(mqs_image *image, mqs_image_info *image_info,
    mqs_process *process, mqs_process_info *info, mqs_taddr_t value,
    struct mpidbg_comm_info_t **result)
{
    puts("a communicator");
    return right_comm_query(image, image_info, process, info, value,
        result);
}
