/* 03_extra_exports.c - exports a name of its own */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll_mpich.c"

int mqs_debugging_level = 3;
