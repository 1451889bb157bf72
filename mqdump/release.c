/* Ranks are gone through again and again until each has what it was told: right
 * after its start a process may still have to become the program that it runs.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqdump/release.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/proc_stat.h"
#include "include/mpi2dd.h"
#include "mqdump/members.h"
#include "mqdump/recorder.h"
#include "target/memory.h"

enum {
    patience = 10,              /* seconds, for processes that still start */
    between = 10                /* milliseconds */
};

/* One rank on its way. */
struct rank {
    const struct mq_procdesc *entry;
    struct mq_owner owner;
    bool is_told;               /* at least once */
    bool is_continued;          /* or need not be */
    bool is_settled;
};

struct work {
    struct mq_release *release;
    struct mq_teller *teller;
    const struct mq_target *starter;
    int starter_pid;
    bool starter_is_no_rank;
    uint32_t flags;             /* to be set in each rank */
    size_t count;
    struct rank *ranks;
};

/* ---- Programs ------------------------------------------------------------ */

static enum mq_result note_program(struct mq_release *release, int pid,
                                   const struct mq_words *words,
                                   struct mq_error *error)
{
    const struct mq_known_program made = { pid, *words };

    if (mq_array_reserve(&release->known, sizeof made, release->known_count + 1,
                         &release->known_room, "releasing the ranks", error)
        != mq_ok)
        return mq_failed;
    release->known[release->known_count++] = made;
    return mq_ok;
}

/* The words of PID, if it runs a program that is known. */
static enum mq_result find_known(const struct mq_release *release, int pid,
                                 struct mq_words *words)
{
    size_t i;

    for (i = 0; i < release->known_count; i++) {
        const struct mq_known_program *known = &release->known[i];

        if (mq_words_move(&known->words, known->pid, pid, NULL, words)
            == mq_ok)
            return mq_ok;
    }
    return mq_absent;
}

