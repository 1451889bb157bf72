/* leash.c - starters that are let run, by the kernel's means or by gdb's */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/launch/leash.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "mqdump/live/recorder.h"
#include "mqdump/system/interrupt.h"
#include "process/proc_stat.h"
#include "target/memory.h"

static const char *const stops[] = {
    "MPIR_Breakpoint", "MPI2DD_breakpoint", NULL
};

/* For gdb: where programs begin; a stripped one has no main by name. */
static const char gdbs_stops[] = "main __libc_start_main MPIR_Breakpoint "
                                 "MPI2DD_breakpoint";

/* ---- The kernel's ------------------------------------------------------ */

static enum mq_result tell_keeper(struct mq_guard *guard,
                                  struct mq_target *memory,
                                  const struct mq_code_change *change,
                                  struct mq_error *error)
{
    const struct mq_debug_mark mark = { .memory = memory, .code = *change };

    return mq_keeper_tell(&((struct mq_leash *)guard)->marker->keeper, &mark,
                          error);
}

static enum mq_result run_held(struct mq_leash *leash, int seconds,
                               struct mq_error *error,
                               struct mq_leash_event *event)
{
    static const enum mq_leash_event_kind kinds[] = {
        [mq_held_entered] = mq_leash_speaks,
        [mq_held_executed] = mq_leash_executed,
        [mq_held_begins] = mq_leash_begins,
        [mq_held_interrupted] = mq_leash_interrupted,
        [mq_held_exited] = mq_leash_exited
    };
    struct mq_held_event held = { .target = NULL };
    enum mq_result result = mq_holder_run(leash->holder, stops, seconds,
                                          &mq_interrupted, error, &held);

    if (result != mq_ok)
        return result;
    event->kind = kinds[held.kind];
    event->target = held.target;
    event->status = held.status;
    return mq_ok;
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

/* ---- A gdb's ----------------------------------------------------------- */

static enum mq_result run_gdbs(struct mq_leash *leash, bool has_begun,
                               int seconds, struct mq_error *error,
                               struct mq_leash_event *event)
{
    static const enum mq_leash_event_kind kinds[] = {
        [mq_gdb_entered] = mq_leash_speaks,
        [mq_gdb_executed] = mq_leash_executed,
        [mq_gdb_signalled] = mq_leash_interrupted,
        [mq_gdb_exited] = mq_leash_exited,
        [mq_gdb_stopped] = mq_leash_executed
    };
    const char *functions = has_begun ? strstr(gdbs_stops, "MPIR")
                                      : gdbs_stops;
    enum mq_result result = mq_gdb_run(leash->starter, functions, seconds,
                                       error, &event->gdbs);

    if (result != mq_ok)
        return result;
    event->kind = kinds[event->gdbs.kind];
    event->status = event->gdbs.status;
    if (event->gdbs.kind == mq_gdb_entered
        && strncmp(event->gdbs.function, "MPI", 3) != 0)
        event->kind = mq_leash_begins;
    return mq_ok;
}

/* ---- Either's ---------------------------------------------------------- */

static enum mq_result open_held(struct mq_leash *leash,
                                const struct mq_owner *owner,
                                struct mq_error *error)
{
    enum mq_result result = mq_holder_create(&leash->guard, error,
                                             &leash->holder);

    if (result == mq_ok)
        result = mq_holder_add(leash->holder, owner, error, &leash->starter);
    if (result != mq_ok) {
        mq_holder_destroy(leash->holder);
        leash->holder = NULL;
    }
    return result;
}

static enum mq_result open_gdbs(struct mq_leash *leash,
                                const struct mq_owner *owner,
                                const struct mq_read_options *how,
                                struct mq_error *error)
{
    const struct mq_gdb_subject subject = {
        .kind = mq_gdb_process, .pid = owner->pid, .owner = *owner, .rank = -1
    };
    enum mq_result result = mq_recorder_open(&subject, how, error,
                                             &leash->starter);

    if (result == mq_ok)
        result = mq_gdb_follow(leash->starter, error);
    if (result != mq_ok)
        mq_leash_close(leash);
    return result;
}

enum mq_result mq_leash_open(struct mq_leash *leash,
                             const struct mq_owner *owner,
                             const struct mq_read_options *how,
                             struct mq_marker *marker, struct mq_error *error)
{
    enum mq_result result = mq_absent;

    *leash = (struct mq_leash){ .guard = { tell_keeper }, .marker = marker };
    if (how->live->gdb == NULL)
        result = open_held(leash, owner, error);
    return result == mq_absent ? open_gdbs(leash, owner, how, error) : result;
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
                            const struct mq_gdb_subject *subject,
                            struct mq_error *error, struct mq_target **target)
{
    const struct mq_gdb_options options = { .types = NULL };
    struct mq_target *made;

    if (leash->holder != NULL)
        return mq_holder_add(leash->holder, &subject->owner, error, target);
    if (mq_gdb_prepare(mq_gdb_link_of(leash->starter), &options, subject,
                       error, &made) != mq_ok)
        return mq_failed;
    if (made->live->stop(made, error) != mq_ok) {
        mq_target_destroy(made);
        return mq_failed;
    }
    *target = made;
    return mq_ok;
}

bool mq_leash_is_of(const struct mq_leash_event *event,
                    const struct mq_target *target)
{
    return mq_gdb_link_of(target) == NULL ? event->target == target
           : mq_gdb_is_of(&event->gdbs, target);
}

enum mq_result mq_leash_run(struct mq_leash *leash, bool has_begun,
                            int seconds, struct mq_error *error,
                            struct mq_leash_event *event)
{
    event->target = NULL;
    return leash->holder != NULL ? run_held(leash, seconds, error, event)
           : run_gdbs(leash, has_begun, seconds, error, event);
}

enum mq_result mq_leash_describe(const struct mq_leash *leash,
                                 struct mq_target *target,
                                 struct mq_error *error)
{
    return leash->holder != NULL ? mq_held_describe(target, error)
                                 : mq_gdb_describe(target, error);
}

enum mq_result mq_leash_let_go(struct mq_leash *leash,
                               struct mq_target *target,
                               struct mq_error *error)
{
    enum mq_result result = leash->holder != NULL ? spin(leash, target, error)
                                                  : mq_absent;

    leash->has_left |= target == leash->starter;
    return result == mq_absent ? target->live->let_go(target, error) : result;
}

enum mq_result mq_leash_hand_over(struct mq_leash *leash,
                                  struct mq_target *target,
                                  struct mq_error *error)
{
    return leash->holder == NULL ? mq_absent
           : mq_leash_let_go(leash, target, error);
}

void mq_leash_finish(struct mq_leash *leash, int seconds)
{
    double deadline = mq_now() + seconds;
    struct mq_gdb_event event;
    int pid = leash->starter->pid;

    end_spins(leash);
    if (leash->holder == NULL && !leash->has_left) {
        mq_gdb_run(leash->starter, "", seconds, NULL, &event);
        return;
    }
    leash->starter->live->let_go(leash->starter, NULL);
    while (!mq_proc_has_ended(pid) && mq_now() < deadline)
        mq_nap(50);
}
