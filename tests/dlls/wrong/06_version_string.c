/* 06_version_string.c - does not say what it is before the callbacks are set
 * up
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_version_string right_version_string
#include "dll_mpich.c"
#undef mqs_version_string

char *mqs_version_string(void)
{
    return basic == NULL ? NULL : right_version_string();
}
