/* rows.h - table format and rows that the MPICH 1.x DLLs share
 *
 * The form of a table, rows that several tables have, and the errors and limits
 * of what mpich/lookup.h does with them.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MPICH_ROWS_H
#define MPICH_ROWS_H

#include <stdint.h>

#include "mpi_interface.h"

/* ---- Tables ------------------------------------------------------------
 *
 * A table is a macro, MPICH_TABLE(TYPE, MEMBER, SYMBOL, FUNCTION), whose rows
 * are
 *
 * TYPE(name, need, place, alias)      a struct type; PLACE is the member that
 *                                     it is embedded in, or NOWHERE; ALIAS is
 *                                     a name that is looked up before its own,
 *                                     or NULL: of a library that keeps such
 *                                     queues under another MPI, whose own type
 *                                     has that name and another layout
 * MEMBER(type, name, read, need)      one member of the type above it
 * SYMBOL(name, need)                  a variable
 * FUNCTION(name, need)                a function
 *
 * READ is INT, LONG or POINTER, each as wide as the target's, or STRUCT for a
 * member that only holds others; member_int takes what it reads for signed,
 * member_address for unsigned.
 *
 * NEED is one of an enum need that belongs to the table.
 */
#define MPICH_REQUEST_ROWS(TYPE, MEMBER, need)                  \
    TYPE(MPIR_RHANDLE, need, NOWHERE, NULL)                     \
    MEMBER(MPIR_RHANDLE, handle_type, INT, OPTIONAL)            \
    MEMBER(MPIR_RHANDLE, cookie, LONG, OPTIONAL)                \
    MEMBER(MPIR_RHANDLE, is_complete, INT, need)                \
    MEMBER(MPIR_RHANDLE, s, STRUCT, need)                       \
    MEMBER(MPIR_RHANDLE, buf, POINTER, need)                    \
    MEMBER(MPIR_RHANDLE, len, INT, need)                        \
    MEMBER(MPIR_RHANDLE, start, POINTER, OPTIONAL)              \
    MEMBER(MPIR_RHANDLE, datatype, POINTER, OPTIONAL)           \
    TYPE(MPI_Status, need, MPIR_RHANDLE_s, "MQW_Status")        \
    MEMBER(MPI_Status, count, INT, need)                        \
    MEMBER(MPI_Status, MPI_SOURCE, INT, need)                   \
    MEMBER(MPI_Status, MPI_TAG, INT, need)                      \
    TYPE(MPIR_SHANDLE, OPTIONAL, NOWHERE, NULL)                 \
    MEMBER(MPIR_SHANDLE, handle_type, INT, OPTIONAL)            \
    MEMBER(MPIR_SHANDLE, cookie, LONG, OPTIONAL)                \
    MEMBER(MPIR_SHANDLE, is_complete, INT, OPTIONAL)

#define MPICH_COMMUNICATOR_ROWS(TYPE, MEMBER, need)             \
    TYPE(MPIR_Comm_list, need, NOWHERE, NULL)                   \
    MEMBER(MPIR_Comm_list, sequence_number, INT, need)          \
    MEMBER(MPIR_Comm_list, comm_first, POINTER, need)           \
    TYPE(MPIR_Communicator, need, NOWHERE, NULL)                \
    MEMBER(MPIR_Communicator, cookie, LONG, OPTIONAL)           \
    MEMBER(MPIR_Communicator, np, INT, need)                    \
    MEMBER(MPIR_Communicator, local_rank, INT, need)            \
    MEMBER(MPIR_Communicator, lrank_to_grank, POINTER, need)    \
    MEMBER(MPIR_Communicator, recv_context, INT, need)          \
    MEMBER(MPIR_Communicator, comm_next, POINTER, need)         \
    MEMBER(MPIR_Communicator, comm_name, POINTER, need)

#define MPICH_QUEUE_ROWS(TYPE, MEMBER, need)                    \
    TYPE(MPID_QHDR, need, NOWHERE, NULL)                        \
    MEMBER(MPID_QHDR, unexpected, STRUCT, OPTIONAL)             \
    MEMBER(MPID_QHDR, posted, STRUCT, need)                     \
    TYPE(MPID_QUEUE, need, NOWHERE, NULL)                       \
    MEMBER(MPID_QUEUE, first, POINTER, need)                    \
    TYPE(MPID_QEL, need, NOWHERE, NULL)                         \
    MEMBER(MPID_QEL, context_id, INT, need)                     \
    MEMBER(MPID_QEL, tag, INT, need)                            \
    MEMBER(MPID_QEL, tagmask, INT, need)                        \
    MEMBER(MPID_QEL, lsrc, INT, need)                           \
    MEMBER(MPID_QEL, srcmask, INT, need)                        \
    MEMBER(MPID_QEL, next, POINTER, need)                       \
    MEMBER(MPID_QEL, ptr, POINTER, need)

