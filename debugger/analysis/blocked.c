/* blocked.c - proof that a rank is blocked, from messages of other ranks */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/blocked.h"

#include <math.h>

#include "analysis/stay.h"
#include "analysis/thread_activity.h"
#include "mpi/adapters.h"

static bool is_of_blocking(const struct mq_operation *operation)
{
    return !operation->tag_wild
           && mq_adapter_is_blocking_tag(operation->desired_tag);
}

/* ---- Its peer --------------------------------------------------------- */

static bool may_call_beside(const struct mq_process *process)
{
    return process->concurrent_callers > 0 || process->thread_count > 1;
}

/* Whether what a process still has to send or receive for the operation of
 * another one it does after the call that it is in: it is in another operation,
 * in which it moves what it has begun before, and has been there at all looks.
 */
static bool is_elsewhere(const struct mq_process *peer, const char *call)
{
    if (peer->presence == mq_gone)
        return true;
    return peer->presence == mq_present && peer->call != NULL
           && peer->movement == mq_counted_still
           && !mq_call_is_same(mq_call_name(peer->call), mq_call_name(call))
           && !may_call_beside(peer) && !mq_is_called_back(peer);
}

/* ---- The operation ---------------------------------------------------- */

/* Whether a message that the receive would take has arrived, had it been sent.
 * The rank may have copied or reduced its own part for each member before it
 * looked for messages again.
 */
static bool would_be_here(const struct mq_match_table *table, uint32_t self,
                          const struct mq_operation *receive)
{
    const struct mq_process *process = &table->job->processes[self];
    double work = mq_seconds_of_part(process)
                  * (double)table->job->process_count;

    return receive->desired_length >= 0
           && fmax((double)receive->desired_length / mq_slow_network, work)
              <= process->looked_for;
}

/* The tag of the barrier for which PROCESS waits on a communicator; 0: none. */
static int64_t tag_of_barrier(const struct mq_process *process,
                              const struct mq_communicator *communicator)
{
    const struct mq_queue *receives = &communicator->queues[mq_receives];

    for (uint32_t i = 0; i < receives->count; i++) {
        const struct mq_operation *it =
            &process->operations[receives->first + i];

        if (it->status == mq_pending && is_of_blocking(it))
            return it->desired_tag;
    }
    return 0;
}

/* The tag of the barrier that PEER is in on the communicator with this number;
 * 0: it is in none, or that is not known.
 */
static int64_t barrier_tag(const struct mq_match_table *table, uint32_t peer,
                           uint32_t number)
{
    const struct mq_process *process = &table->job->processes[peer];
    int64_t tag = 0;

    if (!mq_call_is_same(mq_call_name(process->call), "MPI_Barrier"))
        return 0;
    for (uint32_t i = 0; i < process->communicator_count && tag == 0; i++)
        if (mq_match_number(table->match, peer, i) == number)
            tag = tag_of_barrier(process, &process->communicators[i]);
    return tag;
}

/* Whether a message of the barrier that PEER is in has arrived.  MPI keeps the
 * order of messages on a communicator, unless an assertion allows otherwise, so
 * that all has arrived that PEER has sent before.  It cannot be one of an
 * earlier barrier: PEER has left none that SELF has not come to, and what SELF
 * has left, it has received.
 */
static bool is_overtaken(const struct mq_match_table *table, uint32_t self,
                         const struct mq_operation_ref *receive, uint32_t peer)
{
    const struct mq_queue *arrived =
        &mq_operation_ref_communicator(table->job, receive)
            ->queues[mq_unexpected];
    int64_t tag = barrier_tag(table, peer,
                              mq_match_number(table->match, self,
                                              receive->communicator));
    uint32_t sender;

    for (uint32_t i = 0; tag != 0 && i < arrived->count; i++) {
        const struct mq_operation *it =
            &table->job->processes[self].operations[arrived->first + i];

        if (it->desired_tag == tag
            && mq_is_process(mq_rank_process(table->ranks, it->desired_global),
                             &sender)
            && sender == peer)
            return true;
    }
    return false;
}

/* Whether a nonblocking collective operation is under way: a part of it, such
 * as a large sum, may keep the process from messages that have arrived.
 */
static bool does_another(const struct mq_process *process)
{
    for (size_t i = 0; i < process->operation_count; i++) {
        const struct mq_operation *it = &process->operations[i];

        if (it->status == mq_pending && !it->tag_wild
            && mq_adapter_is_nonblocking_tag(it->desired_tag))
            return true;
    }
    return false;
}

bool mq_is_blocked(const struct mq_match_table *table, uint32_t self,
                   const struct mq_operation_ref *ref, uint32_t peer)
{
    const struct mq_process *process = &table->job->processes[self];
    const struct mq_operation *it;

    if (ref->queue >= mq_queue_classes || peer >= table->job->process_count
        || table->calls[self] != mq_wait_collective
        || process->movement != mq_counted_still || may_call_beside(process)
        || table->doubts[self] & mq_in_callback || does_another(process)
        || !is_elsewhere(&table->job->processes[peer], process->call))
        return false;
    it = mq_operation_ref_operation(table->job, ref);
    if (it->status != mq_pending || !is_of_blocking(it))
        return false;
    return ref->queue == mq_receives
           ? would_be_here(table, self, it)
             || is_overtaken(table, self, ref, peer)
           : ref->queue == mq_unexpected
             && mq_message_data(it) == mq_data_at_sender;
}
