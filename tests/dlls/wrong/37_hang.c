/* 37_hang.c - blocks forever */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_update_communicator_list right_update_communicator_list
#include "dll_mpich.c"
#undef mqs_update_communicator_list

int mqs_update_communicator_list(mqs_process *process)
{
    volatile int is_there = 0;

    while (!is_there)
        ;
    return right_update_communicator_list(process);
}
