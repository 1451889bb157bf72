/* unwind.h - stack unwinding
 *
 * Method: the rules that compilers leave for exceptions (.eh_frame) say, of
 * each instruction, where the caller's stack ends and where its registers are;
 * they are in stripped libraries, too.  Where there are none the way ends.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_UNWIND_H
#define MQ_UNWIND_H

#include "symbols/expression.h"
#include "symbols/images.h"

/* How the way out ended. */
enum mq_unwinding {
    mq_unwound,                 /* at the outermost frame */
    mq_unwinding_lost           /* nothing is known of the next one */
};

/* A frame of the machine's; functions may be inlined in it. */
struct mq_machine_frame {
    struct mq_frame_state state;
    uint64_t pc;                /* the current instruction, or the return
                                   address of its call */
    uint64_t at;                /* an address in the instruction that it is
                                   at */
    struct mq_object *file;        /* null: code in no file */
    struct mq_module *module;   /* null: not known */
    bool is_signals;            /* the kernel's, which has called a handler */
};

/* Process data for unwinding. */
struct mq_unwinder {
    struct mq_objects *loaded;
    struct mq_modules *modules;
    struct mq_target *memory;
    struct mq_target *code;     /* the same for machine code: machine_map.h */
};

/* Begins with the REGISTERS of a thread. */
void mq_unwind_begin(const struct mq_unwinder *, const struct mq_machine *,
                     const struct mq_registers *registers,
                     struct mq_machine_frame *frame);

/* Makes of FRAME, whose CFA is set on the way, its CALLER: mq_absent where
 * there is none, as *HOW says.
 */
enum mq_result mq_unwind_step(const struct mq_unwinder *,
                              struct mq_machine_frame *frame,
                              struct mq_machine_frame *caller,
                              enum mq_unwinding *how);

#endif
