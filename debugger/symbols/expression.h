/* expression.h - evaluation of DWARF expressions
 *
 * A stack machine, as the standard has it.  The thread's data are in a frame;
 * anything that is not known makes the whole not known.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_EXPRESSION_H
#define MQ_EXPRESSION_H

#include <elfutils/libdw.h>

#include "target/registers.h"
#include "target/target.h"

/* Where a function's call is: what expressions and rules are about. */
struct mq_frame_state {
    const struct mq_machine *machine;
    struct mq_target *memory;
    struct mq_registers registers;
    uint64_t cfa;               /* where its caller's stack ends; 0: not known
                                   yet */
    uint64_t bias;              /* from addresses in the file to those here */
};

/* The result of an expression. */
struct mq_location {
    enum { mq_at_address, mq_in_register, mq_is_value } kind;
    uint64_t number;
};

/* mq_absent: it is not known.  FRAME_BASE is what DW_OP_fbreg counts from, or
 * null; the CFA is on the stack before a rule for a register.
 */
enum mq_result mq_expression(const Dwarf_Op *, size_t count,
                             const struct mq_frame_state *,
                             const uint64_t *frame_base, bool begins_with_cfa,
                             struct mq_location *);

#endif
