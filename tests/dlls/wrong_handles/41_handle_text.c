/* 41_handle_text.c - returns a null version string */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mpidbg_version_string right_version_string
#include "mpich/dll_handles.c"
#undef mpidbg_version_string

char *mpidbg_version_string(void)
{
    return NULL;
}
