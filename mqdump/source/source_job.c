/* source_job.c - source: the job of a process */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/source/sources.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "find/discover.h"
#include "find/variables.h"
#include "mqdump/cluster/engine.h"
#include "mqdump/launch/starter.h"
#include "mqdump/sample/mark.h"
#include "mqdump/sample/members.h"
#include "mqdump/sample/rights.h"
#include "mqdump/sample/source_live.h"
#include "mqdump/source/source_launch.h"
#include "mqdump/system/interrupt.h"
#include "process/proc_stat.h"
#include "process/program.h"

/* Shows the ranks that are found among the processes of this host. */
static enum mq_result show_discovered(const struct mq_pin *pin,
                                      const struct mq_read_options *how,
                                      struct mq_reading *reading,
                                      struct mq_error *error)
{
    struct mq_proctable table = { .count = 0 };
    enum mq_result result = mq_discover_job("/proc", pin->pid,
                                            how->live->mark, error, &table);

    if (result == mq_ok) {
        table.namer = *pin;
        mq_log(how->choice.logger, mq_verbose, "process %d lists no ranks; "
               "%zu were found among the processes of this host",
               pin->pid, table.count);
        result = mq_members_show(&table, how, reading, error);
        mq_proctable_deinit(&table);
    }
    return result;
}

static const char lists_none[] =
    "lists no processes of a job: name the process that started the job, or the"
    " ranks with --pid";

/* Process PID, if no young launcher, WHAT. */
static enum mq_result fail_no_ranks(int pid, const char *what,
                                    struct mq_error *error)
{
    char program[PATH_MAX];
    const char *name;

    mq_program_path(pid, program, sizeof program);
    name = mq_text_last_name(program);
    return mq_engine_of_starter(name) != NULL
           ? mq_fail(error, "%s, process %d, has no ranks yet, or they have "
                     "not loaded MPI: try again, or name other hosts with "
                     "--hosts", name, pid)
           : mq_fail(error, "process %d %s", pid, what);
}

/* Shows a process that lists no ranks.  One of MPIR that is no starter is rank
 * 0, unless it knows better: the other ranks have the same variables.
 */
static enum mq_result show_alone(const struct mq_acquired *acquired,
                                 const struct mq_pin *pin,
                                 const struct mq_read_options *how,
                                 struct mq_reading *reading,
                                 struct mq_error *error)
{
    const struct mq_subject subject = {
        .kind = mq_subject_process, .pid = pin->pid, .pin = *pin,
        .rank = -1
    };
    size_t count = reading->job->process_count;
    struct mq_process *it;
    enum mq_result result;

    mq_log(how->choice.logger, mq_verbose, "process %d is the only known "
           "process of its job", pin->pid);
    result = mq_live_read(&subject, 1, how, reading, error);
    if (result != mq_ok || reading->job->process_count != count + 1)
        return result;
    it = &reading->job->processes[count];
    if (acquired->is_first && it->rank < 0)
        it->rank = 0;
    if (acquired->state != mq_acquired_starting || it->rank <= 0)
        return mq_ok;
    mq_reading_forget(reading, count);
    return fail_no_ranks(pin->pid, lists_none, error);
}

/* A job that is over although its starter is there. */
static enum mq_result fail_ended(int pid, const struct mq_left_behind *left,
                                 struct mq_error *error)
{
    return left == NULL
           ? mq_fail(error, "all ranks that process %d started have ended",
                     pid)
           : mq_fail(error, "all ranks that process %d started have ended; it "
                     "still waits for process %d (%s), left behind by a rank; "
                     "that may hold the output open: end it", pid,
                     left->pid, left->program);
}

/* Whether all ranks that TABLE lists have ended, which is an error. */
static enum mq_result check_ended(const struct mq_proctable *table, int pid,
                                  struct mq_error *error)
{
    struct mq_left_behind left;
    enum mq_result result;

    for (size_t i = 0; i < table->count; i++) {
        const struct mq_location *place = &table->entries[i].place;

        if (!place->is_local || place->pid <= 0 || place->pid > INT_MAX
            || !mq_proc_has_ended((int)place->pid))
            return mq_ok;
    }
    result = mq_discover_left_behind("/proc", pid, error, &left);
    return result == mq_failed ? mq_failed
           : fail_ended(pid, result == mq_ok ? &left : NULL, error);
}

