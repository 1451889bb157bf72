/* blocked.h - proof that a rank is blocked, from messages of other ranks
 *
 * For MPI libraries whose sends are on no queue.  A blocking collective
 * operation posts receives and sends messages with tags that its MPI library
 * uses for nothing else, and does not end before these are complete.  One that
 * is pending blocks its rank until the peer has left its current call, unless
 * the peer may be in the same operation, and so may send or receive more before
 * it returns.  Other sends and receives of the rank, which not every DLL lists,
 * make no difference.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_BLOCKED_H
#define MQ_BLOCKED_H

#include "analysis/match_table.h"

/* Whether the operation REF, which is pending and that process SELF may wait
 * for, is known to keep it in its call for as long as process PEER is in its
 * own.  A message that is on its way when SELF is looked at first has arrived
 * when it is looked at last; or, if the arguments do not show how long SELF may
 * be busy with what has come, one that PEER has sent later has arrived.
 */
bool mq_is_blocked(const struct mq_match_table *, uint32_t self,
                   const struct mq_operation_ref *ref, uint32_t peer);

#endif
