/* 08_own_store.c - allocates with malloc */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>

#define mpidbg_op_query right_op_query
#include "mpich/dll_handles.c"
#undef mpidbg_op_query

int mpidbg_op_query(mqs_image *image, mqs_image_info *image_info,
    mqs_process *process, mqs_process_info *info, mqs_taddr_t value,
    struct mpidbg_op_info_t **result)
{
    free(malloc(100));
    return right_op_query(image, image_info, process, info, value,
        result);
}
