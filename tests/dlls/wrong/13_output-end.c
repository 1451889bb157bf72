/* 13_output-end.c - prints at the debugger's exit */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include "dll_mpich.c"

__attribute__((destructor)) static void take_leave(void)
{
    printf("goodbye\n");
}
