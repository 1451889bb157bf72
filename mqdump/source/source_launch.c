/* source_launch.c - source: a job that starts */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/source/source_launch.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "find/discover.h"
#include "mqdump/launch/command.h"
#include "mqdump/launch/listen.h"
#include "mqdump/launch/preload.h"
#include "mqdump/launch/release.h"
#include "mqdump/launch/starter.h"
#include "mqdump/sample/members.h"
#include "mqdump/source/sources.h"
#include "mqdump/system/interrupt.h"

/* Seconds that an aborting job may take to end by itself. */
enum { abort_patience = 5 };

struct launch {
    enum mq_result (*look)(struct launch *, struct mq_error *);
                                        /* what is done when the time comes */
    double start_patience, patience;    /* seconds until it comes, from the
                                           start and from when the job runs */
    double vain_patience;               /* and in a program that is not going
                                           to say when that is */
    bool may_end;                       /* without having been looked at */
    bool has_ended;
    bool is_own;                        /* mqdump has started it */
    const struct mq_read_options *how;
    struct mq_reading *reading;
    struct mq_logger *logger;
    const char *name;                   /* of the command or the process */
    struct mq_command command;
    struct mq_pin pin;                  /* of the process, as it was named or
                                           begins */
    struct mq_starter_trace trace;
    struct mq_target *target;           /* the starter on it */
    struct mq_acquired job;
    struct mq_listening listening;      /* ranks on it */
    struct mq_listener *reporter;       /* the rank that aborts, or null */
    double deadline;                    /* when to look at it; 0: never */
    bool is_prepared;                   /* the program has been marked */
    struct mq_release release;
};

static enum mq_result show(struct launch *launch, struct mq_error *error);

/* ---- Releasing the processes ------------------------------------------- */

/* From now on so many seconds count, if any. */
static void start_clock(struct launch *launch, double seconds)
{
    if (seconds > 0)
        launch->deadline = mq_now() + seconds;
}

/* Lets all processes of the spawned job run. */
static enum mq_result release_job(struct launch *launch,
                                  const struct mq_proctable *before,
                                  struct mq_error *error)
{
    enum mq_result result;

    if (launch->how->live->no_write) {
        mq_log(launch->logger, mq_verbose,
               "no process is released (--no-write): "
               "processes held at startup remain stopped");
        start_clock(launch, launch->patience);
        return mq_ok;
    }
    if (launch->job.acquired_pre_main)
        mq_log(launch->logger, mq_verbose, "the job's processes have not "
               "reached their main yet (MPIR_acquired_pre_main)");
    if (launch->job.partial_attach_ok)
        mq_log(launch->logger, mq_verbose, "releasing the launcher is "
               "sufficient (MPIR_partial_attach_ok)");
    result = mq_release_job(&launch->release, &launch->job, before,
                            launch->target, &launch->pin, error);
    if (result == mq_ok && launch->look == show)
        mq_listen_add(&launch->listening, &launch->trace, &launch->job.table,
                      launch->how);
    if (result == mq_ok)
        mq_log(launch->logger, mq_verbose, "the job runs");
    if (before->count == 0)
        start_clock(launch, launch->patience);
    return result;
}

/* ---- Looking at the job -------------------------------------------------- */

/* Resumes all, to be read like other processes; a process that reported the
 * abort of the job stays where it did.  A starter that is no rank is still held
 * if a rank speaks for it.
 */
static void resume(struct launch *launch, struct mq_error *error)
{
    if (launch->reporter == NULL || !launch->job.is_starter)
        mq_starter_trace_resume(&launch->trace, launch->target, error);
    for (size_t i = 0; i < launch->listening.count; i++)
        mq_starter_trace_resume(&launch->trace,
                                launch->listening.listeners[i].target, error);
}

static enum mq_result show(struct launch *launch, struct mq_error *error)
{
    const char *mark = launch->is_own ? launch->command.mark.entry : NULL;
    struct mq_read_options own = *launch->how;
    struct mq_dll_offer offer;
    enum mq_result result;

    if (launch->job.table.count == 0) {
        result = mq_discover_job("/proc", (int)launch->command.pid,
                                 mark, error, &launch->job.table);
        if (result == mq_absent)
            return mq_fail(error, "'%s' has started no ranks visible to a "
                           "debugger", launch->name);
        if (result == mq_ok)
            result = mq_pin_process(launch->command.pid, error,
                                    &launch->job.table.namer);
        if (result != mq_ok)
            return mq_failed;
        mq_log(launch->logger, mq_verbose,
               "'%s' lists no ranks; %zu were found "
               "among its processes", launch->name,
               launch->job.table.count);
    } else if (mq_discover_rest("/proc", (int)launch->command.pid, error,
                                &launch->job.table) != mq_ok) {
        return mq_failed;
    }
    mq_dll_offer_read(launch->target, launch->logger, &offer);
    own.choice.starter = &offer;
    resume(launch, error);
    result = mq_members_show(&launch->job.table, &own, launch->reading, error);
    mq_dll_offer_deinit(&offer);
    return result;
}

