/* state.c - execution state of a rank
 *
 *   evidence                                          state
 *   a signal handler of the program's runs            runs
 *   a call that blocks                                waits
 *   a call of MPI_Test and kin                        polls; waits if it is
 *                                                       counted to be in vain
 *   no call, and a resource that a rank holds         waits
 *   no call, and a library by which ranks wait for    waits if it was still
 *     each other
 *   MPI_Init, MPI_Finalize, if ranks have not come    waits
 *   MPI_Init                                          starting
 *   MPI_Finalize, exit, abort                         ending
 *   the process has ended                             gone
 *   an unknown call, or none, and it is in MPI's      waits if it was still;
 *     library                                           else runs
 *   a signal has stopped it                           stopped
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "analysis/atoms.h"

#include "analysis/stay.h"
#include "analysis/thread_activity.h"

bool mq_only_polls(const struct mq_process *process)
{
    return process->movement == mq_polled
           || (mq_call_wait(process->call) == mq_wait_polls
               && mq_was_counted(process));
}

/* Whether a process does nothing while another of its threads waits in MPI. */
static bool is_idle_beside_thread(const struct mq_process *process)
{
    return mq_has_waiting_thread(process) && !process->activity.works
           && !mq_is_starved(process);
}

bool mq_may_get_nowhere(const struct mq_process *process)
{
    return is_idle_beside_thread(process)
           || mq_calls_again(process)
           || (process->movement == mq_movement_unknown
               && (mq_is_in_library(process)
                   || process->activity.doing == mq_asleep
                   || (process->looks > 1 && !mq_is_starved(process))))
           || (process->movement == mq_looks_equal && !mq_is_starved(process)
               && mq_has_pending_receive(process));
}

/* The state of a process that begins or ends MPI. */
static enum mq_rank_state state_at_border(const struct mq_builder *b)
{
    bool is_ending = mq_self_call(b) == mq_wait_ending;

    if (is_ending && mq_is_called_back(mq_self(b)))
        return mq_rank_runs;
    if (mq_has_needs(b))
        return mq_rank_waits;
    return is_ending ? mq_rank_ending : mq_rank_starting;
}

static enum mq_rank_state state_by_call(const struct mq_builder *b)
{
    const struct mq_process *process = mq_self(b);
    bool is_inside = mq_is_in_library(process);

    if (process->presence != mq_present)
        return process->presence == mq_gone ? mq_rank_gone : mq_rank_not_read;
    if (mq_signal_handler(process) != NULL)
        return mq_rank_runs;
    switch (mq_self_call(b)) {
    case mq_wait_polls:
        return mq_only_polls(process) ? mq_rank_waits : mq_rank_polls;
    case mq_wait_starting:
    case mq_wait_ending:
        return state_at_border(b);
    case mq_wait_unknown:
        return mq_has_needs(b) || is_inside ? mq_rank_waits : mq_rank_runs;
    case mq_wait_none:
        if (mq_waits_for_resource(b))
            return mq_rank_waits;
        if (mq_is_exiting(process))
            return mq_rank_ending;
        if (mq_only_polls(process)
            || ((process->movement == mq_looks_equal
                 || process->movement == mq_counted_still)
                && is_idle_beside_thread(process))
            || (process->movement != mq_moved && mq_waits_past_mpi(process)))
            return mq_rank_waits;
        return is_inside && (mq_was_counted(process)
                             || process->movement == mq_looks_equal
                             || mq_is_no_call(process->call))
               ? mq_rank_waits : mq_rank_runs;
    default:
        return mq_rank_waits;
    }
}

enum mq_rank_state mq_state_find(const struct mq_builder *b)
{
    enum mq_rank_state state = state_by_call(b);

    return mq_self(b)->movement == mq_stopped && state <= mq_rank_waits
           ? mq_rank_stopped : state;
}
