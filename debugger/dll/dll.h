/* dll.h - loading of a message-queue DLL
 *
 * Any DLL that offers the mqs_* interface, of whatever MPI.  Failures are
 * distinguished: the file does not load, an entry point is missing, the
 * interface version differs, addresses are too narrow.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_DLL_H
#define MQ_DLL_H

#include <stdbool.h>

#include "base/error.h"
#include "mpi_interface.h"

/* The entry points.  The optional ones are null where the DLL lacks them. */
struct mq_dll_entries {
    void (*setup_basic_callbacks)(const mqs_basic_callbacks *);
    char *(*version_string)(void);
    int (*version_compatibility)(void);
    char *(*dll_error_string)(int);
    int (*setup_image)(mqs_image *, const mqs_image_callbacks *);
    int (*image_has_queues)(mqs_image *, char **);
    int (*destroy_image_info)(mqs_image_info *);
    int (*setup_process)(mqs_process *, const mqs_process_callbacks *);
    int (*process_has_queues)(mqs_process *, char **);
    int (*destroy_process_info)(mqs_process_info *);
    int (*update_communicator_list)(mqs_process *);
    int (*setup_communicator_iterator)(mqs_process *);
    int (*get_communicator)(mqs_process *, mqs_communicator *);
    int (*next_communicator)(mqs_process *);
    int (*setup_operation_iterator)(mqs_process *, int);
    int (*next_operation)(mqs_process *, mqs_pending_operation *);

    int (*dll_taddr_width)(void);                       /* optional */
    int (*get_comm_group)(mqs_process *, int *);        /* optional */
    int (*get_global_rank)(mqs_process *);              /* optional */

    /* Of the DLLs in queues/, whose header extensions.h says what they are. */
    int (*comm_handle)(mqs_process *, mqs_taddr_t *);   /* optional */
    int (*operation_handle)(mqs_process *, mqs_taddr_t *);      /* optional */
    int (*operation_mark)(mqs_process *, mqs_taddr_t *);        /* optional */
    int (*request_mark)(mqs_process *, mqs_taddr_t, mqs_taddr_t *);
                                                        /* optional */
    int (*comm_members)(mqs_process *, mqs_taddr_t, int, mqs_taddr_t *, int *);
                                                        /* optional */
};

/* An entry point. */
struct mq_entry_point {
    const char *name;
    size_t place;               /* in the struct of entries */
    int is_optional;            /* a debugger can do without */
    int is_later;               /* not in the first version of the interface */
};

/* Those of an interface. */
struct mq_entry_points {
    const char *kind;           /* of a library that has them */
    const struct mq_entry_point *all;
    size_t count;               /* at most 64 */
};

extern const struct mq_entry_points mq_queue_entry_points;      /* of struct
                                                            mq_dll_entries */

/* Whether FILE exports all that are needed.  Loading a library runs its code,
 * so the file is asked first.
 */
enum mq_result mq_entry_points_check(const struct mq_entry_points *,
                                     const char *file, struct mq_error *);

/* Sets ENTRIES to those of the library that FILE became; null: it has none. */
enum mq_result mq_entry_points_find(const struct mq_entry_points *,
                                    const char *file, void *library,
                                    struct mq_error *, void *entries);

struct mq_dll {
    char *file;
    void *handle;
    struct mq_dll_entries entries;
};

/* Loads the DLL FILE, checks it, and gives it the kit's basic callbacks, once.
 * With an error: mq_absent if this program cannot load it, mq_failed if it can
 * and that is no DLL of this interface.
 */
enum mq_result mq_dll_load(const char *file, struct mq_error *,
                           struct mq_dll **dll);

/* Whether FILE is Open MPI's own DLL, by its name. */
bool mq_dll_is_open_mpis(const char *file);

/* Forgets DLL, which may be null.  The library itself stays loaded, as the
 * interface demands; loading the same file again reuses it.
 */
void mq_dll_unload(struct mq_dll *dll);

#endif