/* Leaves the job to run without a debugger. */
static enum mq_result leave(struct launch *launch, struct mq_error *error)
{
    (void)launch, (void)error;
    return mq_ok;
}

/* Does what the job's state asks for: mq_absent if the starter shall run on. */
static enum mq_result respond(struct launch *launch, struct mq_error *error)
{
    if (launch->job.state == mq_acquired_aborting)
        return launch->look(launch, error);
    if (launch->job.state == mq_acquired_unknown)
        mq_log(launch->logger, mq_warning, "'%s' does not say why it stopped, "
               "so the job is not acquired", launch->name);
    return mq_absent;
}

/* The starter has something to say.  Its ranks may wait until it was heard and
 * they are released, so that an interruption waits for that, too.
 */
static enum mq_result take_report(struct launch *launch, struct mq_error *error)
{
    struct mq_acquired before = launch->job;
    enum mq_result result;

    mq_interrupt_block();
    result = mq_starter_acquire(launch->target, launch->command.pid,
                                &launch->listening, launch->how,
                                launch->reading, error, &launch->job);
    if (result == mq_ok) {
        if (launch->job.state == mq_acquired_spawned)
            result = release_job(launch, &before.table, error);
        mq_acquired_deinit(&before);
    }
    mq_interrupt_unblock();
    return result == mq_ok ? respond(launch, error) : result;
}

/* Takes over what SAID of the job, if it lists more processes. */
static enum mq_result take_more(struct launch *launch,
                                struct mq_acquired *said,
                                struct mq_error *error)
{
    const struct mq_acquired before = launch->job;

    if (said->table.count <= before.table.count)
        return mq_ok;
    launch->job.table = said->table;
    said->table = before.table;
    return release_job(launch, &said->table, error);
}

/* MPICH 1.x calls MPIR_Breakpoint in MPI_Finalize as in MPI_Abort. */
static bool ends(const struct mq_target *rank)
{
    return rank->call != NULL && strcmp(rank->call, "MPI_Finalize") == 0;
}

/* A rank has something to say, as the starter has above. */
static enum mq_result hear_rank(struct launch *launch,
                                struct mq_listener *rank,
                                struct mq_error *error)
{
    struct mq_acquired said;
    enum mq_result result;

    mq_interrupt_block();
    result = mq_run_control_describe(rank->target, error);
    if (result == mq_ok && ends(rank->target))
        result = mq_absent;
    else if (result == mq_ok)
        result = mq_starter_acquire(rank->target, rank->pid, &launch->listening,
                                    launch->how, launch->reading, error,
                                    &said);
    if (result == mq_ok) {
        if (said.state == mq_acquired_spawned)
            result = take_more(launch, &said, error);
        if (said.state == mq_acquired_aborting) {
            launch->job.state = mq_acquired_aborting;
            launch->reporter = rank;
        }
        mq_acquired_deinit(&said);
    }
    mq_interrupt_unblock();
    return result == mq_ok ? respond(launch, error) : result;
}

/* ---- Running ------------------------------------------------------------- */

/* The program is at its main: the debugger makes itself known. */
static enum mq_result prepare(struct launch *launch, struct mq_error *error)
{
    uint64_t address;

    if (!launch->how->live->no_write) {
        if (mq_release_mark(&launch->release, launch->target,
                            &launch->pin, error) != mq_ok)
            return mq_failed;
        mq_log(launch->logger, mq_verbose, "%s is marked as being "
               "debugged", launch->target->image);
    }
    launch->is_prepared = true;
    if (mq_target_find_function(launch->target, "MPIR_Breakpoint", NULL,
                                &address) != mq_ok &&
        mq_target_find_function(launch->target, "MPI2DD_breakpoint", NULL,
                                &address) != mq_ok) {
        mq_log(launch->logger, mq_verbose, "%s has no MPIR_Breakpoint: a "
               "library or program loaded later may define it",
               launch->target->image);
        start_clock(launch, launch->vain_patience);
    }
    return mq_ok;
}

static enum mq_result take_end(struct launch *launch, int status,
                               struct mq_error *error)
{
    if (status == 0 && launch->may_end) {
        launch->has_ended = true;
        return mq_ok;
    }
    if (status >= 0)
        return mq_fail(error, "'%s' ended with exit status %d before it was "
                       "sampled", launch->name, status);
    return mq_fail(error, "'%s' was killed by a signal before it was sampled",
                   launch->name);
}

