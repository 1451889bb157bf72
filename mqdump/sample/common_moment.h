/* common_moment.h - one moment that samples of many ranks have in common
 *
 * The ranks of many hosts, or of one host that are looked at in groups, are
 * sampled at different times.
 *
 * Claim: if the times below allow it, there is a moment T at which each rank
 * that was counted not to have moved was where its sample has it.
 *
 * Proof.  All times are those of this host's clock.  An agent was started at
 * STARTED or later, since its command was.  It wrote "first" when its first
 * looks had ended, which arrived here at FIRST; so these had ended by then.
 * Let T be the latest FIRST of all agents: the first looks of all had ended by
 * T.  The last look of a node began BEGAN seconds after its agent's start, so
 * at STARTED + BEGAN or later.  If that is not before T for any node, T is
 * between the first looks and the last ones of every node, and a rank whose
 * calls did not return between these was in the same call at T.  Groups of one
 * host are the same with one clock.
 *
 * So neither equal clocks nor a way back to the agents are needed.  Assumed is
 * that the clocks of hosts run at the same rate, to some per mille, and that
 * the returns are counted from the first look on (process/returns, libmqwatch).
 * A message that was under way at T had STARTED + BEGAN - T to arrive: no rank
 * counts as looked at for longer than that, and the hosts of a job need a
 * fraction of a second of it (cluster/gather).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_COMMON_MOMENT_H
#define MQ_COMMON_MOMENT_H

#include <math.h>
#include <stddef.h>

#include "model/job.h"

struct mq_sample_times {
    double started;             /* the agent's command was, by mq_now; 0: began
                                   is by that clock, too */
    double first;               /* its first looks had ended, by mq_now */
    double began;               /* seconds from its agent's start to its last
                                   look; infinite: it has no ranks */
};

/* T, and the begin of that last look which began first, of the samples that
 * were added; at the beginning MQ_COMMON_MOMENT.
 */
struct mq_common_moment {
    double moment, last_began;
};

#define MQ_COMMON_MOMENT { -INFINITY, INFINITY }

void mq_moment_add(struct mq_common_moment *, const struct mq_sample_times *);

/* The seconds between the two; below 0: there is no such moment.  Infinite
 * without samples.
 */
double mq_moment_margin(const struct mq_common_moment *);

/* Lets the processes from FIRST on count as looked at for MARGIN seconds, or as
 * looked at each at its own time.
 */
void mq_moment_apply(struct mq_job *, size_t first, double margin);

#endif
