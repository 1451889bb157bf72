/* handle_entries.c - entry points of a handle DLL */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/host/handle_entries.h"

#include <stddef.h>

#define NEEDED(name) \
    { "mpidbg_" #name, offsetof(struct handle_entries, name), 0 }
#define LATER(name) \
    { "mpidbg_" #name, offsetof(struct handle_entries, name), 1 }

const struct mq_entry_point handle_entry_points[] = {
    NEEDED(init_once), NEEDED(interface_version_compatibility),
    NEEDED(version_string), NEEDED(dll_taddr_width), NEEDED(init_per_image),
    NEEDED(finalize_per_image), NEEDED(init_per_process),
    NEEDED(finalize_per_process), NEEDED(comm_query), NEEDED(errhandler_query),
    NEEDED(request_query), NEEDED(status_query), NEEDED(comm_f2c),
    NEEDED(errhandler_f2c), NEEDED(request_f2c), NEEDED(status_f2c),
    NEEDED(comm_name_map), NEEDED(errhandler_name_map),
    LATER(datatype_query), LATER(group_query), LATER(op_query),
    LATER(datatype_f2c), LATER(group_f2c), LATER(op_f2c), LATER(comm_list),
    LATER(error_string), LATER(release), LATER(datatype_name_map),
    LATER(group_name_map), LATER(op_name_map),
    NEEDED(dll_is_big_endian), NEEDED(dll_bitness),
    NEEDED(comm_capabilities), NEEDED(errhandler_capabilities),
    NEEDED(comm_cxx2c), NEEDED(errhandler_cxx2c), NEEDED(request_cxx2c),
    NEEDED(status_cxx2c), LATER(datatype_query_object),
    LATER(request_capabilities), LATER(status_capabilities)
};

const size_t handle_entry_point_count =
    sizeof handle_entry_points / sizeof handle_entry_points[0];
