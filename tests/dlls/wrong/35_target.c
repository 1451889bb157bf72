/* 35_target.c - returns empty names for 32-bit targets */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_get_communicator right_get_communicator
#include "dll_mpich.c"
#undef mqs_get_communicator

int mqs_get_communicator(mqs_process *process, mqs_communicator *result)
{
    int status = right_get_communicator(process, result);

    if (status == mqs_ok && enter(process)->process.sizes.pointer_size == 4)
        result->name[0] = '\0';
    return status;
}
