/* 14_arguments.c - reads zero bytes */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_update_communicator_list right_update_communicator_list
#include "dll_mpich.c"
#undef mqs_update_communicator_list

int mqs_update_communicator_list(mqs_process *process)
{
    struct process *info = enter(process);
    char bytes[8];

    info->callbacks->mqs_fetch_data_fp(process, 4096, 0, bytes);
    return right_update_communicator_list(process);
}
