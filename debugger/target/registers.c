/* registers.c - registers of a thread, by DWARF number
 *
 * Registers as the kernel hands them out, of each machine in its own order,
 * and their numbers in DWARF.  A core file may be of another machine than this
 * program's.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "target/registers.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "base/hash.h"
#include "base/number.h"
#include "target/target.h"

enum {
    largest_set = 272,          /* bytes of general registers */
    largest_numbers = 1 << 10   /* of those for floating point and vectors */
};

static const char *const wide_names[] = {
    "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10",
    "r11", "r12", "r13", "r14", "r15", "rip"
};
static const int wide_kept[] = { 16, 7, 3, 6, 12, 13, 14, 15, -1 };

static const char *const narrow_names[] = {
    "eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "eip"
};
static const int narrow_kept[] = { 8, 4, 3, 5, 6, 7, -1 };

static const char *const arm_names[] = {
    "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11",
    "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21", "x22",
    "x23", "x24", "x25", "x26", "x27", "x28", "x29", "x30", "sp", "pc"
};
static const int arm_kept[] = {
    32, 31, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, -1
};

static const struct mq_machine wide = {
    8, 17, 16, 7, wide_names, EM_X86_64, wide_kept, UINT64_MAX
};
static const struct mq_machine narrow = {
    4, 9, 8, 4, narrow_names, EM_386, narrow_kept, UINT32_MAX
};
static const struct mq_machine arm = {
    8, 33, 32, 31, arm_names, EM_AARCH64, arm_kept,
    ((uint64_t)1 << 48) - 1
};

/* ---- As the kernel has them -------------------------------------------- */

/* Where registers are in a set, in words, by their numbers. */
static const unsigned char wide_places[] = {
    10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0, 16
};
static const unsigned char narrow_places[] = { 6, 1, 2, 0, 15, 5, 3, 4, 12 };
static const unsigned char arm_places[] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
    21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32
};

/* What says that a thread sleeps in a system call: places in the set. */
struct sleep {
    unsigned char number, arguments[mq_call_arguments]; /* of the call */
    unsigned char result;       /* no_result: the kernel has set the thread back
                                   in front of the instruction */
    uint64_t futex;             /* the number of that call */
};

enum { no_result = 255 };

static const struct sleep wide_sleep = { 15, { 14, 13, 12, 7, 9 }, 10, 202 };
static const struct sleep arm_sleep = { 8, { 0, 1, 2, 3, 4 }, no_result, 98 };

/* The kinds of sets, which differ in length. */
static const struct set {
    size_t length;
    const struct mq_machine *machine;
    const unsigned char *places;
    const struct sleep *sleep;  /* null: not known */
} sets[] = {
    { 216, &wide, wide_places, &wide_sleep },
    { 68, &narrow, narrow_places, NULL },
    { 272, &arm, arm_places, &arm_sleep }
};

enum { set_count = sizeof sets / sizeof sets[0] };

static uint64_t word_at(const struct set *set, const unsigned char *bytes,
                        unsigned place)
{
    const int word = set->machine->word;

    return mq_decode_unsigned(mq_little_endian, bytes + place * (size_t)word,
                              word);
}

/* Whether a thread sleeps in a futex, without a time to end it.  One that was
 * woken has another result already.
 */
static void take_futex(int64_t result, struct mq_registers *registers)
{
    enum { wait = 0, wait_bitset = 9, lock_pi = 6, lock_pi2 = 13,
           is_private = 128, by_calendar = 256 };
    const uint32_t operation = (uint32_t)registers->arguments[1]
                               & ~(uint32_t)(is_private | by_calendar);
    const bool for_owner = operation == lock_pi || operation == lock_pi2;

    registers->is_asleep = (result == (for_owner ? -513 : -512)
                            || registers->has_to_call)
                           && (operation == wait || operation == wait_bitset
                               || for_owner)
                           && registers->arguments[3] == 0;
    registers->sleeps_for_owner = for_owner;
    registers->sleeps_alone = (registers->arguments[1] & is_private) != 0;
}

