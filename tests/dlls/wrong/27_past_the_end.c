/* 27_past_the_end.c - returns mqs_ok past the end */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_get_communicator right_get_communicator
#include "dll_mpich.c"
#undef mqs_get_communicator

int mqs_get_communicator(mqs_process *process, mqs_communicator *result)
{
    int status = right_get_communicator(process, result);

    return status == err_no_current_communicator ? mqs_ok : status;
}
