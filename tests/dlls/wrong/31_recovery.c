/* 31_recovery.c - never retries after a failed read */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_update_communicator_list right_update_communicator_list
#include "dll_mpich.c"
#undef mqs_update_communicator_list

int mqs_update_communicator_list(mqs_process *process)
{
    int status = enter(process)->status;

    if (status != mqs_ok && status != err_not_updated)
        return status;
    return right_update_communicator_list(process);
}
