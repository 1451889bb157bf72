/* acquire.c - the state of a job and its processes, from MPIR or MPI2DD */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "find/acquire.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "find/debug_flags.h"
#include "find/mpir_read.h"
#include "include/mpi2dd.h"
#include "include/mpir.h"

/* Says what the process says, and why it aborts; frees REASON.  That the job
 * has been started is no news in either way of saying it.
 */
static void log_state(const struct mq_target *target,
                      struct mq_logger *logger, const char *variable,
                      int64_t state, const char *text, char *reason)
{
    /* Two documents, and the same number. */
    /* NOLINTBEGIN(misc-redundant-expression) */
    const bool is_event = state != 0 && state != MPIR_DEBUG_SPAWNED
                         && state != MPI2DD_DEBUG_START;
    /* NOLINTEND(misc-redundant-expression) */

    mq_log(logger, is_event ? mq_info : mq_verbose, "%s: %s is %" PRId64
           ": %s%s%s", target->name, variable, state, text,
           reason != NULL ? ": " : "", reason != NULL ? reason : "");
    free(reason);
}

/* Adds what the variables of MPIR say; mq_absent if there are none. */
static enum mq_result read_mpir(struct mq_target *target,
                                struct mq_logger *logger,
                                struct mq_error *error,
                                struct mq_acquired *acquired)
{
    enum mq_acquired_state state;
    struct mq_mpir mpir;
    enum mq_result result = mq_mpir_read(target, logger, error, &mpir);

    if (result != mq_ok)
        return result;
    state = !mpir.is_state_known ? mq_acquired_unknown
            : mpir.debug_state == MPIR_DEBUG_SPAWNED ? mq_acquired_spawned
            : mpir.debug_state == MPIR_DEBUG_ABORTING ? mq_acquired_aborting
            : mq_acquired_starting;
    if (mpir.is_state_known) {
        /* MPICH 1.x says that a job aborts at the end of MPI_Finalize, too. */
        log_state(target, logger, "MPIR_debug_state", mpir.debug_state,
                  state == mq_acquired_aborting && mpir.abort_string == NULL
                  ? "the job is ending, or aborting without a reason"
                    " (MPIR_DEBUG_ABORTING)"
                  : mq_mpir_state_text(mpir.debug_state), mpir.abort_string);
        mpir.abort_string = NULL;
    } else if (mpir.abort_string != NULL) {
        mq_log(logger, mq_info, "%s: MPIR_debug_abort_string is \"%s\"",
               target->name, mpir.abort_string);
    }
    /* What says more counts, where a process says it in both ways. */
    if (acquired->state == mq_acquired_unknown
        || (state != mq_acquired_unknown && state > acquired->state))
        acquired->state = state;
    acquired->is_starter |= mpir.exists[mq_mpir_i_am_starter];
    acquired->acquired_pre_main |= mpir.exists[mq_mpir_acquired_pre_main];
    acquired->partial_attach_ok |= mpir.exists[mq_mpir_partial_attach_ok];
    if (acquired->table.count == 0) {
        mq_proctable_sort(&mpir.table, logger);
        mq_proctable_deinit(&acquired->table);  /* it may have names */
        acquired->table = mpir.table;
        memset(&mpir.table, 0, sizeof mpir.table);
    }
    mq_mpir_deinit(&mpir);
    return mq_ok;
}

/* Takes over what MPI2DD_info says; mq_absent if there is none. */
static enum mq_result read_mpi2dd(struct mq_target *target, int pid,
                                  struct mq_mpi2dd_opener *opener,
                                  struct mq_logger *logger,
                                  struct mq_error *error,
                                  struct mq_acquired *acquired)
{
    const struct mq_location place = { .host = "localhost", .pid = pid };
    struct mq_proctable table = { .count = 0 };
    struct mq_mpi2dd_info info;
    struct mq_error why;
    char *reason = NULL;
    enum mq_result result = mq_mpi2dd_read(target, error, &info);

