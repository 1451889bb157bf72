/* resources.h - the resources that the threads of a process wait for
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_RESOURCES_H
#define MQ_RESOURCES_H

#include "direct/call_stack.h"

/* Sets the resource of each thread outside MPI, and its holder. */
void mq_resources_find(const struct mq_call_reader *, struct mq_call_stacks *);

#endif
