/* 26_values-id.c - gives all communicators one unique_id */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_get_communicator right_get_communicator
#include "dll_mpich.c"
#undef mqs_get_communicator

int mqs_get_communicator(mqs_process *process, mqs_communicator *result)
{
    int status = right_get_communicator(process, result);

    if (status == mqs_ok)
        result->unique_id = 1;
    return status;
}
