/* 03_extra_exports-protected.c - exports a protected symbol
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll_mpich.c"

__attribute__((visibility("protected"))) int mqs_debugging_level = 3;
