/* 21_communicator_written.c - does not write unique_id */
/* SPDX-License-Identifier: BSD-2-Clause */
/* also breaks: 26 */
#define mqs_get_communicator right_get_communicator
#include "dll_mpich.c"
#undef mqs_get_communicator

int mqs_get_communicator(mqs_process *process, mqs_communicator *result)
{
    mqs_taddr_t id = result->unique_id;
    int status = right_get_communicator(process, result);

    result->unique_id = id;
    return status;
}
