/* mpich_dll_defs.h - table of MPICH 1.x structures, for dll_mpich.c
 *
 * The table below is the only place where a name of the target is spelled.
 * From its rows come the look-ups, the slots for offsets and addresses, how a
 * member is read, the error codes and their sentences.  To use one more member,
 * add its row and read it with member_int or member_address.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MPICH_DLL_DEFS_H
#define MPICH_DLL_DEFS_H

#include "mpich/rows.h"

/* ---- The table: rows as mpich/rows.h describes them ---------------------
 *
 * NEED is
 *   NEEDED    no queue can be shown without it
 *   SENDS     no send can be shown without it
 *   DATATYPES no datatype can be described without it
 *   OPTIONAL  used where it exists
 *   VETO      if it exists, the image is not to be taken as having queues
 *   NUDGE     looked up first, so that a debugger reads the debug information
 *             of its file, in which the types are instanced
 *
 * What has no MPID_QHDR.unexpected, which each MPICH has, cannot know messages
 * before they are received: it is not MPICH, but a library that keeps its
 * queues for another MPI.
 *
 * grank_first and grank_stride are not MPICH's: a library that keeps such
 * queues under another MPI has no table of a group that they show, and a stride
 * of 0 for one that has its table, or that it does not know either.
 *
 * Nor is begun_by, the number of the function that began an operation: such a
 * library lists it until the program has waited for it.
 */
enum need {
    need_NEEDED, need_SENDS, need_DATATYPES, need_OPTIONAL, need_VETO,
    need_NUDGE
};

#define MPICH_TABLE(TYPE, MEMBER, SYMBOL, FUNCTION)             \
    FUNCTION(MPIR_Breakpoint, NUDGE)                            \
    SYMBOL(MPIR_Ignore_queues, VETO)                            \
    SYMBOL(MPIR_ignore_queues, VETO)                            \
                                                                \
    MPICH_QUEUE_ROWS(TYPE, MEMBER, NEEDED)                      \
    MEMBER(MPID_QEL, begun_by, INT, OPTIONAL)                   \
    MPICH_REQUEST_ROWS(TYPE, MEMBER, NEEDED)                    \
    MPICH_COMMUNICATOR_ROWS(TYPE, MEMBER, NEEDED)               \
    MEMBER(MPIR_Communicator, grank_first, INT, OPTIONAL)       \
    MEMBER(MPIR_Communicator, grank_stride, INT, OPTIONAL)      \
    MPICH_SEND_QUEUE_ROWS(TYPE, MEMBER)                         \
    MEMBER(MPIR_SQEL, begun_by, INT, OPTIONAL)                  \
    MPICH_DATATYPE_ROWS(TYPE, MEMBER)                           \
                                                                \
    SYMBOL(MPIR_All_communicators, NEEDED)                      \
    SYMBOL(MPID_recvs, NEEDED)                                  \
    SYMBOL(MPIR_Sendq, SENDS)                                   \
    SYMBOL(MPIR_being_debugged, OPTIONAL)                       \
    SYMBOL(MPID_MyWorldRank, OPTIONAL)

/* ---- Errors ------------------------------------------------------------
 *
 * ERROR(name, sentence): what is not about one row of the table.
 */
#define MPICH_ERRORS(ERROR)                                                   \
    ERROR(silent, "This image holds no MPICH 1.x message queues")             \
    ERROR(no_current_communicator, "There is no current communicator: the "   \
          "iterator is past the end or was not set up")                       \
    ERROR(bad_request, "The debugger asked for something that the interface " \
          "does not have: an unknown queue, a null pointer, or an image or "  \
          "process that was not set up")                                      \
    ERROR(no_store, "Out of memory in the debugger")                          \
    ERROR(no_iterator, "No queue was chosen with "                            \
          "mqs_setup_operation_iterator for this communicator")               \
    ERROR(not_updated, "The communicators were not read yet: "                \
          "mqs_update_communicator_list comes first")                         \
    MPICH_READING_ERRORS(ERROR)                                               \
    ERROR(queue_loops, "The queue is damaged: it contains a cycle; each of "  \
          "its operations was shown once")                                    \
    ERROR(queue_too_long, "The limit on operations of one queue was reached; "\
          "the first ones were shown")                                        \
    ERROR(communicators_loop, "The list of communicators is damaged: it "     \
          "contains a cycle; each communicator was shown once")               \
    ERROR(too_many_communicators, "The limit on communicators was reached; "  \
          "the first ones were shown")                                        \
    ERROR(bad_size, "The communicator is damaged: its size is negative or "   \
          "larger than any job")                                              \
    ERROR(bad_group, "The communicator's group is damaged or was freed: it "  \
          "holds an invalid rank")                                            \
    ERROR(group_limit, "The limit on ranks of all communicators' groups was " \
          "reached")                                                          \
    ERROR(bad_value, "The operation is damaged: it holds an invalid rank, "   \
          "tag or length")

#include "mpich/codes.h"

/* ---- Limits ------------------------------------------------------------
 *
 * What one call of the debugger's can cost, whatever the target holds: two
 * reads for each operation of a queue; one for each communicator, one or two
 * for its name and one for a group that is its own, unless they are damaged.
 * What would take more reads than there may be at all is left out.
 */
enum {
    QUEUE_LIMIT = 1 << 17,          /* operations in one queue */
    COMMUNICATOR_LIMIT = 1 << 17,   /* communicators of one process */
    GROUP_LIMIT = 1 << 22,          /* ranks of one communicator */
    GROUPS_LIMIT = 1 << 24,         /* ranks of all that are held */
    TABLE_PIECE = 16 * PAGE         /* bytes of a large group read at once */
};

#endif
