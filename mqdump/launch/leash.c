/* leash.c - tracing of a job's starter, and of ranks beside it */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/launch/leash.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "mqdump/system/interrupt.h"
#include "process/proc_stat.h"
#include "target/memory.h"

static const char *const stops[] = {
    "MPIR_Breakpoint", "MPI2DD_breakpoint", NULL
};

static enum mq_result register_undo(struct mq_guard *guard,
                                    struct mq_target *memory,
                                    const struct mq_code_change *change,
                                    struct mq_error *error)
{
    const struct mq_debug_mark mark = { .memory = memory, .code = *change };

    return mq_undo_process_register(&((struct mq_leash *)guard)->marker->undo,
                                    &mark, error);
}

/* Has TARGET stay where it speaks; mq_absent if it does not. */
static enum mq_result spin(struct mq_leash *leash, struct mq_target *target,
                           struct mq_error *error)
{
    struct mq_spinner made;
    enum mq_result result;

    if (mq_array_reserve(&leash->spinners, sizeof made, leash->count + 1,
                         &leash->room, "for a process", error) != mq_ok
        || mq_memory_open(target->pid, error, &made.memory) != mq_ok)
        return mq_failed;
    result = mq_held_spin(target, error, &made.change);
    if (result == mq_ok)
        leash->spinners[leash->count++] = made;
    else
        mq_target_destroy(made.memory);
    return result;
}

static void end_spins(struct mq_leash *leash)
{
    while (leash->count > 0) {
        struct mq_spinner *last = &leash->spinners[--leash->count];

        mq_code_change_undo(&last->change, last->memory, NULL);
        mq_target_destroy(last->memory);
    }
}

enum mq_result mq_leash_open(struct mq_leash *leash,
                             const struct mq_owner *owner,
                             struct mq_marker *marker, struct mq_error *error)
{
    enum mq_result result;

    *leash = (struct mq_leash){ .guard = { register_undo }, .marker = marker };
    result = mq_holder_create(&leash->guard, error, &leash->holder);
    if (result == mq_ok)
        result = mq_holder_add(leash->holder, owner, error, &leash->starter);
    if (result != mq_ok)
        mq_leash_close(leash);
    return result;
}

void mq_leash_close(struct mq_leash *leash)
{
    end_spins(leash);
    free(leash->spinners);
    mq_target_destroy(leash->starter);
    mq_holder_destroy(leash->holder);
    memset(leash, 0, sizeof *leash);
}

enum mq_result mq_leash_add(struct mq_leash *leash,
                            const struct mq_owner *owner,
                            struct mq_error *error, struct mq_target **target)
{
    return mq_holder_add(leash->holder, owner, error, target);
}

enum mq_result mq_leash_run(struct mq_leash *leash, int seconds,
                            struct mq_error *error,
                            struct mq_held_event *event)
{
    return mq_holder_run(leash->holder, stops, seconds, &mq_interrupted, error,
                         event);
}

enum mq_result mq_leash_let_go(struct mq_leash *leash,
                               struct mq_target *target,
                               struct mq_error *error)
{
    enum mq_result result = spin(leash, target, error);

    return result == mq_absent ? target->live->let_go(target, error) : result;
}

void mq_leash_finish(struct mq_leash *leash, int seconds)
{
    double deadline = mq_now() + seconds;
    int pid = leash->starter->pid;

    end_spins(leash);
    leash->starter->live->let_go(leash->starter, NULL);
    while (!mq_proc_has_ended(pid) && mq_now() < deadline)
        mq_nap(50);
}
