/* counts.c - program that checks libmqwatch's counts
 *
 * What a thread remembers of the message before must not be taken for what the
 * next one is about.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/mqwatch.h"

enum { any_of_them = -1, threads = 4, tags_of_a_thread = 60, rounds = 30 };

static const struct mqwatch *watch;
static int failures;

static const struct mqwatch_communicator *noted(MPI_Comm comm)
{
    uint64_t handle = 0, each;

    memcpy(&handle, &comm, sizeof comm);
    for (each = watch->communicators; each != 0;
         each = ((const struct mqwatch_communicator *)each)->next) {
        if (((const struct mqwatch_communicator *)each)->handle == handle)
            return (const struct mqwatch_communicator *)each;
    }
    return NULL;
}

/* Whether COUNT messages with TAG were sent on COMM, and have come. */
static void check(const char *what, MPI_Comm comm, int tag, uint64_t count)
{
    const struct mqwatch_communicator *it = noted(comm);
    const struct mqwatch_cell *cells;
    uint64_t sent = 0, received = 0;
    uint32_t i;

    cells = it != NULL ? (const struct mqwatch_cell *)it->cells : NULL;
    for (i = 0; it != NULL && i < it->cell_count; i++) {
        if (cells[i].peer == 0 && (tag == any_of_them || cells[i].tag == tag)) {
            sent += cells[i].sent;
            received += cells[i].received;
        }
    }
    if (sent == count && received == count)
        return;
    printf("%s: %u messages, %u sent, %u received\n", what, (unsigned)count,
           (unsigned)sent, (unsigned)received);
    failures++;
}

static void check_is_partial(const char *what, MPI_Comm comm, uint32_t is)
{
    const struct mqwatch_communicator *it = noted(comm);

    if (it != NULL && it->is_partial == is)
        return;
    printf("%s: not %s\n", what, is ? "partial" : "complete");
    failures++;
}

static void check_bytes(int64_t bytes)
{
    const struct mqwatch_thread *self = (const void *)watch->threads;

    if (self->bytes == bytes)
        return;
    printf("bytes: %d, not %d\n", (int)self->bytes, (int)bytes);
    failures++;
}