/* Lets the starter run until something happens. */
static enum mq_result run_on(struct launch *launch, struct mq_error *error,
                             struct mq_run_event *event)
{
    double left = launch->deadline - mq_now();
    int seconds = launch->deadline == 0 ? -1 : left < 1 ? 1 : (int)(left + 0.5);
    enum mq_result result = mq_starter_trace_run(&launch->trace, seconds, error,
                                                 event);
    int number = mq_interrupt_take();

    if (result != mq_ok || event->kind == mq_run_exited)
        return result;
    if (number != 0 && number != SIGINT)
        return mq_fail(error, "ended by signal %d", number);
    return mq_run_control_describe(launch->target, error);
}

/* Handles an event of RANK: mq_absent if the starter shall run on.
 */
static enum mq_result handle_rank(struct launch *launch,
                                  struct mq_listener *rank,
                                  const struct mq_run_event *event,
                                  struct mq_error *error)
{
    switch (event->kind) {
    case mq_run_exited:
        mq_listen_drop(&launch->listening, rank);
        return mq_absent;
    case mq_run_entered:
        return hear_rank(launch, rank, error);
    case mq_run_interrupted:
        return launch->look(launch, error);
    case mq_run_begins:
    case mq_run_executed:
        break;
    }
    return mq_absent;
}

/* The same about an event of anybody's. */
static enum mq_result handle(struct launch *launch,
                             const struct mq_run_event *event,
                             struct mq_error *error)
{
    struct mq_listener *rank = mq_listen_of_event(&launch->listening, event);
    enum mq_result result;

    if (rank != NULL)
        return handle_rank(launch, rank, event, error);
    switch (event->kind) {
    case mq_run_exited:
        return mq_command_check(&launch->command, launch->name, error) == mq_ok
            ? take_end(launch, event->status, error) : mq_failed;
    case mq_run_executed:
        launch->is_prepared = false;
        if (launch->is_own)     /* it may become whose it wants to be */
            mq_pin_process(launch->command.pid, NULL, &launch->pin);
        mq_log(launch->logger, mq_verbose, "process %d executes %s",
               (int)launch->command.pid, launch->target->image);
        return mq_absent;
    case mq_run_begins:
        result = prepare(launch, error);
        return result == mq_ok ? mq_absent : result;
    case mq_run_entered:
        return take_report(launch, error);
    case mq_run_interrupted:
        break;
    }
    return launch->look(launch, error);
}

/* Runs the job until something was done about the next event: mq_absent if it
 * shall run on.
 */
static enum mq_result take_event(struct launch *launch, struct mq_error *error)
{
    struct mq_run_event event;
    enum mq_result result = run_on(launch, error, &event);

    return result == mq_ok ? handle(launch, &event, error) : result;
}

/* Runs the job until it has been shown, or cannot be. */
static enum mq_result watch(struct launch *launch, struct mq_error *error)
{
    enum mq_result result;

    do {
        result = take_event(launch, error);
    } while (result == mq_absent);
    return result;
}

/* Stops the starter for it to run. */
static enum mq_result trace_starter(struct launch *launch,
                                    struct mq_error *error)
{
    enum mq_result result = mq_starter_trace_open(&launch->trace,
                                                  &launch->pin,
                                                  &launch->release.marker,
                                                  error);

    if (result == mq_ok)
        launch->target = launch->trace.starter;
    return result;
}

static enum mq_result run(struct launch *launch, struct mq_error *error)
{
    enum mq_result result;

    if (mq_pin_process(launch->command.pid, error, &launch->pin) != mq_ok)
        return mq_failed;
    result = trace_starter(launch, error);
    if (result != mq_ok)
        return mq_interrupted
            ? mq_fail(error, "interrupted before the job was started") : result;
    result = mq_command_release(&launch->command, error);
    if (result == mq_ok) {
        start_clock(launch, launch->start_patience);
        result = watch(launch, error);
    }
    mq_listen_end(&launch->listening);
    if (launch->job.state == mq_acquired_aborting)
        mq_starter_trace_finish(&launch->trace, abort_patience);
    mq_starter_trace_close(&launch->trace);
    return result;
}

/* Starts the job and does with it what the launch is for; the command is left
 * to the caller if that worked.
 */
static enum mq_result start(struct launch *launch, struct mq_error *error)
{
    const struct mq_live_settings *live = launch->how->live;
    int output = live->owns_output ? STDERR_FILENO : STDOUT_FILENO;
    struct mq_preload preload;
    enum mq_result result;

