/* 16_stale_table.c - uses the callbacks of a destroyed process */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_setup_process right_setup_process
#define mqs_destroy_process_info right_destroy_process_info
#include "dll_mpich.c"
#undef mqs_setup_process
#undef mqs_destroy_process_info

static struct process old;

int mqs_setup_process(mqs_process *process,
                      const mqs_process_callbacks *callbacks)
{
    if (old.callbacks != NULL)
        old.callbacks->mqs_get_global_rank_fp(old.process);
    return right_setup_process(process, callbacks);
}

int mqs_destroy_process_info(mqs_process_info *info)
{
    old = *(struct process *)info;
    return right_destroy_process_info(info);
}
