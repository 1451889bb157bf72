/* queues.h - internal send and receive functions */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef JOB_QUEUES_H
#define JOB_QUEUES_H

#include "mpir_variables.h"

#include <stddef.h>

/* Memory that is zero; the program ends if there is none. */
void *get_cleared(size_t size);

/* Lets HANDLE receive LENGTH bytes, laid out as DATATYPE tells unless that is
 * null.
 */
void queue_post(MPIR_RHANDLE *handle, void *data, int length,
                struct MPIR_DATATYPE *datatype, int source, int tag,
                const MPIR_Communicator *comm);

/* Whether such a message lies unexpected, and if so its status. */
int queue_probe(int source, int tag, const MPIR_Communicator *comm,
                MPI_Status *status);

/* Sends: at once what is short, else once there is a receive for it, as all is
 * with SYNC.  The data stay with the caller until HANDLE is complete.
 */
void queue_send(MPIR_SHANDLE *handle, const void *data, int length, int target,
                int tag, const MPIR_Communicator *comm, int sync);

/* What a debugger sees of sends, if there is one. */
void queue_remember(MPIR_SHANDLE *handle, int target, int tag,
                    MPIR_Communicator *comm);
void queue_forget(const MPIR_SHANDLE *handle);

/* Handles what comes in until that is set. */
void progress_until(const int *is_complete);

/* Sends and receives that are over when these return: the steps of collective
 * operations.
 */
void send_now(const void *data, int length, int target, int tag,
              const MPIR_Communicator *comm);
void receive_now(void *data, int length, int source, int tag,
                 const MPIR_Communicator *comm, MPI_Status *status);

/* Requests for such, as MPI_Wait takes them. */
MPI_Request begin_send(const void *data, int length, int target, int tag,
                       MPIR_Communicator *comm, int sync);
MPI_Request begin_receive(void *data, int length,
                          struct MPIR_DATATYPE *datatype, int source, int tag,
                          const MPIR_Communicator *comm);

/* All ranks have to come here before one goes on. */
void wait_for_all(void);

#endif
