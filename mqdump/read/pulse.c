/* Whether a process that was read goes on, at next to no cost. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/read/pulse.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "mqdump/read/call_counter.h"
#include "mqdump/read/spot.h"
#include "process/returns.h"

static bool same_spot(const struct mq_spot *one, const struct mq_spot *other)
{
    return one->return_address == other->return_address
           && one->stack == other->stack && one->thread == other->thread;
}

/* Whether PROCESS, as it was read, is where PULSE has it. */
static bool is_where_it_was(const struct mq_pulse *pulse,
                            const struct mq_lead *lead,
                            const struct mq_process *process)
{
    if (pulse->owner.pid != lead->owner.pid
        || pulse->progress != mq_progress_still)
        return false;
    if (process->counter_at != 0)
        return pulse->counter_at == process->counter_at
               && pulse->counter == process->counter;
    return same_spot(&pulse->spot, &lead->spot);
}

void mq_pulse_begin(struct mq_pulse *pulse, const struct mq_lead *lead,
                    const struct mq_analysis *analysis,
                    const struct mq_pulse *before, time_t now)
{
    const struct mq_process *process = &analysis->job->processes[lead->process];

    memset(pulse, 0, sizeof *pulse);
    pulse->state = (enum mq_rank_state)analysis->waits.states[lead->process];
    pulse->is_stuck = mq_is_stuck(analysis, lead->process);
    pulse->owner = lead->owner;
    pulse->rank = process->rank;
    pulse->spot = lead->spot;
    pulse->counter_at = process->counter_at;
    pulse->counter = process->counter;
    pulse->went_on = before == NULL || !is_where_it_was(before, lead, process);
    pulse->since = pulse->went_on ? now : before->since;
    mq_outside_begin(&pulse->outside, process, pulse->owner.pid,
                     before != NULL ? &before->outside : NULL, now);
    if (pulse->counter_at == 0 && pulse->spot.return_address != 0
        && mq_owner_has_thread(&pulse->owner, pulse->spot.thread))
        pulse->is_counted = mq_returns_open(pulse->spot.thread,
                                            pulse->spot.return_address,
                                            &pulse->descriptor) == mq_ok;
}

void mq_pulse_end(struct mq_pulse *pulse)
{
    if (pulse->is_counted)
        close(pulse->descriptor);
    pulse->is_counted = false;
}

/* By its own count, behind the address of the call that it is in. */
static enum mq_progress by_counter(struct mq_pulse *pulse)
{
    uint64_t call, counter;

    if (!mq_call_counter_read(pulse->owner.pid, pulse->counter_at, &call,
                              &counter))
        return mq_progress_unknown;
    if (counter != pulse->counter) {
        pulse->counter = counter;
        return mq_progress_moved;
    }
    if (call == 0)
        return pulse->outside.is_outside ? mq_progress_outside
                                         : mq_progress_unknown;
    if (!pulse->outside.is_outside)
        return mq_progress_still;
    pulse->outside.is_outside = false;
    return mq_progress_moved;
}

static enum mq_result stop_and_look(struct mq_pulse *pulse)
{
    double begin = mq_now();
    enum mq_result result = mq_failed;

    if (mq_owner_has_thread(&pulse->owner, pulse->spot.thread))
        result = mq_spot_holds(&pulse->spot);
    pulse->stopped += mq_now() - begin;
    return result;
}

/* Once it has returned, its next call is not known. */
static enum mq_progress by_spot(struct mq_pulse *pulse)
{
    uint64_t returns = 0;
    enum mq_result result;

    if (pulse->spot.return_address == 0)
        return pulse->outside.is_outside ? mq_progress_outside
                                         : mq_progress_unknown;
    if (pulse->is_counted
        && mq_returns_read(pulse->descriptor, &returns) == mq_ok)
        result = returns == 0 ? mq_ok : mq_absent;
    else
        result = stop_and_look(pulse);
    if (result == mq_ok)
        return mq_progress_still;
    mq_pulse_end(pulse);
    memset(&pulse->spot, 0, sizeof pulse->spot);
    return result == mq_absent ? mq_progress_moved : mq_progress_unknown;
}

void mq_pulse_take(struct mq_pulse *pulse, time_t now)
{
    if (mq_owner_check(&pulse->owner, NULL) != mq_ok)
        pulse->progress = mq_progress_ended;
    else if (pulse->counter_at != 0)
        pulse->progress = by_counter(pulse);
    else
        pulse->progress = by_spot(pulse);
    if (pulse->progress != mq_progress_still)
        pulse->since = now;
    pulse->has_moved |= pulse->progress == mq_progress_moved
                        || pulse->progress == mq_progress_ended;
    if (pulse->progress == mq_progress_outside)
        mq_outside_look(&pulse->outside, pulse->owner.pid, now);
}
