/* 01_loads.c - imports a function that no library defines */
/* SPDX-License-Identifier: BSD-2-Clause */
extern void no_such_function(void);
#define mqs_version_string right_version_string
#include "dll_mpich.c"
#undef mqs_version_string

char *mqs_version_string(void)
{
    no_such_function();
    return right_version_string();
}
