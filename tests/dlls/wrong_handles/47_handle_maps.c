/* 47_handle_maps.c - lists a name that MPI does not define */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mpidbg_comm_name_map right_comm_name_map
#include "mpich/dll_handles.c"
#undef mpidbg_comm_name_map

static struct mpidbg_name_map_t map[] = {
    { (char *)"MPI_COMM_NULL", 0 }, { (char *)"MPI_COMM_WORLD", 91 },
    { (char *)"MPI_COMM_SELF", 92 }, { (char *)"the other one", 93 },
    { NULL, 0 }
};

struct mpidbg_name_map_t *mpidbg_comm_name_map = map;
