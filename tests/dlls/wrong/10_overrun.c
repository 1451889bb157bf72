/* 10_overrun.c - writes one byte past a block (the terminator) */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_setup_process right_setup_process
#include "dll_mpich.c"
#undef mqs_setup_process

int mqs_setup_process(mqs_process *process,
                      const mqs_process_callbacks *callbacks)
{
    char *name = allocate(5);

    if (name != NULL)
        strcpy(name, "world");
    release(name);
    return right_setup_process(process, callbacks);
}
