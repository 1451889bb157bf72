/* no_groups.c - correct DLL without the optional functions */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_get_comm_group mpich_get_comm_group
#define mqs_get_global_rank mpich_get_global_rank
#define mqs_dll_taddr_width mpich_dll_taddr_width
#include "dll_mpich.c"
