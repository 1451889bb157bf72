/* stuck.h - which ranks can never go on
 *
 * A rank goes on if one of its needs is met or its node goes on, or each of
 * them where it needs all; a group for any member, if one goes on.  All others
 * are stuck: as it looks, where each rank waits for what it most likely waits
 * for, and for sure, if they are stuck even where everything goes on that may.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_STUCK_H
#define MQ_STUCK_H

#include "waits/waits.h"

enum mq_prospect {
    mq_seems_to_go_on = 1,
    mq_can_go_on = 2            /* it is not proven that it cannot */
};

/* By node: enum mq_prospect; to be freed by the caller.  In time linear in
 * needs and in the sizes of their groups.
 */
enum mq_result mq_stuck_find(const struct mq_waits *, struct mq_error *,
                             uint8_t **prospects);

#endif
