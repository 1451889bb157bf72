/* test_registers.c - location and sleep from registers */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "target/registers.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "tests/kit/harness.h"

enum {
    wait = 0, wake = 1, requeue = 3, lock_pi = 6, wait_bitset = 9,
    lock_pi2 = 13,
    is_private = 128, by_calendar = 256,
    interrupted = -512,         /* the call begins anew once it goes on */
    in_place = -513,            /* the same, whatever handlers say */
    none = -1
};

/* Where the kernel has what it hands out, in words of 8 bytes. */
static const struct machine {
    const char *name;
    size_t count;
    int number, result, arguments[4];   /* of a system call; none: the result is
                                           not shown */
    int futex, read;
    int pc, sp;
    int elf_machine;
} machines[] = {
    { "x86-64", 27, 15, 10, { 14, 13, 12, 7 }, 202, 0, 16, 19, EM_X86_64 },
    { "aarch64", 34, 8, none, { 0, 1, 2, 3 }, 98, 63, 32, 31, EM_AARCH64 }
};

static const struct {
    const char *name;
    enum { in_futex, in_read, in_no_call } call;
    long result;
    unsigned operation;
    unsigned long until;        /* the address of a time */
    bool is_asleep, sleeps_alone;
} cases[] = {
    { "a lock", in_futex, interrupted, wait | is_private, 0, true, true },
    { "a condition", in_futex, interrupted,
      wait_bitset | is_private | by_calendar, 0, true, true },
    { "for a time", in_futex, interrupted, wait_bitset | is_private, 0x1000,
      false, true },
    { "of several processes", in_futex, interrupted, wait, 0, true, false },
    { "of several, too", in_futex, interrupted, wait_bitset | by_calendar, 0,
      true, false },
    { "woken", in_futex, 0, wait | is_private, 0, false, true },
    { "it wakes others", in_futex, interrupted, wake | is_private, 0, false,
      true },
    { "it moves others", in_futex, interrupted, requeue | is_private, 0,
      false, true },
    { "an owner", in_futex, in_place, lock_pi | is_private, 0, true, true },
    { "an owner, for a time", in_futex, in_place, lock_pi2, 0x1000, false,
      false },
    { "another call", in_read, interrupted, wait | is_private, 0, false,
      false },
    { "a call that failed", in_read, -11, wait, 0, false, false },
    { "a call that a signal ended", in_read, -4, wait, 0, false, false },
    { "none", in_no_call, interrupted, wait | is_private, 0, false, false }
};

static void check(const struct machine *machine, size_t i)
{
    const long call = cases[i].call == in_futex ? machine->futex
                      : cases[i].call == in_read ? machine->read : none;
    uint64_t words[34] = { 0 };
    unsigned char bytes[sizeof words];
    const struct mq_machine *found;
    struct mq_registers registers;

    if (machine->result != none)
        words[machine->result] = (uint64_t)cases[i].result;
    words[machine->number] = (uint64_t)call;
    words[machine->arguments[0]] = 0x7f0000001000;
    words[machine->arguments[1]] = cases[i].operation;
    words[machine->arguments[2]] = 0x123456789;
    words[machine->arguments[3]] = cases[i].until;
    words[machine->pc] = 0x401000;
    words[machine->sp] = 0x7fff0000;
    for (size_t j = 0; j < sizeof bytes; j++)
        bytes[j] = (unsigned char)(words[j / 8] >> 8 * (j % 8));
    test("%s: %s", machine->name, cases[i].name);
    if (!CHECK_INT(mq_registers_decode(bytes, 8 * machine->count, &found,
                                       &registers), mq_ok))
        return;
    CHECK_INT(found->elf_machine, machine->elf_machine);
    CHECK_INT(registers.value[found->pc], 0x401000);
    CHECK_INT(registers.value[found->sp], 0x7fff0000);
    /* That it was woken only the result shows, elsewhere its place. */
    CHECK_INT(registers.is_asleep,
              cases[i].is_asleep
              || (machine->result == none && cases[i].result == 0));
    CHECK_INT(registers.is_in_call,
              cases[i].call != in_no_call
              && (machine->result == none || (cases[i].result != 0
                                              && cases[i].result != -11)));
    CHECK_INT(registers.call, (uint32_t)call);
    CHECK_INT(registers.sleeps_for_owner,
              cases[i].result == in_place);
    CHECK_INT(registers.has_to_call, machine->result == none);
    CHECK_INT(registers.sleeps_alone, cases[i].sleeps_alone);
    CHECK_INT(registers.arguments[0], 0x7f0000001000);
    CHECK_INT(registers.arguments[2], 0x123456789);
}

/* As gdb names them. */
static void check_parsed(void)
{
    const struct mq_machine *found;
    struct mq_registers registers;
    char words[1024] = "", *at = words;

    for (int i = 0; i < 31; i++)
        at += snprintf(at, 32, "x%d=%#x ", i, 0x100 + i);
    strcpy(at, "sp=0x7ff0 pc=0x401000");
    test("aarch64: as words");
    CHECK_INT(mq_registers_parse(words, &found, &registers), mq_ok);
    CHECK_INT(found->elf_machine, EM_AARCH64);
    CHECK_INT(registers.value[30], 0x100 + 30);
    CHECK_INT(registers.value[found->sp], 0x7ff0);
    CHECK_INT(registers.value[found->pc], 0x401000);
    CHECK_INT(mq_register_is_known(&registers, found->pc), 1);
}

int main(void)
{
    for (size_t m = 0; m < sizeof machines / sizeof machines[0]; m++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
            check(&machines[m], i);
    check_parsed();
    return tests_end();
}
