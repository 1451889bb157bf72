/* registers.h - registers of a thread, by DWARF number */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_REGISTERS_H
#define MQ_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

enum { mq_most_registers = 33, mq_call_arguments = 5 };

/* A kind of machine; names are the register's in the order of DWARF. */
struct mq_machine {
    int word;                   /* bytes of an address */
    int count;                  /* of registers */
    int pc, sp;                 /* numbers of registers */
    const char *const *names;
    int elf_machine;            /* of files for it */
    const int *kept;            /* that a function gives back as they were, and
                                   where it is; -1 ends them */
    uint64_t code;              /* bits of addresses of code: a return address
                                   may be signed in the others */
};

struct mq_registers {
    uint64_t value[mq_most_registers];
    uint64_t known;             /* bits by numbers */
    uint64_t numbers;           /* a hash of those for floating point and
                                   vectors; 0: not read */
    bool is_in_call;            /* of a thread: a stop has interrupted it as it
                                   slept in a system call, ... */
    uint32_t call;              /* ... of this number, ... */
    uint64_t arguments[mq_call_arguments];      /* ... with these first ones */
    bool has_to_call;           /* ... if the instruction of a system call is
                                   at its pc, which registers cannot tell */
    bool is_asleep;             /* it is a futex's: it sleeps until another one
                                   wakes it, and not for a time, at the address
                                   of the first argument, ... */
    bool sleeps_alone;          /* ... one of its process, as the call says */
    bool sleeps_for_owner;      /* ... for the thread that the word names, and
                                   not while it is the third argument */
};

/* Registers of one thread. */
struct mq_thread_registers {
    pid_t thread;
    const struct mq_machine *machine;
    struct mq_registers registers;
};

static inline bool mq_register_is_known(const struct mq_registers *registers,
                                        int number)
{
    return number >= 0 && number < mq_most_registers
           && (registers->known >> number & 1) != 0;
}

static inline void mq_register_set(struct mq_registers *registers, int number,
                                   uint64_t value)
{
    registers->value[number] = value;
    registers->known |= (uint64_t)1 << number;
}

/* The registers of THREAD, which is halted, and the machine they are of:
 * mq_absent if it is none of those that are known here.
 */
enum mq_result mq_registers_read(pid_t thread, struct mq_error *,
                                 const struct mq_machine **machine,
                                 struct mq_registers *registers);

/* The same of words "NAME=VALUE" in hexadecimal, as a debugger has them. */
enum mq_result mq_registers_parse(const char *words,
                                  const struct mq_machine **machine,
                                  struct mq_registers *registers);

/* The same of LENGTH bytes that the kernel wrote to a core file. */
enum mq_result mq_registers_decode(const void *bytes, size_t length,
                                   const struct mq_machine **machine,
                                   struct mq_registers *registers);

#endif
