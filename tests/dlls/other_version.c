/* other_version.c - a DLL of another version of the interface */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_version_compatibility right_version_compatibility
#include "dll_mpich.c"
#undef mqs_version_compatibility

extern int mqs_version_compatibility(void);

int mqs_version_compatibility(void)
{
    return MQS_INTERFACE_COMPATIBILITY + 1;
}
