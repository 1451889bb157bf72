/* connection.h - ports at which ranks wait for another communicator
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_CONNECTION_H
#define MQ_CONNECTION_H

#include "analysis/graph.h"

/* The name of the port at which a root is in MPI_Comm_accept or
 * MPI_Comm_connect; null: it is in neither, or the name is not known.
 */
const char *mq_port_of(const struct mq_waits *, uint32_t process);

/* Whether a process in one of the two is in MPI_Comm_accept. */
bool mq_is_accepting(const struct mq_process *);

#endif
