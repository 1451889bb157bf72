/* interrupted.h - detection of a system call that failed with EINTR
 *
 * By the registers of the thread that made it, as the kernel hands them out:
 * those of x86-64, of the 32-bit x86 and of aarch64 differ in length.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_INTERRUPTED_H
#define MQ_INTERRUPTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { mq_longest_registers = 34 * 8 };         /* bytes */

struct mq_interrupted {
    int64_t number;             /* of the call */
    uint64_t place;             /* where its instruction has to be, ... */
    unsigned char instruction[4];       /* ... which is this ... */
    unsigned length;            /* ... of that many bytes */
    bool lacks_argument;        /* its result has taken the place of its first
                                   argument */
};

/* Whether LENGTH bytes of registers are those of a thread whose call has failed
 * with EINTR, and is one that has done nothing then.
 */
bool mq_interrupted_find(const void *registers, size_t length,
                         struct mq_interrupted *call);

/* Whether aarch64's call of that NUMBER is one that may fail so. */
bool mq_interrupted_may_fail(int64_t number);

/* Sets REGISTERS back in front of the instruction; with its first ARGUMENT if
 * the call lacks that.
 */
void mq_interrupted_undo(const struct mq_interrupted *call, uint64_t argument,
                         void *registers, size_t length);

#endif
