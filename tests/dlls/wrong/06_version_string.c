/* 06_version_string.c - has no version string before the callbacks
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_version_string right_version_string
#include "dll_mpich.c"
#undef mqs_version_string

char *mqs_version_string(void)
{
    return basic == NULL ? NULL : right_version_string();
}