static bool has_local(const struct mq_proctable *table)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->entries[i].place.is_local)
            return true;
    return false;
}

/* The hosts of TABLE as a list, if some are not this one; null: all are here,
 * or there is no memory.
 */
static char *list_hosts(const struct mq_proctable *table)
{
    struct mq_strbuf hosts = { 0 };
    bool any_elsewhere = false;

    for (size_t i = 0; i < table->count; i++) {
        const struct mq_location *place = &table->entries[i].place;

        if (place->host == NULL || !mq_host_is_name(place->host))
            continue;
        any_elsewhere |= !place->is_local;
        mq_strbuf_add(&hosts, "%s,", place->host);
    }
    if (!any_elsewhere || hosts.failed) {
        mq_strbuf_deinit(&hosts);
        return NULL;
    }
    return hosts.text;
}

/* Shows a job whose ranks are on several hosts through the engine that started
 * it: mq_absent if they are all here, or if that is not known.
 */
static enum mq_result show_on_hosts(const struct mq_proctable *table,
                                    const struct mq_pin *pin,
                                    const struct mq_read_options *how,
                                    struct mq_reading *reading,
                                    struct mq_error *error)
{
    struct mq_live_settings live = *how->live;
    struct mq_read_options own = *how;
    const struct mq_engine *engine;
    char *hosts = list_hosts(table), program[PATH_MAX];
    enum mq_result result = mq_absent;

    if (hosts == NULL)
        return mq_absent;
    mq_program_path(pin->pid, program, sizeof program);
    engine = mq_engine_of_starter(mq_text_last_name(program));
    if (engine != NULL) {
        live.cluster.launcher = engine->name;
        live.cluster.hosts = hosts;
        own.live = &live;
        result = mq_read_cluster(NULL, &own, reading, error);
    }
    free(hosts);
    return result;
}

/* Shows what was acquired from a process, which has been resumed. */
static enum mq_result show_acquired(struct mq_acquired *acquired,
                                    const struct mq_pin *pin,
                                    const struct mq_read_options *how,
                                    struct mq_reading *reading,
                                    struct mq_error *error)
{
    enum mq_result result = mq_absent;

    if (how->live->mark != NULL && acquired->table.count > 0
        && !has_local(&acquired->table))    /* by the names of its nodes */
        result = show_discovered(pin, how, reading, error);
    if (result != mq_absent)
        return result;
    result = show_on_hosts(&acquired->table, pin, how, reading, error);
    if (result != mq_absent)
        return result;
    if (acquired->table.count > 0)
        return mq_discover_rest("/proc", pin->pid, error, &acquired->table)
               == mq_ok
               && check_ended(&acquired->table, pin->pid, error) == mq_ok
               ? mq_members_show(&acquired->table, how, reading, error)
               : mq_failed;
    result = show_discovered(pin, how, reading, error);
    if (result != mq_absent)
        return result;
    if (acquired->is_starter
        || (acquired->state == mq_acquired_starting && !acquired->is_first))
        return fail_no_ranks(pin->pid, lists_none, error);
    return show_alone(acquired, pin, how, reading, error);
}

/* Shows the job of a process whose tables could not be read, as PROBLEM says.
 */
static enum mq_result show_without(const struct mq_pin *pin,
                                   const struct mq_error *problem,
                                   const struct mq_read_options *how,
                                   struct mq_reading *reading,
                                   struct mq_error *error)
{
    if (show_discovered(pin, how, reading, error) != mq_ok)
        return mq_fail(error, "%s", problem->text);
    mq_log(how->choice.logger, mq_verbose, "%s", problem->text);
    return mq_ok;
}

/* Marks a starter whose job runs as being debugged, and opens its gate.  One
 * that is still to start its job would hold the ranks for a debugger, and this
 * one will have gone by then.
 */
static void mark_starter(struct mq_marker *marker, struct mq_target *target,
                         const struct mq_pin *pin,
                         const struct mq_acquired *acquired,
                         const struct mq_read_options *how,
                         struct mq_debug_mark *mark)
{
    struct mq_logger *logger = how->choice.logger;

    if (how->marks && acquired->is_starter && acquired->table.count > 0
        && mq_mark_temporarily(marker, target, pin, logger, mark))
        mq_log(logger, mq_verbose,
               "%s is marked as being debugged, until "
               "its ranks have been looked at", target->name);
}

/* Shows the job of a process that has the variables of starters or ranks, as
 * TARGET, which is ended once they were read.
 */
