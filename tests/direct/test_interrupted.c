/* test_interrupted.c - detection of restarted system calls, from registers
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/interrupted.h"

#include <errno.h>
#include <string.h>

#include "target/target.h"
#include "tests/kit/harness.h"

/* Where registers are among those that the kernel hands out, in words. */
static const struct machine {
    const char *name;
    size_t count, word;
    int result, number, place;
    unsigned behind;            /* the instruction, in bytes */
    bool lacks_argument;
} machines[] = {
    { "x86-64", 27, 8, 10, 15, 16, 2, false },
    { "x86", 17, 4, 6, 11, 12, 2, false },
    { "aarch64", 34, 8, 0, 8, 32, 4, true }
};

enum { x86_64, x86, aarch64, none = -1 };

static const struct {
    const char *name;
    int machine, number, result;
    bool is_found;
} cases[] = {
    { "epoll_wait", x86_64, 232, -EINTR, true },
    { "epoll_wait with a result", x86_64, 232, 1, false },
    { "that the kernel makes again", x86_64, 232, -512, false },
    { "in no call", x86_64, none, -EINTR, false },
    { "close", x86_64, 3, -EINTR, false },
    { "ioctl", x86_64, 16, -EINTR, false },
    { "read", x86, 3, -EINTR, true },
    { "close", x86, 6, -EINTR, false },
    { "in no call", x86, none, -EINTR, false },
    { "epoll_pwait", aarch64, 22, -EINTR, true },
    { "epoll_pwait with a result", aarch64, 22, 1, false },
    { "recvfrom", aarch64, 207, -EINTR, true },
    { "rt_sigtimedwait", aarch64, 137, -EINTR, true },
    { "read", aarch64, 63, -EINTR, true },
    { "close", aarch64, 57, -EINTR, false },
    { "ioctl", aarch64, 29, -EINTR, false },
    { "a number of x86-64's", aarch64, 232, -EINTR, false }
};

static unsigned char *word_of(const struct machine *machine,
                              unsigned char *registers, int which)
{
    return registers + (size_t)which * machine->word;
}

static void set(const struct machine *machine, unsigned char *registers,
                int which, int64_t value)
{
    for (size_t i = 0; i < machine->word; i++)
        word_of(machine, registers, which)[i] =
            (unsigned char)((uint64_t)value >> 8 * i);
}

static int64_t get(const struct machine *machine, unsigned char *registers,
                   int which)
{
    return mq_decode_signed(mq_little_endian,
                            word_of(machine, registers, which),
                            (int)machine->word);
}

static void check(size_t i)
{
    enum { place = 0x401006, argument = 5 };
    const struct machine *machine = &machines[cases[i].machine];
    const size_t length = machine->count * machine->word;
    unsigned char before[mq_longest_registers], after[mq_longest_registers];
    struct mq_interrupted call;

    test("%s: %s", machine->name, cases[i].name);
    for (size_t j = 0; j < sizeof before; j++)
        before[j] = (unsigned char)(3 * j + 1);
    set(machine, before, machine->number, cases[i].number);
    set(machine, before, machine->result, cases[i].result);
    set(machine, before, machine->place, place + machine->behind);
    CHECK_INT(mq_interrupted_find(before, length, &call), cases[i].is_found);
    if (!cases[i].is_found)
        return;
    CHECK_INT(call.number, cases[i].number);
    CHECK_INT(call.place, place);
    CHECK_INT(call.length, machine->behind);
    CHECK_INT(call.lacks_argument, machine->lacks_argument);
    memcpy(after, before, sizeof after);
    mq_interrupted_undo(&call, argument, after, length);
    CHECK_INT(get(machine, after, machine->place), place);
    CHECK_INT(get(machine, after, machine->result),
              machine->lacks_argument ? argument : cases[i].number);
    CHECK_INT(get(machine, after, machine->number),
              machine->lacks_argument ? cases[i].number : none);
    /* All else is as it was. */
    memcpy(word_of(machine, after, machine->place),
           word_of(machine, before, machine->place), machine->word);
    memcpy(word_of(machine, after, machine->result),
           word_of(machine, before, machine->result), machine->word);
    memcpy(word_of(machine, after, machine->number),
           word_of(machine, before, machine->number), machine->word);
    CHECK_INT(memcmp(before, after, sizeof before), 0);
}

int main(void)
{
    unsigned char others[mq_longest_registers] = { 0 };
    struct mq_interrupted call;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check(i);
    test("registers of another machine");
    CHECK_INT(mq_interrupted_find(others, 72, &call), false);
    return tests_end();
}
