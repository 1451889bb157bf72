/* 03_extra_exports.c - exports an extra symbol */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll_mpich.c"

int mqs_debugging_level = 3;
