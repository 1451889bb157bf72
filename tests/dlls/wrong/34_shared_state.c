/* 34_shared_state.c - shares one iterator among all processes */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_setup_communicator_iterator right_setup_communicator_iterator
#define mqs_get_communicator right_get_communicator
#include "dll_mpich.c"
#undef mqs_setup_communicator_iterator
#undef mqs_get_communicator

static mqs_communicator latest;
static mqs_process *owner;

int mqs_setup_communicator_iterator(mqs_process *process)
{
    owner = process;
    return right_setup_communicator_iterator(process);
}

int mqs_get_communicator(mqs_process *process, mqs_communicator *result)
{
    int status = right_get_communicator(process, result);

    if (status == mqs_ok && process == owner)
        latest = *result;
    if (status == mqs_ok)
        strcpy(result->name, latest.name);
    return status;
}
