/* 38_crash.c - follows a null pointer past the end */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_next_communicator right_next_communicator
#include "dll_mpich.c"
#undef mqs_next_communicator

static volatile char latest;

int mqs_next_communicator(mqs_process *process)
{
    latest = enter(process)->current->name[0];
    return right_next_communicator(process);
}
