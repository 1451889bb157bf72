/* amounts.h - collective operations with mismatched amounts of data
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_AMOUNTS_H
#define MQ_AMOUNTS_H

#include "analysis/graph.h"

/* Whether all members of GROUP have come to the operation that it is of, what
 * they give differs from what they take, and those that are still in it have
 * been there for longer than it takes to move what they await: these stay.
 */
bool mq_is_misfit(const struct mq_waits *, const struct mq_waits_group *group);

#endif
