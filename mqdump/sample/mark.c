/* mark.c - marks that announce a debugger to a process
 *
 * The memory of a process is opened, and only then looked at whose it is and
 * where its words are: what is written goes to that memory or, if the process
 * executes another program meanwhile, to none.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqdump/sample/mark.h"

#include <string.h>

#include "find/acquire.h"
#include "include/mpi2dd.h"
#include "target/memory.h"

void mq_marker_deinit(struct mq_marker *marker)
{
    mq_undo_process_end(&marker->undo);
    mq_loaded_deinit(&marker->files);
}

/* ---- Writing ------------------------------------------------------------- */

/* The part of WRITTEN that is to be undone. */
static struct mq_flags_change undo_of(const struct mq_flags_change *written,
                                      const struct mq_flags_change *inherited)
{
    const uint32_t gate = MPI2DD_FLAG_GATE;
    const struct mq_flags_change undo = {
        (written->variables | inherited->variables) & ~gate,
        (written->flags | inherited->flags) & ~gate
    };

    return undo;
}

/* Writes to the memory of MARK.  A held process is written to by its holder,
 * which then drops what it has read.
 */
static enum mq_result write_to(struct mq_marker *marker,
                               const struct mq_mark_wish *wish,
                               struct mq_error *error,
                               struct mq_debug_mark *mark,
                               struct mq_flags_change *written)
{
    struct mq_target *through = wish->held != NULL ? wish->held
                                                   : mark->memory;

    if (mq_debug_flags_compare(&mark->debug_flags, mark->memory, wish->flags,
                               error, written) != mq_ok)
        return mq_failed;
    mark->change = undo_of(written, &wish->inherited);
    if ((mark->change.variables != 0 || mark->change.flags != 0)
        && mq_undo_process_register(&marker->undo, mark, error) != mq_ok)
        return mq_failed;
    return mq_debug_flags_write(&mark->debug_flags, through, written, true,
                                error);
}

enum mq_result mq_mark_set(struct mq_marker *marker,
                           const struct mq_mark_wish *wish,
                           struct mq_error *error, struct mq_debug_mark *mark,
                           struct mq_flags_change *written)
{
    struct mq_debug_mark made = { .memory = NULL };
    struct mq_flags_change changed = { 0, 0 };
    enum mq_result result = mq_memory_open(wish->pin.pid, error,
                                           &made.memory);

    if (result != mq_ok)
        return result;
    result = mq_pin_check(&wish->pin, error);
    if (result == mq_ok)
        result = mq_debug_flags_locate(&marker->files, wish->pin.pid,
                                       made.memory, error, &made.debug_flags);
    if (result == mq_ok)
        result = write_to(marker, wish, error, &made, &changed);
    if (result != mq_ok
        || (made.change.variables == 0 && made.change.flags == 0))
        mq_mark_end(&made, NULL);
    if (result == mq_ok) {
        *mark = made;
        *written = changed;
    }
    return result;
}

void mq_mark_end(struct mq_debug_mark *mark, struct mq_logger *logger)
{
    struct mq_error error;

    if (mq_debug_mark_undo(mark, &error) != mq_ok)
        mq_log(logger, mq_warning, "%s; it stays marked as being debugged",
               error.text);
}

void mq_mark_forget(struct mq_debug_mark *mark)
{
    mq_target_destroy(mark->memory);
    mark->memory = NULL;
}

/* ---- Ranks that are looked at -------------------------------------------- */

/* Whether it is known of all threads that they are not in MPI_Init. */
static bool is_outside_init(const struct mq_target *target)
{
    size_t i;

    for (i = 0; i < target->thread_count; i++) {
        const char *call = target->threads[i].call;

        if (call == NULL || strncmp(call, "MPI_Init", 8) == 0)
            return false;
    }
    return i > 0;
}

/* Whether PROCESS has communicators, none with a list of sends. */
static bool lacks_sends(const struct mq_process *process)
{
    size_t i;

    for (i = 0; i < process->communicator_count; i++)
        if (process->communicators[i].queues[mq_sends].state != mq_absent)
            return false;
    return i > 0;
}