/* Whether two processes run the same file. */
static bool runs_same(int one, int other)
{
    struct stat first, second;
    char path[64], other_path[64];

    snprintf(path, sizeof path, "/proc/%d/exe", one);
    snprintf(other_path, sizeof other_path, "/proc/%d/exe", other);
    return stat(path, &first) == 0 && stat(other_path, &second) == 0
           && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* Has gdb find the words of OWNER, a process which is stopped for that. */
static enum mq_result ask_gdb(const struct work *work,
                              const struct mq_owner *owner,
                              struct mq_error *error, struct mq_words *words)
{
    const struct mq_gdb_subject subject = {
        .kind = mq_gdb_process, .pid = owner->pid, .owner = *owner, .rank = -1
    };
    struct mq_words found;
    struct mq_target *target;
    enum mq_result result = mq_recorder_open(&subject, work->release->how, NULL,
                                             error, &target);

    if (result != mq_ok)
        return result;
    result = mq_words_find(target, error, &found);
    mq_target_destroy(target);
    if (result == mq_ok)
        result = note_program(work->release, owner->pid, &found, error);
    if (result == mq_ok)
        *words = found;
    return result;
}

/* ---- One rank ------------------------------------------------------------ */

/* What is to be set back in a rank: what was set by us, and what it inherited
 * from a starter in which we had set it.
 */
static enum mq_result note_change(struct mq_release *release, int pid,
                                  const struct mq_words *words,
                                  const struct mq_target *like,
                                  struct mq_words_change change,
                                  struct mq_error *error)
{
    struct mq_debug_mark mark = {
        .pid = pid, .byte_order = like->byte_order, .sizes = like->sizes,
        .words = *words, .change = change
    };

    mark.change.variables |= release->starter.change.variables;
    mark.change.flags |= release->starter.change.flags;
    mark.change.variables &= ~(uint32_t)MPI2DD_FLAG_GATE;
    mark.change.flags &= ~(uint32_t)MPI2DD_FLAG_GATE;
    if (mq_array_reserve(&release->marks, sizeof mark, release->mark_count + 1,
                         &release->mark_room, "releasing the ranks", error)
        != mq_ok)
        return mq_failed;
    release->marks[release->mark_count++] = mark;
    return mq_ok;
}

static void tell_rank(const struct work *work, const struct rank *rank)
{
    mq_tell(work->teller, mq_story, "rank %" PRId64 ", process %d: %s",
            rank->entry->rank, rank->owner.pid,
            work->flags & MPI2DD_FLAG_GATE
            ? "told that it is being debugged, and released"
            : "told that it is being debugged");
}

/* Writes to RANK.  It is settled when there was nothing left to be written. */
static enum mq_result write_rank(const struct work *work, struct rank *rank,
                                 const struct mq_words *words,
                                 struct mq_error *error)
{
    struct mq_words_change change;
    struct mq_target *memory;
    enum mq_result result = mq_memory_open(rank->owner.pid, work->starter, error,
                                           &memory);

    if (result != mq_ok)
        return result;
    result = mq_words_set(words, memory, work->flags, error, &change);
    mq_target_destroy(memory);
    if (result != mq_ok)
        return result;
    if (rank->is_told) {
        rank->is_settled = rank->is_continued && change.variables == 0
                           && change.flags == 0;
        return mq_ok;
    }
    rank->is_told = true;
    tell_rank(work, rank);
    return note_change(work->release, rank->owner.pid, words, work->starter, change,
                       error);
}

/* Takes RANK as far as it is; mq_absent if there is nothing in it to write. */
static enum mq_result take_rank(const struct work *work, struct rank *rank,
                                struct mq_error *error)
{
    struct mq_words words;
    enum mq_result result;

    if (mq_owner_check(&rank->owner, error) != mq_ok)
        return mq_failed;
    if (work->starter_is_no_rank && runs_same(rank->owner.pid, work->starter_pid))
        return mq_ok;                   /* it has not executed its program */
    result = find_known(work->release, rank->owner.pid, &words);
    if (result != mq_ok)
        result = ask_gdb(work, &rank->owner, error, &words);
    if (result == mq_ok)
        result = write_rank(work, rank, &words, error);
    if (result == mq_ok && !rank->is_continued
        && mq_proc_state(rank->owner.pid) == 'T')
        rank->is_continued = mq_owner_signal(&rank->owner, SIGCONT, NULL)
                             == mq_ok;
    return result;
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

static void tell_left(const struct work *work)
{
    size_t i;

    for (i = 0; i < work->count; i++) {
        const struct rank *rank = &work->ranks[i];
        struct mq_error error;

        if (rank->is_settled || rank->is_told)
            continue;
        mq_fail(&error, "rank %" PRId64 ", process %d, has not become another "
                "program than its starter within %d seconds, so it is not "
                "released", rank->entry->rank, rank->owner.pid, patience);
        complain(work, &error);
    }
}

static void run(const struct work *work)
{
    double deadline = mq_now() + patience;

    while (pass(work) > 0 && mq_now() < deadline)
        mq_nap(between);
    tell_left(work);
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

/* Whether RANK is NAMER's to name; else that is told. */
static bool pin(const struct work *work, struct rank *rank,
                const struct mq_owner *namer)
{
    struct mq_error error;

    if (mq_owner_pin_named(namer, (int)rank->entry->place.pid, &error,
                           &rank->owner) == mq_ok)
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
        } else if (entry->place.pid != work->starter_pid) {
            rank->entry = entry;
            rank->is_continued = !job->acquired_pre_main;
            work->count += pin(work, rank, &table->namer);
        }
    }
    if (elsewhere > 0)
        mq_tell(work->teller, mq_warning, "%zu of %zu processes are on other "
                "hosts and are not attached to: they wait if the library holds "
                "them", elsewhere, table->count);
    return mq_ok;
}

enum mq_result mq_release_job(struct mq_release *release,
                              const struct mq_acquired *job,
                              const struct mq_proctable *before,
                              struct mq_target *starter, int pid,
                              struct mq_error *error)
{
    struct work work = {
        .release = release, .teller = release->how->choice.teller,
        .starter = starter, .starter_pid = pid,
        .starter_is_no_rank = job->is_starter,
        .flags = MPI2DD_FLAG_BEING_DEBUGGED
                 | (job->partial_attach_ok ? 0 : MPI2DD_FLAG_GATE)
    };
    struct mq_words_change change;
    struct mq_words words;
    enum mq_result result, found = mq_words_find(starter, error, &words);

    result = found == mq_failed ? mq_failed : mq_ok;
    if (found == mq_ok && release->known_count == 0)
        result = note_program(release, pid, &words, error);
    if (result == mq_ok)
        result = list_ranks(&work, job, before, error);
    if (result == mq_ok)
        run(&work);
    if (result == mq_ok && found == mq_ok)
        result = mq_words_set(&words, starter, MPI2DD_FLAG_GATE, error,
                              &change);
    free(work.ranks);
    return result;
}

/* ---- The starter, and the end -------------------------------------------- */

enum mq_result mq_release_mark(struct mq_release *release,
                               struct mq_target *starter, int pid,
                               struct mq_error *error)
{
    struct mq_debug_mark mark = {
        .byte_order = starter->byte_order, .sizes = starter->sizes
    };
    enum mq_result result = mq_words_find(starter, error, &mark.words);

    if (result == mq_ok)
        result = mq_words_set(&mark.words, starter, MPI2DD_FLAG_BEING_DEBUGGED |
                              MPI2DD_FLAG_REQUEST_DIRECTORY_EVENTS, error,
                              &mark.change);
    mark.pid = pid;
    if (result == mq_ok)
        release->starter = mark;
    return result == mq_failed ? mq_failed : mq_ok;
}

void mq_release_undo(struct mq_release *release)
{
    struct mq_teller *teller = release->how->choice.teller;
    size_t i;

    mq_mark_end(&release->starter, teller);
    for (i = 0; i < release->mark_count; i++)
        mq_mark_end(&release->marks[i], teller);
}

void mq_release_deinit(struct mq_release *release)
{
    free(release->known);
    free(release->marks);
}
