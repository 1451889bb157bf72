/* release.c - release of the ranks of a job that starts
 *
 * Ranks are gone through again and again until each has its marks: right after
 * its start a process may still have to become the program that it runs.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqdump/launch/release.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "include/mpi2dd.h"
#include "mqdump/sample/members.h"
#include "process/proc_stat.h"
#include "process/program.h"
#include "target/rank_process.h"

enum {
    patience = 10,              /* seconds, for processes that still start */
    between = 10                /* milliseconds */
};

/* One rank on its way. */
struct rank {
    const struct mq_procdesc *entry;
    struct mq_pin pin;
    bool is_marked;             /* at least once */
    bool has_loaded;            /* an MPI program, with all of its files */
    bool is_continued;          /* or need not be */
    bool is_settled;
};

struct work {
    struct mq_release *release;
    struct mq_logger *logger;
    int starter;                /* its process */
    bool starter_is_no_rank;
    size_t count;
    struct rank *ranks;
};

/* ---- One rank ------------------------------------------------------------ */

/* Whether two processes run the same file. */
static bool runs_same(int one, int other)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/exe", other);
    return mq_program_is("/proc", one, path);
}

static void log_rank(const struct work *work, const struct rank *rank,
                     const char *what)
{
    mq_log(work->logger, mq_verbose, "rank %" PRId64 ", process %d: %s",
           rank->entry->rank, rank->pin.pid, what);
}

/* Keeps MARK of RANK.  Marks of the starter are undone in its children, too,
 * which have inherited them.
 */
static enum mq_result mark_rank(const struct work *work,
                                const struct rank *rank, bool is_forked,
                                struct mq_error *error, bool *is_new)
{
    struct mq_release *release = work->release;
    struct mq_mark_wish wish = {
        .pin = rank->pin,
        .flags = MPI2DD_FLAG_GATE | MPI2DD_FLAG_BEING_DEBUGGED
    };
    struct mq_flags_change written;
    struct mq_debug_mark *mark;
    enum mq_result result = mq_array_reserve(
        &release->marks, sizeof *mark, release->mark_count + 1,
        &release->mark_room, "releasing the ranks", error);

    if (result != mq_ok)
        return result;
    if (is_forked)
        wish.inherited = release->starter.change;
    mark = &release->marks[release->mark_count];
    result = mq_mark_set(&release->marker, &wish, error, mark, &written);
    if (result != mq_ok)
        return result;
    *is_new = !rank->is_marked || written.variables != 0 || written.flags != 0;
    if (*is_new)
        release->mark_count++;
    else
        mq_mark_forget(mark);
    return mq_ok;
}

/* Whether a process has loaded its files: it has slept since or, as the linker
 * does not, worked for a second.
 */
static bool has_loaded(int pid)
{
    struct mq_proc_stat stat;

    return mq_process_has_mpi("/proc", pid) && mq_proc_stat_read(pid, &stat)
           && ((stat.state != 'R' && stat.state != 'D')
               || stat.ticks >= (uint64_t)sysconf(_SC_CLK_TCK));
}

/* Takes RANK as far as it is.  It is settled when there was nothing left to be
 * written; mq_absent if there never will be.
 */
static enum mq_result take_rank(const struct work *work, struct rank *rank,
                                struct mq_error *error)
{
    const int pid = rank->pin.pid;
    bool is_forked = runs_same(pid, work->starter), is_new = false;
    enum mq_result result;

    if (work->starter_is_no_rank && is_forked)
        return mq_ok;                   /* it has not executed its program */
    result = mark_rank(work, rank, is_forked, error, &is_new);
    if (result == mq_absent && !rank->has_loaded) {
        rank->has_loaded = has_loaded(pid);     /* what counts next time */
        return mq_ok;
    }
    if (result != mq_failed && !rank->is_continued && mq_proc_state(pid) == 'T')
        rank->is_continued = mq_pin_signal(&rank->pin, SIGCONT, NULL)
                             == mq_ok;
    if (result == mq_absent)
        log_rank(work, rank, "it has no variable to mark it as being debugged");
    if (result != mq_ok)
        return result;
    if (!rank->is_marked)
        log_rank(work, rank, "marked as being debugged, and released");
    rank->is_marked = true;
    rank->is_settled = !is_new && rank->is_continued;
    return mq_ok;
}

/* ---- All of them --------------------------------------------------------- */

static void complain(const struct work *work, const struct mq_error *error)
{
    mq_reading_complain(work->release->reading, work->release->how, error);
}

/* Takes all ranks a step further; how many are not settled. */
static size_t pass(const struct work *work)
{
    size_t i, left = 0;

    for (i = 0; i < work->count; i++) {
        struct rank *rank = &work->ranks[i];
        struct mq_error error;
        enum mq_result result;

        if (rank->is_settled)
            continue;
        result = take_rank(work, rank, &error);
        if (result == mq_failed)
            complain(work, &error);
        if (result != mq_ok)
            rank->is_settled = true;
        left += !rank->is_settled;
    }
    return left;
}

