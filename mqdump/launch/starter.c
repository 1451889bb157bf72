/* starter.c - the starter, and the directories that it leads to */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/launch/starter.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "mqdump/live/recorder.h"
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
        mq_tell(how->choice.teller, mq_story, "process %d is in a pid "
                "namespace of its own: the numbers of its processes are other "
                "ones here", pid);
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
