/* The source that is a job which mqdump starts. */
#include "mqdump/source_launch.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acquire/discover.h"
#include "base/clock.h"
#include "mqdump/command.h"
#include "target/gdb.h"
#include "mqdump/interrupt.h"
#include "mqdump/members.h"
#include "mqdump/preload.h"
#include "mqdump/source_job.h"

static const char stops[] = "MPIR_Breakpoint MPI2DD_breakpoint";

struct launch {
    enum mq_result (*look)(struct launch *, struct mq_error *);
                                        /* what is done when the time comes */
    double start_patience, patience;    /* seconds until it comes, from the
                                           start and from when the job runs */
    const struct mq_read_options *how;
    struct mq_reading *reading;
    struct mq_teller *teller;
    char *const *words;
    struct mq_command command;
    struct mq_target *target;           /* the starter behind gdb */
    struct mq_acquired job;
    double deadline;                    /* when to look at it; 0: never */
    bool is_prepared;                   /* the program has been marked */
};

/* ---- Releasing the processes ------------------------------------------- */

static enum mq_result release_rank(const struct launch *launch,
                                   const struct mq_procdesc *entry,
                                   struct mq_error *error)
{
    int pid = (int)entry->place.pid;
    struct mq_target *target;
    enum mq_result result = mq_starter_open(pid, launch->how,
                                            &mq_interrupted, error, &target);

    if (result != mq_ok)
        return result;
    result = mq_acquire_mark(target, error);
    if (result == mq_ok)
        result = mq_acquire_release(target, error);
    mq_target_destroy(target);
    /* It may have been stopped, and not be held at a gate. */
    if (launch->job.acquired_pre_main)
        kill(pid, SIGCONT);
    if (result == mq_ok)
        mq_tell(launch->teller, mq_story, "rank %" PRId64 ", process %d: "
                "attached to and released", entry->rank, pid);
    return result;
}

static bool is_listed(const struct mq_proctable *table,
                      const struct mq_procdesc *entry)
{
    size_t i;

    for (i = 0; i < table->count; i++)
        if (mq_location_compare(&table->entries[i].place, &entry->place) == 0)
            return true;
    return false;
}

/* Releases the processes that are not in BEFORE. */
static enum mq_result release_ranks(struct launch *launch,
                                    const struct mq_proctable *before,
                                    struct mq_error *error)
{
    const struct mq_proctable *table = &launch->job.table;
    size_t i, elsewhere = 0;

    for (i = 0; i < table->count; i++) {
        const struct mq_procdesc *entry = &table->entries[i];

        if (is_listed(before, entry))
            continue;
        if (!mq_member_is_here(entry))
            elsewhere++;
        else if (entry->place.pid != launch->command.pid &&
                 release_rank(launch, entry, error) != mq_ok)
            mq_reading_complain(launch->reading, launch->how, error);
        if (mq_interrupted)
            return mq_fail(error, "interrupted while the job was starting");
    }
    if (elsewhere > 0)
        mq_tell(launch->teller, mq_warning, "%zu of %zu processes are on other "
                "hosts and are not attached to: they wait if the library holds "
                "them", elsewhere, table->count);
    return mq_ok;
}

/* From now on so many seconds count, if any. */
static void start_clock(struct launch *launch, double seconds)
{
    if (seconds > 0)
        launch->deadline = mq_now() + seconds;
}

/* Lets the spawned job run: all of its processes or, where that is enough, the
 * starter only.
 */
static enum mq_result release_job(struct launch *launch,
                                  const struct mq_proctable *before,
                                  struct mq_error *error)
{
    enum mq_result result = mq_ok;

    if (launch->how->live->no_write) {
        mq_tell(launch->teller, mq_notice, "no process is let go (--no-write): "
                "those that the library holds at startup stay there");
        start_clock(launch, launch->patience);
        return mq_ok;
    }
    if (launch->job.acquired_pre_main)
        mq_tell(launch->teller, mq_notice, "the job's processes have not "
                "reached their main yet (MPIR_acquired_pre_main)");
    if (launch->job.partial_attach_ok)
        mq_tell(launch->teller, mq_story, "only the starter is released "
                "(MPIR_partial_attach_ok)");
    else
        result = release_ranks(launch, before, error);
    if (result == mq_ok)
        result = mq_acquire_release(launch->target, error);
    if (result == mq_ok)
        mq_tell(launch->teller, mq_story, "the job runs");
    if (before->count == 0)
        start_clock(launch, launch->patience);
    return result;
}

