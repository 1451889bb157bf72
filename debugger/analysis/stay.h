/* stay.h - duration of a rank's stay in its call
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_STAY_H
#define MQ_STAY_H

#include "analysis/match_table.h"
#include "model/job.h"

/* Whether the arguments of its call show what the process waits for. */
bool mq_knows_requests(const struct mq_process *);

/* How many requests that it waits for are known by a mark only, and how many
 * are on no list.
 */
size_t mq_sends_awaited(const struct mq_process *);
size_t mq_unlisted_awaited(const struct mq_process *);

/* Whether the returns of its call were counted, and there was none. */
bool mq_was_counted(const struct mq_process *);

/* The same, or the user vouches for it. */
bool mq_is_still(const struct mq_job *, const struct mq_process *);

/* Whether a receive that it has posted is pending, but for that of its call. */
bool mq_has_pending_receive(const struct mq_process *);

/* For how many seconds a process must be sampled before its call alone shows
 * that it waits: by then all that it awaits would have been moved if the other
 * side were there.  Of several that it needs those are enough that are listed.
 * Infinite: unknown.
 */
double mq_seconds_to_move(const struct mq_process *);

/* The same of the process's own part of a collective operation, and of what the
 * arguments of its call give and take.
 */
double mq_seconds_of_collective(const struct mq_collective *);
double mq_seconds_of_part(const struct mq_process *);

/* Whether the call of a process did not return for longer than it takes to move
 * what it awaits, so that nothing that was there or on its way is it.
 */
bool mq_is_overdue(const struct mq_process *);

/* Whether the call of a process is evidence enough that it waits for its needs,
 * whatever queues show: what was on its way to it has arrived.
 */
bool mq_is_proven_by_call(const struct mq_process *);

#endif
