/* stay.c - duration of a rank's stay in its call
 *
 * A call that did not return for longer than a slow network takes to move all
 * that the call awaits waits for something else: nothing that was on its way
 * when the samples began is so any more.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "analysis/stay.h"

#include <math.h>
#include <string.h>

#include "analysis/current_collective.h"
#include "analysis/thread_activity.h"

bool mq_knows_requests(const struct mq_process *process)
{
    return process->awaiting == mq_awaiting_all
           || process->awaiting == mq_awaiting_any;
}

bool mq_was_counted(const struct mq_process *process)
{
    return process->movement == mq_counted_still;
}

bool mq_is_still(const struct mq_job *job,
                 const struct mq_process *process)
{
    return job->still || mq_was_counted(process);
}

bool mq_has_pending_receive(const struct mq_process *process)
{
    for (size_t c = 0; c < process->communicator_count; c++) {
        const struct mq_queue *queue =
            &process->communicators[c].queues[mq_receives];

        for (size_t i = 0; i < queue->count; i++) {
            const struct mq_operation *it =
                &process->operations[queue->first + i];

            if (!it->from_stack && it->status == mq_pending)
                return true;
        }
    }
    return false;
}

/* ---- Seconds ---------------------------------------------------------- */

/* Whether all types that the call names are predefined, so that they are of at
 * most 32 bytes, and there is one.
 */
static bool has_small_types(const struct mq_thread *thread)
{
    size_t count = 0;

    for (size_t i = 0; i < thread->argument_count; i++) {
        const struct mq_argument *it = &thread->arguments[i];

        if (strstr(it->name, "type") == NULL)
            continue;
        if (it->doubtful || it->meaning == NULL)
            return false;
        count++;
    }
    return count > 0;
}

/* Whether the call has a count for each member, so that it is not known. */
static bool has_counts(const struct mq_process *process)
{
    const struct mq_thread *thread = process->threads;

    for (size_t i = 0; process->thread_count > 0 && i < thread->argument_count;
         i++)
        if (strstr(thread->arguments[i].name, "counts") != NULL)
            return true;
    return false;
}

/* For how many seconds at most a call moves, copies or reduces the data that
 * its arguments are of; infinite: they do not show it.
 */
double mq_seconds_of_part(const struct mq_process *process)
{
    static const char *const counts[] = { "count", "sendcount", "recvcount" };
    const double largest = 32;  /* bytes of a type */
    bool is_known = false;
    int64_t count, most = 0;

    if (has_counts(process))
        return INFINITY;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (mq_call_argument(process, counts[i], &count)) {
            is_known = true;
            most = count > most ? count : most;
        }
    if (is_known)
        return has_small_types(process->threads)
               ? (double)most * largest / mq_slow_network : INFINITY;
    return mq_call_is_without_data(process->call) ? 0 : INFINITY;
}

/* A probe is for no data. */
static double seconds_to_move(const struct mq_process *process,
                              const struct mq_operation *operation)
{
    return mq_call_wait(process->call) == mq_wait_probe
           || (operation->from_stack
               && mq_call_wait(process->call) == mq_wait_polls) ? 0
           : operation->desired_length < 0 ? INFINITY
           : (double)operation->desired_length / mq_slow_network;
}

/* The same of a collective operation, as its own part shows. */
double mq_seconds_of_collective(const struct mq_collective *past)
{
    return past->bytes >= 0 ? (double)past->bytes / mq_slow_network
           : mq_call_is_without_data(past->call) ? 0 : INFINITY;
}

/* Where one is enough; infinite: one is not known. */
static double joined_seconds(const struct mq_process *process)
{
    double most = 0;

    for (size_t i = 0; i < process->joined_count; i++) {
        const struct mq_pending_collective *joined = &process->joined[i];
        double seconds = INFINITY;

        for (size_t j = 0; j < process->past_count; j++)
            if (process->past[j].communicator == joined->communicator
                && process->past[j].entered == joined->entered)
                seconds = mq_seconds_of_collective(&process->past[j]);
        most = fmax(most, seconds);
    }
    return most;
}

/* Of those that the process may be in. */
static double collective_seconds(const struct mq_process *process)
{
    double most = 0;

    for (size_t i = 0; i < process->past_count; i++)
        if (!process->past[i].has_ended && process->past[i].bytes >= 0)
            most = fmax(most, mq_seconds_of_collective(&process->past[i]));
    return most;
}

size_t mq_sends_awaited(const struct mq_process *process)
{
    size_t count = 0;

    for (size_t i = 0; i < process->mark_count; i++)
        count += process->marks[i].is_awaited;
    return count;
}

size_t mq_unlisted_awaited(const struct mq_process *process)
{
    size_t count = 0;

    for (size_t i = 0; i < process->awaited_count; i++)
        count += process->awaited[i] == MQ_NOT_LISTED;
    return count;
}

double mq_seconds_to_move(const struct mq_process *process)
{
    const struct mq_operation *all = process->operations;
    size_t unlisted = mq_unlisted_awaited(process);
    double most = mq_collective_needs_all(process)
        ? 0 : collective_seconds(process);

    if (process->awaiting == mq_awaiting_any)
        most = fmax(most, joined_seconds(process));
    for (size_t i = 0; i < process->awaited_count; i++)
        if (process->awaited[i] != MQ_NOT_LISTED)
            most = fmax(most, seconds_to_move(process,
                                              &all[process->awaited[i]]));
    return unlisted + mq_sends_awaited(process) == 0
           || (process->awaiting == mq_awaiting_all
               && unlisted < process->awaited_count)
           ? most : INFINITY;
}

/* ---- Longer than that --------------------------------------------------- */

/* An unknown length is no reason to wait longer. */
static double listed_seconds(const struct mq_process *process, uint32_t index)
{
    double seconds = seconds_to_move(process, &process->operations[index]);

    return isinf(seconds) ? 0 : seconds;
}

/* Whether a thread beside the first is busy with something that ends by itself,
 * so that it may call MPI next.
 */
static bool has_busy_thread(const struct mq_process *process)
{
    for (size_t i = 1; i < process->thread_count; i++)
        if (!mq_call_blocks(mq_call_wait(process->threads[i].call))
            && mq_lock_of(&process->threads[i]) == NULL)
            return true;
    return false;
}

bool mq_is_overdue(const struct mq_process *process)
{
    double most = 0;

    for (size_t i = 0; i < process->awaited_count; i++)
        if (process->awaited[i] != MQ_NOT_LISTED)
            most = fmax(most, listed_seconds(process, process->awaited[i]));
    return mq_was_counted(process) && process->looked_for > 0
           && most <= process->looked_for && !has_busy_thread(process);
}

bool mq_is_proven_by_call(const struct mq_process *process)
{
    if (!mq_was_counted(process))
        return false;
    return mq_seconds_to_move(process) <= process->looked_for
           && (mq_knows_requests(process) || mq_collective_needs_all(process));
}
