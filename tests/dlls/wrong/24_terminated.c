/* 24_terminated.c - truncates names as strncpy does */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_get_communicator right_get_communicator
#include "dll_mpich.c"
#undef mqs_get_communicator

int mqs_get_communicator(mqs_process *process, mqs_communicator *result)
{
    int status = right_get_communicator(process, result);

    if (status == mqs_ok)
        strncpy(result->name, "a communicator whose name is longer than the "
                "room that there is for it", sizeof result->name);
    return status;
}