    if (result == mq_ok)
        result = mq_mpi2dd_find_job(target, &place, opener, logger, error,
                                    &table);
    if (result != mq_ok)
        return result;
    if (mq_mpi2dd_abort_string(target, &info, &why, &reason) == mq_failed)
        mq_log(logger, mq_warning, "MPI2DD_info.abort_string of %s: %s",
               target->name, why.text);
    log_state(target, logger, "MPI2DD_info.debug_state", info.debug_state,
              mq_mpi2dd_state_text(info.debug_state), reason);
    acquired->state = info.debug_state == MPI2DD_DEBUG_ABORT
        ? mq_acquired_aborting
        : info.debug_state == 0 ? mq_acquired_starting : mq_acquired_spawned;
    acquired->is_starter = (info.mpi_flags & MPI2DD_MPIFLAG_I_AM_STARTER) != 0;
    acquired->acquired_pre_main =
        (info.mpi_flags & MPI2DD_MPIFLAG_ACQUIRED_PRE_MAIN) != 0;
    acquired->partial_attach_ok =
        (info.mpi_flags & MPI2DD_MPIFLAG_PARTIAL_ATTACH_OK) != 0;
    acquired->table = table;
    return mq_ok;
}

enum mq_result mq_acquire(struct mq_target *target, int pid,
                          struct mq_mpi2dd_opener *opener,
                          struct mq_logger *logger, struct mq_error *error,
                          struct mq_acquired *acquired)
{
    struct mq_acquired found = { .state = mq_acquired_unknown };
    struct mq_error why;
    char program[64];
    int first = read_mpi2dd(target, pid, opener, logger, &why, &found), second;

    if (first == mq_failed)
        mq_log(logger, mq_warning, "%s", why.text);
    /* A process that reports all in one way need not report it in the other. */
    second = read_mpir(target, found.table.count > 0 ? NULL : logger, error,
                       &found);
    if (second == mq_failed)
        mq_acquired_deinit(&found);
    if (second == mq_failed || (first == mq_absent && second == mq_absent))
        return second;
    found.is_first = first == mq_absent && !found.is_starter;
    /* A job that ends has freed the names in its table, but not the process
     * ids: those of this host run the program of PID, which is the first.
     */
    snprintf(program, sizeof program, "/proc/%d/exe", pid);
    for (size_t i = 0; found.is_first && i < found.table.count; i++) {
        struct mq_location *place = &found.table.entries[i].place;

        if (place->host == NULL && place->executable == NULL
            && mq_proctable_name(&found.table, program, error,
                                 &place->executable) != mq_ok) {
            mq_acquired_deinit(&found);
            return mq_failed;
        }
    }
    *acquired = found;
    return mq_ok;
}

void mq_acquired_deinit(struct mq_acquired *acquired)
{
    mq_proctable_deinit(&acquired->table);
}

enum mq_result mq_acquire_release(struct mq_target *target,
                                  struct mq_error *error)
{
    struct mq_flags_change change;
    struct mq_debug_flags debug_flags;
    enum mq_result result = mq_debug_flags_find(target, error, &debug_flags);

    if (result == mq_ok)
        result = mq_debug_flags_compare(&debug_flags, target, MPI2DD_FLAG_GATE,
                                        error, &change);
    if (result == mq_ok)
        result = mq_debug_flags_write(&debug_flags, target, &change, true,
                                      error);
    return result == mq_absent ? mq_ok : result;
}

static int64_t value_of(struct mq_target *target, const char *symbol)
{
    uint64_t address;
    int64_t value = -1;

    if (mq_target_find_symbol(target, symbol, NULL, &address) == mq_ok)
        mq_target_read_signed(target, address, target->sizes.int_size, NULL,
                              &value);
    return value;
}

bool mq_acquire_is_held(struct mq_target *target)
{
    struct mq_mpi2dd_info info;
    uint64_t watch;

    if (target->call == NULL || strncmp(target->call, "MPI_Init", 8) != 0)
        return false;
    /* libmqwatch's MPIR_being_debugged is one that no library waits by. */
    if (value_of(target, "MPIR_debug_gate") == 0 &&
        value_of(target, "MPIR_being_debugged") > 0 &&
        mq_target_find_symbol(target, "mqwatch", NULL, &watch) != mq_ok)
        return true;
    return mq_mpi2dd_read(target, NULL, &info) == mq_ok &&
           (info.debugger_flags & MPI2DD_FLAG_BEING_DEBUGGED) != 0 &&
           (info.debugger_flags & MPI2DD_FLAG_GATE) == 0;
}
