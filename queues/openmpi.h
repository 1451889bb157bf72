/* openmpi.h - communicators and tags of Open MPI 4.0 to 5.0 */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef QUEUES_OPENMPI_H
#define QUEUES_OPENMPI_H

#include "queues/found.h"
#include "queues/library.h"
#include "queues/matching.h"

/* Offsets of one version's structures, and by which sizes it is known. */
struct openmpi_version {
    const char *name;
    uint64_t communicator_size, group_size, request_size;
    int index, rank;            /* c_index, c_my_rank */
    int name_at, remote_group;  /* c_name, c_remote_group */
    int pml;                    /* c_pml_comm */
    int name_is_pointer;        /* c_name: else it is an array of characters */
};

/* The version whose sizes the process's classes have: mqs_ok or an error. */
int openmpi_version(struct view *, const struct openmpi_version **version);

/* What objects of a class take. */
struct openmpi_class {
    const char *name;
    uint64_t size;
};

/* mqs_ok if the process has all these classes; err_unknown_version if it lacks
 * one, or has it with another size; or why that cannot be read.
 */
int openmpi_check_classes(struct view *, const struct openmpi_class *,
                          size_t count);

/* Adds the communicators that the process has.  A message's context is the
 * number of the communicator.
 */
int openmpi_communicators(struct view *, const struct openmpi_version *);

/* Adds the operations of the communicators that were found, of the pml ob1, and
 * of cm over libfabric: mqs_ok, and how each queue ended, or an error.
 */
int ob1_messages(struct view *, const struct openmpi_version *);
int cm_messages(struct view *, const struct openmpi_version *);

/* The address of the object that a rank of a communicator's has. */
int openmpi_process(struct view *, const struct openmpi_version *,
                    const struct found_communicator *, int32_t rank,
                    uint64_t *process);

/* As Mqs_comm_members. */
int openmpi_members(struct view *, uint64_t handle, uint32_t size,
                    mqs_taddr_t *worlds, int *ranks);

matching_is_pair openmpi_is_pair;

/* As mpich_decode. */
int openmpi_decode(struct found *, const struct matching_entry *,
                   struct found_operation *operation);

/* The handle of the request of the UCX receive at AT, which is the object of
 * class CLASS behind it, or 0.
 */
uint64_t openmpi_request(struct reader *, uint64_t at,
                            uint64_t class_address);

#endif
