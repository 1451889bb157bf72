/* expression.c - evaluation of DWARF expressions */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/expression.h"

#include <dwarf.h>

enum { most_values = 64, most_steps = 1000 };

struct machine {
    const struct mq_frame_state *frame;
    const uint64_t *frame_base;
    uint64_t stack[most_values];
    size_t depth;
    struct mq_location found;   /* unless the top of the stack is the address */
    bool is_found;
};

static bool push(struct machine *m, uint64_t value)
{
    if (m->depth == most_values)
        return false;
    if (m->frame->machine->word == 4)
        value &= UINT32_MAX;
    m->stack[m->depth++] = value;
    return true;
}

static bool pop(struct machine *m, uint64_t *value)
{
    if (m->depth == 0)
        return false;
    *value = m->stack[--m->depth];
    return true;
}

static bool push_register(struct machine *m, Dwarf_Word number, uint64_t offset)
{
    if (number >= mq_most_registers
        || !mq_register_is_known(&m->frame->registers, (int)number))
        return false;
    return push(m, m->frame->registers.value[number] + offset);
}

static bool is_register(struct machine *m, Dwarf_Word number)
{
    m->found = (struct mq_location){ mq_in_register, number };
    m->is_found = true;
    return true;
}

static bool dereference(struct machine *m, Dwarf_Word size)
{
    uint64_t address, value;

    if (size != 1 && size != 2 && size != 4 && size != 8)
        return false;
    return pop(m, &address)
           && mq_target_read_unsigned(m->frame->memory, address, (int)size,
                                      NULL, &value) == mq_ok
           && push(m, value);
}

static bool pick(struct machine *m, Dwarf_Word below)
{
    return below < m->depth && push(m, m->stack[m->depth - 1 - below]);
}

static bool rotate(struct machine *m)
{
    uint64_t top;

    if (m->depth < 3)
        return false;
    top = m->stack[m->depth - 1];
    m->stack[m->depth - 1] = m->stack[m->depth - 2];
    m->stack[m->depth - 2] = m->stack[m->depth - 3];
    m->stack[m->depth - 3] = top;
    return true;
}

/* The signed number of an address's width. */
static int64_t with_sign(const struct machine *m, uint64_t value)
{
    return m->frame->machine->word == 4 ? (int64_t)(int32_t)(uint32_t)value
                                        : (int64_t)value;
}

static bool binary(struct machine *m, int operation)
{
    uint64_t right, left;
    int64_t r, l;

    if (!pop(m, &right) || !pop(m, &left))
        return false;
    r = with_sign(m, right);
    l = with_sign(m, left);
    switch (operation) {
    case DW_OP_and: return push(m, left & right);
    case DW_OP_or: return push(m, left | right);
    case DW_OP_xor: return push(m, left ^ right);
    case DW_OP_plus: return push(m, left + right);
    case DW_OP_minus: return push(m, left - right);
    case DW_OP_mul: return push(m, left * right);
    case DW_OP_div:
        return r != 0 && !(r == -1 && l == INT64_MIN)
               && push(m, (uint64_t)(l / r));
    case DW_OP_mod: return right != 0 && push(m, left % right);
    case DW_OP_shl: return push(m, right < 64 ? left << right : 0);
    case DW_OP_shr: return push(m, right < 64 ? left >> right : 0);
    case DW_OP_shra:
        return push(m, (uint64_t)(right < 63 ? l >> right : -(l < 0)));
    case DW_OP_eq: return push(m, l == r);
    case DW_OP_ne: return push(m, l != r);
    case DW_OP_lt: return push(m, l < r);
    case DW_OP_le: return push(m, l <= r);
    case DW_OP_gt: return push(m, l > r);
    case DW_OP_ge: return push(m, l >= r);
    default: return false;
    }
}

static bool unary(struct machine *m, int operation)
{
    uint64_t value;

    if (!pop(m, &value))
        return false;
    switch (operation) {
    case DW_OP_abs:
        return push(m, with_sign(m, value) < 0 ? 0 - value : value);
    case DW_OP_neg: return push(m, 0 - value);
    case DW_OP_not: return push(m, ~value);
    default: return false;
    }
}

