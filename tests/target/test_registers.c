/* test_registers.c - what a thread's registers tell of its sleep */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "target/registers.h"
#include "tests/kit/harness.h"

#if defined(__x86_64__)
#include <string.h>
#include <sys/syscall.h>
#include <sys/user.h>

enum {
    wait = 0, wake = 1, requeue = 3, wait_bitset = 9,
    is_private = 128, by_calendar = 256,
    interrupted = -512          /* the call begins anew once it goes on */
};

static const struct {
    const char *name;
    long call;                  /* the system call; -1: in none */
    long result;
    unsigned operation;
    unsigned long until;        /* the address of a time */
    bool is_asleep, sleeps_alone;
} cases[] = {
    { "a lock", SYS_futex, interrupted, wait | is_private, 0, true,
      true },
    { "a condition", SYS_futex, interrupted,
      wait_bitset | is_private | by_calendar, 0, true, true },
    { "for a time", SYS_futex, interrupted, wait_bitset | is_private, 0x1000,
      false, true },
    { "of several processes", SYS_futex, interrupted, wait, 0, true, false },
    { "of several, too", SYS_futex, interrupted, wait_bitset | by_calendar, 0,
      true, false },
    { "woken", SYS_futex, 0, wait | is_private, 0, false, true },
    { "it wakes others", SYS_futex, interrupted, wake | is_private, 0, false,
      true },
    { "it moves others", SYS_futex, interrupted, requeue | is_private, 0,
      false, true },
    { "another call", SYS_read, interrupted, wait | is_private, 0, false,
      true },
    { "none", -1, interrupted, wait | is_private, 0, false, true }
};

static void check(size_t i)
{
    struct user_regs_struct all;
    const struct mq_machine *machine;
    struct mq_registers registers;

    memset(&all, 0, sizeof all);
    all.orig_rax = (unsigned long long)cases[i].call;
    all.rax = (unsigned long long)cases[i].result;
    all.rsi = cases[i].operation;
    all.r10 = cases[i].until;
    all.rdi = 0x7f0000001000;
    all.rdx = 0x123456789;
    test("%s", cases[i].name);
    CHECK_INT(mq_registers_decode(&all, sizeof all, &machine, &registers),
              mq_ok);
    CHECK_INT(registers.is_asleep, cases[i].is_asleep);
    CHECK_INT(registers.sleeps_alone, cases[i].sleeps_alone);
    CHECK_INT(registers.sleeps_at, 0x7f0000001000);
    CHECK_INT(registers.sleeps_while, 0x23456789);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check(i);
    return tests_end();
}
#else
int main(void)
{
    return tests_end();
}
#endif
