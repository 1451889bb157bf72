/* abi_mpi.c - stands in for an MPI with the standard's ABI: a libmpi_abi.so.1
 * that translates what it is called with for the MPI that this is compiled with
 *
 * It has what hang.c and libmqwatch call.  STOCK names the file of that MPI,
 * which nobody else is to see; NAMES is "MPI_" or "PMPI_" for a library that
 * has these names alone.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the standard says. */
typedef uintptr_t handle;

struct status {
    int source, tag, error, inner[5];
};

enum { any_source = -1, any_tag = -2, proc_null = -3, root = -4, most = 64 };

static void *stock(const char *name)
{
    static void *library;
    void *found;

    if (library == NULL)
        library = dlopen(STOCK, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    found = library != NULL ? dlsym(library, name) : NULL;
    if (found == NULL) {
        fprintf(stderr, "abi_mpi: no %s in %s: %s\n", name, STOCK, dlerror());
        abort();
    }
    return found;
}

/* Open MPI's constants are addresses of its variables. */
#ifdef OMPI_PREDEFINED_GLOBAL
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, name) ((type)stock(#name))
#define BITS(made) ((handle)(made))
#else
#define BITS(made) ((handle)(uint32_t)(made))
#endif

/* ---- Handles, both ways -------------------------------------------------- */

static MPI_Comm comm_of(handle it)
{
    return it == 0x100 ? MPI_COMM_NULL : it == 0x101 ? MPI_COMM_WORLD
           : it == 0x102 ? MPI_COMM_SELF : (MPI_Comm)it;
}

static handle comm_to(MPI_Comm it)
{
    return it == MPI_COMM_NULL ? 0x100 : BITS(it);
}

static MPI_Request request_of(handle it)
{
    return it == 0x180 ? MPI_REQUEST_NULL : (MPI_Request)it;
}

static handle request_to(MPI_Request it)
{
    return it == MPI_REQUEST_NULL ? 0x180 : BITS(it);
}

static MPI_Datatype type_of(handle it)
{
    return it == 0x209 ? MPI_INT : it == 0x214 ? MPI_DOUBLE
           : it == 0x247 ? MPI_BYTE : MPI_DATATYPE_NULL;
}

static MPI_Group group_of(handle it)
{
    return (MPI_Group)it;
}

static int rank_of(int it)
{
    return it == any_source ? MPI_ANY_SOURCE : it == proc_null ? MPI_PROC_NULL
           : it == root ? MPI_ROOT : it;
}

static int tag_of(int it)
{
    return it == any_tag ? MPI_ANY_TAG : it;
}

static void status_to(const MPI_Status *from, struct status *to)
{
    if (to == NULL)
        return;
    to->source = from->MPI_SOURCE == MPI_PROC_NULL ? proc_null
                                                   : from->MPI_SOURCE;
    to->tag = from->MPI_TAG == MPI_ANY_TAG ? any_tag : from->MPI_TAG;
    to->error = from->MPI_ERROR;
}

/* ---- Functions ----------------------------------------------------------- */

/* What they give back is in these until THEN has translated it. */
#define FORWARD(name, parameters, arguments, then)                             \
    static int name parameters                                                 \
    {                                                                          \
        int (*next)() = (int (*)())stock("PMPI_" #name);                       \
        MPI_Comm comm_made = MPI_COMM_NULL;                                    \
        MPI_Group group_made = MPI_GROUP_NULL;                                 \
        MPI_Request all[most];                                                 \
        MPI_Status statuses[most];                                             \
        int result;                                                            \
                                                                               \
        (void)comm_made, (void)group_made, (void)all, (void)statuses;          \
        result = next arguments;                                               \
        then;                                                                  \
        return result;                                                         \
    }                                                                          \
    NAMED(name, parameters)

#ifdef NAMES
#define NAMED(name, parameters) ALIAS(name, NAMES #name, parameters, alone)
#else
#define NAMED(name, parameters)                                                \
    ALIAS(name, "MPI_" #name, parameters, mpi)                                 \
    ALIAS(name, "PMPI_" #name, parameters, pmpi)
#endif

#define ALIAS(name, symbol, parameters, how)                                   \
    int name##_##how parameters __asm__(symbol)                                \
        __attribute__((alias(#name), visibility("default")));

static MPI_Request *take(const handle *from, int count, MPI_Request *all)
{
    for (int i = 0; i < count && i < most; i++)
        all[i] = request_of(from[i]);
    return all;
}

static void give(const MPI_Request *all, int count, handle *to)
{
    for (int i = 0; i < count && i < most; i++)
        to[i] = request_to(all[i]);
}

static void tell(const MPI_Status *all, int count, struct status *to)
{
    for (int i = 0; to != NULL && i < count && i < most; i++)
        status_to(&all[i], &to[i]);
}

#define MESSAGE_ARGUMENTS (b, n, type_of(type), rank_of(peer), tag_of(tag),    \
                           comm_of(comm))
#define REQUEST_ARGUMENTS (b, n, type_of(type), rank_of(peer), tag_of(tag),    \
                           comm_of(comm), all)
#define MESSAGE(name)                                                          \
    FORWARD(name, (const void *b, int n, handle type, int peer, int tag,       \
                   handle comm), MESSAGE_ARGUMENTS, (void)0)
#define REQUEST(name)                                                          \
    FORWARD(name, (const void *b, int n, handle type, int peer, int tag,       \
                   handle comm, handle *request), REQUEST_ARGUMENTS,           \
            give(all, 1, request))
#define ON_COMM(name)                                                          \
    FORWARD(name, (handle comm, int *answer), (comm_of(comm), answer), (void)0)

MESSAGE(Send)
MESSAGE(Ssend)
REQUEST(Isend)
REQUEST(Issend)
REQUEST(Irecv)
REQUEST(Ssend_init)
REQUEST(Recv_init)
ON_COMM(Comm_rank)
ON_COMM(Comm_size)
ON_COMM(Comm_remote_size)
ON_COMM(Comm_test_inter)

FORWARD(Recv, (void *b, int n, handle type, int peer, int tag, handle comm,
               struct status *status),
        (b, n, type_of(type), rank_of(peer), tag_of(tag), comm_of(comm),
         statuses),
        tell(statuses, 1, status))
FORWARD(Sendrecv, (const void *sb, int sn, handle st, int to, int stag,
                   void *rb, int rn, handle rt, int from, int rtag, handle comm,
                   struct status *status),
        (sb, sn, type_of(st), rank_of(to), stag, rb, rn, type_of(rt),
         rank_of(from), tag_of(rtag), comm_of(comm), statuses),
        tell(statuses, 1, status))
FORWARD(Probe, (int from, int tag, handle comm, struct status *status),
        (rank_of(from), tag_of(tag), comm_of(comm), statuses),
        tell(statuses, 1, status))
FORWARD(Iprobe, (int from, int tag, handle comm, int *flag,
                 struct status *status),
        (rank_of(from), tag_of(tag), comm_of(comm), flag, statuses),
        if (*flag) tell(statuses, 1, status))
FORWARD(Start, (handle *request), (take(request, 1, all)),
        give(all, 1, request))
FORWARD(Startall, (int n, handle *requests), (n, take(requests, n, all)),
        give(all, n, requests))
FORWARD(Wait, (handle *request, struct status *status),
        (take(request, 1, all), statuses),
        give(all, 1, request); tell(statuses, 1, status))
FORWARD(Waitall, (int n, handle *requests, struct status *to),
        (n, take(requests, n, all), statuses),
        give(all, n, requests); tell(statuses, n, to))
FORWARD(Waitany, (int n, handle *requests, int *which, struct status *status),
        (n, take(requests, n, all), which, statuses),
        give(all, n, requests); tell(statuses, 1, status))

FORWARD(Barrier, (handle comm), (comm_of(comm)), (void)0)
FORWARD(Ibarrier, (handle comm, handle *request), (comm_of(comm), all),
        give(all, 1, request))
FORWARD(Bcast, (void *b, int n, handle type, int from, handle comm),
        (b, n, type_of(type), rank_of(from), comm_of(comm)), (void)0)
FORWARD(Allreduce, (const void *in, void *out, int n, handle type, handle op,
                    handle comm),
        (in, out, n, type_of(type), op == 0x21 ? MPI_SUM : MPI_OP_NULL,
         comm_of(comm)), (void)0)

FORWARD(Comm_dup, (handle comm, handle *made), (comm_of(comm), &comm_made),
        *made = comm_to(comm_made))
FORWARD(Comm_split, (handle comm, int color, int key, handle *made),
        (comm_of(comm), color, key, &comm_made), *made = comm_to(comm_made))
FORWARD(Comm_get_parent, (handle *made), (&comm_made),
        *made = comm_to(comm_made))
FORWARD(Intercomm_create, (handle comm, int leader, handle peer, int other,
                           int tag, handle *made),
        (comm_of(comm), leader, comm_of(peer), other, tag, &comm_made),
        *made = comm_to(comm_made))
FORWARD(Comm_free, (handle *comm), (&(MPI_Comm){ comm_of(*comm) }),
        *comm = 0x100)
FORWARD(Comm_set_name, (handle comm, const char *name), (comm_of(comm), name),
        (void)0)
FORWARD(Comm_group, (handle comm, handle *group), (comm_of(comm), &group_made),
        *group = BITS(group_made))
FORWARD(Comm_remote_group, (handle comm, handle *group),
        (comm_of(comm), &group_made), *group = BITS(group_made))
FORWARD(Group_rank, (handle group, int *rank), (group_of(group), rank), (void)0)
FORWARD(Group_size, (handle group, int *size), (group_of(group), size), (void)0)
FORWARD(Group_translate_ranks, (handle group, int n, const int *ranks,
                                handle other, int *others),
        (group_of(group), n, ranks, group_of(other), others), (void)0)
FORWARD(Group_free, (handle *group),
        (memcpy(&group_made, group, sizeof group_made), &group_made),
        *group = 0x108)

FORWARD(Init, (int *argc, char ***argv), (argc, argv), (void)0)
FORWARD(Init_thread, (int *argc, char ***argv, int wanted, int *level),
        (argc, argv, wanted == 4096 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
         level), *level = *level == MPI_THREAD_MULTIPLE ? 4096 : 0)
FORWARD(Query_thread, (int *level), (level),
        *level = *level == MPI_THREAD_MULTIPLE ? 4096 : 0)
FORWARD(Finalize, (void), (), (void)0)
FORWARD(Abort, (handle comm, int code), (comm_of(comm), code), (void)0)

/* ---- What needs no MPI --------------------------------------------------- */

#define ANSWER(name, parameters, what)                                         \
    static int name parameters                                                 \
    {                                                                          \
        what;                                                                  \
        return 0;                                                              \
    }                                                                          \
    NAMED(name, parameters)

ANSWER(Abi_get_version, (int *major, int *minor), *major = VERSION; *minor = 0)
ANSWER(Get_library_version, (char *version, int *length),
       strcpy(version, "MPICH Version:\t5.0"); *length = (int)strlen(version))
ANSWER(Type_size_x, (handle type, int64_t *size),
       *size = type == 0x209 ? sizeof(int) : type == 0x214 ? sizeof(double)
               : type == 0x247 ? 1 : -32766)
ANSWER(Error_class, (int code, int *class), *class = code)
ANSWER(Test_cancelled, (const struct status *status, int *flag),
       (void)status; *flag = 0)
