/* starter_trace.c - tracing of a job's starter, and of ranks beside it */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/launch/starter_trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "mqdump/system/interrupt.h"
#include "process/proc_stat.h"
#include "target/memory.h"

static const char *const stops[] = {
    "MPIR_Breakpoint", "MPI2DD_breakpoint", NULL
};

static enum mq_result register_undo(struct mq_patch_guard *guard,
                                    struct mq_target *memory,
                                    const struct mq_code_patch *patch,
                                    struct mq_error *error)
{
    struct mq_starter_trace *trace = (struct mq_starter_trace *)guard;
    const struct mq_debug_mark mark = { .memory = memory, .code = *patch };

    return mq_undo_process_register(&trace->marker->undo, &mark, error);
}

/* Has TARGET spin at the breakpoint it is at; mq_absent if it is at none. */
static enum mq_result spin(struct mq_starter_trace *trace,
                           struct mq_target *target, struct mq_error *error)
{
    struct mq_spinner made;
    enum mq_result result;

    if (mq_array_reserve(&trace->spinners, sizeof made, trace->count + 1,
                         &trace->room, "for a process", error) != mq_ok
        || mq_memory_open(target->pid, error, &made.memory) != mq_ok)
        return mq_failed;
    result = mq_run_control_spin(target, error, &made.patch);
    if (result == mq_ok)
        trace->spinners[trace->count++] = made;
    else
        mq_target_destroy(made.memory);
    return result;
}

static void end_spins(struct mq_starter_trace *trace)
{
    while (trace->count > 0) {
        struct mq_spinner *last = &trace->spinners[--trace->count];

        mq_code_patch_undo(&last->patch, last->memory, NULL);
        mq_target_destroy(last->memory);
    }
}

enum mq_result mq_starter_trace_open(struct mq_starter_trace *trace,
                                     const struct mq_pin *pin,
                                     struct mq_marker *marker,
                                     struct mq_error *error)
{
    enum mq_result result;

    *trace = (struct mq_starter_trace){
        .guard = { register_undo }, .marker = marker
    };
    result = mq_run_control_create(&trace->guard, error, &trace->control);
    if (result == mq_ok)
        result = mq_run_control_add(trace->control, pin, error,
                                    &trace->starter);
    if (result != mq_ok)
        mq_starter_trace_close(trace);
    return result;
}

void mq_starter_trace_close(struct mq_starter_trace *trace)
{
    end_spins(trace);
    free(trace->spinners);
    mq_target_destroy(trace->starter);
    mq_run_control_destroy(trace->control);
    memset(trace, 0, sizeof *trace);
}

enum mq_result mq_starter_trace_add(struct mq_starter_trace *trace,
                                    const struct mq_pin *pin,
                                    struct mq_error *error,
                                    struct mq_target **target)
{
    return mq_run_control_add(trace->control, pin, error, target);
}

enum mq_result mq_starter_trace_run(struct mq_starter_trace *trace, int seconds,
                                    struct mq_error *error,
                                    struct mq_run_event *event)
{
    return mq_run_control_run(trace->control, stops, seconds, &mq_interrupted,
                              error, event);
}

enum mq_result mq_starter_trace_resume(struct mq_starter_trace *trace,
                                       struct mq_target *target,
                                       struct mq_error *error)
{
    enum mq_result result = spin(trace, target, error);

    return result == mq_absent ? target->live->resume(target, error) : result;
}

void mq_starter_trace_finish(struct mq_starter_trace *trace, int seconds)
{
    double deadline = mq_now() + seconds;
    int pid = trace->starter->pid;

    end_spins(trace);
    trace->starter->live->resume(trace->starter, NULL);
    while (!mq_proc_has_ended(pid) && mq_now() < deadline)
        mq_nap(50);
}