#define MPICH_SEND_QUEUE_ROWS(TYPE, MEMBER)                     \
    TYPE(MPIR_SQUEUE, SENDS, NOWHERE, NULL)                     \
    MEMBER(MPIR_SQUEUE, sq_head, POINTER, SENDS)                \
    TYPE(MPIR_SQEL, SENDS, NOWHERE, NULL)                       \
    MEMBER(MPIR_SQEL, db_shandle, POINTER, SENDS)               \
    MEMBER(MPIR_SQEL, db_comm, POINTER, SENDS)                  \
    MEMBER(MPIR_SQEL, db_target, INT, SENDS)                    \
    MEMBER(MPIR_SQEL, db_tag, INT, SENDS)                       \
    MEMBER(MPIR_SQEL, db_data, POINTER, SENDS)                  \
    MEMBER(MPIR_SQEL, db_byte_length, INT, SENDS)               \
    MEMBER(MPIR_SQEL, db_next, POINTER, SENDS)

#define MPICH_DATATYPE_ROWS(TYPE, MEMBER)                       \
    TYPE(MPIR_DATATYPE, DATATYPES, NOWHERE, NULL)               \
    MEMBER(MPIR_DATATYPE, cookie, LONG, OPTIONAL)               \
    MEMBER(MPIR_DATATYPE, dte_type, INT, DATATYPES)             \
    MEMBER(MPIR_DATATYPE, committed, INT, OPTIONAL)             \
    MEMBER(MPIR_DATATYPE, is_contig, INT, OPTIONAL)             \
    MEMBER(MPIR_DATATYPE, ub, LONG, DATATYPES)                  \
    MEMBER(MPIR_DATATYPE, lb, LONG, DATATYPES)                  \
    MEMBER(MPIR_DATATYPE, extent, LONG, DATATYPES)              \
    MEMBER(MPIR_DATATYPE, size, INT, DATATYPES)                 \
    MEMBER(MPIR_DATATYPE, ref_count, INT, OPTIONAL)             \
    MEMBER(MPIR_DATATYPE, count, INT, DATATYPES)                \
    MEMBER(MPIR_DATATYPE, stride, LONG, DATATYPES)              \
    MEMBER(MPIR_DATATYPE, indices, POINTER, DATATYPES)          \
    MEMBER(MPIR_DATATYPE, blocklen, INT, DATATYPES)             \
    MEMBER(MPIR_DATATYPE, blocklens, POINTER, DATATYPES)        \
    MEMBER(MPIR_DATATYPE, old_type, POINTER, DATATYPES)         \
    MEMBER(MPIR_DATATYPE, old_types, POINTER, DATATYPES)        \
    MEMBER(MPIR_DATATYPE, self, INT, DATATYPES)

/* ---- Errors and limits of reading -------------------------------------- */

#define MPICH_READING_ERRORS(ERROR)                                           \
    ERROR(bad_sizes, "The debugger reported invalid sizes of int, long and "  \
          "pointer")                                                          \
    ERROR(too_wide, "The target's addresses are wider than this DLL was "     \
          "built for: use a 64-bit debugger, or build both with "             \
          "MQS_WIDE_TARGETS")                                                 \
    ERROR(bad_datatype, "The datatype is damaged or was freed: it has no "    \
          "cookie, or an invalid number")                                     \
    ERROR(bad_layout, "The debugger's offsets put a member outside every "    \
          "structure of MPICH")

enum {
    NAME_LIMIT = 64,                /* bytes of a name, with its end */
    READS_LIMIT = 1 << 19,          /* reads that one call makes, of whatever */
    PAGE = 4096,                    /* no target has smaller pages */
    NEIGHBOUR = 8,                  /* lengths between adjacent objects */
    READ_LIMIT = 4                  /* bytes read for each that is needed */
};

/* The longest read that takes more than is needed now, because recent reads
 * were adjacent.  0 switches that off.
 */
#ifndef MPICH_READ_AHEAD
#define MPICH_READ_AHEAD PAGE
#endif

#endif
