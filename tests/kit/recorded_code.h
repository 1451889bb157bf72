/* recorded_code.h - recorded machine code with registers and stack
 *
 * In bytes, numbers little-endian:
 *
 *     1 byte      0 x86-64, else aarch64
 *     1 byte      frames, from the innermost out
 *     1 byte      the frame of the function that is asked for its arguments
 *     1 byte      arguments, and as many bytes: 4 or 8, their sizes
 *     frames      8 bytes each: pc, an address in the instruction, CFA, and 32
 *                 registers by DWARF's numbers
 *     1 byte      functions, and of each 2 numbers of 4 bytes: where it begins
 *                 and ends in the code
 *     code, stack 8 bytes: the address; 2 bytes: how many; and these
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef TESTS_RECORDED_CODE_H
#define TESTS_RECORDED_CODE_H

#include "symbols/machine.h"
#include "tests/fuzz/fuzz.h"

enum {
    recorded_frames = 20, recorded_registers = 32, recorded_arguments = 24,
    recorded_functions = 16, recorded_bytes = 1 << 16
};

struct recorded_region {
    uint64_t address;
    size_t length;
    unsigned char bytes[recorded_bytes];
};

struct recorded_code {
    struct mq_code_map map;
    struct mq_target memory;
    int machine;                /* of ELF */
    struct mq_code_frame frames[recorded_frames];
    size_t frame_count, which;
    int sizes[recorded_arguments];
    size_t argument_count;
    uint64_t bounds[recorded_functions][2];
    size_t function_count;
    struct recorded_region code, stack;
};

/* Whatever the input is, CODE is something that may be asked. */
void recorded_code_read(struct fuzz_input *, struct recorded_code *code);

#endif
