/* handles_defs.h - table of MPICH 1.x structures, for dll_handles.c
 *
 * Its table, errors and limits, in the form that mpich/rows.h describes.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MPICH_HANDLES_DEFS_H
#define MPICH_HANDLES_DEFS_H

#include "include/mpi_handles_interface.h"
#include "mpich/rows.h"

/* What a row is needed for; what is not OPTIONAL or a NUDGE has to exist if
 * that shall be shown.
 */
enum need {
    need_COMMUNICATORS, need_GROUPS, need_HANDLES, need_ATTRIBUTES,
    need_CARTESIAN, need_GRAPHS, need_ERRHANDLERS, need_OPERATIONS,
    need_DATATYPES, need_REQUESTS, need_PERSISTENT_SENDS,
    need_PERSISTENT_RECEIVES, need_QUEUES, need_SENDS, need_OPTIONAL,
    need_NUDGE
};

#define MPICH_TABLE(TYPE, MEMBER, SYMBOL, FUNCTION)                     \
    FUNCTION(MPIR_Breakpoint, NUDGE)                                    \
                                                                        \
    MPICH_COMMUNICATOR_ROWS(TYPE, MEMBER, COMMUNICATORS)                \
    MEMBER(MPIR_Communicator, self, INT, COMMUNICATORS)                 \
    MEMBER(MPIR_Communicator, comm_type, INT, COMMUNICATORS)            \
    MEMBER(MPIR_Communicator, group, POINTER, COMMUNICATORS)            \
    MEMBER(MPIR_Communicator, local_group, POINTER, COMMUNICATORS)      \
    MEMBER(MPIR_Communicator, attr_cache, POINTER, ATTRIBUTES)          \
    MEMBER(MPIR_Communicator, error_handler, INT, OPTIONAL)             \
    MEMBER(MPIR_Communicator, ref_count, INT, OPTIONAL)                 \
    TYPE(MPIR_GROUP, GROUPS, NOWHERE, NULL)                             \
    MEMBER(MPIR_GROUP, cookie, LONG, OPTIONAL)                          \
    MEMBER(MPIR_GROUP, np, INT, GROUPS)                                 \
    MEMBER(MPIR_GROUP, local_rank, INT, GROUPS)                         \
    MEMBER(MPIR_GROUP, lrank_to_grank, POINTER, GROUPS)                 \
    MEMBER(MPIR_GROUP, ref_count, INT, OPTIONAL)                        \
    MEMBER(MPIR_GROUP, self, INT, OPTIONAL)                             \
                                                                        \
    TYPE(PtrToIdx, HANDLES, NOWHERE, NULL)                              \
    MEMBER(PtrToIdx, ptr, POINTER, HANDLES)                             \
    SYMBOL(PtrBlocks, HANDLES)                                          \
                                                                        \
    TYPE(_MPIR_HBT, ATTRIBUTES, NOWHERE, NULL)                          \
    MEMBER(_MPIR_HBT, cookie, LONG, OPTIONAL)                           \
    MEMBER(_MPIR_HBT, root, POINTER, ATTRIBUTES)                        \
    TYPE(MPIR_HBT_node, ATTRIBUTES, NOWHERE, "_MPIR_HBT_node")          \
    MEMBER(MPIR_HBT_node, cookie, LONG, OPTIONAL)                       \
    MEMBER(MPIR_HBT_node, value, POINTER, ATTRIBUTES)                   \
    MEMBER(MPIR_HBT_node, keyval, POINTER, ATTRIBUTES)                  \
    MEMBER(MPIR_HBT_node, left, POINTER, ATTRIBUTES)                    \
    MEMBER(MPIR_HBT_node, right, POINTER, ATTRIBUTES)                   \
    TYPE(MPIR_Attr_key, ATTRIBUTES, NOWHERE, NULL)                      \
    MEMBER(MPIR_Attr_key, cookie, LONG, OPTIONAL)                       \
    MEMBER(MPIR_Attr_key, self, INT, ATTRIBUTES)                        \
    SYMBOL(MPIR_TOPOLOGY_KEYVAL, ATTRIBUTES)                            \
    TYPE(MPIR_CART_TOPOLOGY, CARTESIAN, NOWHERE, NULL)                  \
    MEMBER(MPIR_CART_TOPOLOGY, cookie, LONG, OPTIONAL)                  \
    MEMBER(MPIR_CART_TOPOLOGY, type, INT, CARTESIAN)                    \
    MEMBER(MPIR_CART_TOPOLOGY, ndims, INT, CARTESIAN)                   \
    MEMBER(MPIR_CART_TOPOLOGY, dims, POINTER, CARTESIAN)                \
    MEMBER(MPIR_CART_TOPOLOGY, periods, POINTER, CARTESIAN)             \
    MEMBER(MPIR_CART_TOPOLOGY, position, POINTER, CARTESIAN)            \
    TYPE(MPIR_GRAPH_TOPOLOGY, GRAPHS, NOWHERE, NULL)                    \
    MEMBER(MPIR_GRAPH_TOPOLOGY, cookie, LONG, OPTIONAL)                 \
    MEMBER(MPIR_GRAPH_TOPOLOGY, type, INT, GRAPHS)                      \
    MEMBER(MPIR_GRAPH_TOPOLOGY, nnodes, INT, GRAPHS)                    \
    MEMBER(MPIR_GRAPH_TOPOLOGY, nedges, INT, GRAPHS)                    \
    MEMBER(MPIR_GRAPH_TOPOLOGY, index, POINTER, GRAPHS)                 \
    MEMBER(MPIR_GRAPH_TOPOLOGY, edges, POINTER, GRAPHS)                 \
                                                                        \
    TYPE(MPIR_Errhandler, ERRHANDLERS, NOWHERE, NULL)                   \
    MEMBER(MPIR_Errhandler, cookie, LONG, OPTIONAL)                     \
    MEMBER(MPIR_Errhandler, routine, POINTER, ERRHANDLERS)              \
    MEMBER(MPIR_Errhandler, ref_count, INT, OPTIONAL)                   \
    TYPE(MPIR_OP, OPERATIONS, NOWHERE, NULL)                            \
    MEMBER(MPIR_OP, cookie, LONG, OPTIONAL)                             \
    MEMBER(MPIR_OP, op, POINTER, OPERATIONS)                            \
    MEMBER(MPIR_OP, commute, INT, OPERATIONS)                           \
    MPICH_DATATYPE_ROWS(TYPE, MEMBER)                                   \
                                                                        \
    MPICH_REQUEST_ROWS(TYPE, MEMBER, REQUESTS)                          \
    MEMBER(MPIR_RHANDLE, self_index, INT, OPTIONAL)                     \
    MEMBER(MPIR_RHANDLE, count, INT, OPTIONAL)                          \
    MEMBER(MPIR_RHANDLE, comm, POINTER, OPTIONAL)                       \
    MEMBER(MPI_Status, MPI_ERROR, INT, OPTIONAL)                        \
    MEMBER(MPIR_SHANDLE, self_index, INT, OPTIONAL)                     \
    MEMBER(MPIR_SHANDLE, is_cancelled, INT, OPTIONAL)                   \
    TYPE(MPIR_PSHANDLE, PERSISTENT_SENDS, NOWHERE, NULL)                \
    MEMBER(MPIR_PSHANDLE, active, INT, PERSISTENT_SENDS)                \
    MEMBER(MPIR_PSHANDLE, perm_tag, INT, PERSISTENT_SENDS)              \
    MEMBER(MPIR_PSHANDLE, perm_dest, INT, PERSISTENT_SENDS)             \
    MEMBER(MPIR_PSHANDLE, perm_count, INT, PERSISTENT_SENDS)            \
    MEMBER(MPIR_PSHANDLE, perm_buf, POINTER, PERSISTENT_SENDS)          \
    MEMBER(MPIR_PSHANDLE, perm_datatype, POINTER, PERSISTENT_SENDS)     \
    MEMBER(MPIR_PSHANDLE, perm_comm, POINTER, PERSISTENT_SENDS)         \
    TYPE(MPIR_PRHANDLE, PERSISTENT_RECEIVES, NOWHERE, NULL)             \
    MEMBER(MPIR_PRHANDLE, active, INT, PERSISTENT_RECEIVES)             \
    MEMBER(MPIR_PRHANDLE, perm_tag, INT, PERSISTENT_RECEIVES)           \
    MEMBER(MPIR_PRHANDLE, perm_source, INT, PERSISTENT_RECEIVES)        \
    MEMBER(MPIR_PRHANDLE, perm_count, INT, PERSISTENT_RECEIVES)         \
    MEMBER(MPIR_PRHANDLE, perm_buf, POINTER, PERSISTENT_RECEIVES)       \
    MEMBER(MPIR_PRHANDLE, perm_datatype, POINTER, PERSISTENT_RECEIVES)  \
    MEMBER(MPIR_PRHANDLE, perm_comm, POINTER, PERSISTENT_RECEIVES)      \
                                                                        \
    MPICH_QUEUE_ROWS(TYPE, MEMBER, QUEUES)                              \
    MPICH_SEND_QUEUE_ROWS(TYPE, MEMBER)                                 \
    SYMBOL(MPIR_All_communicators, COMMUNICATORS)                       \
    SYMBOL(MPID_recvs, QUEUES)                                          \
    SYMBOL(MPIR_Sendq, SENDS)                                           \
    SYMBOL(MPIR_being_debugged, OPTIONAL)

