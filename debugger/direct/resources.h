/* resources.h - the resources that the threads of a process wait for
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_RESOURCES_H
#define MQ_RESOURCES_H

#include "direct/call_stack.h"

/* Sets the resource of each thread outside MPI, and its holder, once all stacks
 * are there.
 */
void mq_resources_find(const struct mq_call_reader *, struct mq_call_stacks *);

/* The last thread in the chain of holders from the first thread on; the first if
 * it waits for none, or for itself.
 */
size_t mq_resources_last(const struct mq_call_stacks *);

/* Whether a thread waits for a resource, or holds one for which another thread
 * of the process waits.
 */
bool mq_resources_concern(const struct mq_call_stacks *,
                          const struct mq_call_stack *);

#endif
