/* layout.h - MPICH 1.x structures as libmqwatch keeps them
 *
 * The names of types and members are MPICH's, for a message-queue DLL looks for
 * them in the debug information; their places are our own.  One element of a
 * list is several of MPICH's structs at once, and struct mqwatch_operation.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef WATCH_LAYOUT_H
#define WATCH_LAYOUT_H

#include "include/mqwatch.h"

/* MPICH's MPI_Status: the program's debug information has its own MPI's. */
typedef struct {
    int count;
    int MPI_SOURCE;
    int MPI_TAG;
} MQW_Status;

/* A regular group has no table lrank_to_grank, so that one of a million ranks
 * costs no more than one of two.
 */
typedef struct MPIR_COMMUNICATOR {
    struct MPIR_COMMUNICATOR *comm_next;
    int np;
    int local_rank;
    int *lrank_to_grank;
    int grank_first;            /* of a regular group: its ranks in the world */
    int grank_stride;           /* are this one, this one + stride ...; 0: the
                                   group has a table, or is not known */
    int send_context, recv_context;
    int comm_type;              /* 1 intra, 2 inter */
    char *comm_name;
} MPIR_Communicator;

typedef struct {
    int sequence_number;
    MPIR_Communicator *comm_first;
} MPIR_Comm_list;

/* At the same places: what an element begins with. */
typedef struct MPIR_RHANDLE {
    uint64_t unused[3];
    int context_id;
    __extension__ union {
        int len;
        MQW_Status s;
    };
    int handle_type;
    int is_complete;
    void *buf;
} MPIR_RHANDLE;

typedef struct {
    uint64_t unused[5];
    int handle_type;
    int is_complete;
} MPIR_SHANDLE;

typedef struct MPID_QEL {
    struct MPID_QEL *next;
    MPIR_RHANDLE *ptr;
    int srcmask, tagmask;
    int context_id;
    int len;
    int lsrc, tag;
    uint64_t unused[3];
    int begun_by;
} MPID_QEL;

typedef struct MPIR_SQEL {
    struct MPIR_SQEL *db_next;
    MPIR_SHANDLE *db_shandle;
    MPIR_Communicator *db_comm;
    int context_id;
    int db_byte_length;
    int db_target, db_tag;
    int handle_type;
    int is_complete;
    void *db_data;
    uint64_t unused;
    int begun_by;
} MPIR_SQEL;

typedef struct {
    MPID_QEL *first;
} MPID_QUEUE;

/* Without the queue of unexpected messages: what has arrived and was not asked
 * for is not known here, and a debugger must not see it as empty.
 */
typedef struct {
    MPID_QUEUE posted;
} MPID_QHDR;

typedef struct {
    MPIR_SQEL *sq_head;
} MPIR_SQUEUE;

#endif
