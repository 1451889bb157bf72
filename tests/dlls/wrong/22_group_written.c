/* 22_group_written.c - writes one rank too many */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_get_comm_group right_get_comm_group
#include "dll_mpich.c"
#undef mqs_get_comm_group

int mqs_get_comm_group(mqs_process *process, int *ranks)
{
    int status = right_get_comm_group(process, ranks);

    if (status == mqs_ok)
        ranks[enter(process)->current->size] = -1;
    return status;
}
