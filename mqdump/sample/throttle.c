/* throttle.c - reading on a busy host, where busy ranks are throttled */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/sample/throttle.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "mqdump/system/interrupt.h"
#include "process/proc_stat.h"

/* ---- Looks that are slow ------------------------------------------------ */

enum { many = 9 };                      /* threads for each processor */

static const double longest = 2;        /* seconds */

/* The number of runnable threads of this host; 0: not known. */
static long threads_wanting(void)
{
    FILE *file = fopen("/proc/loadavg", "r");
    long wanting = 0;

    if (file == NULL)
        return 0;
    if (fscanf(file, "%*s %*s %*s %ld/", &wanting) != 1)
        wanting = 0;
    fclose(file);
    return wanting;
}

static bool is_busy(long wanting)
{
    return wanting > many * sysconf(_SC_NPROCESSORS_ONLN);
}

bool mq_overload_is_past(double since, double seconds)
{
    return mq_now() - since > seconds && is_busy(threads_wanting());
}

void mq_overload_check(struct mq_overload *overload)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    long wanting;

    if (overload->is_late || mq_now() - overload->begin < longest)
        return;
    wanting = threads_wanting();
    if (!is_busy(wanting))
        return;
    overload->is_late = true;
    mq_log(overload->logger, mq_info, "this host is busy: %ld runnable threads "
           "on %ld processor%s; reading takes longer, and fewer samples are "
           "taken", wanting, processors, processors == 1 ? "" : "s");
}

/* ---- Throttling ---------------------------------------------------------- */

static const double first = 0.02;       /* seconds until ranks are stopped, */
static const double readers = 0.035;    /* which they are for so long, */
static const double ranks = 0.01;       /* and run for so long */
static const double none = 0.1;         /* until that is asked again, where
                                           there is no need to */
static const double patience = 5;       /* until they have stopped */

enum mq_result mq_throttle_add(struct mq_throttle *throttle,
                               const struct mq_pin *pin,
                               struct mq_outcome *outcome,
                               struct mq_error *error)
{
    const struct mq_throttled one = { .pin = pin, .outcome = outcome };

    return mq_array_add(&throttle->all, sizeof one, &throttle->count,
                        &throttle->room, &one, "for a process", error);
}

/* How many threads of the process want a processor. */
static long count_of(int pid)
{
    DIR *threads = mq_proc_threads(pid);
    long count = 0;
    int thread;

    while ((thread = mq_proc_next_thread(threads)) != 0)
        count += mq_proc_state(thread) == 'R';
    mq_proc_end_threads(threads);
    return count;
}

/* Whether they are what keeps the processors from their readers: more than two
 * for each, and most of all that run.  To stop them where others do that would
 * be in vain.
 */
static bool are_overloading(const struct mq_throttle *throttle)
{
    long all = threads_wanting(), theirs = 0;

    if (all <= 2 * sysconf(_SC_NPROCESSORS_ONLN))
        return false;
    for (size_t i = 0; i < throttle->count; i++)
        theirs += count_of(throttle->all[i].pin->pid);
    return theirs > 2 * sysconf(_SC_NPROCESSORS_ONLN) && 4 * theirs > 3 * all;
}

/* Stops those that run, as far as that can be. */
static void stop(struct mq_throttle *throttle)
{
    struct mq_error ignored;

    mq_interrupt_hold_stop();
    for (size_t i = 0; i < throttle->count; i++) {
        struct mq_throttled *it = &throttle->all[i];

        if (it->outcome->result != mq_ok || it->outcome->is_stopped
            || mq_proc_state(it->pin->pid) != 'R'
            || mq_pin_check(it->pin, &ignored) != mq_ok)
            continue;
        if (mq_halt_ask(&it->halt, it->pin->pid, &ignored) == mq_ok)
            throttle->is_stopped = true;
    }
}

/* Whether some are stopped all the same: those that are still traced could not
 * be stopped by others.
 */
static bool resume(struct mq_throttle *throttle)
{
    bool is_any_kept = false;

    for (size_t i = 0; i < throttle->count; i++) {
        struct mq_throttled *it = &throttle->all[i];

        if (it->halt.count > 0 && throttle->is_stopped)
            it->outcome->stopped_seconds += mq_now() - throttle->since;
        mq_halt_end(&it->halt);
        is_any_kept |= it->halt.count > 0;
    }
    throttle->is_stopped = false;
    mq_interrupt_allow_stop();
    return is_any_kept;
}

/* The readers' interval begins when all have been stopped. */
static void change(struct mq_throttle *throttle)
{
    bool was_stopped = throttle->is_stopped;
    double rest = ranks;

    resume(throttle);           /* also those that did not stop in time */
    throttle->since = mq_now();
    if (!was_stopped && !are_overloading(throttle))
        rest = none;
    else if (!was_stopped)
        stop(throttle);
    throttle->until = mq_now() + (throttle->is_stopped ? readers : rest);
}

int mq_throttle_step(struct mq_throttle *throttle)
{
    double now = mq_now();

    if (throttle->until == 0)
        throttle->until = now + first;
    else if (now >= throttle->until)
        change(throttle);
    now = throttle->until - mq_now();
    return now > 0 ? (int)(now * 1000) + 1 : 1;
}

void mq_throttle_end(struct mq_throttle *throttle)
{
    double deadline = mq_now() + patience;

    while (resume(throttle) && mq_now() < deadline)
        continue;
    throttle->until = 0;
}

void mq_throttle_deinit(struct mq_throttle *throttle)
{
    mq_throttle_end(throttle);
    for (size_t i = 0; i < throttle->count; i++)
        mq_halt_deinit(&throttle->all[i].halt);
    free(throttle->all);
    *throttle = (struct mq_throttle){ .count = 0 };
}
