/* 13_output.c - prints to stdout */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#define mqs_get_communicator right_get_communicator
#include "dll_mpich.c"
#undef mqs_get_communicator

int mqs_get_communicator(mqs_process *process, mqs_communicator *result)
{
    fprintf(stderr, "mqs_get_communicator was called\n");
    return right_get_communicator(process, result);
}
