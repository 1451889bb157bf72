/* cm.h - messages of Open MPI's pml cm, over libfabric
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
