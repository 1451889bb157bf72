/* 39_handle_version.c - reports an unknown version */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mpidbg_interface_version_compatibility \
    right_interface_version_compatibility
#include "mpich/dll_handles.c"
#undef mpidbg_interface_version_compatibility

int mpidbg_interface_version_compatibility(void)
{
    return 7;
}
