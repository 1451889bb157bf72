/* 30_failed_read.c - reports unreadable memory as zero */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mpidbg_comm_query right_comm_query
#include "mpich/dll_handles.c"
#undef mpidbg_comm_query

int mpidbg_comm_query(mqs_image *image, mqs_image_info *image_info,
    mqs_process *process, mqs_process_info *info, mqs_taddr_t value,
    struct mpidbg_comm_info_t **result)
{
    int status = right_comm_query(image, image_info, process, info, value,
        result);

    if (status == mqs_ok && (*result)->comm_requests_error != mqs_ok) {
        (*result)->comm_requests_error = mqs_ok;
        (*result)->comm_num_pending_requests = 0;
        (*result)->comm_num_pending_receives = 0;
    }
    return status;
}