static void log_remaining(const struct work *work)
{
    for (size_t i = 0; i < work->count; i++) {
        const struct rank *rank = &work->ranks[i];
        struct mq_error error;

        if (rank->is_settled || rank->is_marked)
            continue;
        mq_fail(&error, "rank %" PRId64 ", process %d, has not become an MPI "
                "program within %d seconds, so it is not released",
                rank->entry->rank, rank->pin.pid, patience);
        complain(work, &error);
    }
}

static void run(const struct work *work)
{
    double deadline = mq_now() + patience;

    while (pass(work) > 0 && mq_now() < deadline)
        mq_nap(between);
    log_remaining(work);
}

static bool is_listed(const struct mq_proctable *table,
                      const struct mq_procdesc *entry)
{
    for (size_t i = 0; i < table->count; i++)
        if (mq_location_compare(&table->entries[i].place, &entry->place) == 0)
            return true;
    return false;
}

/* Whether RANK is NAMER's to name; else that is logged. */
static bool pin_rank(const struct work *work, struct rank *rank,
                     const struct mq_pin *namer)
{
    struct mq_error error;

    if (mq_pin_named_process(namer, (int)rank->entry->place.pid, &error,
                             &rank->pin) == mq_ok)
        return true;
    complain(work, &error);
    return false;
}

/* Lists the ranks of JOB that are here and not in BEFORE. */
static enum mq_result list_ranks(struct work *work,
                                 const struct mq_acquired *job,
                                 const struct mq_proctable *before,
                                 struct mq_error *error)
{
    const struct mq_proctable *table = &job->table;
    size_t i, elsewhere = 0;

    work->ranks = calloc(table->count + 1, sizeof *work->ranks);
    if (work->ranks == NULL)
        return mq_fail_memory(error, "releasing the ranks");
    for (i = 0; i < table->count; i++) {
        const struct mq_procdesc *entry = &table->entries[i];
        struct rank *rank = &work->ranks[work->count];

        if (is_listed(before, entry))
            continue;
        if (!mq_member_is_here(entry)) {
            elsewhere++;
        } else if (entry->place.pid != work->starter) {
            rank->entry = entry;
            rank->is_continued = !job->acquired_pre_main;
            work->count += pin_rank(work, rank, &table->namer);
        }
    }
    if (elsewhere > 0)
        mq_log(work->logger, mq_warning, "%zu of %zu processes are on other "
               "hosts and are not attached to: they wait if the library holds "
               "them", elsewhere, table->count);
    return mq_ok;
}

/* Writes FLAGS to the starter, which is held; a MARK that was made before is of
 * a program that it ran before.
 */
static enum mq_result write_starter(struct mq_release *release,
                                    struct mq_target *starter,
                                    const struct mq_pin *pin,
                                    uint32_t flags, struct mq_error *error,
                                    struct mq_debug_mark *mark)
{
    const struct mq_mark_wish wish = {
        .pin = *pin, .held = starter, .flags = flags
    };
    struct mq_flags_change written;
    struct mq_debug_mark made;
    enum mq_result result = mq_mark_set(&release->marker, &wish, error, &made,
                                        &written);

    if (result != mq_ok)
        return result == mq_absent ? mq_ok : result;
    if (made.memory != NULL) {
        mq_mark_forget(mark);
        *mark = made;
    }
    return mq_ok;
}

enum mq_result mq_release_job(struct mq_release *release,
                              const struct mq_acquired *job,
                              const struct mq_proctable *before,
                              struct mq_target *starter,
                              const struct mq_pin *pin,
                              struct mq_error *error)
{
    struct work work = {
        .release = release, .logger = release->how->choice.logger,
        .starter = pin->pid, .starter_is_no_rank = job->is_starter
    };
    struct mq_debug_mark none = { .memory = NULL };
    enum mq_result result = list_ranks(&work, job, before, error);

    if (result == mq_ok) {
        run(&work);
        result = write_starter(release, starter, pin, MPI2DD_FLAG_GATE,
                               error, &none);
    }
    free(work.ranks);
    return result;
}

/* ---- The starter, and the end -------------------------------------------- */

enum mq_result mq_release_mark(struct mq_release *release,
                               struct mq_target *starter,
                               const struct mq_pin *pin,
                               struct mq_error *error)
{
    return write_starter(release, starter, pin, MPI2DD_FLAG_BEING_DEBUGGED
                         | MPI2DD_FLAG_REQUEST_DIRECTORY_EVENTS, error,
                         &release->starter);
}

void mq_release_undo(struct mq_release *release)
{
    struct mq_logger *logger = release->how->choice.logger;

    mq_mark_end(&release->starter, logger);
    for (size_t i = 0; i < release->mark_count; i++)
        mq_mark_end(&release->marks[i], logger);
}

void mq_release_deinit(struct mq_release *release)
{
    mq_mark_forget(&release->starter);
    for (size_t i = 0; i < release->mark_count; i++)
        mq_mark_forget(&release->marks[i]);
    free(release->marks);
    mq_marker_deinit(&release->marker);
}
