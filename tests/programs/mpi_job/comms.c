/* comms.c - groups and communicators, MPI_Init to MPI_Abort */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mpi_job.h"
#include "queues.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

MPIR_Comm_list MPIR_All_communicators;
int MPID_MyWorldRank, MPID_MyWorldSize;

/* Every rank makes communicators in the same order, so that a count is as good
 * as an agreement.
 */
static int next_context = 1;

static void *get(size_t size)
{
    void *block = calloc(1, size);

    if (block == NULL)
        exit(3);
    return block;
}

static MPIR_GROUP *new_group(const int *ranks, int np)
{
    MPIR_GROUP *group = get(sizeof *group);
    int i;

    group->ref_count = 1;
    group->self = MPIR_FromPointer(group);
    group->cookie = MPIR_GROUP_COOKIE;
    group->np = np;
    group->local_rank = -1;
    group->lrank_to_grank = get((size_t)np * sizeof *ranks);
    for (i = 0; i < np; i++) {
        group->lrank_to_grank[i] = ranks[i];
        if (ranks[i] == MPID_MyWorldRank)
            group->local_rank = i;
    }
    return group;
}

/* The messages of the communicator go to GROUP, this rank is in LOCAL. */
static MPIR_Communicator *new_comm(MPIR_GROUP *group, MPIR_GROUP *local,
                                   const char *name)
{
    MPIR_Communicator *comm = get(sizeof *comm);

    comm->comm_type = group == local ? MPIR_INTRA : MPIR_INTER;
    comm->cookie = MPIR_COMM_COOKIE;
    comm->np = group->np;
    comm->lrank_to_grank = group->lrank_to_grank;
    comm->local_rank = local->local_rank;
    comm->group = group;
    comm->local_group = local;
    comm->send_context = comm->recv_context = next_context++;
    comm->comm_name = strdup(name);
    comm->error_handler = MPI_ERRORS_ARE_FATAL;
    comm->ref_count = 1;
    comm->comm_next = MPIR_All_communicators.comm_first;
    MPIR_All_communicators.comm_first = comm;
    MPIR_All_communicators.sequence_number++;
    return comm;
}

static MPIR_Communicator *new_pair(MPIR_GROUP *group, MPIR_GROUP *local,
                                   const char *name)
{
    MPIR_Communicator *comm = new_comm(group, local, name);
    char twin[80];

    snprintf(twin, sizeof twin, "%s_collective", name);
    comm->comm_coll = new_comm(group, local, twin);
    return comm;
}

static MPI_Comm give_handle(MPIR_Communicator *comm)
{
    return comm->self = MPIR_FromPointer(comm);
}

void MPI_Comm_dup(MPI_Comm comm, const char *name, MPI_Comm *copy)
{
    const MPIR_Communicator *it = MPIR_ToPointer(comm);

    it->group->ref_count++;
    *copy = give_handle(new_pair(it->group, it->local_group, name));
}

/* Rank R of COMM goes to part R modulo COLOURS, or all go to one. */
void MPI_Comm_split(MPI_Comm comm, int colour, int colours, const char *name,
                    MPI_Comm *part)
{
    const MPIR_Communicator *it = MPIR_ToPointer(comm);
    int ranks[max_ranks], np = 0, i;
    MPIR_GROUP *group;

    for (i = colour; i < it->np; i += colours)
        ranks[np++] = it->lrank_to_grank[i];
    group = new_group(ranks, np);
    *part = give_handle(new_pair(group, group, name));
}

void MPI_Comm_reverse(MPI_Comm comm, const char *name, MPI_Comm *reversed)
{
    const MPIR_Communicator *it = MPIR_ToPointer(comm);
    int ranks[max_ranks], i;
    MPIR_GROUP *group;

    for (i = 0; i < it->np; i++)
        ranks[it->np - 1 - i] = it->lrank_to_grank[i];
    group = new_group(ranks, it->np);
    *reversed = give_handle(new_pair(group, group, name));
}

