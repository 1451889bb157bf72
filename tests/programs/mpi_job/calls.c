/* calls.c - point-to-point functions
 *
 * As in MPICH 1.2.7: MPI_Ssend, MPI_Bsend and MPI_Sendrecv are what they stand
 * for and a wait, so that their sends are on the send queue; MPI_Send is on
 * none, and neither is a probe.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mpi_job.h"
#include "queues.h"

#include <stdlib.h>
#include <string.h>

/* ---- Requests ---------------------------------------------------------- */

static MPI_Request new_request(MPIR_OPTYPE type)
{
    MPI_Request request = get_cleared(sizeof *request);

    request->receive.handle_type = type;
    request->receive.cookie = MPIR_REQUEST_COOKIE;
    request->receive.self_index = MPIR_FromPointer(request);
    return request;
}

static void free_request(MPI_Request request)
{
    MPIR_FreePointer(request->receive.self_index);
    free(request);
}

/* Handles begin alike, persistent ones with what they have in common. */
static const int *completion_of(MPI_Request request)
{
    return &request->receive.is_complete;
}

static int is_receive(const union MPIR_HANDLE *request)
{
    return request->handle_type == MPIR_RECV
           || request->handle_type == MPIR_PERSISTENT_RECV;
}

static int is_inactive(const union MPIR_HANDLE *request)
{
    if (request == NULL)
        return 1;
    if (request->handle_type == MPIR_PERSISTENT_RECV)
        return !request->persistent_receive.active;
    return request->handle_type == MPIR_PERSISTENT_SEND
           && !request->persistent_send.active;
}

/* Gives back what is complete. */
static void finish(MPI_Request *request, MPI_Status *status)
{
    MPI_Request it = *request;

    if (status != NULL && is_receive(it))
        *status = it->receive.s;
    switch (it->handle_type) {
    case MPIR_PERSISTENT_SEND:
        it->persistent_send.active = 0;
        return;
    case MPIR_PERSISTENT_RECV:
        it->persistent_receive.active = 0;
        return;
    case MPIR_SEND:
        queue_forget(&it->send);
        break;
    case MPIR_RECV:
        break;
    }
    free_request(it);
    *request = NULL;
}

MPI_Request begin_send(const void *data, int length, int target, int tag,
                       MPIR_Communicator *comm, int sync)
{
    MPI_Request request = new_request(MPIR_SEND);

    queue_send(&request->send, data, length, target, tag, comm, sync);
    queue_remember(&request->send, target, tag, comm);
    return request;
}

MPI_Request begin_receive(void *data, int length,
                          struct MPIR_DATATYPE *datatype, int source, int tag,
                          const MPIR_Communicator *comm)
{
    MPI_Request request = new_request(MPIR_RECV);

    queue_post(&request->receive, data, length, datatype, source, tag, comm);
    return request;
}

/* ---- Sending ----------------------------------------------------------- */

static int bytes(int count, MPI_Datatype datatype)
{
    const struct MPIR_DATATYPE *type = MPIR_ToPointer(datatype);

    return count * type->size;
}

void MPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest,
               int tag, MPI_Comm comm, MPI_Request *request)
{
    *request = begin_send(buf, bytes(count, datatype), dest, tag,
                          MPIR_ToPointer(comm), 0);
}

void MPI_Issend(const void *buf, int count, MPI_Datatype datatype, int dest,
                int tag, MPI_Comm comm, MPI_Request *request)
{
    *request = begin_send(buf, bytes(count, datatype), dest, tag,
                          MPIR_ToPointer(comm), 1);
}

void send_now(const void *data, int length, int target, int tag,
              const MPIR_Communicator *comm)
{
    MPI_Request request = new_request(MPIR_SEND);

    queue_send(&request->send, data, length, target, tag, comm, 0);
    progress_until(completion_of(request));
    free_request(request);
}

void MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest,
              int tag, MPI_Comm comm)
{
    send_now(buf, bytes(count, datatype), dest, tag, MPIR_ToPointer(comm));
}

