/* 13_output-end.c - takes leave when the debugger ends */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include "dll_mpich.c"

__attribute__((destructor)) static void take_leave(void)
{
    printf("goodbye\n");
}
