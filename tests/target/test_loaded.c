/* test_loaded.c - addresses of variables in loaded files
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/loaded.h"
#include "target/memory.h"
#include "tests/kit/harness.h"

int loaded_zeros, loaded_data = 1;
const int loaded_constant = 4711;
static int loaded_own __attribute__((__used__)) = 1;

/* On pages of its own. */
enum { room = 1 << 16 };
int loaded_alone[room / sizeof(int)] __attribute__((__aligned__(1 << 16))) =
    { 1 };

static const struct mq_loaded_name names[] = {
    { "loaded_zeros", 4, false }, { "loaded_data", 4, false },
    { "loaded_constant", 4, false }, { "loaded_own", 4, false }
};

static const struct mq_loaded_name alone[] = { { "loaded_alone", 4, false } };

static const struct mq_loaded_name others[] = {
    { "loaded_data", 4096, false },     /* it is smaller */
    { "loaded_data_", 4, false },
    { "main", 1, false }
};

static int start(void)
{
    int child = fork();

    if (child == 0)
        for (;;)
            pause();
    return child;
}

static void end(int child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void test_places(void)
{
    struct mq_loaded known = { .names = names, .name_count = 4 };
    struct mq_loaded other = { .names = others, .name_count = 3 };
    uint64_t found[mq_loaded_names] = { 1, 1, 1, 1 };
    struct mq_error error;
    int child = start();

    test("variables of a process");
    CHECK_INT(mq_loaded_find(&known, child, mq_loaded_to_write, &error,
                             found), mq_ok);
    CHECK_INT(found[0] == (uint64_t)(uintptr_t)&loaded_zeros, 1);
    CHECK_INT(found[1] == (uint64_t)(uintptr_t)&loaded_data, 1);
    CHECK_INT(found[2], 0);             /* it cannot be written to */
    CHECK_INT(found[3], 0);             /* only its file knows it */
    test("they are read once");
    CHECK_INT(known.count > 0, 1);
    CHECK_INT(known.symbols > 0, 1);
    known.symbols = 0;
    found[1] = 0;
    CHECK_INT(mq_loaded_find(&known, getpid(), mq_loaded_to_write, &error,
                             found), mq_ok);
    CHECK_INT(known.symbols, 0);
    CHECK_INT(found[1] == (uint64_t)(uintptr_t)&loaded_data, 1);
    test("constants, where they are only read");
    CHECK_INT(mq_loaded_find(&known, child, mq_loaded_to_read, &error,
                             found), mq_ok);
    CHECK_INT(found[1] == (uint64_t)(uintptr_t)&loaded_data, 1);
    CHECK_INT(found[2] == (uint64_t)(uintptr_t)&loaded_constant, 1);
    test("other names, and what is too small");
    CHECK_INT(mq_loaded_find(&other, child, mq_loaded_to_write, &error,
                             found), mq_ok);
    CHECK_INT(found[0] | found[1] | found[2], 0);
    mq_loaded_deinit(&known);
    mq_loaded_deinit(&other);
    end(child);
}

/* In a process that has protected a variable, or put something else there, it
 * has none.
 */
static void test_protected(bool replace)
{
    struct mq_loaded known = { .names = alone, .name_count = 1 };
    uint64_t found[mq_loaded_names] = { 1 };
    struct mq_error error;
    int status, child = fork();

    if (child == 0) {
        bool is_done = replace
            ? mmap(loaded_alone, room, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
              != MAP_FAILED
            : mprotect(loaded_alone, room, PROT_READ) == 0;

        if (!is_done)
            _exit(1);
        raise(SIGSTOP);
        _exit(0);
    }
    test(replace ? "a shared mapping" : "a variable that is protected");
    waitpid(child, &status, WUNTRACED);
    if (CHECK_INT(WIFSTOPPED(status), 1)) {
        CHECK_INT(mq_loaded_find(&known, getpid(), mq_loaded_to_write, &error,
                                 found), mq_ok);
        CHECK_INT(found[0] == (uint64_t)(uintptr_t)loaded_alone, 1);
        CHECK_INT(mq_loaded_find(&known, child, mq_loaded_to_write, &error,
                                 found), mq_ok);
        CHECK_INT(found[0], 0);
    }
    mq_loaded_deinit(&known);
    end(child);
}

/* A process that executes a program has another memory, and the first is gone.
 */
static void test_execution(void)
{
    struct mq_target *memory;
    struct mq_error error;
    int gate[2], one = 1, child;
    int64_t value = 0;
    char byte;

    test("a process that executes another program");
    if (!CHECK_INT(pipe(gate), 0))
        return;
    child = fork();
    if (child == 0) {
        close(gate[1]);
        while (read(gate[0], &byte, 1) > 0)
            continue;
        execlp("sleep", "sleep", "600", (char *)NULL);
        _exit(1);
    }
    close(gate[0]);
    if (CHECK_INT(mq_memory_open(child, &error, &memory), mq_ok)) {
        const uint64_t place = (uint64_t)(uintptr_t)&loaded_data;

        CHECK_INT(mq_memory_is_gone(memory), 0);
        CHECK_INT(memory->ops->write(memory, place, 4, &one, &error), mq_ok);
        CHECK_INT(memory->ops->read(memory, 16, 4, &error, &value), mq_failed);
        CHECK_CONTAINS(error.text, "cannot read its memory at 0x10");
        CHECK_INT(mq_memory_is_gone(memory), 0);
        close(gate[1]);
        while (!mq_memory_is_gone(memory))
            usleep(1000);
        CHECK_INT(memory->ops->write(memory, place, 4, &one, &error),
                  mq_failed);
        CHECK_INT(mq_target_read_signed(memory, place, 4, &error, &value),
                  mq_failed);
        mq_target_destroy(memory);
    }
    end(child);
}

static void test_gone(void)
{
    struct mq_loaded known = { .names = names, .name_count = 1 };
    uint64_t found[mq_loaded_names];
    struct mq_target *memory;
    struct mq_error error;
    int child = start();

    end(child);
    test("a process that is gone");
    CHECK_INT(mq_loaded_find(&known, child, mq_loaded_to_write, &error,
                             found), mq_failed);
    CHECK_INT(mq_memory_open(child, &error, &memory), mq_failed);
    CHECK_CONTAINS(error.text, "cannot open its memory");
    mq_loaded_deinit(&known);
}

int main(void)
{
    test_places();
    test_protected(false);
    test_protected(true);
    test_execution();
    test_gone();
    return tests_end();
}