void MPI_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest,
               int tag, MPI_Comm comm)
{
    MPI_Request request;

    MPI_Issend(buf, count, datatype, dest, tag, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void MPI_Ssend_init(const void *buf, int count, MPI_Datatype datatype,
                    int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    MPIR_PSHANDLE *it;

    *request = new_request(MPIR_PERSISTENT_SEND);
    it = &(*request)->persistent_send;
    it->perm_dest = dest;
    it->perm_tag = tag;
    it->perm_count = count;
    it->perm_buf = buf;
    it->perm_datatype = MPIR_ToPointer(datatype);
    it->perm_comm = MPIR_ToPointer(comm);
}

/* ---- Buffered sending -------------------------------------------------- */

/* What is on its way from copies, the newest first. */
struct copy {
    struct copy *older;
    MPIR_SHANDLE handle;
    char data[];
};

static struct copy *copies;

/* The user's request is over at once. */
void MPI_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest,
                int tag, MPI_Comm comm, MPI_Request *request)
{
    size_t length = (size_t)bytes(count, datatype);
    struct copy *copy = get_cleared(sizeof *copy + length);

    memcpy(copy->data, buf, length);
    copy->older = copies;
    copies = copy;
    queue_send(&copy->handle, copy->data, (int)length, dest, tag,
               MPIR_ToPointer(comm), 0);
    *request = new_request(MPIR_SEND);
    (*request)->send.start = buf;
    (*request)->send.len = (int)length;
    (*request)->send.is_complete = 1;
    queue_remember(&(*request)->send, dest, tag, MPIR_ToPointer(comm));
}

void MPI_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest,
               int tag, MPI_Comm comm)
{
    MPI_Request request;

    MPI_Ibsend(buf, count, datatype, dest, tag, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* All copies must have gone. */
void MPI_Buffer_detach(void *buffer, int *size)
{
    (void)buffer;
    *size = 0;
    while (copies != NULL) {
        struct copy *copy = copies;

        progress_until(&copy->handle.is_complete);
        copies = copy->older;
        free(copy);
    }
}

/* ---- Receiving --------------------------------------------------------- */

/* The datatype where data do not lie together, else null. */
static struct MPIR_DATATYPE *layout(MPI_Datatype datatype)
{
    struct MPIR_DATATYPE *type = MPIR_ToPointer(datatype);

    return type->is_contig ? NULL : type;
}

void receive_now(void *data, int length, int source, int tag,
                 const MPIR_Communicator *comm, MPI_Status *status)
{
    MPI_Request request = begin_receive(data, length, NULL, source, tag, comm);

    progress_until(completion_of(request));
    finish(&request, status);
}

void MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source,
              int tag, MPI_Comm comm, MPI_Status *status)
{
    receive_now(buf, bytes(count, datatype), source, tag,
                MPIR_ToPointer(comm), status);
}

void MPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source,
               int tag, MPI_Comm comm, MPI_Request *request)
{
    *request = begin_receive(buf, bytes(count, datatype), layout(datatype),
                             source, tag, MPIR_ToPointer(comm));
}

void MPI_Recv_init(void *buf, int count, MPI_Datatype datatype, int source,
                   int tag, MPI_Comm comm, MPI_Request *request)
{
    MPIR_PRHANDLE *it;

    *request = new_request(MPIR_PERSISTENT_RECV);
    it = &(*request)->persistent_receive;
    it->perm_source = source;
    it->perm_tag = tag;
    it->perm_count = count;
    it->perm_buf = buf;
    it->perm_datatype = MPIR_ToPointer(datatype);
    it->perm_comm = MPIR_ToPointer(comm);
}

void MPI_Start(MPI_Request *request)
{
    if (is_receive(*request)) {
        MPIR_PRHANDLE *it = &(*request)->persistent_receive;
        struct MPIR_DATATYPE *type = it->perm_datatype;

        it->active = 1;
        queue_post(&it->rhandle, it->perm_buf, it->perm_count * type->size,
                   type->is_contig ? NULL : type, it->perm_source,
                   it->perm_tag, it->perm_comm);
    } else {
        MPIR_PSHANDLE *it = &(*request)->persistent_send;

        it->active = 1;
        queue_send(&it->shandle, it->perm_buf,
                   it->perm_count * it->perm_datatype->size, it->perm_dest,
                   it->perm_tag, it->perm_comm, 1);
    }
}

void MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                  int dest, int sendtag, void *recvbuf, int recvcount,
                  MPI_Datatype recvtype, int source, int recvtag,
                  MPI_Comm comm, MPI_Status *status)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];

    MPI_Irecv(recvbuf, recvcount, recvtype, source, recvtag, comm,
              &requests[1]);
    MPI_Isend(sendbuf, sendcount, sendtype, dest, sendtag, comm,
              &requests[0]);
    MPI_Waitall(2, requests, statuses);
    if (status != NULL)
        *status = statuses[1];
}

/* ---- Waiting ----------------------------------------------------------- */

void MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    while (!queue_probe(source, tag, MPIR_ToPointer(comm), status))
        progress(20);
}

void MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    if (is_inactive(*request))
        return;
    progress_until(completion_of(*request));
    finish(request, status);
}

void MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
    int i;

    for (i = 0; i < count; i++)
        MPI_Wait(&requests[i], statuses != NULL ? &statuses[i] : NULL);
}

static int find_complete(int count, MPI_Request *requests)
{
    int i = 0;

    while (i < count &&
           (is_inactive(requests[i]) || !*completion_of(requests[i])))
        i++;
    return i;
}

void MPI_Waitany(int count, MPI_Request *requests, int *index,
                 MPI_Status *status)
{
    while ((*index = find_complete(count, requests)) == count)
        progress(20);
    finish(&requests[*index], status);
}

void MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    progress(0);
    *flag = is_inactive(*request) || *completion_of(*request);
    if (*flag && !is_inactive(*request))
        finish(request, status);
}
