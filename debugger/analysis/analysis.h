/* analysis.h - why a job makes no progress
 *
 * Works on the plain structs of job.h, whatever DLL they come from.
 *
 * What a rank waits for.  Where the arguments of its call are known, the
 * operations that job.h marks as awaited: all of them or one.  Else what its
 * call can wait for (call.h): in MPI_Recv the last receive of some
 * communicator; in MPI_Wait and kin, or where the call is not known, one of
 * what is pending; in a blocking send one of its messages that are unexpected
 * and not buffered, and that it does not list; in a collective operation one of
 * the library's own operations, or, if it lists none, the members that are in
 * none.
 *
 * What may be claimed.  A rank is stuck for certain only if all of this holds;
 * what depends on anything less is possible:
 *   - it is counted that its call did not return between the first look and the
 *     last, or the user vouches for it (still in job.h);
 *   - each rank was given, once, of one MPI_COMM_WORLD, and its queues of
 *     receives and of unexpected messages were read whole;
 *   - what it waits for is known from arguments, or is the only thing that it
 *     can be: no message may be on its way to a receive that has left the list,
 *     from a rank whose call is not known, from one outside MPI or in MPI_Wait
 *     whose sends are not listed, or from one in a blocking send without a
 *     message anywhere; a blocking send is known only by a message whose data
 *     are still at the sender; or all that it needs are messages at their
 *     receivers that have the marks of sends that its call waits for: then it
 *     does not matter whether other queues were read whole;
 *   - what it waits for is on a communicator that was matched by evidence
 *     (match.h);
 *   - the same is true of the ranks it waits for.
 * For a rank without known queues, its call alone is sufficient if its peers
 * are known from arguments, or it is in a collective operation that needs all
 * members; it is counted that it did not return; and what it sends or receives
 * would have been moved in that time by a slow network.  Messages on their way
 * have arrived then.
 *
 * Which ranks are free.  A rank in a call that blocks is free by evidence only;
 * the table of it is in waits.c.  Where there is none, the rank depends on any
 * rank of the job, so that ranks of which none is free may be a deadlock, never
 * a certain one.  The same is true of one whose call was counted not to return
 * for longer than it takes to move what it awaits: what has arrived for it is
 * not what it waits for.  A pending send that has neither arrived at a rank
 * inside MPI nor met its receive is being moved: its sender is free, and so is
 * its receiver, unless arguments say that it waits for something else.  A
 * collective operation is held by the library's own operations; where ranks
 * count collective operations, it is blocked for certain by a member that MPI
 * requires and that has not come to this one: that is elsewhere, or in another
 * operation as its next, or in the same with another root.  Where ranks count
 * messages (tallies.h), posted receives take in their order those that were not
 * received; what is left is unexpected, and its send waits.  A blocking send is
 * not held by a message that was buffered.  MPI_Finalize, exit, abort and the
 * end of a process are for ever: a rank that waits for such a rank is stuck.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ANALYSIS_H
#define MQ_ANALYSIS_H

#include "analysis/findings.h"

/* JOB must outlive the analysis and not change. */
enum mq_result mq_analyse(const struct mq_job *job, struct mq_error *error,
                          struct mq_analysis **analysis);
void mq_analysis_destroy(struct mq_analysis *analysis);

/* How many ranks a signal has stopped. */
size_t mq_stopped_ranks(const struct mq_analysis *);

#endif
