/* handle_entries.c - entry points of a handle DLL */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/handle_entries.h"

#include <stddef.h>

#define POINT(name, is_optional, is_later)                                  \
    { "mpidbg_" #name, offsetof(struct mq_handle_entries, name), is_optional, \
      is_later }
#define NEEDED(name) POINT(name, 0, 0)
#define UNUSED(name) POINT(name, 1, 0)
#define LATER(name) POINT(name, 1, 1)

static const struct mq_entry_point points[] = {
    NEEDED(init_once), NEEDED(interface_version_compatibility),
    NEEDED(dll_taddr_width), NEEDED(init_per_image),
    NEEDED(finalize_per_image), NEEDED(init_per_process),
    NEEDED(finalize_per_process), NEEDED(comm_query), NEEDED(request_query),
    NEEDED(errhandler_query), UNUSED(version_string), UNUSED(status_query),
    UNUSED(comm_f2c), UNUSED(errhandler_f2c), UNUSED(request_f2c),
    UNUSED(status_f2c), UNUSED(comm_name_map), UNUSED(errhandler_name_map),
    LATER(datatype_query), LATER(group_query), LATER(op_query),
    LATER(datatype_f2c), LATER(group_f2c), LATER(op_f2c), LATER(comm_list),
    LATER(error_string), LATER(release), LATER(datatype_name_map),
    LATER(group_name_map), LATER(op_name_map),
    UNUSED(dll_is_big_endian), UNUSED(dll_bitness),
    UNUSED(comm_capabilities), UNUSED(errhandler_capabilities),
    UNUSED(comm_cxx2c), UNUSED(errhandler_cxx2c), UNUSED(request_cxx2c),
    UNUSED(status_cxx2c), LATER(datatype_query_object),
    LATER(request_capabilities), LATER(status_capabilities)
};

const struct mq_entry_points mq_handle_entry_points = {
    "handle DLL", points, sizeof points / sizeof points[0]
};
