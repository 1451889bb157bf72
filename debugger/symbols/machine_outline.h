/* machine_outline.h - calls and address constants of a function
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MACHINE_OUTLINE_H
#define MQ_MACHINE_OUTLINE_H

#include "symbols/machine_map.h"

/* A call of a function's, or a jump out of it. */
struct mq_exit {
    enum mq_exit_kind {
        mq_exit_unknown,        /* to what the process computes */
        mq_exit_function,
        mq_exit_slot            /* to where the linker says */
    } kind;
    uint64_t address;           /* of the function, or of a stub for it */
    uint64_t slot;              /* where the linker puts its address */
    bool has_number[2];         /* that the first two arguments are */
    uint64_t numbers[2];
};

/* A number or an address that a function makes. */
struct mq_pointer {
    uint64_t address;
    size_t exit;                /* the call that alone gets it, as an argument:
                                   its index and one; 0: not known */
};

/* The contents of one function's code, on any path.  All addresses are the
 * process's.
 */
struct mq_outline {
    uint64_t low;               /* where it begins */
    size_t instructions;
    bool is_strange;            /* some of them could not be decoded */
    size_t exit_count, exit_room;
    struct mq_exit *exits;
    size_t pointer_count, pointer_room;
    struct mq_pointer *pointers;
    size_t cell_count, cell_room;
    uint64_t *cells;            /* memory that it reads, where that is fixed */
};

void mq_outline_deinit(struct mq_outline *outline);

/* As mq_machine_outline, by what decodes (machine_code.h). */
struct mq_decoder;

enum mq_result mq_code_outline(struct mq_decoder *, struct mq_code_map *,
                               uint64_t address, struct mq_outline *outline);

#endif
