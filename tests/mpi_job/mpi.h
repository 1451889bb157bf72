/* mpi.h - the little of MPI that the test job needs */
#ifndef JOB_MPI_H
#define JOB_MPI_H

typedef struct MPIR_COMMUNICATOR *MPI_Comm;
typedef struct MPIR_DATATYPE *MPI_Datatype;
typedef union MPIR_HANDLE *MPI_Request;

typedef struct {
    int MPI_ERROR;
    int count;
    int MPI_TAG;
    int MPI_SOURCE;
} MPI_Status;

enum {
    MPI_ANY_TAG = -1,
    MPI_ANY_SOURCE = -2
};

extern MPI_Comm MPI_COMM_WORLD;

/* Messages are LENGTH bytes; a datatype other than null says how a receive
 * lays them out.  Every rank makes the same calls that make communicators, in
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
void MPI_Recv_init(void *data, int length, int source, int tag, MPI_Comm comm,
                   MPI_Request *request);
void MPI_Recv(void *data, int length, int source, int tag, MPI_Comm comm,
              MPI_Status *status);
void MPI_Wait(MPI_Request *request, MPI_Status *status);

void MPI_Type_vector(int count, int stride, MPI_Datatype *datatype);

void MPI_Comm_dup(MPI_Comm comm, const char *name, MPI_Comm *copy);
void MPI_Comm_split(MPI_Comm comm, int colour, int colours, const char *name,
                    MPI_Comm *part);
void MPI_Intercomm_create(MPI_Comm halves, MPI_Comm all, const char *name,
                          MPI_Comm *inter);
int MPI_Comm_rank(MPI_Comm comm);
int MPI_Comm_size(MPI_Comm comm);

#endif
