/* 09_leak.c - leaks a block per process */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mpidbg_init_per_process right_init_per_process
#include "mpich/dll_handles.c"
#undef mpidbg_init_per_process

int mpidbg_init_per_process(mqs_process *process,
                            const mqs_process_callbacks *callbacks,
                            struct mpidbg_handle_info_t *types)
{
    allocate(100);
    return right_init_per_process(process, callbacks, types);
}
