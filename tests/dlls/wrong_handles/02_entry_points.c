/* 02_entry_points.c - has no way to give requests */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mpidbg_request_query other_request_query
#include "mpich/dll_handles.c"
