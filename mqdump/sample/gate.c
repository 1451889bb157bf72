/* gate.c - ranks that wait in MPI_Init for a debugger
 *
 * Ranks that wait at MPIR_debug_gate: named, and released when asked.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/sample/gate.h"

#include "find/acquire.h"
#include "include/mpi2dd.h"

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
