/* ob1.h - messages of Open MPI's pml ob1
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef QUEUES_OB1_H
#define QUEUES_OB1_H

#include "queues/library.h"
#include "queues/openmpi.h"

/* Adds the operations of the communicators that were found: mqs_ok, and how
 * each queue ended, or an error.
 */
int ob1_messages(struct view *, const struct openmpi_version *);

#endif
