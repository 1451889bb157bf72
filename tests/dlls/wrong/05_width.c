/* 05_width.c - was built for another address width */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_dll_taddr_width right_dll_taddr_width
#include "dll_mpich.c"
#undef mqs_dll_taddr_width

int mqs_dll_taddr_width(void)
{
    return sizeof(mqs_taddr_t) == 4 ? 8 : 4;
}
