/* 01_loads.c - needs a function that no library has */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mpidbg_version_string right_version_string
#include "mpich/dll_handles.c"
#undef mpidbg_version_string

extern void no_such_function(void);

char *mpidbg_version_string(void)
{
    no_such_function();
    return right_version_string();
}