static void take_call(const struct set *set, const unsigned char *bytes,
                      struct mq_registers *registers)
{
    const struct sleep *sleep = set->sleep;
    const uint64_t number = word_at(set, bytes, sleep->number);
    int64_t result = 0;

    registers->has_to_call = sleep->result == no_result;
    if (!registers->has_to_call)
        result = (int64_t)word_at(set, bytes, sleep->result);
    for (int i = 0; i < mq_call_arguments; i++)
        registers->arguments[i] = word_at(set, bytes, sleep->arguments[i]);
    registers->call = (uint32_t)number;
    /* By these results the kernel says that a call is to be made again, or that
     * a signal has ended it.
     */
    registers->is_in_call = number <= INT32_MAX
                            && (registers->has_to_call
                                || (result <= -512 && result >= -514)
                                || result == -516 || result == -EINTR);
    if (number == sleep->futex)
        take_futex(result, registers);
}

static void take(const uint64_t *values, const struct mq_machine *machine,
                 struct mq_registers *registers)
{
    memset(registers, 0, sizeof *registers);
    for (int i = 0; i < machine->count; i++)
        mq_register_set(registers, i, values[i]);
}

enum mq_result mq_registers_decode(const void *bytes, size_t length,
                                   const struct mq_machine **machine,
                                   struct mq_registers *registers)
{
    uint64_t values[mq_most_registers];
    const struct set *set = sets;

    while (set < sets + set_count && set->length != length)
        set++;
    if (set == sets + set_count)
        return mq_absent;
    for (int i = 0; i < set->machine->count; i++)
        values[i] = word_at(set, bytes, set->places[i]);
    take(values, set->machine, registers);
    if (set->sleep != NULL)
        take_call(set, bytes, registers);
    *machine = set->machine;
    return mq_ok;
}

enum mq_result mq_registers_read(pid_t thread, struct mq_error *error,
                                 const struct mq_machine **machine,
                                 struct mq_registers *registers)
{
    unsigned char all[largest_set], numbers[largest_numbers];
    struct iovec place = { all, sizeof all },
                 vectors = { numbers, sizeof numbers };
    enum mq_result result;

    if (ptrace(PTRACE_GETREGSET, thread, (void *)NT_PRSTATUS, &place) != 0)
        return mq_fail(error, "cannot read the registers of thread %d: %s",
                       (int)thread, strerror(errno));
    result = mq_registers_decode(all, place.iov_len, machine, registers);
    if (result == mq_ok
        && ptrace(PTRACE_GETREGSET, thread, (void *)NT_PRFPREG, &vectors) == 0)
        registers->numbers = mq_hash_bytes(MQ_HASH_BEGIN, numbers,
                                           vectors.iov_len);
    return result;
}

/* ---- As a debugger has them -------------------------------------------- */

/* Where the value of the register NAME begins, or null. */
static const char *value_of(const char *words, const char *name)
{
    const size_t length = strlen(name);

    while (*words != '\0') {
        if (strncmp(words, name, length) == 0 && words[length] == '=')
            return words + length + 1;
        words += strcspn(words, " ");
        words += strspn(words, " ");
    }
    return NULL;
}

enum mq_result mq_registers_parse(const char *words,
                                  const struct mq_machine **machine,
                                  struct mq_registers *registers)
{
    for (size_t i = 0; i < set_count; i++) {
        const struct mq_machine *one = sets[i].machine;
        uint64_t values[mq_most_registers];
        int known = 0;

        while (known < one->count) {
            const char *value = value_of(words, one->names[known]);

            if (value == NULL
                || mq_number_read_hex(&value, &values[known]) != mq_number_ok)
                break;
            known++;
        }
        if (known < one->count)
            continue;
        take(values, one, registers);
        *machine = one;
        return mq_ok;
    }
    return mq_absent;
}
