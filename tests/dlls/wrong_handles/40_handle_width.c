/* 40_handle_width.c - reports two-byte addresses */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mpidbg_dll_taddr_width right_dll_taddr_width
#include "mpich/dll_handles.c"
#undef mpidbg_dll_taddr_width

int mpidbg_dll_taddr_width(void)
{
    return 2;
}
