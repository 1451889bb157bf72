/* 16_stale_table.c - uses the callbacks of a released process */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mpidbg_init_per_process right_init_per_process
#define mpidbg_finalize_per_process right_finalize_per_process
#include "mpich/dll_handles.c"
#undef mpidbg_init_per_process
#undef mpidbg_finalize_per_process

static struct process old;

int mpidbg_init_per_process(mqs_process *process,
                            const mqs_process_callbacks *callbacks,
                            struct mpidbg_handle_info_t *types)
{
    if (old.callbacks != NULL)
        old.callbacks->mqs_get_global_rank_fp(old.process);
    return right_init_per_process(process, callbacks, types);
}

void mpidbg_finalize_per_process(mqs_process *process, mqs_process_info *info)
{
    old = ((struct view *)info)->process;
    right_finalize_per_process(process, info);
}
