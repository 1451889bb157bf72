/* inject.c - library that injects one fault into MPI calls
 *
 * MQ_FAULT is "KIND RANK N": at its Nth call that can have such a fault, this
 * rank of MPI_COMM_WORLD
 *
 *     drop    does not send the message
 *     tag     sends or receives with another tag
 *     comm    sends, receives or comes together on another communicator
 *     root    takes another rank for the root
 *     skip    leaves a collective operation out
 *     extra   comes to one more, a barrier, before it
 *     pause   never comes back from the call, which is complete
 *
 * What was done is written to MQ_FAULT_FILE then: KIND, RANK, the call, and the
 * rank at the other end of the message, - if it is none.  MQ_CALLS_FILE holds
 * how many calls of each rank came back, 64 bits each in the host's order.
 *
 * What is preloaded behind this library, such as libmqwatch, takes the fault
 * for the program's: the calls go to the PMPI functions.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <mpi.h>

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ANOTHER_TAG = 100, MOST_RANKS = 64, NOBODY = -1 };

/* What a call is, and in which calls there can be a fault of a kind. */
enum { SENDS = 1, RECEIVES = 2, ALL_COME = 4, HAS_ROOT = 8, COMPLETES = 16 };

enum kind { NONE, DROP, TAG, COMM, ROOT, SKIP, EXTRA, PAUSE };

static const struct {
    const char *name;
    int calls;
} kinds[] = {
    [DROP] = { "drop", SENDS },
    [TAG] = { "tag", SENDS | RECEIVES },
    [COMM] = { "comm", SENDS | RECEIVES | ALL_COME },
    [ROOT] = { "root", HAS_ROOT },
    [SKIP] = { "skip", ALL_COME },
    [EXTRA] = { "extra", ALL_COME },
    [PAUSE] = { "pause", SENDS | RECEIVES | ALL_COME | COMPLETES }
};

static enum kind planned;
static int at_rank, at_call;    /* of those that can have it, from 1 on */
static int rank;
static MPI_Comm another;
static volatile uint64_t *calls;

/* ---- The fault ----------------------------------------------------------- */

static void read_plan(void)
{
    const char *plan = getenv("MQ_FAULT");
    char name[8];

    if (plan == NULL
        || sscanf(plan, "%7s %d %d", name, &at_rank, &at_call) != 3)
        return;
    for (size_t i = DROP; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, name) == 0)
            planned = (enum kind)i;
}

/* Where this rank counts, which the file's maker has made large enough. */
static void open_counter(void)
{
    const char *name = getenv("MQ_CALLS_FILE");
    int file = name == NULL ? -1 : open(name, O_RDWR);
    void *place = MAP_FAILED;

    if (file >= 0 && rank < MOST_RANKS)
        place = mmap(NULL, MOST_RANKS * sizeof *calls, PROT_READ | PROT_WRITE,
                     MAP_SHARED, file, 0);
    if (place == MAP_FAILED) {
        fprintf(stderr, "MQ_CALLS_FILE cannot be used\n");
        MPI_Abort(MPI_COMM_WORLD, 3);
        exit(3);
    }
    calls = (volatile uint64_t *)place + rank;
}

int MPI_Init(int *argc, char ***argv)
{
    int result = PMPI_Init(argc, argv);

    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_dup(MPI_COMM_WORLD, &another);
    open_counter();
    read_plan();
    return result;
}

static int world_rank(int peer, MPI_Comm comm)
{
    MPI_Group group, world;
    int found;

    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, 1, &peer, world, &found);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    return found;
}

static void tell(const char *call, int peer)
{
    const char *name = getenv("MQ_FAULT_FILE");
    FILE *file = name == NULL ? NULL : fopen(name, "w");

    if (file == NULL)
        return;
    fprintf(file, "%s %d %s ", kinds[planned].name, rank, call);
    fprintf(file, peer == NOBODY ? "-\n" : "%d\n", peer);
    fclose(file);
}

/* The fault that CALL has to have, which is what WHAT says. */
static enum kind fault_in(const char *call, int what, int peer, MPI_Comm comm)
{
    if ((kinds[planned].calls & what) == 0 || rank != at_rank
        || ((what & (SENDS | RECEIVES)) != 0 && peer == MPI_PROC_NULL)
        || --at_call != 0)
        return NONE;
    tell(call, (what & (SENDS | RECEIVES)) == 0 || peer < 0
                   ? NOBODY : world_rank(peer, comm));
    return planned;
}

static void never_return(void)
{
    for (;;)
        pause();
}

static int done(enum kind fault, int result)
{
    if (fault == PAUSE)
        never_return();
    ++*calls;
    return result;
}

static int tag_of(enum kind fault, int tag)
{
    return fault == TAG ? tag + ANOTHER_TAG : tag;
}

static MPI_Comm comm_of(enum kind fault, MPI_Comm comm)
{
    return fault == COMM ? another : comm;
}

static int root_of(enum kind fault, int root, MPI_Comm comm)
{
    int size;

    PMPI_Comm_size(comm, &size);
    return fault == ROOT ? (root + 1) % size : root;
}

/* ---- Messages ------------------------------------------------------------ */

