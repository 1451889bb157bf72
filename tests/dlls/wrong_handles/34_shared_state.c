/* 34_shared_state.c - returns state that depends on other processes */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mpidbg_finalize_per_process right_finalize_per_process
#define mpidbg_op_query right_op_query
#define mpidbg_init_per_process right_init_per_process
#include "mpich/dll_handles.c"
#undef mpidbg_finalize_per_process
#undef mpidbg_op_query
#undef mpidbg_init_per_process

static int processes;

int mpidbg_init_per_process(mqs_process *process,
                            const mqs_process_callbacks *callbacks,
                            struct mpidbg_handle_info_t *types)
{
    int status = right_init_per_process(process, callbacks, types);

    processes++;
    return status;
}

void mpidbg_finalize_per_process(mqs_process *process, mqs_process_info *info)
{
    processes--;
    right_finalize_per_process(process, info);
}

int mpidbg_op_query(mqs_image *image, mqs_image_info *image_info,
    mqs_process *process, mqs_process_info *info, mqs_taddr_t value,
    struct mpidbg_op_info_t **result)
{
    int status = right_op_query(image, image_info, process, info, value,
                                result);

    if (status == mqs_ok && processes > 1)
        (*result)->op_function++;
    return status;
}
