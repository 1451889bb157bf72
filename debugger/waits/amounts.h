/* amounts.h - collective operations with mismatched amounts of data
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_AMOUNTS_H
#define MQ_AMOUNTS_H

#include "waits/graph.h"

/* Whether all members of GROUP have come to operation ENTERED on the
 * communicator with a number, what they give differs from what they take, and
 * those that are still in it have been there for longer than it takes to move
 * what they await: these stay.
 */
bool mq_is_misfit(const struct mq_waits *, const struct mq_group *group,
                  uint32_t number, uint64_t entered);

#endif