/* Between the two halves that MPI_Comm_split made of ALL. */
void MPI_Intercomm_create(MPI_Comm halves, MPI_Comm all, const char *name,
                          MPI_Comm *inter)
{
    int colour = MPI_Comm_rank(all) % 2;
    const MPIR_Communicator *both = MPIR_ToPointer(all);
    MPIR_GROUP *mine = ((MPIR_Communicator *)MPIR_ToPointer(halves))->group;
    int ranks[max_ranks], np = 0, i;
    MPIR_GROUP *remote;
    MPIR_Communicator *it, *twin, *local;
    char local_name[80];

    for (i = 1 - colour; i < both->np; i += 2)
        ranks[np++] = both->lrank_to_grank[i];
    remote = new_group(ranks, np);
    it = new_comm(remote, mine, name);
    next_context++;
    it->send_context += 1 - colour;
    it->recv_context += colour;
    snprintf(local_name, sizeof local_name, "%s_collective", name);
    twin = new_comm(remote, mine, local_name);
    snprintf(local_name, sizeof local_name, "%s_local", name);
    local = new_comm(mine, mine, local_name);
    it->comm_coll = twin;
    twin->comm_coll = local;
    *inter = give_handle(it);
}

/* Between this world and one of SIZE ranks.  Messages do not get there. */
void MPI_Comm_connect(int size, const char *name, MPI_Comm *inter)
{
    MPIR_GROUP *mine =
        ((MPIR_Communicator *)MPIR_ToPointer(MPI_COMM_WORLD))->group;
    int ranks[max_ranks], i;
    MPIR_Communicator *it;

    for (i = 0; i < size; i++)
        ranks[i] = i;
    it = new_comm(new_group(ranks, size), mine, name);
    *inter = give_handle(it);
}

int MPI_Comm_rank(MPI_Comm comm)
{
    return ((MPIR_Communicator *)MPIR_ToPointer(comm))->local_rank;
}

int MPI_Comm_size(MPI_Comm comm)
{
    return ((MPIR_Communicator *)MPIR_ToPointer(comm))->np;
}

void MPI_Init(void)
{
    const char *rank = getenv("JOB_RANK");
    int ranks[max_ranks], i;
    MPIR_Communicator *comm;
    MPIR_GROUP *world;

    if (job_options.wait)
        MPIR_being_debugged = 1;
    MPID_MyWorldSize = job_options.ranks;
    MPID_MyWorldRank = rank != NULL ? atoi(rank) : start_ranks(1, NULL);
    if (rank == NULL && MPID_MyWorldRank == 0)
        start_publish(1);
    else
        start_wait_for_gate();
    mail_open(MPID_MyWorldRank);
    if (job_options.keep_sends)
        MPIR_being_debugged = 1;
    for (i = 0; i < MPID_MyWorldSize; i++)
        ranks[i] = i;
    world = new_group(ranks, MPID_MyWorldSize);
    comm = new_pair(world, world, "MPI_COMM_WORLD");
    comm->self = MPI_COMM_WORLD;
    MPIR_SetPointer(MPI_COMM_WORLD, comm);
    objects_init();
}

void MPI_Finalize(void)
{
    wait_for_all();
    start_wait_for_ranks();
}

void MPI_Abort(MPI_Comm comm, int code)
{
    const MPIR_Communicator *it = MPIR_ToPointer(comm);
    struct mail mail = { 0 };
    char why[80];
    int first = getenv("JOB_RANK") != NULL ? starter_mailbox : 0;

    snprintf(why, sizeof why, "MPI_Abort by rank %d with code %d",
             it->lrank_to_grank[it->local_rank], code);
    if (first == MPID_MyWorldRank)
        start_abort(why, code);
    if (job_options.speaks) {
        while (job_options.late != NULL
               && access(job_options.late, F_OK) == 0)
            progress(20);
        start_tell_abort(why);
    }
    mail.kind = mail_abort;
    mail.tag = code;
    mail.part = (int)sizeof why;
    mail_send(first, &mail, why);
    for (;;)
        progress(20);
}
