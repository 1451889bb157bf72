/* 02_entry_points.c - lacks the entry point for requests */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mpidbg_request_query other_request_query
#include "mpich/dll_handles.c"