/* ---- Looking at the job -------------------------------------------------- */

static enum mq_result show(struct launch *launch, struct mq_error *error)
{
    const struct mq_held held = { launch->target, launch->command.pid };
    struct mq_read_options own = *launch->how;
    struct mq_dll_offer offer;
    enum mq_result result;

    if (launch->job.table.count == 0) {
        result = mq_discover_job("/proc", (int)launch->command.pid, error,
                                 &launch->job.table);
        if (result == mq_absent)
            return mq_fail(error, "'%s' has started no processes that a "
                           "debugger could see", launch->words[0]);
        if (result != mq_ok)
            return result;
        mq_tell(launch->teller, mq_story, "'%s' lists no ranks; %zu were found "
                "among its processes", launch->words[0],
                launch->job.table.count);
    }
    mq_dll_offer_read(launch->target, launch->teller, &offer);
    own.choice.starter = &offer;
    result = mq_members_show(&launch->job.table, &held, &own, launch->reading,
                             error);
    mq_dll_offer_deinit(&offer);
    return result;
}

/* Leaves the job to run without a debugger. */
static enum mq_result leave(struct launch *launch, struct mq_error *error)
{
    (void)launch, (void)error;
    return mq_ok;
}

/* Does what the job's state asks for: mq_absent if the starter shall run on.
 * BEFORE are the processes that were known until now.
 */
static enum mq_result respond(struct launch *launch,
                              const struct mq_proctable *before,
                              struct mq_error *error)
{
    enum mq_result result = mq_ok;

    switch (launch->job.state) {
    case mq_acquired_spawned:
        result = release_job(launch, before, error);
        break;
    case mq_acquired_aborting:
        return launch->look(launch, error);
    case mq_acquired_unknown:
        mq_tell(launch->teller, mq_warning, "'%s' does not say why it stopped, "
                "so the job is not acquired", launch->words[0]);
        break;
    case mq_acquired_starting:
        break;
    }
    return result == mq_ok ? mq_absent : result;
}

/* The starter has something to say. */
static enum mq_result hear(struct launch *launch, struct mq_error *error)
{
    struct mq_acquired before = launch->job;
    enum mq_result result = mq_starter_acquire(launch->target,
                                               launch->command.pid,
                                               launch->how, launch->reading,
                                               error, &launch->job);

    if (result != mq_ok)
        return result;
    result = respond(launch, &before.table, error);
    mq_acquired_deinit(&before);
    return result;
}

/* ---- Running ------------------------------------------------------------- */

/* The program is at its main: the debugger makes itself known. */
static enum mq_result prepare(struct launch *launch, struct mq_error *error)
{
    uint64_t address;

    if (!launch->how->live->no_write) {
        if (mq_acquire_mark(launch->target, error) != mq_ok)
            return mq_failed;
        mq_tell(launch->teller, mq_story, "%s is told that it is being "
                "debugged", launch->target->image);
    }
    launch->is_prepared = true;
    if (launch->target->ops->find_function(launch->target, "MPIR_Breakpoint",
                                           NULL, &address) != mq_ok &&
        launch->target->ops->find_function(launch->target, "MPI2DD_breakpoint",
                                           NULL, &address) != mq_ok)
        mq_tell(launch->teller, mq_notice, "%s has no MPIR_Breakpoint: it may "
                "come with what it loads or executes", launch->target->image);
    return mq_ok;
}

static enum mq_result tell_end(const struct launch *launch, int status,
                               struct mq_error *error)
{
    if (status >= 0)
        return mq_fail(error, "'%s' ended with exit status %d before it was "
                       "looked at", launch->words[0], status);
    return mq_fail(error, "'%s' was killed by a signal before it was looked at",
                   launch->words[0]);
}

/* Lets the starter run until something happens. */
static enum mq_result run_on(struct launch *launch, struct mq_error *error,
                             struct mq_gdb_event *event)
{
    double left = launch->deadline - mq_now();
    int seconds = launch->deadline == 0 ? -1 : left < 1 ? 1 : (int)(left + 0.5);
    char functions[64];
    enum mq_result result;
    int number;

