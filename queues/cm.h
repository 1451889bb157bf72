/* cm.h - the messages that Open MPI hands to libfabric, by its pml cm
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef QUEUES_CM_H
#define QUEUES_CM_H

#include "queues/library.h"
#include "queues/openmpi.h"

/* As ob1_messages. */
int cm_messages(struct view *, const struct openmpi_version *);

#endif