static bool step(struct machine *m, const Dwarf_Op *op)
{
    const struct mq_frame_state *frame = m->frame;
    int o = op->atom;
    uint64_t top, below;

    if (o >= DW_OP_lit0 && o <= DW_OP_lit31)
        return push(m, (uint64_t)(o - DW_OP_lit0));
    if (o >= DW_OP_reg0 && o <= DW_OP_reg31)
        return is_register(m, (Dwarf_Word)(o - DW_OP_reg0));
    if (o >= DW_OP_breg0 && o <= DW_OP_breg31)
        return push_register(m, (Dwarf_Word)(o - DW_OP_breg0), op->number);
    switch (o) {
    case DW_OP_nop: return true;
    case DW_OP_addr: return push(m, op->number + frame->bias);
    case DW_OP_const1u: case DW_OP_const1s: case DW_OP_const2u:
    case DW_OP_const2s: case DW_OP_const4u: case DW_OP_const4s:
    case DW_OP_const8u: case DW_OP_const8s: case DW_OP_constu:
    case DW_OP_consts: return push(m, op->number);
    case DW_OP_regx: return is_register(m, op->number);
    case DW_OP_bregx: return push_register(m, op->number, op->number2);
    case DW_OP_fbreg:
        return m->frame_base != NULL && push(m, *m->frame_base + op->number);
    case DW_OP_call_frame_cfa: return frame->cfa != 0 && push(m, frame->cfa);
    case DW_OP_deref: return dereference(m, (Dwarf_Word)frame->machine->word);
    case DW_OP_deref_size: return dereference(m, op->number);
    case DW_OP_dup: return pick(m, 0);
    case DW_OP_over: return pick(m, 1);
    case DW_OP_pick: return pick(m, op->number);
    case DW_OP_drop: return pop(m, &top);
    case DW_OP_swap:
        return pop(m, &top) && pop(m, &below) && push(m, top) && push(m, below);
    case DW_OP_rot: return rotate(m);
    case DW_OP_plus_uconst: return pop(m, &top) && push(m, top + op->number);
    case DW_OP_abs: case DW_OP_neg: case DW_OP_not: return unary(m, o);
    case DW_OP_stack_value:
        m->is_found = pop(m, &top);
        m->found = (struct mq_location){ mq_is_value, top };
        return m->is_found;
    default: return binary(m, o);
    }
}

/* The place of the operation that OP, a jump, leads to; COUNT for the end, more
 * for none.
 */
static size_t target_of(const Dwarf_Op *ops, size_t count, const Dwarf_Op *op)
{
    const uint64_t length = 3;          /* of a jump */
    uint64_t offset = op->offset + length + op->number;

    for (size_t i = 0; i < count; i++)
        if (ops[i].offset == offset)
            return i;
    return ops[count - 1].offset < offset ? count : count + 1;
}

static bool run(struct machine *m, const Dwarf_Op *ops, size_t count)
{
    size_t next = 0;
    int steps = 0;

    while (next < count) {
        const Dwarf_Op *op = &ops[next++];
        uint64_t condition = 1;

        if (++steps > most_steps || m->is_found)
            return false;               /* nothing follows what was found */
        if (op->atom == DW_OP_bra && !pop(m, &condition))
            return false;
        if (op->atom == DW_OP_bra || op->atom == DW_OP_skip) {
            if (condition != 0)
                next = target_of(ops, count, op);
        } else if (!step(m, op)) {
            return false;
        }
    }
    return next == count;
}

enum mq_result mq_expression(const Dwarf_Op *ops, size_t count,
                             const struct mq_frame_state *frame,
                             const uint64_t *frame_base, bool begins_with_cfa,
                             struct mq_location *location)
{
    struct machine m = { .frame = frame, .frame_base = frame_base };
    uint64_t top;

    if (count == 0 || (begins_with_cfa && !push(&m, frame->cfa))
        || !run(&m, ops, count))
        return mq_absent;
    if (!m.is_found) {
        if (!pop(&m, &top))
            return mq_absent;
        m.found = (struct mq_location){ mq_at_address, top };
    }
    *location = m.found;
    return mq_ok;
}
