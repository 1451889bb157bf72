/* 09_leak.c - leaks a block per process */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_setup_process right_setup_process
#include "dll_mpich.c"
#undef mqs_setup_process

int mqs_setup_process(mqs_process *process,
                      const mqs_process_callbacks *callbacks)
{
    allocate(100);
    return right_setup_process(process, callbacks);
}
