/* turns.c - throttles busy ranks while they are read */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/live/turns.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "mqdump/live/late.h"
#include "mqdump/system/interrupt.h"
#include "process/proc_stat.h"

static const double first = 0.02;       /* seconds until ranks are stopped, */
static const double readers = 0.035;    /* which they are for so long, */
static const double ranks = 0.01;       /* and run for so long */
static const double none = 0.1;         /* until that is asked again, where
                                           there is no need to */
static const double patience = 5;       /* until they have stopped */

enum mq_result mq_turns_add(struct mq_turns *turns,
                            const struct mq_owner *owner,
                            struct mq_outcome *outcome,
                            struct mq_error *error)
{
    const struct mq_turn one = { .owner = owner, .outcome = outcome };

    return mq_array_add(&turns->all, sizeof one, &turns->count, &turns->room,
                        &one, "for a process", error);
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
static bool are_crowding(const struct mq_turns *turns)
{
    long all = mq_host_wanting(), theirs = 0;

    if (all <= 2 * sysconf(_SC_NPROCESSORS_ONLN))
        return false;
    for (size_t i = 0; i < turns->count; i++)
        theirs += count_of(turns->all[i].owner->pid);
    return theirs > 2 * sysconf(_SC_NPROCESSORS_ONLN) && 4 * theirs > 3 * all;
}

/* Stops those that run, as far as that can be. */
static void stop(struct mq_turns *turns)
{
    struct mq_error ignored;

    mq_interrupt_hold_stop();
    for (size_t i = 0; i < turns->count; i++) {
        struct mq_turn *it = &turns->all[i];

        if (it->outcome->result != mq_ok || it->outcome->stands_still
            || mq_proc_state(it->owner->pid) != 'R'
            || mq_owner_check(it->owner, &ignored) != mq_ok)
            continue;
        if (mq_halt_ask(&it->halt, it->owner->pid, &ignored) == mq_ok)
            turns->is_readers = true;
    }
}

static void let_go(struct mq_turns *turns)
{
    for (size_t i = 0; i < turns->count; i++) {
        struct mq_turn *it = &turns->all[i];

        if (it->halt.count > 0 && turns->is_readers)
            it->outcome->stood_still += mq_now() - turns->since;
        mq_halt_end(&it->halt);
    }
    turns->is_readers = false;
    mq_interrupt_allow_stop();
}

/* The readers' turn begins when all have been stopped. */
static void change(struct mq_turns *turns)
{
    bool was_readers = turns->is_readers;
    double rest = ranks;

    let_go(turns);              /* who did not stop in time has now, too */
    turns->since = mq_now();
    if (!was_readers && !are_crowding(turns))
        rest = none;
    else if (!was_readers)
        stop(turns);
    turns->until = mq_now() + (turns->is_readers ? readers : rest);
}

int mq_turns_pass(struct mq_turns *turns)
{
    double now = mq_now();

    if (turns->until == 0)
        turns->until = now + first;
    else if (now >= turns->until)
        change(turns);
    now = turns->until - mq_now();
    return now > 0 ? (int)(now * 1000) + 1 : 1;
}

static bool is_any_kept(const struct mq_turns *turns)
{
    for (size_t i = 0; i < turns->count; i++)
        if (turns->all[i].halt.count > 0)
            return true;
    return false;
}

/* Whoever stops them next would find them traced. */
void mq_turns_end(struct mq_turns *turns)
{
    double deadline = mq_now() + patience;

    let_go(turns);
    while (is_any_kept(turns) && mq_now() < deadline)
        let_go(turns);
    turns->until = 0;
}

void mq_turns_deinit(struct mq_turns *turns)
{
    mq_turns_end(turns);
    for (size_t i = 0; i < turns->count; i++)
        mq_halt_deinit(&turns->all[i].halt);
    free(turns->all);
    *turns = (struct mq_turns){ .count = 0 };
}
