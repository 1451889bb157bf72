/* registers.c - registers of a thread, by DWARF number
 *
 * Registers as the kernel hands them out, and their numbers in DWARF.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "target/registers.h"

#if defined(__x86_64__)

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>

#include "base/hash.h"
#include "base/number.h"

static const char *const wide_names[] = {
    "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10",
    "r11", "r12", "r13", "r14", "r15", "rip"
};
static const int wide_kept[] = { 16, 7, 3, 6, 12, 13, 14, 15, -1 };
static const struct mq_machine wide = {
    8, 17, 16, 7, wide_names, EM_X86_64, wide_kept
};

static const char *const narrow_names[] = {
    "eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "eip"
};
static const int narrow_kept[] = { 8, 4, 3, 5, 6, 7, -1 };
static const struct mq_machine narrow = {
    4, 9, 8, 4, narrow_names, EM_386, narrow_kept
};

/* Register layout of a 32-bit process. */
struct narrow_registers {
    uint32_t ebx, ecx, edx, esi, edi, ebp, eax, ds, es, fs, gs, orig_eax, eip,
             cs, eflags, esp, ss;
};

static void take(const uint64_t *values, const struct mq_machine *machine,
                 struct mq_registers *registers)
{
    memset(registers, 0, sizeof *registers);
    for (int i = 0; i < machine->count; i++)
        mq_register_set(registers, i, values[i]);
}

/* Whether a thread sleeps in a futex, without a time to end it.  One that was
 * woken has another result already.
 */
static void take_sleep(const struct user_regs_struct *r,
                       struct mq_registers *registers)
{
    enum { wait = 0, wait_bitset = 9, is_private = 128, by_calendar = 256 };
    const int64_t is_to_be_called_again = -512;
    const uint32_t operation = (uint32_t)r->rsi
                               & ~(uint32_t)(is_private | by_calendar);

    registers->is_asleep = r->orig_rax == SYS_futex
                           && (int64_t)r->rax == is_to_be_called_again
                           && (operation == wait || operation == wait_bitset)
                           && r->r10 == 0;
    registers->sleeps_alone = ((uint32_t)r->rsi & is_private) != 0;
    registers->sleeps_at = r->rdi;
    registers->sleeps_while = (uint32_t)r->rdx;
}

union register_set {
    struct user_regs_struct wide;
    struct narrow_registers narrow;
};

enum mq_result mq_registers_decode(const void *bytes, size_t length,
                                   const struct mq_machine **machine,
                                   struct mq_registers *registers)
{
    union register_set all;

    if (length != sizeof all.wide && length != sizeof all.narrow)
        return mq_absent;
    memcpy(&all, bytes, length);
    if (length == sizeof all.wide) {
        const struct user_regs_struct *r = &all.wide;
        const uint64_t values[] = {
            r->rax, r->rdx, r->rcx, r->rbx, r->rsi, r->rdi, r->rbp, r->rsp,
            r->r8, r->r9, r->r10, r->r11, r->r12, r->r13, r->r14, r->r15,
            r->rip
        };

        take(values, &wide, registers);
        take_sleep(r, registers);
        *machine = &wide;
    } else {
        const struct narrow_registers *r = &all.narrow;
        const uint64_t values[] = {
            r->eax, r->ecx, r->edx, r->ebx, r->esp, r->ebp, r->esi, r->edi,
            r->eip
        };

        take(values, &narrow, registers);
        *machine = &narrow;
    }
    return mq_ok;
}

enum mq_result mq_registers_read(pid_t thread, struct mq_error *error,
                                 const struct mq_machine **machine,
                                 struct mq_registers *registers)
{
    union register_set all;
    unsigned char numbers[sizeof(struct user_fpregs_struct)];
    struct iovec place = { &all, sizeof all },
                 vectors = { numbers, sizeof numbers };
    enum mq_result result;

    if (ptrace(PTRACE_GETREGSET, thread, (void *)NT_PRSTATUS, &place) != 0)
        return mq_fail(error, "cannot read the registers of thread %d: %s",
                       (int)thread, strerror(errno));
    result = mq_registers_decode(&all, place.iov_len, machine, registers);
    if (result == mq_ok
        && ptrace(PTRACE_GETREGSET, thread, (void *)NT_PRFPREG, &vectors) == 0)
        registers->numbers = mq_hash_bytes(MQ_HASH_BEGIN, numbers,
                                           vectors.iov_len);
    return result;
}

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

static bool parse_all(const char *words, const struct mq_machine *machine,
                      struct mq_registers *registers)
{
    uint64_t values[mq_most_registers];

    for (int i = 0; i < machine->count; i++) {
        const char *value = value_of(words, machine->names[i]);

        if (value == NULL
            || mq_number_read_hex(&value, &values[i]) != mq_number_ok)
            return false;
    }
    take(values, machine, registers);
    return true;
}

enum mq_result mq_registers_parse(const char *words,
                                  const struct mq_machine **machine,
                                  struct mq_registers *registers)
{
    const struct mq_machine *const machines[] = { &wide, &narrow };

    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        if (parse_all(words, machines[i], registers)) {
            *machine = machines[i];
            return mq_ok;
        }
    }
    return mq_absent;
}

#else

enum mq_result mq_registers_parse(const char *words,
                                  const struct mq_machine **machine,
                                  struct mq_registers *registers)
{
    (void)words, (void)machine, (void)registers;
    return mq_absent;
}

enum mq_result mq_registers_decode(const void *bytes, size_t length,
                                   const struct mq_machine **machine,
                                   struct mq_registers *registers)
{
    (void)bytes, (void)length, (void)machine, (void)registers;
    return mq_absent;
}

enum mq_result mq_registers_read(pid_t thread, struct mq_error *error,
                                 const struct mq_machine **machine,
                                 struct mq_registers *registers)
{
    (void)thread, (void)error, (void)machine, (void)registers;
    return mq_absent;
}

#endif
