/* starter.c - job data in the process that started it */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/launch/starter.h"

#include <inttypes.h>
#include <limits.h>

#include "find/variables.h"
#include "mqdump/launch/type_child.h"
#include "target/rank_process.h"

/* Opens the directories of this host. */
struct opener {
    struct mq_mpi2dd_opener opener;
    const struct mq_listening *open;    /* already, or null */
    struct mq_pin namer;        /* the process that leads there */
};

static enum mq_result open_place(struct mq_mpi2dd_opener *opener,
                                 const struct mq_location *place,
                                 struct mq_error *error,
                                 struct mq_target **target)
{
    const struct opener *self = (struct opener *)opener;
    struct mq_loaded files = { .names = NULL };
    struct mq_target *known = NULL;
    struct mq_pin pin;
    enum mq_result result;

    if (!place->is_local || place->pid > INT_MAX)
        return mq_fail(error, "it is on another host; run there: mqdump --job "
                       "%" PRId64, place->pid);
    if (self->open != NULL)
        known = mq_listen_target(self->open, (int)place->pid);
    if (known != NULL) {
        *target = known;
        return mq_run_control_describe(known, error);
    }
    if (mq_pin_named_process(&self->namer, (int)place->pid, error, &pin)
        != mq_ok)
        return mq_failed;
    result = mq_variables_open(&files, &pin, error, target);
    mq_loaded_deinit(&files);
    return result != mq_absent ? result
           : mq_fail(error, "process %d has no MPI2DD_info", pin.pid);
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
                             .open = open };
    struct mq_target *with_types;
    struct mq_counter counter;
    enum mq_result result;

    if (mq_process_counts_anew("/proc", pid)) {
        mq_log(how->choice.logger, mq_verbose, "process %d is in a pid "
               "namespace of its own: the ids in its table are not those of "
               "this host", pid);
        return mq_absent;
    }
    if (mq_pin_process(pid, error, &opener.namer) != mq_ok)
        return mq_failed;
    if (mq_type_child_open(target, &opener.namer, error, &with_types) != mq_ok)
        return mq_failed;
    mq_counter_init(&counter, how->choice.logger);
    result = mq_acquire(with_types, pid, &opener.opener, &counter.logger, error,
                        acquired);
    mq_target_destroy(with_types);
    if (result == mq_ok)
        acquired->table.namer = opener.namer;
    if (counter.warnings > 0)
        reading->is_incomplete = true;
    return result;
}
