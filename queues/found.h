/* found.h - communicators and operations found in a process */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef QUEUES_FOUND_H
#define QUEUES_FOUND_H

#include <stdint.h>

#include "mpi_interface.h"

enum {
    COMMUNICATORS_LIMIT = 1 << 14,
    OPERATIONS_LIMIT = 1 << 17,
    RANKS_LIMIT = 1 << 22,      /* of one group */
    NAME_SIZE = 64,
    QUEUES = mqs_unexpected_messages + 1
};

struct found_communicator {
    uint64_t id;             /* unique in the process */
    uint64_t handle;         /* by which the program calls it */
    uint64_t context;           /* by which messages do */
    int32_t rank, size;
    int32_t *ranks;             /* global ranks of its group, or null: they are
                                   not known, or are those of MPI_COMM_WORLD */
    int is_world;               /* its ranks are global ones */
    int is_hidden;              /* the library's own, and nothing is on it */
    int is_elsewhere;           /* its messages go another way than those that
                                   are read */
    char name[NAME_SIZE];
};

struct found_operation {
    uint32_t communicator;      /* index */
    uint8_t queue;              /* mqs_op_class */
    uint8_t is_any_source, is_any_tag;
    uint8_t status;             /* enum mqs_status */
    int32_t rank, tag;
    int64_t length;             /* -1: not known */
    uint64_t buffer;         /* 0: not known */
    uint64_t handle;         /* of its request; 0: not known, or none */
    uint64_t mark;           /* of a message that is pending: see extensions.h
                                */
    int32_t actual_rank, actual_tag;    /* of a receive that is not pending: */
    int64_t actual_length;              /* the message */
};

struct found {
    size_t communicator_count, communicator_room;
    struct found_communicator *communicators;
    size_t operation_count, operation_room;
    struct found_operation *operations;
    int status[QUEUES];         /* mqs_ok: it is known; mqs_no_information */
    int end[QUEUES];            /* mqs_end_of_list, or what cut it short */
};

/* Adds a copy: mqs_ok or an error. */
int found_add_communicator(struct found *, const struct found_communicator *);
int found_add_operation(struct found *, const struct found_operation *);

/* Notes how the reading of QUEUE has ended, by STATUS: what is cut short is
 * known as far as it goes, and stays so.  mqs_ok or, of what is not to be
 * believed, STATUS.
 */
int found_end_queue(struct found *, int queue, int status);

/* Forgets all; the queues are not known then. */
void found_clear(struct found *);

/* The communicator with CONTEXT, or null. */
struct found_communicator *found_by_context(const struct found *,
                                            uint64_t context);

/* Whether the communicator of an operation has its source: mqs_ok; err_foreign
 * if only the first communicator, the world, has, as one that was freed had
 * whose number another one has now; err_bad_tag.
 */
int found_check_source(const struct found *, const struct found_operation *);

/* The global rank of a rank of a communicator's group, or -1. */
int found_global_rank(const struct found_communicator *, int32_t rank);

/* Notes what of a process's memory can be shown as a name. */
void found_take_name(struct found_communicator *, const char *text,
                     size_t length);

/* Adds TEXT and NUMBER to the name, which may be empty, as far as they fit. */
void found_extend_name(struct found_communicator *, const char *text,
                       uint64_t number);

#endif
