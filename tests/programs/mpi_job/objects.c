/* objects.c - datatypes, attributes, topologies and error handlers */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mpi_job.h"
#include "mpir_variables.h"

#include <stdlib.h>
#include <string.h>

int MPIR_TOPOLOGY_KEYVAL = 89;
static int tag_ub = 1 << 30;

static void *get(size_t size)
{
    void *block = calloc(1, size);

    if (block == NULL)
        exit(3);
    return block;
}

/* ---- Datatypes --------------------------------------------------------- */

static struct MPIR_DATATYPE *new_datatype(MPIR_NODETYPE kind)
{
    struct MPIR_DATATYPE *type = get(sizeof *type);

    type->cookie = MPIR_DATATYPE_COOKIE;
    type->dte_type = kind;
    type->committed = 1;
    type->ref_count = 1;
    return type;
}

static void add_basic(MPI_Datatype self, MPIR_NODETYPE kind, int size)
{
    struct MPIR_DATATYPE *type = new_datatype(kind);

    type->is_contig = type->count = 1;
    type->size = size;
    type->extent = type->ub = size;
    type->self = self;
    MPIR_SetPointer(self, type);
}

void MPI_Type_hvector(int count, int block_length, long stride,
                      MPI_Datatype old_type, MPI_Datatype *datatype)
{
    struct MPIR_DATATYPE *type = new_datatype(MPIR_HVECTOR);

    type->old_type = MPIR_ToPointer(old_type);
    type->count = count;
    type->blocklen = block_length;
    type->stride = stride;
    type->size = count * block_length * type->old_type->size;
    type->extent = (count - 1) * stride
                   + block_length * type->old_type->extent;
    type->ub = type->extent;
    *datatype = type->self = MPIR_FromPointer(type);
}

/* ---- Attributes -------------------------------------------------------- */

int MPI_Keyval_create(void)
{
    MPIR_Attr_key *key = get(sizeof *key);

    key->cookie = MPIR_ATTR_COOKIE;
    return key->self = MPIR_FromPointer(key);
}

static void predefine_keyval(int self)
{
    MPIR_Attr_key *key = get(sizeof *key);

    key->cookie = MPIR_ATTR_COOKIE;
    key->self = self;
    MPIR_SetPointer(self, key);
}

/* A tree that has grown to one side only is a tree. */
void MPI_Attr_put(MPI_Comm comm, int keyval, void *value)
{
    MPIR_Communicator *it = MPIR_ToPointer(comm);
    MPIR_HBT_node *node = get(sizeof *node);

    if (it->attr_cache == NULL) {
        it->attr_cache = get(sizeof *it->attr_cache);
        it->attr_cache->cookie = MPIR_HBT_COOKIE;
    }
    node->cookie = MPIR_HBT_NODE_COOKIE;
    node->keyval = MPIR_ToPointer(keyval);
    node->value = value;
    node->left = it->attr_cache->root;
    it->attr_cache->root = node;
    it->attr_cache->height++;
}

/* ---- Topologies -------------------------------------------------------- */

static int *copy(const int *values, int count)
{
    int *copied = get((size_t)count * sizeof *values);

    return memcpy(copied, values, (size_t)count * sizeof *values);
}

void MPI_Cart_create(MPI_Comm comm, int ndims, const int *dims,
                     const int *periods, const char *name, MPI_Comm *grid)
{
    MPIR_CART_TOPOLOGY *topology = get(sizeof *topology);
    int rank, i;

    MPI_Comm_dup(comm, name, grid);
    rank = MPI_Comm_rank(*grid);
    topology->cookie = MPIR_CART_TOPOL_COOKIE;
    topology->type = 2;
    topology->ndims = ndims;
    topology->dims = copy(dims, ndims);
    topology->periods = copy(periods, ndims);
    topology->position = copy(dims, ndims);
    for (i = ndims - 1; i >= 0; i--, rank /= dims[i + 1])
        topology->position[i] = rank % dims[i];
    topology->nnodes = MPI_Comm_size(*grid);
    MPI_Attr_put(*grid, MPIR_TOPOLOGY_KEYVAL, topology);
}

/* ---- Error handlers ---------------------------------------------------- */

void MPI_Errhandler_create(void (*routine)(MPI_Comm *, int *),
                           int *errhandler)
{
    struct MPIR_Errhandler *it = get(sizeof *it);

    it->cookie = MPIR_ERRHANDLER_COOKIE;
    it->routine = routine;
    it->ref_count = 1;
    *errhandler = MPIR_FromPointer(it);
}

void MPI_Errhandler_set(MPI_Comm comm, int errhandler)
{
    MPIR_Communicator *it = MPIR_ToPointer(comm);

    it->error_handler = errhandler;
}

void objects_init(void)
{
    add_basic(MPI_BYTE, MPIR_BYTE, 1);
    add_basic(MPI_INT, MPIR_INT, sizeof(int));
    add_basic(MPI_DOUBLE, MPIR_DOUBLE, sizeof(double));
    predefine_keyval(MPIR_TOPOLOGY_KEYVAL);
    predefine_keyval(MPI_TAG_UB);
    MPI_Attr_put(MPI_COMM_WORLD, MPI_TAG_UB, &tag_ub);
}
