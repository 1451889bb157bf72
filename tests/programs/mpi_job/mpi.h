/* mpi.h - subset of MPI for the test job */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef JOB_MPI_H
#define JOB_MPI_H

typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef union MPIR_HANDLE *MPI_Request;

typedef struct {
    int MPI_ERROR;
    int count;
    int MPI_TAG;
    int MPI_SOURCE;
} MPI_Status;

enum {
    MPI_PROC_NULL = -1,
    MPI_ANY_TAG = -1,
    MPI_ANY_SOURCE = -2,
    MPI_BYTE = 3,
    MPI_INT = 6,
    MPI_DOUBLE = 11,
    MPI_TAG_UB = 81,
    MPI_COMM_WORLD = 91,
    MPI_SUM = 102,
    MPI_ERRORS_ARE_FATAL = 119
};

#define MPI_STATUS_IGNORE ((MPI_Status *)0)

/* The parameters have the standard's names and order but where more than they
 * is asked for.  Every rank makes the same calls that make communicators, in
 * the same order.
 */
void MPI_Init(void);
void MPI_Finalize(void);
void MPI_Abort(MPI_Comm comm, int code);

/* ---- calls.c ----------------------------------------------------------- */

void MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest,
              int tag, MPI_Comm comm);
void MPI_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest,
               int tag, MPI_Comm comm);
void MPI_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest,
               int tag, MPI_Comm comm);
void MPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest,
               int tag, MPI_Comm comm, MPI_Request *request);
void MPI_Issend(const void *buf, int count, MPI_Datatype datatype, int dest,
                int tag, MPI_Comm comm, MPI_Request *request);
void MPI_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest,
                int tag, MPI_Comm comm, MPI_Request *request);
void MPI_Ssend_init(const void *buf, int count, MPI_Datatype datatype,
                    int dest, int tag, MPI_Comm comm, MPI_Request *request);
void MPI_Buffer_detach(void *buffer, int *size);
void MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source,
              int tag, MPI_Comm comm, MPI_Status *status);
void MPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source,
               int tag, MPI_Comm comm, MPI_Request *request);
void MPI_Recv_init(void *buf, int count, MPI_Datatype datatype, int source,
                   int tag, MPI_Comm comm, MPI_Request *request);
void MPI_Start(MPI_Request *request);
void MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                  int dest, int sendtag, void *recvbuf, int recvcount,
                  MPI_Datatype recvtype, int source, int recvtag,
                  MPI_Comm comm, MPI_Status *status);
void MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status);
void MPI_Wait(MPI_Request *request, MPI_Status *status);
void MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses);
void MPI_Waitany(int count, MPI_Request *requests, int *index,
                 MPI_Status *status);
void MPI_Test(MPI_Request *request, int *flag, MPI_Status *status);

/* ---- collectives.c ----------------------------------------------------- */

void MPI_Barrier(MPI_Comm comm);
void MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root,
               MPI_Comm comm);
/* Of MPI_INT and MPI_SUM only. */
void MPI_Reduce(const void *sendbuf, void *recvbuf, int count,
                MPI_Datatype datatype, int op, int root, MPI_Comm comm);
void MPI_Allreduce(const void *sendbuf, void *recvbuf, int count,
                   MPI_Datatype datatype, int op, MPI_Comm comm);
void MPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                  void *recvbuf, int recvcount, MPI_Datatype recvtype,
                  MPI_Comm comm);

/* ---- comms.c, objects.c ------------------------------------------------ */

void MPI_Type_hvector(int count, int block_length, long stride,
                      MPI_Datatype old_type, MPI_Datatype *datatype);
void MPI_Comm_dup(MPI_Comm comm, const char *name, MPI_Comm *copy);
void MPI_Comm_split(MPI_Comm comm, int colour, int colours, const char *name,
                    MPI_Comm *part);
/* All ranks of COMM in the reverse order. */
void MPI_Comm_reverse(MPI_Comm comm, const char *name, MPI_Comm *reversed);
void MPI_Comm_connect(int size, const char *name, MPI_Comm *inter);
void MPI_Intercomm_create(MPI_Comm halves, MPI_Comm all, const char *name,
                          MPI_Comm *inter);
void MPI_Cart_create(MPI_Comm comm, int ndims, const int *dims,
                     const int *periods, const char *name, MPI_Comm *grid);
int MPI_Keyval_create(void);
void MPI_Attr_put(MPI_Comm comm, int keyval, void *value);
void MPI_Errhandler_create(void (*routine)(MPI_Comm *, int *),
                           int *errhandler);
void MPI_Errhandler_set(MPI_Comm comm, int errhandler);
int MPI_Comm_rank(MPI_Comm comm);
int MPI_Comm_size(MPI_Comm comm);

#endif