    snprintf(functions, sizeof functions, "%s%s",
             launch->is_prepared ? "" : "main ", stops);
    result = mq_gdb_run(launch->target, functions, seconds, error, event);
    number = mq_interrupted;
    mq_interrupted = 0;
    if (result != mq_ok || event->kind == mq_gdb_exited)
        return result;
    if (number != 0 && number != SIGINT)
        return mq_fail(error, "ended by signal %d", number);
    return mq_gdb_describe(launch->target, error);
}

/* The starter is at the beginning of FUNCTION. */
static enum mq_result enter(struct launch *launch, const char *function,
                            struct mq_error *error)
{
    enum mq_result result;

    if (strcmp(function, "main") != 0)
        return hear(launch, error);
    result = prepare(launch, error);
    return result == mq_ok ? mq_absent : result;
}

/* What shall be done about an event: mq_absent if the starter shall run on. */
static enum mq_result handle(struct launch *launch,
                             const struct mq_gdb_event *event,
                             struct mq_error *error)
{
    switch (event->kind) {
    case mq_gdb_exited:
        return mq_command_check(&launch->command, launch->words, error) == mq_ok
            ? tell_end(launch, event->status, error) : mq_failed;
    case mq_gdb_executed:
    case mq_gdb_stopped:
        launch->is_prepared = false;
        mq_tell(launch->teller, mq_story, "process %d executes %s",
                (int)launch->command.pid, launch->target->image);
        return mq_absent;
    case mq_gdb_entered:
        return enter(launch, event->function, error);
    case mq_gdb_signalled:
        break;
    }
    return launch->look(launch, error);
}

/* Runs the job until it has been shown, or cannot be. */
static enum mq_result watch(struct launch *launch, struct mq_error *error)
{
    enum mq_result result;

    do {
        struct mq_gdb_event event;

        result = run_on(launch, error, &event);
        if (result == mq_ok)
            result = handle(launch, &event, error);
    } while (result == mq_absent);
    return result;
}

/* An aborting job ends by itself when it may. */
static void let_abort(struct launch *launch)
{
    struct mq_gdb_event event;

    if (launch->job.state == mq_acquired_aborting)
        mq_gdb_run(launch->target, "", 5, NULL, &event);
}

static enum mq_result run(struct launch *launch, struct mq_error *error)
{
    enum mq_result result = mq_starter_open(launch->command.pid, launch->how,
                                            &mq_interrupted, error,
                                            &launch->target);

    if (result != mq_ok)
        return mq_interrupted
            ? mq_fail(error, "interrupted before the job was started") : result;
    result = mq_gdb_follow(launch->target, error);
    if (result == mq_ok)
        result = mq_command_release(&launch->command, error);
    if (result == mq_ok) {
        start_clock(launch, launch->start_patience);
        result = watch(launch, error);
    }
    let_abort(launch);
    mq_target_destroy(launch->target);
    return result;
}

/* Starts the job and does with it what the launch is for; the command is left to
 * the caller if that worked.
 */
static enum mq_result start(struct launch *launch, struct mq_error *error)
{
    char *library = mq_preload_for(launch->words, launch->how->choice.folder,
                                   launch->teller);
    enum mq_result result = mq_command_start(launch->words, library, error,
                                             &launch->command);

    free(library);
    if (result != mq_ok)
        return result;
    result = run(launch, error);
    mq_acquired_deinit(&launch->job);
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
        .patience = how->live->after, .how = how, .reading = reading,
        .teller = how->choice.teller, .words = how->live->command
    };
    struct sigaction before[mq_interrupt_signals];
    enum mq_result result;

    (void)values;
    signal(SIGINT, SIG_DFL);    /* it counts in the background, too */
    mq_interrupt_catch(before);
    result = start(&launch, error);
    if (result == mq_ok)
        mq_command_end(&launch.command);
    mq_interrupt_release(before);
    return result;
}

enum mq_result mq_launch_leave(const struct mq_read_options *how,
                               struct mq_error *error,
                               struct mq_command *command)
{
    struct mq_reading none;
    struct launch launch = {
        .look = leave, .start_patience = 30, .patience = 1, .how = how,
        .reading = &none, .teller = how->choice.teller,
        .words = how->live->command
    };
    enum mq_result result;

    if (mq_reading_init(&none, NULL, error) != mq_ok)
        return mq_failed;
    result = start(&launch, error);
    mq_reading_deinit(&none);
    if (result == mq_ok)
        *command = launch.command;
    return result;
}
