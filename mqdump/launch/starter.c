/* The starter, and the directories that it leads to. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/launch/starter.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "acquire/table_names.h"
#include "base/number.h"
#include "mqdump/live/recorder.h"
#include "mqdump/system/interrupt.h"
#include "process/proc_stat.h"
#include "target/loaded.h"
#include "target/memory.h"
#include "target/rank_process.h"

/* Opens the directories of this host. */
struct opener {
    struct mq_mpi2dd_opener opener;
    const struct mq_read_options *how;
    const struct mq_listening *open;    /* already, or null */
    struct mq_owner namer;      /* the process that leads there */
};

enum mq_result mq_starter_open(const struct mq_owner *owner,
                               const struct mq_read_options *how,
                               const volatile sig_atomic_t *stopper,
                               struct mq_error *error,
                               struct mq_target **target)
{
    const struct mq_gdb_subject subject = {
        .kind = mq_gdb_process, .pid = owner->pid, .owner = *owner, .rank = -1
    };

    return mq_recorder_open(&subject, how, stopper, error, target);
}

enum mq_result mq_starter_read(struct mq_starter *starter,
                               const struct mq_owner *owner,
                               const struct mq_read_options *how,
                               const volatile sig_atomic_t *stopper,
                               struct mq_error *error)
{
    const struct mq_gdb_subject subject = {
        .kind = mq_gdb_process, .pid = owner->pid, .owner = *owner, .rank = -1
    };
    enum mq_result result;

    memset(starter, 0, sizeof *starter);
    mq_tools_init(&starter->tools, how, 1);
    result = mq_tools_open(&starter->tools, &subject, how, error,
                           &starter->target);
    if (result == mq_ok)
        result = starter->target->live->stop(starter->target, error);
    if (result == mq_absent) {
        mq_starter_deinit(starter);
        result = mq_starter_open(owner, how, stopper, error,
                                 &starter->target);
    }
    if (result != mq_ok)
        mq_starter_deinit(starter);
    return result;
}

void mq_starter_deinit(struct mq_starter *starter)
{
    mq_target_destroy(starter->target);
    mq_tools_deinit(&starter->tools);
    memset(starter, 0, sizeof *starter);
}

static enum mq_result open_place(struct mq_mpi2dd_opener *opener,
                                 const struct mq_location *place,
                                 struct mq_error *error,
                                 struct mq_target **target)
{
    const struct opener *self = (struct opener *)opener;
    struct mq_target *known = NULL;
    struct mq_owner owner;

    if (!place->is_local || place->pid > INT_MAX)
        return mq_fail(error, "it is on another host; run there: mqdump --job "
                       "%" PRId64, place->pid);
    if (self->open != NULL)
        known = mq_listen_target(self->open, (int)place->pid);
    if (known != NULL) {
        *target = known;
        return mq_leash_describe(self->open->leash, known, error);
    }
    if (mq_owner_pin_named(&self->namer, (int)place->pid, error, &owner)
        != mq_ok)
        return mq_failed;
    return mq_starter_open(&owner, self->how, NULL, error, target);
}

static void close_place(struct mq_mpi2dd_opener *opener,
                        struct mq_target *target)
{
    const struct opener *self = (struct opener *)opener;

    if (self->open == NULL
        || mq_listen_target(self->open, target->pid) != target)
        mq_target_destroy(target);
}

enum mq_result mq_starter_acquire(struct mq_target *target, int pid,
                                  const struct mq_listening *open,
                                  const struct mq_read_options *how,
                                  struct mq_reading *reading,
                                  struct mq_error *error,
                                  struct mq_acquired *acquired)
{
    struct opener opener = { .opener = { open_place, close_place },
                             .how = how, .open = open };
    struct mq_counter counter;
    enum mq_result result;

    if (mq_process_counts_anew("/proc", pid)) {
        mq_tell(how->choice.teller, mq_story, "process %d is in a pid namespace "
                "of its own: the numbers of its processes are other ones here",
                pid);
        return mq_absent;
    }
    if (mq_owner_pin(pid, error, &opener.namer) != mq_ok)
        return mq_failed;
    mq_counter_init(&counter, how->choice.teller);
    result = mq_acquire(target, pid, &opener.opener, &counter.teller, error,
                        acquired);
    if (result == mq_ok)
        acquired->table.namer = opener.namer;
    if (counter.warnings > 0)
        reading->is_incomplete = true;
    return result;
}