    if (mq_preload_init(live, launch->how->choice.folder, launch->logger, error,
                        &preload) != mq_ok)
        return mq_failed;
    result = mq_command_start(live->command, &preload, output, error,
                              &launch->command);
    mq_preload_deinit(&preload);
    if (result != mq_ok)
        return result;
    result = run(launch, error);
    mq_acquired_deinit(&launch->job);
    mq_release_deinit(&launch->release);
    if (result != mq_ok)
        mq_command_end(&launch->command);
    return result;
}

enum mq_result mq_read_launch(char *const *values,
                              const struct mq_read_options *how,
                              struct mq_reading *reading,
                              struct mq_error *error)
{
    struct launch launch = {
        .look = show, .start_patience = how->live->after,
        .patience = how->live->after, .is_own = true, .how = how,
        .reading = reading,
        .logger = how->choice.logger, .name = how->live->command[0],
        .release = { .how = how, .reading = reading }
    };
    struct sigaction before[mq_interrupt_signals];
    enum mq_result result;

    (void)values;
    signal(SIGINT, SIG_DFL);    /* it counts in the background, too */
    mq_interrupt_catch(before);
    result = start(&launch, error);
    if (result == mq_ok)
        mq_command_end(&launch.command);
    mq_interrupt_restore(before);
    return result;
}

enum mq_result mq_launch_leave(const struct mq_read_options *how,
                               struct mq_error *error,
                               struct mq_command *command)
{
    struct mq_reading none;
    struct launch launch = {
        .look = leave, .start_patience = 30, .patience = 1,
        .vain_patience = 3, .may_end = true, .is_own = true, .how = how,
        .reading = &none, .logger = how->choice.logger,
        .name = how->live->command[0],
        .release = { .how = how, .reading = &none }
    };
    enum mq_result result;

    if (mq_reading_init(&none, NULL, error) != mq_ok)
        return mq_failed;
    result = start(&launch, error);
    mq_reading_deinit(&none);
    if (result == mq_ok && launch.has_ended) {
        mq_command_end(&launch.command);
        return mq_absent;
    }
    if (result == mq_ok)
        *command = launch.command;
    return result;
}

/* ---- Jobs that somebody else starts -------------------------------------- */

/* Makes the debugger known to a starter, and runs it until its ranks are
 * released: mq_absent, or mq_ok if they have been shown.
 */
static enum mq_result run_until_started(struct launch *launch,
                                        struct mq_error *error)
{
    enum mq_result result = prepare(launch, error);

    if (result != mq_ok)
        return result;
    do {
        result = take_event(launch, error);
    } while (result == mq_absent
             && launch->job.state != mq_acquired_spawned);
    return result;
}

/* The ranks run for as long as the user wants. */
static void wait_for_ranks(const struct launch *launch)
{
    int seconds = launch->how->live->after;
    double deadline = mq_now() + (seconds > 0 ? seconds : 1);
    int number;

    while (!mq_interrupted && mq_now() < deadline)
        mq_nap(100);
    number = mq_interrupt_take();
    if (number != 0 && number != SIGINT)
        raise(number);
}

static enum mq_result await(struct launch *launch, struct mq_error *error)
{
    int pid = launch->command.pid;
    enum mq_result result = trace_starter(launch, error);

    if (result != mq_ok)
        return result;
    result = mq_starter_acquire(launch->target, pid, NULL, launch->how,
                                launch->reading, error, &launch->job);
    if (result != mq_failed && launch->job.table.count == 0) {
        result = run_until_started(launch, error);
    } else if (result == mq_ok) {
        mq_log(launch->logger, mq_verbose, "%s has started its job already",
               launch->name);
        result = mq_absent;
    }
    mq_listen_end(&launch->listening);
    mq_starter_trace_close(&launch->trace);
    if (result == mq_absent)
        wait_for_ranks(launch);
    return result;
}

enum mq_result mq_launch_await(const struct mq_pin *pin,
                               struct mq_release *release,
                               struct mq_error *error)
{
    char name[32];
    struct launch launch = {
        .look = show, .how = release->how, .reading = release->reading,
        .logger = release->how->choice.logger, .name = name,
        .command = { .pid = pin->pid, .gate = -1, .report = -1 },
        .pin = *pin, .release = *release
    };
    struct sigaction before[mq_interrupt_signals];
    enum mq_result result;

    snprintf(name, sizeof name, "process %d", pin->pid);
    mq_interrupt_catch(before);
    result = await(&launch, error);
    mq_interrupt_restore(before);
    mq_acquired_deinit(&launch.job);
    *release = launch.release;
    return result;
}
