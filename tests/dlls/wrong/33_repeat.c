/* 33_repeat.c - puts a call counter into names */
/* SPDX-License-Identifier: BSD-2-Clause */
/* also breaks: 34 */
#define mqs_setup_communicator_iterator right_setup_communicator_iterator
#define mqs_get_communicator right_get_communicator
#include "dll_mpich.c"
#undef mqs_setup_communicator_iterator
#undef mqs_get_communicator

static int questions;

int mqs_setup_communicator_iterator(mqs_process *process)
{
    questions = 0;
    return right_setup_communicator_iterator(process);
}

int mqs_get_communicator(mqs_process *process, mqs_communicator *result)
{
    int status = right_get_communicator(process, result);

    if (status == mqs_ok)
        result->name[0] = (char)('A' + questions++ % 26);
    return status;
}
