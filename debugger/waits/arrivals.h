/* arrivals.h - arrival of members at collective operations
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ARRIVALS_H
#define MQ_ARRIVALS_H

#include "waits/graph.h"

/* Whether a process is in a collective operation of the communicator with a
 * number.
 */
bool mq_is_in_collective(const struct mq_waits *, uint32_t process,
                         uint32_t collective);

/* How many collective operations a process has begun on the communicator with
 * a number; 0: not known.
 */
uint64_t mq_collectives_entered(const struct mq_waits *, uint32_t process,
                                uint32_t number);

/* The collective operation that a process entered as its operation ENTERED on
 * the communicator with a number; null: not known.
 */
const struct mq_collective *mq_collective_find(const struct mq_waits *,
                                               uint32_t process,
                                               uint32_t number,
                                               uint64_t entered);

/* Whether a process has come to the collective operation of a group, or has
 * passed it.
 */
bool mq_has_come(const struct mq_waits *, uint32_t process,
                 const struct mq_waits_group *group);

#endif
