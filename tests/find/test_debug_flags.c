/* test_debug_flags.c - debugger flags: look-up, setting and reset
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "find/debug_flags.h"
#include "include/mpi2dd.h"
#include "mqcheck/simulation/sim.h"
#include "target/memory.h"
#include "tests/kit/harness.h"

static const uint32_t both = MPI2DD_FLAG_BEING_DEBUGGED | MPI2DD_FLAG_GATE;

static int64_t number_at(struct sim *sim, uint64_t address)
{
    int64_t value = -1;

    mq_target_read_signed(sim_target(sim), address, 4, NULL, &value);
    return value;
}

static void test_change(const struct sim_shape *shape)
{
    struct sim *sim = sim_create(shape, NULL, sim_contiguous, 0, 1);
    struct mq_target *target = sim_target(sim);
    struct mq_debug_flags debug_flags = { 0 };
    struct mq_flags_change change;
    struct mq_error error;
    uint64_t debugged = sim_symbol(sim, "MPIR_being_debugged");

    test("%s: only what was clear is set back", shape->name);
    CHECK_INT(mq_debug_flags_find(target, &error, &debug_flags), mq_ok);
    CHECK_INT(debug_flags.being_debugged == debugged, 1);
    CHECK_INT(debug_flags.info, 0);
    CHECK_INT(mq_debug_flags_compare(&debug_flags, target,
                                     MPI2DD_FLAG_BEING_DEBUGGED, &error,
                                     &change), mq_ok);
    CHECK_INT(mq_debug_flags_write(&debug_flags, target, &change, true,
                                   &error), mq_ok);
    CHECK_INT(change.variables, 0);     /* it was set already */
    CHECK_INT(mq_debug_flags_write(&debug_flags, target, &change, false,
                                   &error), mq_ok);
    CHECK_INT(number_at(sim, debugged), 1);

    sim_write(sim, debugged, "\0\0\0\0", 4);
    CHECK_INT(mq_debug_flags_compare(&debug_flags, target,
                                     MPI2DD_FLAG_BEING_DEBUGGED, &error,
                                     &change), mq_ok);
    CHECK_INT(mq_debug_flags_write(&debug_flags, target, &change, true,
                                   &error), mq_ok);
    CHECK_INT(change.variables, MPI2DD_FLAG_BEING_DEBUGGED);
    CHECK_INT(number_at(sim, debugged), 1);
    CHECK_INT(mq_debug_flags_write(&debug_flags, target, &change, false,
                                   &error), mq_ok);
    CHECK_INT(number_at(sim, debugged), 0);
    sim_destroy(sim);
}

/* This program's own, as a process would have them that is told. */
int MPIR_being_debugged, MPIR_debug_gate;

/* What is found by the files of a process is written while it runs, and set
 * back only where it still is what was written.
 */
static void test_process(void)
{
    struct mq_flags_change missing, changed = { 0, 0 };
    struct mq_loaded files = { .names = NULL };
    struct mq_debug_flags debug_flags = { 0 };
    struct mq_target *memory;
    struct mq_error error;
    int child = fork();
    int64_t value = -1;

    if (child == 0)
        for (;;)
            pause();
    test("a process");
    if (CHECK_INT(mq_memory_open(child, &error, &memory), mq_ok)) {
        CHECK_INT(mq_debug_flags_locate(&files, child, memory, &error,
                                        &debug_flags),
                  mq_ok);
        CHECK_INT(debug_flags.being_debugged
                  == (uint64_t)(uintptr_t)&MPIR_being_debugged, 1);
        CHECK_INT(debug_flags.debug_gate
                  == (uint64_t)(uintptr_t)&MPIR_debug_gate, 1);
        CHECK_INT(debug_flags.info, 0);
        CHECK_INT(mq_debug_flags_compare(&debug_flags, memory, both, &error,
                                         &missing),
                  mq_ok);
        CHECK_INT(missing.variables, both);
        CHECK_INT(mq_debug_flags_write(&debug_flags, memory, &missing, true,
                                       &error), mq_ok);
        CHECK_INT(mq_debug_flags_compare(&debug_flags, memory, both, &error,
                                         &changed),
                  mq_ok);
        CHECK_INT(changed.variables, 0);
        CHECK_INT(MPIR_being_debugged, 0);      /* of the parent */

        value = 2;
        CHECK_INT(memory->ops->write(memory, debug_flags.debug_gate, 4, &value,
                                     &error), mq_ok);
        CHECK_INT(mq_debug_flags_write(&debug_flags, memory, &missing, false,
                                       &error), mq_ok);
        mq_target_read_signed(memory, debug_flags.being_debugged, 4, NULL,
                              &value);
        CHECK_INT(value, 0);
        mq_target_read_signed(memory, debug_flags.debug_gate, 4, NULL, &value);
        CHECK_INT(value, 2);
        mq_target_destroy(memory);
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    mq_loaded_deinit(&files);
}

int main(void)
{
    size_t i;

    for (i = 0; i < sim_shape_count; i++)
        test_change(&sim_shapes[i]);
    test_process();
    return tests_end();
}
