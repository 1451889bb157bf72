/* ends.h - root causes: sink components of the wait-for graph
 *
 * The strongly connected parts of the wait-for graph that nothing leads out of:
 * a rank that does not wait, or ranks that wait for each other.  Of a rank that
 * is stuck only what is stuck with it is followed, for sure if it is so for
 * sure, of one that is not only what goes on.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ENDS_H
#define MQ_ENDS_H

#include "waits/stuck.h"

/* Ends that are none: the rank's waiting was not followed; and all ranks that
 * were not given.
 */
#define MQ_NO_END UINT32_MAX
#define MQ_MISSING_END (UINT32_MAX - 1)

struct mq_ends {
    uint32_t count;
    uint32_t *ends;             /* by process: an end that its chain has, or
                                   that it is in */
    bool *is_end;               /* by process: it is in that end itself */
    bool *wanted;               /* by end: some chain leads there */
};

/* PROSPECTS is what mq_stuck_find gives.  In time linear in needs and in the
 * sizes of their groups.
 */
enum mq_result mq_ends_find(const struct mq_waits *,
                            const struct mq_prospects *prospects,
                            struct mq_error *, struct mq_ends *ends);
void mq_ends_destroy(struct mq_ends *ends);

#endif
