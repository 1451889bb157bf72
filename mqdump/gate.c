/* Ranks that wait at MPIR_debug_gate: named, and let go on when asked. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/gate.h"

#include "acquire/acquire.h"

enum mq_result mq_gate_pass(struct mq_target *target,
                            const struct mq_read_options *how,
                            struct mq_error *error)
{
    if (!mq_acquire_is_held(target))
        return mq_ok;
    if (!how->live->open_gate) {
        mq_fail(error, "%s waits in MPI_Init until a debugger opens its gate "
                "(MPIR_debug_gate); was the job started with -mpichksq or "
                "-mpichtv?  --open-gate lets it go on", target->name);
        return mq_absent;
    }
    if (how->live->no_write)
        return mq_fail(error, "%s waits in MPI_Init until a debugger opens its "
                       "gate (MPIR_debug_gate), which --no-write forbids",
                       target->name);
    if (mq_acquire_release(target, error) != mq_ok)
        return mq_failed;
    return mq_fail(error, "%s waited in MPI_Init for a debugger: its gate "
                   "(MPIR_debug_gate) has been opened; look again when it has "
                   "run", target->name);
}
