/* 15_own_table.c - uses the latest process's callbacks for all */
/* SPDX-License-Identifier: BSD-2-Clause */
/* also breaks: 16 34 */
#define mpidbg_init_per_process right_init_per_process
#define mpidbg_comm_query right_comm_query
#include "mpich/dll_handles.c"
#undef mpidbg_init_per_process
#undef mpidbg_comm_query

static const mqs_process_callbacks *latest;

int mpidbg_init_per_process(mqs_process *process,
                            const mqs_process_callbacks *callbacks,
                            struct mpidbg_handle_info_t *types)
{
    latest = callbacks;
    return right_init_per_process(process, callbacks, types);
}

int mpidbg_comm_query(mqs_image *image, mqs_image_info *image_info,
    mqs_process *process, mqs_process_info *info, mqs_taddr_t value,
    struct mpidbg_comm_info_t **result)
{
    struct view *view = (struct view *)info;
    const mqs_process_callbacks *own;
    int status;

    if (view == NULL)
        return MPIDBG_ERR_UNAVAILABLE;
    own = view->process.callbacks;
    view->process.callbacks = latest;
    status = right_comm_query(image, image_info, process, info, value,
                              result);
    view->process.callbacks = own;
    return status;
}
