/* handle_entries.h - entry points of a handle DLL */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_HANDLE_ENTRIES_H
#define MQ_HANDLE_ENTRIES_H

#include "dll/dll.h"
#include "include/mpi_handles_interface.h"

typedef int mq_handle_query(mqs_image *, mqs_image_info *, mqs_process *,
                            mqs_process_info *, mqs_taddr_t, void **);
typedef int mq_handle_convert(mqs_image *, mqs_image_info *, mqs_process *,
                              mqs_process_info *, mqs_taddr_t, mqs_taddr_t *);
typedef int mq_handle_list(mqs_image *, mqs_image_info *, mqs_process *,
                           mqs_process_info *, struct mpidbg_handle_list_t **);

/* Those that version 1 has not are null where the DLL lacks them. */
struct mq_handle_entries {
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
    mq_handle_query *comm_query, *errhandler_query, *request_query;
    mq_handle_query *status_query;
    mq_handle_convert *comm_f2c, *errhandler_f2c, *request_f2c, *status_f2c;
    struct mpidbg_name_map_t **comm_name_map, **errhandler_name_map;

    mq_handle_query *datatype_query, *group_query, *op_query;
    mq_handle_convert *datatype_f2c, *group_f2c, *op_f2c;
    mq_handle_list *comm_list;
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
extern const struct mq_entry_points mq_handle_entry_points;

#endif
