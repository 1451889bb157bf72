/* errors.h - error codes of the message-queue DLLs
 *
 * ERROR(name, sentence): the codes follow from the order, which is for ever.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef QUEUES_ERRORS_H
#define QUEUES_ERRORS_H

#include "mpi_interface.h"

#define QUEUES_ERRORS(ERROR)                                                  \
    ERROR(silent, "This image holds no message queues that this DLL knows")   \
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
    ERROR(not_wide, "Only little-endian processes of 64 bits can be read")    \
    ERROR(too_wide, "The target's addresses are wider than this DLL was "     \
          "built for: use a 64-bit debugger, or build both with "             \
          "MQS_WIDE_TARGETS")                                                 \
    ERROR(unreadable, "Memory of the process cannot be read where its "       \
          "message queues are")                                               \
    ERROR(too_many_reads, "The limit on reads of one process was reached; "   \
          "what was read before is shown")                                    \
    ERROR(no_objects, "The list of loaded libraries cannot be read: is the "  \
          "program linked statically, or has it not begun?")                  \
    ERROR(no_library, "The MPI library is not among the loaded libraries")    \
    ERROR(no_worker, "No tag matching of UCX was found: the MPI library uses " \
          "another network layer, or has not called MPI_Init yet")            \
    ERROR(several_workers, "UCX has several tag-matching contexts, and their "\
          "owners are unknown: run with one VCI (MPIR_CVAR_CH4_NUM_VCIS=1)")  \
    ERROR(torn, "The lists of messages contradict each other: the process "   \
          "was changing them when it was stopped, or this version of its "    \
          "library is unknown; look again")                                   \
    ERROR(bad_layout, "The offset of the tag in UCX's receives could not be " \
          "determined: this version of UCX is unknown")                       \
    ERROR(bad_tag, "A message has an invalid tag: the tag layout of this MPI "\
          "is unknown")                                                       \
    ERROR(no_communicators, "The communicators of this MPI are not at their " \
          "usual place: this version of the library is unknown")              \
    ERROR(unknown_version, "This version of Open MPI is unknown: preload "    \
          "libmqwatch with mqdump --launch")                                  \
    ERROR(other_matching, "This Open MPI does not match its messages itself " \
          "(its pml is not ob1)")                                             \
    ERROR(too_many, "The limit on communicators or operations was reached; "  \
          "the first ones are shown")                                         \
    ERROR(unlisted, "A receive is in no list: it is being created, or "       \
          "receives a probed message; the others are shown")                  \
    ERROR(foreign, "A message has arrived on a communicator unknown to this " \
          "process: it was freed here, or is not created yet; the others are "\
          "shown")                                                            \
    ERROR(no_fabric, "Messages go through libfabric, and its tag matching "   \
          "was not found: only that of one endpoint of its provider ofi_rxm " \
          "is known")                                                         \
    ERROR(image_destroyed, "The debugger destroyed the image of this "        \
          "process: set up image and process again")                          \
    ERROR(unknown_requests, "This version of MPICH matches messages in lists "\
          "of its own, and the layout of their requests is unknown: preload " \
          "libmqwatch with mqdump --launch")                                  \
    ERROR(other_mpi, "The MPI library has more variables than MPICH: it is "  \
          "another one with MPICH's ABI, such as Intel MPI, whose queues are " \
          "not known; preload libmqwatch with mqdump --launch")

enum queues_error {
    err_before_first = mqs_first_user_code - 1,
#define ERROR(name, sentence) err_##name,
    QUEUES_ERRORS(ERROR)
#undef ERROR
    err_count
};

#endif