static enum mq_result acquire_and_show(struct mq_target *target,
                                       struct mq_marker *marker,
                                       const struct mq_pin *pin,
                                       const struct mq_read_options *how,
                                       struct mq_reading *reading,
                                       struct mq_error *error)
{
    struct mq_debug_mark mark = { .memory = NULL };
    struct mq_read_options own = *how;
    struct mq_dll_offer offer;
    struct mq_acquired acquired;
    enum mq_result result = mq_starter_acquire(target, pin->pid, NULL, how,
                                               reading, error, &acquired);

    if (result == mq_ok)
        mark_starter(marker, target, pin, &acquired, how, &mark);
    mq_dll_offer_read(target, how->choice.logger, &offer);
    mq_target_destroy(target);
    own.choice.starter = &offer;
    if (result == mq_absent)
        result = show_discovered(pin, &own, reading, error);
    else if (result == mq_ok) {
        result = show_acquired(&acquired, pin, &own, reading, error);
        mq_acquired_deinit(&acquired);
    }
    mq_dll_offer_deinit(&offer);
    mq_mark_end(&mark, how->choice.logger);
    return result;
}

static enum mq_result show_job(const struct mq_pin *pin,
                               const struct mq_read_options *how,
                               struct mq_reading *reading,
                               struct mq_error *error)
{
    struct mq_marker marker = { .undo = { .pid = 0 } };
    struct mq_read_options own = *how;
    struct mq_target *target;
    struct mq_error problem;
    enum mq_result result;

    own.marks = !how->live->no_write;
    result = mq_variables_open(&marker.files, pin, &problem, &target);
    if (result == mq_ok)
        result = acquire_and_show(target, &marker, pin, &own, reading,
                                  error);
    else
        result = result == mq_absent
                 ? show_discovered(pin, &own, reading, error)
                 : show_without(pin, &problem, &own, reading, error);
    mq_marker_deinit(&marker);
    return result;
}

/* Waits until a process has entered FUNCTION. */
static enum mq_result await(const char *function, const struct mq_pin *pin,
                            struct mq_release *release, struct mq_error *error)
{
    if (strcmp(function, "MPIR_Breakpoint") != 0
        && strcmp(function, "MPI2DD_breakpoint") != 0)
        return mq_fail(error, "--until %s: --job waits for MPIR_Breakpoint or "
                       "MPI2DD_breakpoint only", function);
    return mq_launch_await(pin, release, error);
}

/* Shows the job once it has started.  A signal has its effect when what was
 * written to the processes is set back.
 */
static enum mq_result await_and_show(const struct mq_pin *pin,
                                     const struct mq_read_options *how,
                                     struct mq_reading *reading,
                                     struct mq_error *error)
{
    struct mq_release release = { .how = how, .reading = reading };
    struct sigaction before[mq_interrupt_signals];
    enum mq_result result;

    mq_interrupt_catch(before);
    result = await(how->live->until, pin, &release, error);
    if (result == mq_absent)
        result = show_job(pin, how, reading, error);
    mq_release_undo(&release);
    mq_release_deinit(&release);
    mq_interrupt_restore(before);
    return result;
}

enum mq_result mq_read_job(char *const *values,
                           const struct mq_read_options *how,
                           struct mq_reading *reading, struct mq_error *error)
{
    struct mq_read_options own = *how;
    struct mq_left_behind left;
    struct mq_pin pin;
    enum mq_result result;
    int pid;

    if (!mq_number_is(values[0], 1, INT_MAX, &pid))
        return mq_fail(error, "--job %s: a process id is a number", values[0]);
    if (mq_pin_process(pid, error, &pin) != mq_ok
        || mq_rights_take(&pin, how, error) != mq_ok)
        return mq_failed;
    own.choice.user = geteuid();
    result = how->live->until != NULL
             ? await_and_show(&pin, &own, reading, error)
             : show_job(&pin, &own, reading, error);
    if (result == mq_absent) {
        result = mq_discover_left_behind("/proc", pid, error, &left);
        if (result == mq_ok)
            return fail_ended(pid, &left, error);
    }
    return result == mq_absent
           ? fail_no_ranks(pid, "is not an MPI launcher: it has neither "
                           "MPIR_proctable nor MPI2DD_info, and no ranks "
                           "among its descendants; give mpirun's PID, or the "
                           "ranks' with --pid", error) : result;
}
