/* test_variables.c - variables of a running process
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "find/variables.h"
#include "tests/kit/harness.h"

/* This program's own, as a starter would have them. */
void MPIR_Breakpoint(void);
void MPIR_Breakpoint(void)
{
}

int MPIR_debug_state = 1, MPIR_proctable_size;
const char MPIR_dll_name[] = "libtvmpich.so";
static int MPIR_i_am_starter __attribute__((__used__));

/* A child that sleeps, or executes a program. */
static int start(const char *program)
{
    int child = fork();

    if (child == 0 && program != NULL)
        execlp(program, program, "600", (char *)NULL);
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

static uint64_t address_of(struct mq_target *target, const char *name)
{
    uint64_t address = 0;

    mq_target_find_symbol(target, name, NULL, &address);
    return address;
}

static void test_found(struct mq_target *target)
{
    char text[sizeof MPIR_dll_name];
    uint64_t address = 0;
    int64_t value = 0;

    test("what its files have");
    CHECK_INT(address_of(target, "MPIR_debug_state")
              == (uint64_t)(uintptr_t)&MPIR_debug_state, 1);
    CHECK_INT(mq_target_read_signed(target,
                                    address_of(target, "MPIR_debug_state"), 4,
                                    NULL, &value), mq_ok);
    CHECK_INT(value, 1);
    CHECK_INT(mq_target_find_function(target, "MPIR_Breakpoint", NULL,
                                      &address), mq_ok);
    CHECK_INT(address == (uint64_t)(uintptr_t)MPIR_Breakpoint, 1);
    CHECK_INT(mq_target_read_string(target, address_of(target, "MPIR_dll_name"),
                                    sizeof text, NULL, text), mq_ok);
    CHECK_STRING(text, MPIR_dll_name);
    CHECK_INT(mq_variables_has(target, mq_variable_dll_name), 1);
    CHECK_INT(target->sizes.pointer_size, sizeof(void *));

    test("what they have not, what one source has, and other names");
    CHECK_INT(mq_variables_has(target, mq_mpir_proctable), 0);
    CHECK_INT(mq_target_find_symbol(target, "MPIR_proctable", NULL, &address),
              mq_absent);
    CHECK_INT(mq_variables_has(target, mq_mpir_i_am_starter), 0);
    CHECK_INT(mq_target_find_symbol(target, "main", NULL, &address), mq_absent);
}

static void test_process(void)
{
    struct mq_loaded files = { .names = NULL };
    struct mq_target *target;
    struct mq_error error = { "" };
    struct mq_pin pin;
    int child = start(NULL);

    test("a process with variables");
    CHECK_INT(mq_pin_process(child, &error, &pin), mq_ok);
    if (CHECK_INT(mq_variables_open(&files, &pin, &error, &target), mq_ok)) {
        CHECK(target->ops->write == NULL);
        test_found(target);
        mq_target_destroy(target);
    }
    end(child);
    test("a process that has ended");
    CHECK_INT(mq_variables_open(&files, &pin, &error, &target), mq_failed);
    CHECK_CONTAINS(error.text, "process");
    mq_loaded_deinit(&files);
}

static void test_none(void)
{
    struct mq_loaded files = { .names = NULL };
    struct mq_target *target;
    struct mq_error error = { "" };
    struct mq_pin pin;
    int child = start("sleep");
    enum mq_result result;

    test("a process without variables");
    do {
        CHECK_INT(mq_pin_process(child, &error, &pin), mq_ok);
        result = mq_variables_open(&files, &pin, &error, &target);
        if (result == mq_ok)            /* it executes nothing else yet */
            mq_target_destroy(target);
    } while (result == mq_ok);
    CHECK_INT(result, mq_absent);
    mq_loaded_deinit(&files);
    end(child);
}

int main(void)
{
    test_process();
    test_none();
    return tests_end();
}
