/* extensions.h - extensions of the message-queue interface
 *
 * A debugger looks these up and does without.  They give the handles of what
 * was listed, so that the arguments of its calls can be understood.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef QUEUES_EXTENSIONS_H
#define QUEUES_EXTENSIONS_H

#include "mpi_interface.h"

/* The MPI_Comm of the current communicator. */
extern int Mqs_comm_handle(mqs_process *, mqs_taddr_t *handle);

/* The MPI_Request of the operation that mqs_next_operation gave last; 0 if that
 * is not known or it has none.
 */
extern int Mqs_operation_handle(mqs_process *, mqs_taddr_t *handle);

/* The mark of the message that mqs_next_operation gave last, by which its
 * sender knows the send that it is of; 0 if that is not known or it has none.
 * A sender that is not kept waiting until it is received gives it none.
 */
extern int Mqs_operation_mark(mqs_process *, mqs_taddr_t *mark);

/* The mark that a message has where it has arrived, if the MPI_Request HANDLE
 * of this process is the send that it is of: no other one of this process has
 * it as long as that is not complete.  0 if that is not known.  It says nothing
 * of whether HANDLE is a send.
 */
extern int Mqs_request_mark(mqs_process *, mqs_taddr_t handle,
                            mqs_taddr_t *mark);

/* The SIZE members that messages go to, of the communicator with HANDLE: the
 * number that the MPI library has for the MPI_COMM_WORLD of each, which is the
 * same in all processes of a job, and its rank there.  mqs_get_comm_group can
 * give those of the process's own world only.  The process need not have been
 * updated; mqs_no_information if that is not known.
 */
extern int Mqs_comm_members(mqs_process *, mqs_taddr_t handle, int size,
                            mqs_taddr_t *worlds, int *ranks);

#endif
