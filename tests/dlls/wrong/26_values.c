/* 26_values.c - returns the local rank as the global one */
/* SPDX-License-Identifier: BSD-2-Clause */
/* also breaks: 36 */
#define mqs_next_operation right_next_operation
#include "dll_mpich.c"
#undef mqs_next_operation

int mqs_next_operation(mqs_process *process, mqs_pending_operation *result)
{
    int status = right_next_operation(process, result);

    if (status == mqs_ok)
        result->desired_global_rank = result->desired_local_rank;
    return status;
}