#define MPICH_ERRORS(ERROR)                                                   \
    MPICH_READING_ERRORS(ERROR)                                               \
    ERROR(bad_communicator, "The communicator is damaged or was freed: it "   \
          "has no cookie, or an invalid size")                                \
    ERROR(bad_group, "The group is damaged or was freed: it has no cookie, "  \
          "or an invalid size or rank")                                       \
    ERROR(bad_request, "The request is damaged or was freed, or it is that "  \
          "of a blocking call, which is on the stack without a cookie")       \
    ERROR(bad_attributes, "The communicator's attributes are damaged: a part "\
          "of them has no cookie, or they contain a cycle")                   \
    ERROR(bad_topology, "The communicator's topology is damaged: it has no "  \
          "cookie, or an invalid number")                                     \
    ERROR(list_loops, "The list is damaged: it contains a cycle; its "        \
          "elements before that are shown")                                   \
    ERROR(list_too_long, "The limit on elements of one list was reached; the "\
          "first ones are shown")                                             \
    ERROR(sends_not_kept, "Pending sends cannot be shown: the process did "   \
          "not record them (start it under a debugger)")

#include "mpich/codes.h"

/* What one query can cost, whatever the target holds. */
enum {
    LIST_LIMIT = 1 << 17,           /* elements of one list */
    GROUP_LIMIT = 1 << 22,          /* ranks of one group */
    TOPOLOGY_LIMIT = 1 << 20,       /* numbers of one list of a topology */
    ATTRIBUTE_LIMIT = 1 << 12,      /* attributes of one communicator */
    ATTRIBUTE_DEPTH = 64,           /* of the tree that they are kept in */
    PARTS_LIMIT = 1 << 20,          /* blocks of one datatype */
    WORDS_LIMIT = 256,              /* bytes of a datatype in words */
    BLOCK_COUNT = 256,              /* blocks of MPICH's table of handles */
    BLOCK_SIZE = 1024               /* handles in each */
};

#endif
