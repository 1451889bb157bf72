/* test_handler.c - classification of signals as external */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/handler.h"

#include <signal.h>
#include <stdint.h>

#include "tests/kit/harness.h"

static uint64_t bit_of(int signal)
{
    return UINT64_C(1) << (signal - 1);
}

int main(void)
{
    test("signals that come from outside");
    CHECK(mq_handler_outer(UINT64_MAX) & bit_of(SIGUSR1));
    CHECK(mq_handler_outer(UINT64_MAX) & bit_of(SIGALRM));
    CHECK_INT(mq_handler_outer(bit_of(SIGSEGV) | bit_of(SIGABRT)), 0);
    return tests_end();
}
