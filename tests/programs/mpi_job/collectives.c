/* collectives.c - collective functions
 *
 * As in MPICH 1.2.7, they are messages on the communicator's hidden twin, with
 * a tag for each kind of operation.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mpi_job.h"
#include "queues.h"

#include <stdlib.h>
#include <string.h>

enum {                          /* as MPICH's */
    barrier_tag = 1,
    bcast_tag = 2,
    alltoall_tag = 9,
    reduce_tag = 11,
    finalize_tag = 23           /* which MPICH does without messages */
};

static MPIR_Communicator *twin_of(MPI_Comm comm)
{
    return ((MPIR_Communicator *)MPIR_ToPointer(comm))->comm_coll;
}

static int bytes(int count, MPI_Datatype datatype)
{
    const struct MPIR_DATATYPE *type = MPIR_ToPointer(datatype);

    return count * type->size;
}

/* A token goes to rank 0 and another comes back. */
static void meet(MPI_Comm comm, int tag)
{
    const MPIR_Communicator *twin = twin_of(comm);
    int i;

    if (twin->local_rank == 0) {
        for (i = 1; i < twin->np; i++)
            receive_now(NULL, 0, i, tag, twin, NULL);
        for (i = 1; i < twin->np; i++)
            send_now(NULL, 0, i, tag, twin);
    } else {
        send_now(NULL, 0, 0, tag, twin);
        receive_now(NULL, 0, 0, tag, twin, NULL);
    }
}

void MPI_Barrier(MPI_Comm comm)
{
    meet(comm, barrier_tag);
}

void wait_for_all(void)
{
    meet(MPI_COMM_WORLD, finalize_tag);
}

/* Along a tree: rank R, counted from ROOT, has it from R without its lowest
 * bit.
 */
void MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root,
               MPI_Comm comm)
{
    const MPIR_Communicator *twin = twin_of(comm);
    int np = twin->np, rank = (twin->local_rank + np - root) % np;
    int length = bytes(count, datatype), bit = 1;

    while (bit < np && !(rank & bit))
        bit <<= 1;
    if (rank != 0)
        receive_now(buffer, length, (rank - bit + root) % np, bcast_tag, twin,
                    NULL);
    while ((bit >>= 1) > 0)
        if (rank + bit < np)
            send_now(buffer, length, (rank + bit + root) % np, bcast_tag,
                     twin);
}

void MPI_Reduce(const void *sendbuf, void *recvbuf, int count,
                MPI_Datatype datatype, int op, int root, MPI_Comm comm)
{
    const MPIR_Communicator *twin = twin_of(comm);
    int length = bytes(count, datatype), *sum = recvbuf, *part, source, i;

    (void)op;
    if (twin->local_rank != root) {
        send_now(sendbuf, length, root, reduce_tag, twin);
        return;
    }
    part = get_cleared((size_t)length);
    memcpy(sum, sendbuf, (size_t)length);
    for (source = 0; source < twin->np; source++) {
        if (source == root)
            continue;
        receive_now(part, length, source, reduce_tag, twin, NULL);
        for (i = 0; i < count; i++)
            sum[i] += part[i];
    }
    free(part);
}

void MPI_Allreduce(const void *sendbuf, void *recvbuf, int count,
                   MPI_Datatype datatype, int op, MPI_Comm comm)
{
    MPI_Reduce(sendbuf, recvbuf, count, datatype, op, 0, comm);
    MPI_Bcast(recvbuf, count, datatype, 0, comm);
}

void MPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                  void *recvbuf, int recvcount, MPI_Datatype recvtype,
                  MPI_Comm comm)
{
    MPIR_Communicator *twin = twin_of(comm);
    int sent = bytes(sendcount, sendtype), got = bytes(recvcount, recvtype);
    MPI_Request requests[2 * max_ranks];
    int i;

    for (i = 0; i < twin->np; i++)
        requests[i] = begin_receive((char *)recvbuf + (ptrdiff_t)i * got, got,
                                    NULL, i, alltoall_tag, twin);
    for (i = 0; i < twin->np; i++)
        requests[twin->np + i] =
            begin_send((const char *)sendbuf + (ptrdiff_t)i * sent, sent, i,
                       alltoall_tag, twin, 0);
    MPI_Waitall(2 * twin->np, requests, NULL);
}
