/* tallies.h - messages sent but not received, from counters
 *
 * Where both ranks count their messages, what one has sent and the other has
 * not received is under way or unexpected, whether or not the MPI library lists
 * unexpected messages.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_TALLIES_H
#define MQ_TALLIES_H

#include "model/job.h"

/* Adds such messages to the unexpected queues of their receivers, marked
 * from_stack, except those of a send that is still listed.  Their lengths are
 * not known (-1).  Ranks that have moved since they were read are left out;
 * where tags cannot be distinguished the queue is not known.  Added messages
 * are not counted again, so that a job can be settled again when it has got
 * more processes.
 */
enum mq_result mq_tallies_apply(struct mq_job *, struct mq_error *);

#endif
