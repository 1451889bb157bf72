/* 04_version.c - reports another version of the interface */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_version_compatibility right_version_compatibility
#include "dll_mpich.c"
#undef mqs_version_compatibility

int mqs_version_compatibility(void)
{
    return 3;
}
