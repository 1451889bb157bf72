/* resources.h - the resources that the threads of a process wait for
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_RESOURCES_H
#define MQ_RESOURCES_H

#include "direct/call_stack.h"

/* Sets the lock or thread that each thread outside MPI waits for, and its
 * holder; and the file or child that the last one in the chain from the first
 * thread on waits for.
 */
void mq_resources_find(const struct mq_call_reader *, struct mq_call_stacks *);

#endif
