/* 24_terminated-rare.c - leaves a name of maximum length unterminated */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_get_communicator right_get_communicator
#include "dll_mpich.c"
#undef mqs_get_communicator

int mqs_get_communicator(mqs_process *process, mqs_communicator *result)
{
    int status = right_get_communicator(process, result);

    if (status == mqs_ok && strlen(result->name) == sizeof result->name - 1)
        result->name[sizeof result->name - 1] = '.';
    return status;
}
