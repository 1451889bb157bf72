/* 03_extra_exports.c - exports a function of its own */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mpich/dll_handles.c"

int mpidbg_of_my_own(void)
{
    return 0;
}
