/* handle_entries.h - entry points of a handle DLL */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQCHECK_HANDLE_ENTRIES_H
#define MQCHECK_HANDLE_ENTRIES_H

#include "dll/dll.h"
#include "include/mpi_handles_interface.h"

typedef int handle_query_ft(mqs_image *, mqs_image_info *, mqs_process *,
                            mqs_process_info *, mqs_taddr_t, void **);
typedef int handle_convert_ft(mqs_image *, mqs_image_info *, mqs_process *,
                              mqs_process_info *, mqs_taddr_t, mqs_taddr_t *);
typedef int handle_list_ft(mqs_image *, mqs_image_info *, mqs_process *,
                           mqs_process_info *, struct mpidbg_handle_list_t **);

/* Those that mqcheck calls.  What version 1 has not is null where the DLL lacks
 * it.
 */
struct handle_entries {
    int (*init_once)(const mqs_basic_callbacks *);
    int (*interface_version_compatibility)(void);
    char *(*version_string)(void);
    int (*dll_taddr_width)(void);
    int (*init_per_image)(mqs_image *, const mqs_image_callbacks *,
                          struct mpidbg_handle_info_t *);
    void (*finalize_per_image)(mqs_image *, mqs_image_info *);
    int (*init_per_process)(mqs_process *, const mqs_process_callbacks *,
                            struct mpidbg_handle_info_t *);
    void (*finalize_per_process)(mqs_process *, mqs_process_info *);
    handle_query_ft *comm_query, *errhandler_query, *request_query;
    handle_query_ft *status_query;
    handle_convert_ft *comm_f2c, *errhandler_f2c, *request_f2c, *status_f2c;
    struct mpidbg_name_map_t **comm_name_map, **errhandler_name_map;

    handle_query_ft *datatype_query, *group_query, *op_query;
    handle_convert_ft *datatype_f2c, *group_f2c, *op_f2c;
    handle_list_ft *comm_list;
    char *(*error_string)(int);
    void (*release)(void *);
    struct mpidbg_name_map_t **datatype_name_map, **group_name_map;
    struct mpidbg_name_map_t **op_name_map;

    /* What is only looked for. */
    void *dll_is_big_endian, *dll_bitness;
    void *comm_capabilities, *errhandler_capabilities;
    void *request_capabilities, *status_capabilities;
    void *comm_cxx2c, *errhandler_cxx2c, *request_cxx2c, *status_cxx2c;
    void *datatype_query_object;
};

/* All exports of such a DLL. */
extern const struct mq_entry_point handle_entry_points[];
extern const size_t handle_entry_point_count;

#endif
