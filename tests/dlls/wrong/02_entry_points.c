/* 02_entry_points.c - lacks mqs_get_communicator */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_get_communicator right_get_communicator
#include "dll_mpich.c"