/* ---- The DLL that it names ----------------------------------------------- */

enum { most_generations = 100 };

static int parent_of(int pid)
{
    struct mq_proc_stat stat = { .parent = 0 };
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    mq_proc_stat_read(path, &stat);
    return stat.parent;
}

static bool is_empty(const struct mq_dll_offer *offer)
{
    return offer->count == 0 && offer->veto == NULL
           && offer->way == mq_dll_way_mpich;
}

void mq_starter_offer(const struct mq_owner *rank,
                      const struct mq_read_options *how,
                      struct mq_dll_offer *offer)
{
    struct mq_dll_offer found = { .count = 0 };
    struct mq_starter starter;
    struct mq_owner owner;
    struct mq_error error;
    int pid = how->choice.asked == NULL ? parent_of(rank->pid) : 0;

    for (int i = 0; i < most_generations && pid > 1 && is_empty(&found); i++) {
        if (mq_owner_pin_named(rank, pid, &error, &owner) != mq_ok)
            break;
        if (mq_process_may_name_dll("/proc", pid)
            && mq_starter_read(&starter, &owner, how, &mq_interrupted, &error)
               == mq_ok) {
            mq_dll_offer_read(starter.target, NULL, &found);
            mq_starter_deinit(&starter);
        }
        pid = parent_of(pid);
    }
    *offer = found;
}

/* What OWNER says, if it lists ranks. */
static void ask(const struct mq_owner *owner,
                const struct mq_read_options *how, struct mq_dll_offer *offer)
{
    struct mq_read_options silent = *how;
    struct mq_acquired job;
    struct mq_starter starter;
    struct mq_reading none;
    struct mq_error error;

    silent.choice.teller = NULL;
    if (mq_reading_init(&none, NULL, &error) != mq_ok)
        return;
    if (mq_starter_read(&starter, owner, &silent, &mq_interrupted, &error)
        == mq_ok) {
        if (mq_starter_acquire(starter.target, owner->pid, NULL, &silent, &none,
                               &error, &job) == mq_ok) {
            if (job.table.count > 0)
                mq_dll_offer_read(starter.target, NULL, offer);
            mq_acquired_deinit(&job);
        }
        mq_starter_deinit(&starter);
    }
    mq_reading_deinit(&none);
}

/* Whether process PID may have a table of its ranks: gdb takes its time, and the
 * ranks of MPICH 1.x run the program of their starter.
 */
static bool may_list(struct mq_loaded *files, int pid)
{
    uint64_t places[mq_loaded_names] = { 0 }, size = 0;
    struct mq_target *memory;
    struct mq_error error;

    if (mq_loaded_find(files, pid, &error, places) != mq_ok)
        return false;
    if (places[0] != 0 && mq_memory_open(pid, &error, &memory) == mq_ok) {
        mq_target_read_unsigned(memory, places[0], memory->sizes.int_size,
                                &error, &size);
        mq_target_destroy(memory);
    }
    return size > 0 || places[1] != 0;
}

void mq_starter_seek(const char *entry,
                     const struct mq_read_options *how,
                     struct mq_dll_offer *offer)
{
    static const struct mq_loaded_name names[] = {
        { "MPIR_proctable_size", sizeof(int) }, { "MPI2DD_info", 8 }
    };
    struct mq_loaded files = { .names = names, .name_count = 2 };
    struct mq_dll_offer found = { .count = 0 };
    DIR *folder = how->choice.asked == NULL ? opendir("/proc") : NULL;
    struct dirent *file;
    struct mq_owner owner;
    int pid;

    while (folder != NULL && is_empty(&found)
           && (file = readdir(folder)) != NULL)
        if (mq_number_is(file->d_name, 1, INT_MAX, &pid) && pid != getpid()
            && mq_owner_pin(pid, NULL, &owner) == mq_ok
            && owner.effective == geteuid()
            && mq_process_has_entry("/proc", pid, entry)
            && mq_program_may_name_dll("/proc", pid) && may_list(&files, pid))
            ask(&owner, how, &found);
    if (folder != NULL)
        closedir(folder);
    mq_loaded_deinit(&files);
    *offer = found;
}
