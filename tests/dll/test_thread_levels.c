/* test_thread_levels.c - levels of threads at which others may call MPI */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "dll/concurrent_callers.h"
#include "tests/kit/harness.h"

/* What Open MPI says; MPICH has no such variable. */
static const uint64_t variable = 0x1000;
static uint32_t level;

static enum mq_result find_variable(struct mq_target *target, const char *name,
                                    bool is_function, struct mq_error *error,
                                    uint64_t *address)
{
    (void)target, (void)is_function, (void)error;
    if (level > 3 || strcmp(name, "ompi_mpi_thread_provided") != 0)
        return mq_absent;
    *address = variable;
    return mq_ok;
}

static enum mq_result read_variable(struct mq_target *target, uint64_t address,
                                    size_t length, struct mq_error *error,
                                    void *bytes)
{
    (void)target, (void)error;
    if (address != variable || length != sizeof level)
        return mq_failed;
    memcpy(bytes, &level, sizeof level);
    return mq_ok;
}

int main(void)
{
    static const struct mq_target_ops ops = {
        .find_name = find_variable, .read = read_variable
    };
    struct mq_target target = { .ops = &ops };

    for (level = 0; level <= 3; level++) {
        test("beside a thread in MPI, at level %d", (int)level);
        CHECK_INT(mq_lets_others_in(&target, true, true), level == 3);
        test("beside a thread outside MPI, at level %d", (int)level);
        CHECK_INT(mq_lets_others_in(&target, false, true), level >= 2);
    }
    test("at a level that is not known");
    CHECK_INT(mq_lets_others_in(&target, true, true), true);
    CHECK_INT(mq_lets_others_in(&target, false, false), false);
    return tests_end();
}
