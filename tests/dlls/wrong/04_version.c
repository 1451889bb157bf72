/* 04_version.c - says that it was written for another version */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_version_compatibility right_version_compatibility
#include "dll_mpich.c"
#undef mqs_version_compatibility

int mqs_version_compatibility(void)
{
    return 3;
}
