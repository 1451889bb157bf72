/* mpir_variables.h - variables that debuggers of MPICH 1.x read
 *
 * The names are MPICH's, since a debugger and its DLL look them up; the order
 * of the members is this library's own.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MPIR_VARIABLES_H
#define MPIR_VARIABLES_H

#include "mpi.h"

#include <stdint.h>

#define MPIR_REQUEST_COOKIE 0xe0a1beaful
#define MPIR_GROUP_COOKIE 0xea01beaful
#define MPIR_COMM_COOKIE 0xea02beaful
#define MPIR_DATATYPE_COOKIE 0xea31beaful
#define MPIR_ERRHANDLER_COOKIE 0xe443a2ddul
#define MPIR_HBT_COOKIE 0x03b7c007ul
#define MPIR_HBT_NODE_COOKIE 0x03b740deul
#define MPIR_ATTR_COOKIE 0xa774c003ul
#define MPIR_CART_TOPOL_COOKIE 0x0102beaful

typedef enum {
    MPIR_SEND,
    MPIR_RECV,
    MPIR_PERSISTENT_SEND,
    MPIR_PERSISTENT_RECV
} MPIR_OPTYPE;

typedef enum {
    MPIR_INT = 0,
    MPIR_DOUBLE = 2,
    MPIR_BYTE = 7,
    MPIR_HVECTOR = 14
} MPIR_NODETYPE;

struct MPIR_DATATYPE {
    MPIR_NODETYPE dte_type;
    unsigned long cookie;
    MPI_Datatype self;
    int committed, is_contig, ref_count;
    long ub, lb, extent, stride;
    int size, count, blocklen;
    long *indices;
    int *blocklens;
    struct MPIR_DATATYPE *old_type, **old_types;
};

typedef struct {
    unsigned long cookie;
    int FortranCalling;
    int self;
} MPIR_Attr_key;

typedef struct MPIR_HBT_node_ {
    unsigned long cookie;
    struct MPIR_HBT_node_ *left, *right;
    MPIR_Attr_key *keyval;
    void *value;
} MPIR_HBT_node;

struct _MPIR_HBT {
    unsigned long cookie;
    int height;
    MPIR_HBT_node *root;
};

typedef struct {
    int type;
    unsigned long cookie;
    int nnodes, ndims;
    int *dims, *periods, *position;
} MPIR_CART_TOPOLOGY;

struct MPIR_Errhandler {
    unsigned long cookie;
    void (*routine)(MPI_Comm *, int *);
    int ref_count;
};

typedef struct MPIR_GROUP_ {
    int ref_count;
    unsigned long cookie;
    int np;
    int local_rank;
    int *lrank_to_grank;
    int self;
} MPIR_GROUP;

typedef enum {
    MPIR_INTRA = 1,
    MPIR_INTER = 2
} MPIR_COMM_TYPE;

typedef struct MPIR_COMMUNICATOR {
    MPIR_COMM_TYPE comm_type;
    unsigned long cookie;
    char *comm_name;
    int send_context, recv_context;
    int np;
    int local_rank;
    int *lrank_to_grank;
    MPIR_GROUP *group, *local_group;
    struct MPIR_COMMUNICATOR *comm_coll;
    struct MPIR_COMMUNICATOR *comm_next;
    MPI_Comm self;
    int ref_count;
    int error_handler;
    struct _MPIR_HBT *attr_cache;
} MPIR_Communicator;

typedef struct {
    int lock;
    int sequence_number;
    MPIR_Communicator *comm_first;
} MPIR_Comm_list;

/* The handles begin alike up to ref_count. */
typedef struct MPIR_RHANDLE_ {
    MPIR_OPTYPE handle_type;
    unsigned long cookie;
    int is_complete;
    int self_index;
    int ref_count;
    struct MPIR_DATATYPE *datatype;
    void *start;
    int count;
    int len;
    void *buf;
    MPI_Status s;
    uint64_t send;              /* the sender's handle, for its answer */
} MPIR_RHANDLE;

typedef struct MPIR_SHANDLE_ {
    MPIR_OPTYPE handle_type;
    unsigned long cookie;
    int is_complete;
    int self_index;
    int ref_count;
    const void *start;
    int len;
    int target;                 /* in MPI_COMM_WORLD */
} MPIR_SHANDLE;

typedef struct {
    MPIR_RHANDLE rhandle;
    int active;
    int perm_tag, perm_source, perm_count;
    void *perm_buf;
    struct MPIR_DATATYPE *perm_datatype;
    MPIR_Communicator *perm_comm;
} MPIR_PRHANDLE;

typedef struct {
    MPIR_SHANDLE shandle;
    int active;
    int perm_tag, perm_dest, perm_count;
    const void *perm_buf;
    struct MPIR_DATATYPE *perm_datatype;
    MPIR_Communicator *perm_comm;
} MPIR_PSHANDLE;

union MPIR_HANDLE {
    MPIR_OPTYPE handle_type;
    MPIR_RHANDLE receive;
    MPIR_PRHANDLE persistent_receive;
    MPIR_SHANDLE send;
    MPIR_PSHANDLE persistent_send;
};

typedef struct MPID_QEL_ {
    struct MPID_QEL_ *next;
    int context_id;
    int lsrc, srcmask;
    int tag, tagmask;
    MPIR_RHANDLE *ptr;
} MPID_QEL;

typedef struct {
    int length;
    MPID_QEL *first, *last;
} MPID_QUEUE;

typedef struct {
    int lock;
    MPID_QUEUE posted;
    MPID_QUEUE unexpected;
} MPID_QHDR;

typedef struct MPIR_SQEL_ {
    MPIR_SHANDLE *db_shandle;
    MPIR_Communicator *db_comm;
    struct MPIR_SQEL_ *db_next;
    int db_target;
    int db_tag;
    int db_byte_length;
    const void *db_data;
} MPIR_SQEL;

typedef struct {
    int lock;
    MPIR_SQEL *sq_head, *sq_tail;
} MPIR_SQUEUE;

extern MPIR_Comm_list MPIR_All_communicators;
extern MPID_QHDR MPID_recvs;
extern MPIR_SQUEUE MPIR_Sendq;
extern int MPID_MyWorldRank, MPID_MyWorldSize;

/* ---- pointers.c, objects.c ----------------------------------------------- */

/* The object that a handle stands for, and a handle for an object. */
void *MPIR_ToPointer(int handle);
int MPIR_FromPointer(void *object);
/* The handle stands for nothing until it stands for another object. */
void MPIR_FreePointer(int handle);

/* Makes a predefined HANDLE stand for OBJECT. */
void MPIR_SetPointer(int handle, void *object);

/* The predefined datatypes and attributes; MPI_COMM_WORLD is there. */
void objects_init(void);

/* For the debugger of the job, as the first process of it has them. */
typedef struct {
    char *host_name;
    char *executable_name;
    int pid;
} MPIR_PROCDESC;

enum {
    MPIR_DEBUG_SPAWNED = 1,
    MPIR_DEBUG_ABORTING = 2
};

extern MPIR_PROCDESC *MPIR_proctable;
extern int MPIR_proctable_size;
extern volatile int MPIR_debug_state;
extern volatile int MPIR_debug_gate;
extern volatile int MPIR_being_debugged;
extern char *MPIR_debug_abort_string;
extern char MPIR_dll_name[];
void MPIR_Breakpoint(void);

/* ---- directory.c: the same in the way of the MPI-2 draft, if compiled so - */

void directory_publish(const MPIR_PROCDESC *table, int count);
void directory_join(void);
void directory_abort(const char *why);
int directory_is_debugged(void);
int directory_gate(void);

#endif