/* Whether TARGET itself has a word for it, which nobody has set. */
static bool needs_send_mark(struct mq_target *target)
{
    struct mq_flags_change missing;
    struct mq_debug_flags debug_flags;

    return mq_debug_flags_find(target, NULL, &debug_flags) == mq_ok
           && mq_debug_flags_compare(&debug_flags, target,
                                     MPI2DD_FLAG_BEING_DEBUGGED, NULL,
                                     &missing) == mq_ok
           && (missing.variables != 0 || missing.flags != 0);
}

bool mq_mark_temporarily(struct mq_marker *marker, struct mq_target *target,
                         const struct mq_pin *pin, struct mq_logger *logger,
                         struct mq_debug_mark *mark)
{
    const struct mq_mark_wish wish = {
        .pin = *pin, .held = target->ops->write != NULL ? target : NULL,
        .flags = MPI2DD_FLAG_GATE | MPI2DD_FLAG_BEING_DEBUGGED
    };
    struct mq_flags_change written;
    struct mq_error error;
    enum mq_result result = mq_mark_set(marker, &wish, &error, mark, &written);

    if (result == mq_failed)
        mq_log(logger, mq_warning, "%s: could not set "
               "MPIR_being_debugged: %s", target->name, error.text);
    return result == mq_ok && mark->memory != NULL;
}

bool mq_mark_begin(struct mq_marker *marker, struct mq_target *target,
                   const struct mq_pin *pin,
                   const struct mq_process *process,
                   const struct mq_read_options *how,
                   struct mq_debug_mark *mark)
{
    struct mq_logger *logger = how->choice.logger;

    if (!how->marks || !lacks_sends(process) || !is_outside_init(target)
        || !needs_send_mark(target)
        || !mq_mark_temporarily(marker, target, pin, logger, mark))
        return false;
    target->late_sends = true;
    mq_log(logger, mq_verbose, "setting MPIR_being_debugged while reading, so "
           "that ranks record their sends; --no-write prevents this");
    return true;
}

/* ---- Ranks that wait at MPIR_debug_gate --------------------------------- */

/* A target that is no process of this host is written to by its debugger.
 * IS_OPENED: it was closed.
 */
static enum mq_result open_gate(struct mq_marker *marker,
                                struct mq_target *target,
                                const struct mq_pin *pin,
                                struct mq_error *error, bool *is_opened)
{
    const struct mq_mark_wish wish = {
        .pin = *pin, .held = target, .flags = MPI2DD_FLAG_GATE
    };
    struct mq_flags_change written;
    struct mq_debug_mark none;
    enum mq_result result;

    if (pin->pid == 0) {
        *is_opened = true;
        return mq_acquire_release(target, error);
    }
    result = mq_mark_set(marker, &wish, error, &none, &written);
    *is_opened = result == mq_ok
                 && (written.variables != 0 || written.flags != 0);
    return result != mq_absent ? result
           : mq_fail(error, "%s waits in MPI_Init until a debugger opens its "
                     "gate, but no loaded file defines MPIR_debug_gate",
                     target->name);
}

enum mq_result mq_gate_pass(struct mq_marker *marker, struct mq_target *target,
                            const struct mq_pin *pin,
                            const struct mq_read_options *how,
                            struct mq_error *error)
{
    bool is_opened;

    if (!mq_acquire_is_held(target))
        return mq_ok;
    if (how->live->no_write && how->live->open_gate)
        return mq_fail(error, "%s waits in MPI_Init until a debugger opens its "
                       "gate (MPIR_debug_gate); --no-write forbids opening it",
                       target->name);
    if (!how->live->open_gate && !how->marks) {
        mq_fail(error, "%s waits in MPI_Init until a debugger opens its gate "
                "(MPIR_debug_gate); was the job started with -mpichksq or "
                "-mpichtv?  --open-gate releases it", target->name);
        return mq_absent;
    }
    if (open_gate(marker, target, pin, error, &is_opened) != mq_ok)
        return mq_failed;
    if (!is_opened)
        return mq_ok;           /* it waits for something else */
    return mq_fail(error, "%s waited in MPI_Init for a debugger: its gate "
                   "(MPIR_debug_gate) has been opened; try again shortly",
                   target->name);
}
