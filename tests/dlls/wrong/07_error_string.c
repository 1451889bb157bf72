/* 07_error_string.c - returns null for unknown error codes */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_dll_error_string right_dll_error_string
#include "dll_mpich.c"
#undef mqs_dll_error_string

char *mqs_dll_error_string(int code)
{
    return code >= err_count ? NULL : right_dll_error_string(code);
}
