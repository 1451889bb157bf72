/* 12_no_store.c - returns an empty description when out of memory
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mpidbg_comm_query right_comm_query
#define mpidbg_release right_release
#include "mpich/dll_handles.c"
#undef mpidbg_release
#undef mpidbg_comm_query

static struct mpidbg_comm_info_t empty;

int mpidbg_comm_query(mqs_image *image, mqs_image_info *image_info,
    mqs_process *process, mqs_process_info *info, mqs_taddr_t value,
    struct mpidbg_comm_info_t **result)
{
    int status = right_comm_query(image, image_info, process, info, value,
        result);

    if (status == MPIDBG_ERR_NO_MEM) {
        *result = &empty;
        return MPIDBG_SUCCESS;
    }
    return status;
}

void mpidbg_release(void *description)
{
    if (description != &empty)
        right_release(description);
}