static void receive(int source, int tag, MPI_Comm comm, int sent_with)
{
    MPI_Request request;
    int sent = 1, received = 0;

    MPI_Isend(&sent, 1, MPI_INT, 0, sent_with, comm, &request);
    MPI_Recv(&received, 1, MPI_INT, source, tag, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void send(int tag, MPI_Comm comm)
{
    MPI_Request request;
    int sent = 1, received = 0;

    MPI_Irecv(&received, 1, MPI_INT, 0, tag, comm, &request);
    MPI_Send(&sent, 1, MPI_INT, 0, tag, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void send_nowhere(int tag, MPI_Comm comm)
{
    int nothing = 0;

    MPI_Send(&nothing, 1, MPI_INT, MPI_PROC_NULL, tag, comm);
    MPI_Recv(&nothing, 1, MPI_INT, MPI_PROC_NULL, tag, comm,
             MPI_STATUS_IGNORE);
}

static void in_turns(void)
{
    for (int i = 0; i < rounds; i++) {
        receive(0, 1, MPI_COMM_WORLD, 1);
        receive(0, 1, MPI_COMM_SELF, 1);
        receive(0, 2, MPI_COMM_SELF, 2);
        receive(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, 3);
        receive(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, 4);
        send(1, MPI_COMM_WORLD);
        send_nowhere(1, MPI_COMM_WORLD);
        send(1, MPI_COMM_SELF);
        send(1, MPI_COMM_SELF);
    }
    check("world", MPI_COMM_WORLD, 1, 2 * rounds);
    check("self", MPI_COMM_SELF, 1, 3 * rounds);
    check("another tag", MPI_COMM_SELF, 2, rounds);
    check("any tag", MPI_COMM_SELF, 3, rounds);
    check("any tag again", MPI_COMM_SELF, 4, rounds);
}

/* Whether each of a communicator's offspring is known by an id of its own, and
 * a file counts what is collective on it.
 */
static void offspring(void)
{
    const struct mqwatch_communicator *made[4], *shared;
    MPI_Request request;
    MPI_Comm copies[4];
    MPI_File file;
    char path[4096];

    for (int i = 0; i < 4; i++) {
        if (i % 2 == 0)
            MPI_Comm_dup(MPI_COMM_SELF, &copies[i]);
        else {
            MPI_Comm_idup(MPI_COMM_SELF, &copies[i], &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        made[i] = noted(copies[i]);
        for (int j = 0; j < i; j++) {
            if (made[i] != NULL && made[j] != NULL
                && made[i]->id != made[j]->id)
                continue;
            printf("communicators %d and %d of one have one id\n", j, i);
            failures++;
        }
    }
    snprintf(path, sizeof path, "%s/counts.data",
             getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
    MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR
                  | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 8);
    MPI_File_set_size(file, 16);
    shared = (const struct mqwatch_communicator *)watch->communicators;
    if (shared == made[3] || shared->local_size != 1
        || shared->blocking.entered != 2 || shared->blocking.left != 2
        || shared->id == made[3]->id) {
        printf("a file's two operations: %d entered, %d left\n",
               (int)shared->blocking.entered, (int)shared->blocking.left);
        failures++;
    }
    MPI_File_close(&file);
    if (watch->communicators == (uintptr_t)shared) {
        puts("a file that was closed is still there");
        failures++;
    }
    for (int i = 0; i < 4; i++)
        MPI_Comm_free(&copies[i]);
}

static void many_tags(void)
{
    enum { many = 300 };
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < many; i++) {
        send(i, comm);
        receive(0, many, comm, many);
    }
    check("many tags", comm, any_of_them, 2 * many);
    MPI_Comm_free(&comm);
}

static void handles_again(void)
{
    static char buffer[64];
    MPI_Datatype type;
    MPI_Comm comm;

    for (int i = 1; i <= rounds; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        for (int j = 0; j < i; j++) {
            receive(0, 1, comm, 1);
            send(1, comm);
        }
        check("a new communicator", comm, 1, (uint64_t)(2 * i));
        MPI_Comm_free(&comm);
        MPI_Type_contiguous(i, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Send(buffer, 3, type, MPI_PROC_NULL, 1, MPI_COMM_SELF);
        check_bytes((int64_t)(3 * i * (int)sizeof(int)));
        MPI_Type_free(&type);
    }
}

/* Nobody can tell what came of a message whose call failed. */
static void failed(void)
{
    int sent[2] = { 1, 2 }, received = 0;
    MPI_Request request;
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int i = 0; i < 3; i++)
        receive(0, 1, comm, 1);
    check_is_partial("messages that came", comm, 0);
    MPI_Isend(sent, 2, MPI_INT, 0, 1, comm, &request);
    if (MPI_Recv(&received, 1, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE)
        == MPI_SUCCESS)
        puts("a message that was too long was received");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check_is_partial("a message that was too long", comm, 1);
    receive(0, 1, comm, 1);
    MPI_Comm_free(&comm);
}

static void *exchange(void *argument)
{
    int first = *(const int *)argument;

    for (int i = 0; i < rounds; i++) {
        for (int tag = first; tag < first + tags_of_a_thread; tag++) {
            receive(0, tag, MPI_COMM_WORLD, tag);
            receive(0, tag, MPI_COMM_WORLD, tag);
            send(tag, MPI_COMM_WORLD);
        }
    }
    return NULL;
}

static void at_once(void)
{
    pthread_t ids[threads];
    int first[threads];

    for (int i = 0; i < threads; i++) {
        first[i] = 100 + i * tags_of_a_thread;
        pthread_create(&ids[i], NULL, exchange, &first[i]);
    }
    for (int i = 0; i < threads; i++)
        pthread_join(ids[i], NULL);
    check("threads", MPI_COMM_WORLD, any_of_them,
          3 * rounds * threads * tags_of_a_thread);
}

int main(int argc, char **argv)
{
    int provided, threaded = argc > 1;

    MPI_Init_thread(&argc, &argv, threaded ? MPI_THREAD_MULTIPLE
                                           : MPI_THREAD_SINGLE, &provided);
    watch = dlsym(RTLD_DEFAULT, MQWATCH_SYMBOL);
    if (watch == NULL)
        puts("this program is not watched");
    else if (threaded && provided == MPI_THREAD_MULTIPLE)
        at_once();
    else if (!threaded) {
        in_turns();
        many_tags();
        offspring();
        handles_again();
        failed();
    }
    MPI_Finalize();
    return watch == NULL || failures > 0;
}
