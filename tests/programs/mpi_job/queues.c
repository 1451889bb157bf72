/* queues.c - posted receives, unexpected messages, and sends */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "queues.h"

#include "mpi_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <fcntl.h>

MPID_QHDR MPID_recvs;
MPIR_SQUEUE MPIR_Sendq;

enum { eager_most = 1024 };     /* longer messages wait for their receiver */

/* Where nothing is yet, as in an MPICH that fills what it allocates. */
static const uintptr_t unset_address = (uintptr_t)0xfafafafafafafafaull;

void *get_cleared(size_t size)
{
    void *block = calloc(1, size);

    if (block == NULL)
        exit(3);
    return block;
}

/* ---- The lists --------------------------------------------------------- */

static void append(MPID_QUEUE *queue, MPID_QEL *element)
{
    if (queue->first == NULL)
        queue->first = element;
    else
        queue->last->next = element;
    queue->last = element;
    queue->length++;
}

static MPIR_RHANDLE *take(MPID_QUEUE *queue, MPID_QEL *before, MPID_QEL *taken)
{
    MPIR_RHANDLE *handle = taken->ptr;

    if (before == NULL)
        queue->first = taken->next;
    else
        before->next = taken->next;
    if (queue->last == taken)
        queue->last = before;
    queue->length--;
    free(taken);
    return handle;
}

/* An envelope with the masks of a receive. */
static MPID_QEL envelope(int context, int source, int tag)
{
    MPID_QEL wanted = { NULL, context, source,
                        source == MPI_ANY_SOURCE ? 0 : -1, tag,
                        tag == MPI_ANY_TAG ? 0 : -1, NULL };

    return wanted;
}

/* Whether two envelopes match, with the masks of either side. */
static int fits(const MPID_QEL *a, const MPID_QEL *b)
{
    return a->context_id == b->context_id &&
           ((a->lsrc ^ b->lsrc) & a->srcmask & b->srcmask) == 0 &&
           ((a->tag ^ b->tag) & a->tagmask & b->tagmask) == 0;
}

/* Takes the first element of QUEUE that matches. */
static MPIR_RHANDLE *match(MPID_QUEUE *queue, const MPID_QEL *wanted)
{
    MPID_QEL *before = NULL, *here;

    for (here = queue->first; here != NULL; before = here, here = here->next)
        if (fits(here, wanted))
            return take(queue, before, here);
    return NULL;
}

static void enter(MPID_QUEUE *queue, const MPID_QEL *as, MPIR_RHANDLE *handle)
{
    MPID_QEL *element = get_cleared(sizeof *element);

    *element = *as;
    element->ptr = handle;
    element->next = NULL;
    append(queue, element);
}

/* ---- Receiving --------------------------------------------------------- */

/* Bytes that lie together become the blocks that the datatype tells. */
static void unpack(MPIR_RHANDLE *handle)
{
    const struct MPIR_DATATYPE *type = handle->datatype;
    size_t block;
    int i;

    if (type == NULL)
        return;
    block = (size_t)(type->blocklen * type->old_type->size);
    for (i = 0; i < type->count; i++)
        memcpy((char *)handle->start + i * type->stride,
               (char *)handle->buf + (size_t)i * block, block);
}

static void answer(MPIR_RHANDLE *handle, int sender)
{
    struct mail mail = { 0 };

    mail.kind = mail_ready;
    mail.source = MPID_MyWorldRank;
    mail.send = handle->send;
    mail.receive = (unsigned long)handle;
    mail_send(sender, &mail, NULL);
}

static void deliver(MPIR_RHANDLE *handle, const struct mail *mail,
                    const char *part)
{
    if (mail->offset + mail->part <= handle->len && mail->part > 0)
        memcpy((char *)handle->buf + mail->offset, part, (size_t)mail->part);
    if (mail->offset + mail->part >= mail->length) {
        unpack(handle);
        handle->is_complete = 1;
    }
}

static void arrive(const struct mail *mail, const char *part)
{
    MPID_QEL message = { NULL, mail->context, mail->lsrc, -1, mail->tag, -1,
                         NULL };
    MPIR_RHANDLE *handle = match(&MPID_recvs.posted, &message);
    int posted = handle != NULL;

    if (!posted) {
        handle = get_cleared(sizeof *handle);
        handle->handle_type = MPIR_RECV;
        handle->cookie = MPIR_REQUEST_COOKIE;
        enter(&MPID_recvs.unexpected, &message, handle);
    }
    handle->s.count = mail->length;
    handle->s.MPI_SOURCE = mail->lsrc;
    handle->s.MPI_TAG = mail->tag;
    handle->send = mail->send;
    if (mail->kind == mail_request) {
        if (posted) {
            answer(handle, mail->source);
        } else {
            handle->ref_count = mail->source;
            handle->start = handle->buf = (void *)unset_address;
        }
        return;
    }
    if (!posted) {
        handle->len = mail->length;
        /* As in MPICH, nothing cares where an empty message lies. */
        handle->start = mail->length > 0 ? get_cleared((size_t)mail->length)
                                         : (void *)(uintptr_t)0x5a5a5a5a;
        handle->buf = handle->start;
    }
    deliver(handle, mail, part);
}

/* Completes HANDLE from an unexpected message that was taken. */
static void claim(MPIR_RHANDLE *handle, MPIR_RHANDLE *message)
{
    handle->s = message->s;
    if (message->is_complete) {
        if (message->s.count > 0 && message->s.count <= handle->len)
            memcpy(handle->buf, message->start, (size_t)message->s.count);
        if (message->s.count > 0)
            free(message->start);
        unpack(handle);
        handle->is_complete = 1;
    } else {
        handle->send = message->send;
        answer(handle, message->ref_count);
    }
    free(message);
}

