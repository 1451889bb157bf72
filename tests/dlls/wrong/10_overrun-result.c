/* 10_overrun-result.c - writes past the result buffer
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_get_communicator right_get_communicator
#include "dll_mpich.c"
#undef mqs_get_communicator

int mqs_get_communicator(mqs_process *process, mqs_communicator *result)
{
    int status = right_get_communicator(process, result);
    size_t i = strlen(result->name);

    for (; status == mqs_ok && i <= sizeof result->name; i++)
        result->name[i] = '\0';
    return status;
}