int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag,
             MPI_Comm comm)
{
    enum kind fault = fault_in("MPI_Send", SENDS, to, comm);

    if (fault == DROP)
        return done(fault, MPI_SUCCESS);
    return done(fault, PMPI_Send(data, count, type, to, tag_of(fault, tag),
                                 comm_of(fault, comm)));
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag,
              MPI_Comm comm, MPI_Request *request)
{
    enum kind fault = fault_in("MPI_Isend", SENDS, to, comm);

    if (fault == DROP) {
        *request = MPI_REQUEST_NULL;
        return done(fault, MPI_SUCCESS);
    }
    return done(fault, PMPI_Isend(data, count, type, to, tag_of(fault, tag),
                                  comm_of(fault, comm), request));
}

int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag,
             MPI_Comm comm, MPI_Status *status)
{
    enum kind fault = fault_in("MPI_Recv", RECEIVES, from, comm);

    return done(fault, PMPI_Recv(data, count, type, from, tag_of(fault, tag),
                                 comm_of(fault, comm), status));
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag,
              MPI_Comm comm, MPI_Request *request)
{
    enum kind fault = fault_in("MPI_Irecv", RECEIVES, from, comm);

    return done(fault, PMPI_Irecv(data, count, type, from, tag_of(fault, tag),
                                  comm_of(fault, comm), request));
}

int MPI_Sendrecv(const void *data, int count, MPI_Datatype type, int to,
                 int tag, void *into, int room, MPI_Datatype its_type,
                 int from, int its_tag, MPI_Comm comm, MPI_Status *status)
{
    enum kind fault = fault_in("MPI_Sendrecv", SENDS, to, comm);

    return done(fault,
                PMPI_Sendrecv(data, count, type,
                              fault == DROP ? MPI_PROC_NULL : to,
                              tag_of(fault, tag), into, room, its_type, from,
                              its_tag, comm_of(fault, comm), status));
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    enum kind fault = fault_in("MPI_Wait", COMPLETES, NOBODY, MPI_COMM_NULL);

    return done(fault, PMPI_Wait(request, status));
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
    enum kind fault = fault_in("MPI_Waitall", COMPLETES, NOBODY,
                               MPI_COMM_NULL);

    return done(fault, PMPI_Waitall(count, requests, statuses));
}

int MPI_Waitany(int count, MPI_Request *requests, int *index,
                MPI_Status *status)
{
    enum kind fault = fault_in("MPI_Waitany", COMPLETES, NOBODY,
                               MPI_COMM_NULL);

    return done(fault, PMPI_Waitany(count, requests, index, status));
}

/* ---- Collective operations ----------------------------------------------- */

/* COLLECTIVE(NAME, WHAT, COMM, CALL): what all of them do around their CALL;
 * what a call that is left out would have made is nothing.
 */
#define COLLECTIVE(name, what, comm, call)                                     \
    enum kind fault = fault_in(name, what, NOBODY, comm);                      \
                                                                               \
    if (fault == SKIP)                                                         \
        return done(fault, MPI_SUCCESS);                                       \
    if (fault == EXTRA)                                                        \
        PMPI_Barrier(comm);                                                    \
    return done(fault, call)

int MPI_Barrier(MPI_Comm comm)
{
    COLLECTIVE("MPI_Barrier", ALL_COME, comm,
               PMPI_Barrier(comm_of(fault, comm)));
}

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root,
              MPI_Comm comm)
{
    COLLECTIVE("MPI_Bcast", ALL_COME | HAS_ROOT, comm,
               PMPI_Bcast(data, count, type, root_of(fault, root, comm),
                          comm_of(fault, comm)));
}

int MPI_Reduce(const void *data, void *result, int count, MPI_Datatype type,
               MPI_Op op, int root, MPI_Comm comm)
{
    COLLECTIVE("MPI_Reduce", ALL_COME | HAS_ROOT, comm,
               PMPI_Reduce(data, result, count, type, op,
                           root_of(fault, root, comm), comm_of(fault, comm)));
}

int MPI_Allreduce(const void *data, void *result, int count,
                  MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    COLLECTIVE("MPI_Allreduce", ALL_COME, comm,
               PMPI_Allreduce(data, result, count, type, op,
                              comm_of(fault, comm)));
}

int MPI_Iallreduce(const void *data, void *result, int count,
                   MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request)
{
    *request = MPI_REQUEST_NULL;
    COLLECTIVE("MPI_Iallreduce", ALL_COME, comm,
               PMPI_Iallreduce(data, result, count, type, op,
                               comm_of(fault, comm), request));
}

int MPI_Gather(const void *data, int count, MPI_Datatype type, void *all,
               int room, MPI_Datatype its_type, int root, MPI_Comm comm)
{
    COLLECTIVE("MPI_Gather", ALL_COME | HAS_ROOT, comm,
               PMPI_Gather(data, count, type, all, room, its_type,
                           root_of(fault, root, comm), comm_of(fault, comm)));
}

int MPI_Alltoall(const void *data, int count, MPI_Datatype type, void *all,
                 int room, MPI_Datatype its_type, MPI_Comm comm)
{
    COLLECTIVE("MPI_Alltoall", ALL_COME, comm,
               PMPI_Alltoall(data, count, type, all, room, its_type,
                             comm_of(fault, comm)));
}
