/* The words that a debugger writes: set, set back, and found in another process
 * that runs the same program.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acquire/words.h"
#include "include/mpi2dd.h"
#include "simulation/sim.h"
#include "target/memory.h"
#include "tests/harness.h"

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
    struct mq_words words = { 0 };
    struct mq_words_change change;
    struct mq_error error;
    uint64_t debugged = sim_symbol(sim, "MPIR_being_debugged");

    test("%s: only what was clear is set back", shape->name);
    CHECK_INT(mq_words_find(target, &error, &words), mq_ok);
    CHECK_INT(words.being_debugged == debugged, 1);
    CHECK_INT(words.info, 0);
    CHECK_INT(mq_words_set(&words, target, MPI2DD_FLAG_BEING_DEBUGGED, &error,
                           &change), mq_ok);
    CHECK_INT(change.variables, 0);     /* it was set already */
    CHECK_INT(mq_words_reset(&words, target, &change, &error), mq_ok);
    CHECK_INT(number_at(sim, debugged), 1);

    sim_write(sim, debugged, "\0\0\0\0", 4);
    CHECK_INT(mq_words_set(&words, target, MPI2DD_FLAG_BEING_DEBUGGED, &error,
                           &change), mq_ok);
    CHECK_INT(change.variables, MPI2DD_FLAG_BEING_DEBUGGED);
    CHECK_INT(number_at(sim, debugged), 1);
    CHECK_INT(mq_words_reset(&words, target, &change, &error), mq_ok);
    CHECK_INT(number_at(sim, debugged), 0);
    sim_destroy(sim);
}

/* One that begins as zero and one that is in the file. */
static volatile int zero, one = 1;

static void check_place(int child, volatile int *variable, const char *name)
{
    const int first = 1;
    const struct mq_target like = {
        .byte_order = *(const char *)&first == 1 ? mq_little_endian
                                                 : mq_big_endian,
        .sizes = { .int_size = sizeof(int) }
    };
    struct mq_target *memory = NULL;
    struct mq_error error;
    uint64_t place = 0;
    int64_t value = -1;
    int written = 4711;

    test("%s of another process", name);
    if (!CHECK_INT(mq_memory_move(getpid(), child,
                                  (uint64_t)(uintptr_t)variable, &error,
                                  &place), mq_ok) ||
        !CHECK_INT(mq_memory_open(child, &like, &error, &memory), mq_ok))
        return;
    CHECK_INT(memory->ops->write(memory, place, sizeof written, &written,
                                 &error), mq_ok);
    CHECK_INT(mq_target_read_signed(memory, place, sizeof(int), &error, &value),
              mq_ok);
    CHECK_INT(value, 4711);
    CHECK_INT(*variable == 4711, 0);
    CHECK_INT(memory->ops->read(memory, 16, 4, &error, &written), mq_failed);
    CHECK_CONTAINS(error.text, "cannot read its memory at 0x10");
    mq_target_destroy(memory);
}

static void test_places(void)
{
    struct mq_error error;
    uint64_t place = 0;
    int child = fork(), local;

    if (child == 0)
        for (;;)
            pause();
    check_place(child, &zero, "zeros");
    check_place(child, &one, "data");
    test("what is of no file");
    CHECK_INT(mq_memory_move(getpid(), child, (uint64_t)(uintptr_t)&local,
                             &error, &place), mq_absent);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    test("a process that is gone");
    CHECK_INT(mq_memory_move(getpid(), child, (uint64_t)(uintptr_t)&one,
                             &error, &place), mq_failed);
}

int main(void)
{
    size_t i;

    for (i = 0; i < sim_shape_count; i++)
        test_change(&sim_shapes[i]);
    test_places();
    return tests_end();
}