void queue_post(MPIR_RHANDLE *handle, void *data, int length,
                struct MPIR_DATATYPE *datatype, int source, int tag,
                const MPIR_Communicator *comm)
{
    MPID_QEL wanted = envelope(comm->recv_context, source, tag);
    MPIR_RHANDLE *message = match(&MPID_recvs.unexpected, &wanted);

    handle->is_complete = 0;
    handle->datatype = datatype;
    handle->start = data;
    handle->count = datatype != NULL && datatype->size > 0
                    ? length / datatype->size : length;
    handle->len = length;
    handle->buf = datatype != NULL ? get_cleared((size_t)length) : data;
    if (message != NULL)
        claim(handle, message);
    else
        enter(&MPID_recvs.posted, &wanted, handle);
}

int queue_probe(int source, int tag, const MPIR_Communicator *comm,
                MPI_Status *status)
{
    MPID_QEL wanted = envelope(comm->recv_context, source, tag);
    const MPID_QEL *here = MPID_recvs.unexpected.first;

    while (here != NULL && !fits(here, &wanted))
        here = here->next;
    if (here != NULL && status != NULL)
        *status = here->ptr->s;
    return here != NULL;
}

/* ---- Sending ----------------------------------------------------------- */

void queue_send(MPIR_SHANDLE *handle, const void *data, int length, int target,
                int tag, const MPIR_Communicator *comm, int sync)
{
    struct mail mail = { 0 };

    handle->start = data;
    handle->len = length;
    handle->target = comm->lrank_to_grank[target];
    handle->is_complete = 0;
    mail.kind = sync || length > eager_most ? mail_request : mail_eager;
    mail.source = MPID_MyWorldRank;
    mail.context = comm->send_context;
    mail.lsrc = comm->local_rank;
    mail.tag = tag;
    mail.length = length;
    mail.part = mail.kind == mail_eager ? length : 0;
    mail.send = (unsigned long)handle;
    mail_send(handle->target, &mail, data);
    handle->is_complete = mail.kind == mail_eager;
}

static void send_data(const struct mail *ready)
{
    MPIR_SHANDLE *handle = (void *)(unsigned long)ready->send;
    struct mail mail = { 0 };

    mail.kind = mail_data;
    mail.source = MPID_MyWorldRank;
    mail.receive = ready->receive;
    mail.length = handle->len;
    do {
        mail.part = handle->len - mail.offset;
        if (mail.part > mail_most)
            mail.part = mail_most;
        mail_send(handle->target, &mail,
                  (const char *)handle->start + mail.offset);
        mail.offset += mail.part;
    } while (mail.offset < handle->len);
    handle->is_complete = 1;
}

void queue_remember(MPIR_SHANDLE *handle, int target, int tag,
                    MPIR_Communicator *comm)
{
    MPIR_SQEL *element;

    if (!MPIR_being_debugged)
        return;
    element = get_cleared(sizeof *element);
    element->db_shandle = handle;
    element->db_comm = comm;
    element->db_target = target;
    element->db_tag = tag;
    element->db_data = handle->start;
    element->db_byte_length = handle->len;
    if (MPIR_Sendq.sq_head == NULL)
        MPIR_Sendq.sq_head = element;
    else
        MPIR_Sendq.sq_tail->db_next = element;
    MPIR_Sendq.sq_tail = element;
}

void queue_forget(const MPIR_SHANDLE *handle)
{
    MPIR_SQEL *before = NULL, *here = MPIR_Sendq.sq_head;

    for (; here != NULL && here->db_shandle != handle; here = here->db_next)
        before = here;
    if (here == NULL)
        return;
    if (before == NULL)
        MPIR_Sendq.sq_head = here->db_next;
    else
        before->db_next = here->db_next;
    if (MPIR_Sendq.sq_tail == here)
        MPIR_Sendq.sq_tail = before;
    free(here);
}
/* ---- Progress ---------------------------------------------------------- */

static int is_ready;

void progress_ready(void)
{
    is_ready = 1;
}

/* The rank's own evidence that it runs.  The name is known to the tests, which
 * have an emulated rank run until it is here.
 */
__attribute__((__noinline__)) static void job_ticks(void)
{
    static int file = -1;
    static unsigned ticks;

    if (job_options.counters == NULL)
        return;
    if (file < 0)
        file = open(job_options.counters, O_WRONLY | O_CREAT, 0666);
    ticks++;
    if (pwrite(file, &ticks, sizeof ticks,
               MPID_MyWorldRank * (off_t)sizeof ticks) < 0)
        perror(job_options.counters);
}

static void handle_mail(const struct mail *mail, const char *part)
{
    switch (mail->kind) {
    case mail_eager:
    case mail_request:
        arrive(mail, part);
        break;
    case mail_ready:
        send_data(mail);
        break;
    case mail_data:
        deliver((void *)(unsigned long)mail->receive, mail, part);
        break;
    case mail_abort:
        start_abort(part, mail->tag);
        break;
    }
}

void progress_until(const int *is_complete)
{
    while (!*is_complete)
        progress(20);
}

void progress(int milliseconds)
{
    struct mail mail;
    char part[mail_most];

    while (mail_take(milliseconds, &mail, part)) {
        handle_mail(&mail, part);
        milliseconds = 0;
    }
    if (is_ready)
        job_ticks();
}
