/* mpi.h - the little of MPI that the test job needs */
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
    MPI_ANY_TAG = -1,
    MPI_ANY_SOURCE = -2,

    MPI_DATATYPE_NULL = 0,
    MPI_INT = 6,
    MPI_DOUBLE = 11,
    MPI_TAG_UB = 81,
    MPI_COMM_WORLD = 91,
    MPI_ERRORS_ARE_FATAL = 119
};

/* Messages are LENGTH bytes; a datatype other than MPI_DATATYPE_NULL says how a
 * receive lays them out.  Every rank makes the same calls that make communicators, in
 * the same order.
 */
void MPI_Init(void);
void MPI_Finalize(void);
void MPI_Abort(MPI_Comm comm, int code);
void MPI_Barrier(MPI_Comm comm);

void MPI_Isend(const void *data, int length, int target, int tag,
               MPI_Comm comm, MPI_Request *request);
void MPI_Issend(const void *data, int length, int target, int tag,
                MPI_Comm comm, MPI_Request *request);
void MPI_Ssend(const void *data, int length, int target, int tag,
               MPI_Comm comm);
void MPI_Irecv(void *data, int length, MPI_Datatype datatype, int source,
               int tag, MPI_Comm comm, MPI_Request *request);
void MPI_Recv_init(void *data, int count, MPI_Datatype datatype, int source,
                   int tag, MPI_Comm comm, MPI_Request *request);
void MPI_Start(MPI_Request *request);
void MPI_Recv(void *data, int length, int source, int tag, MPI_Comm comm,
              MPI_Status *status);
void MPI_Wait(MPI_Request *request, MPI_Status *status);

void MPI_Type_hvector(int count, int block_length, long stride,
                      MPI_Datatype old_type, MPI_Datatype *datatype);

void MPI_Comm_dup(MPI_Comm comm, const char *name, MPI_Comm *copy);
void MPI_Comm_split(MPI_Comm comm, int colour, int colours, const char *name,
                    MPI_Comm *part);
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
