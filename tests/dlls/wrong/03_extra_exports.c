/* Exports a name of its own. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll_mpich.c"

int mqs_debugging_level = 3;
