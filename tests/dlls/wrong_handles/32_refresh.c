/* 32_refresh.c - remembers the first answer */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mpidbg_request_query right_request_query
#include "mpich/dll_handles.c"
#undef mpidbg_request_query

static struct view *known_view;
static int tag;

int mpidbg_request_query(mqs_image *image, mqs_image_info *image_info,
    mqs_process *process, mqs_process_info *info, mqs_taddr_t value,
    struct mpidbg_request_info_t **result)
{
    struct view *view = (struct view *)info;
    int status;

    if (view == NULL)
        return MPIDBG_ERR_UNAVAILABLE;
    status = right_request_query(image, image_info, process, info, value,
        result);
    if (status != mqs_ok)
        return status;
    if (known_view != view) {
        known_view = view;
        tag = 0;
    }
    if ((*result)->req_kind == MPIDBG_REQUEST_RECEIVE
        && (*result)->req_bitflags & MPIDBG_REQUEST_INFO_PERSISTENT) {
        if (tag == 0)
            tag = (*result)->req_tag;
        (*result)->req_tag = tag;
    }
    return status;
}
