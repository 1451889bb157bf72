/* 18_host_codes.c - returns the debugger's error code */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_update_communicator_list right_update_communicator_list
#include "dll_mpich.c"
#undef mqs_update_communicator_list

int mqs_update_communicator_list(mqs_process *process)
{
    struct process *info = enter(process);
    char byte;
    int status = info->callbacks->mqs_fetch_data_fp(
        process, info->addresses[row_MPID_recvs], 1, &byte);

    return status != mqs_ok ? status : right_update_communicator_list(process);
}
