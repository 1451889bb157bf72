/* machine_aarch64.c - semantics of aarch64 instructions
 *
 * What is not known here overwrites its first operand or, with memory, all of
 * them.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/machine_code.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/machine_translation.h"

enum { x0 = 0, x16 = 16, x17 = 17, x19 = 19, x29 = 29, x30 = 30, sp = 31 };

static const unsigned char arguments[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

const struct mq_code_machine mq_aarch64_machine = {
    .sp = sp, .frame = x29, .arguments = arguments,
    .argument_count = sizeof arguments,
    .saved = ((uint64_t)1 << x30) - ((uint64_t)1 << x19),
    .linkers = (uint64_t)1 << x16 | (uint64_t)1 << x17,
    .return_address = 0, .longest = 4
};

/* ---- Registers ---------------------------------------------------------- */

struct mq_operand mq_aarch64_register(const char *name)
{
    static const char kinds[] = "wxbhsdqv";
    static const unsigned char sizes[] = { 4, 8, 1, 2, 4, 8, 16, 16 };
    const struct mq_operand not_known = { .kind = mq_not_known };
    const char *kind = strchr(kinds, name[0]);
    long number;
    char *end;

    if (strcmp(name, "sp") == 0)
        return a_register(sp, 8);
    if (strcmp(name, "fp") == 0)
        return a_register(x29, 8);
    if (strcmp(name, "lr") == 0)
        return a_register(x30, 8);
    if (strcmp(name, "wsp") == 0)
        return a_register(sp, 4);
    /* A zero of that size; only numbers of registers have it there. */
    if (strcmp(name, "xzr") == 0 || strcmp(name, "wzr") == 0)
        return (struct mq_operand){
            .kind = mq_a_number, .number = name[0] == 'x' ? 8 : 4
        };
    if (kind == NULL || *kind == '\0')
        return not_known;
    number = strtol(name + 1, &end, 10);
    if (end == name + 1 || *end != '\0' || number < 0 || number > 31)
        return not_known;
    /* The vector that would have the spare one's number is not followed. */
    if (kind - kinds > 1)
        return number == 31 ? not_known
               : a_register(mq_first_vector + (int)number,
                            sizes[kind - kinds]);
    return number > x30 ? not_known
           : a_register((int)number, sizes[kind - kinds]);
}

/* ---- Operands ----------------------------------------------------------- */

static struct mq_operand here(int64_t address)
{
    return (struct mq_operand){
        .kind = mq_in_memory, .number = mq_no_register, .is_here = true,
        .offset = address
    };
}

static struct mq_operand memory_of(const struct translation *t,
                                   const arm64_op_mem *memory)
{
    struct mq_operand base = register_of(t, memory->base);
    bool has_base = base.kind == mq_in_a_register && base.offset == 8
                    && base.number < mq_first_vector;

    return (struct mq_operand){
        .kind = mq_in_memory,
        .number = has_base ? base.number : mq_no_register,
        .has_index = !has_base || memory->index != ARM64_REG_INVALID,
        .offset = memory->disp
    };
}

/* With a shift or an extension it is another value: not known, but for a number
 * that is shifted.
 */
static struct mq_operand operand(const struct translation *t, int index)
{
    const cs_arm64_op *one = &t->detail->arm64.operands[index];
    const struct mq_operand not_known = { .kind = mq_not_known };

    if (index >= t->detail->arm64.op_count)
        return not_known;
    switch (one->type) {
    case ARM64_OP_REG:
        return one->shift.type != ARM64_SFT_INVALID
               || one->ext != ARM64_EXT_INVALID || one->vector_index > 0
               ? not_known : register_of(t, one->reg);
    case ARM64_OP_IMM:
        return one->shift.type == ARM64_SFT_LSL && one->shift.value < 64
               ? number((int64_t)((uint64_t)one->imm << one->shift.value))
               : number(one->imm);
    case ARM64_OP_MEM:
        return memory_of(t, &one->mem);
    default:
        return not_known;
    }
}

/* How many bytes the register has that operand INDEX is. */
static int size_of(const struct translation *t, int index)
{
    const cs_arm64_op *of = &t->detail->arm64.operands[index];
    struct mq_operand one = of->type != ARM64_OP_REG
        ? number(0) : register_of(t, of->reg);

    return one.kind == mq_in_a_register ? (int)one.offset
           : one.kind == mq_a_number ? one.number : 16;
}

/* ---- Effects ------------------------------------------------------------ */

/* The index of the operand that is memory, or -1. */
static int find_memory(const struct translation *t)
{
    for (int i = 0; i < t->detail->arm64.op_count; i++)
        if (t->detail->arm64.operands[i].type == ARM64_OP_MEM)
            return i;
    return -1;
}

/* ldadd, ldset and their like write what they have computed, too. */
static bool is_load(const struct translation *t)
{
    static const char *const writes[] = {
        "ldadd", "ldclr", "ldeor", "ldset", "ldsm", "ldum"
    };
    const char *name = t->from->mnemonic;

    for (size_t i = 0; i < sizeof writes / sizeof writes[0]; i++)
        if (strncmp(name, writes[i], strlen(writes[i])) == 0)
            return false;
    return strncmp(name, "ld", 2) == 0 || strncmp(name, "prf", 3) == 0;
}

/* Instructions with other effects. */
static void do_else(struct translation *t)
{
    int memory = find_memory(t), i;

    for (i = 0; i < t->detail->arm64.op_count && i < 4; i++) {
        const cs_arm64_op *of = &t->detail->arm64.operands[i];
        struct mq_operand one = register_of(t, of->type == ARM64_OP_REG
                                               ? of->reg : ARM64_REG_INVALID);

        if (one.kind == mq_in_a_register && (i == 0 || memory >= 0))
            add(t, mq_overwrites, 8, one, number(0));
    }
    if (memory < 0)
        return;
    add(t, is_load(t) ? mq_reads : mq_overwrites, 64, operand(t, memory),
        operand(t, memory));
    if (t->detail->arm64.writeback)
        add(t, mq_overwrites, 8,
            register_of(t, t->detail->arm64.operands[memory].mem.base),
            number(0));
}

/* The base goes on before memory is accessed (bits 11), or behind that (01). */
enum writeback { goes_nowhere, goes_behind, goes_before };

static enum writeback writeback_of(const struct translation *t, bool is_pair)
{
    const unsigned char *bytes = t->from->bytes;
    unsigned mode = is_pair ? (bytes[2] >> 7 | bytes[3] << 1) & 3
                    : bytes[1] >> 2 & 3;

    return !t->detail->arm64.writeback ? goes_nowhere
           : mode == 1 ? goes_behind : goes_before;
}

static void move_base(struct translation *t, struct mq_operand memory,
                      int64_t distance)
{
    const struct mq_operand base = a_register(memory.number, 8);

    if (memory.number != mq_no_register)
        add_operator(t, mq_plus, 8, base, base, number(distance));
}

static void transfer(struct translation *t, bool is_store, bool is_pair)
{
    int place = find_memory(t), size = size_of(t, 0), i;
    enum writeback writeback;
    struct mq_operand memory;
    int64_t distance;

    if (place != (is_pair ? 2 : 1)) {
        do_else(t);
        return;
    }
    writeback = writeback_of(t, is_pair);
    memory = operand(t, place);
    distance = place + 1 < t->detail->arm64.op_count
               ? t->detail->arm64.operands[place + 1].imm : memory.offset;
    if (writeback != goes_nowhere)
        memory.offset = 0;
    if (writeback == goes_before)
        move_base(t, memory, distance);
    for (i = 0; i < place; i++) {
        struct mq_operand one = operand(t, i), at = memory;

        at.offset += (int64_t)i * size;
        if (is_store)
            add(t, mq_copies, size, at, one);
        else
            add(t, writeback == goes_behind && at.number == sp ? mq_restores
                   : mq_copies, size, one, at);
    }
    if (writeback == goes_behind)
        move_base(t, memory, distance);
}

/* Of the last two operands. */
static void compute(struct translation *t, enum mq_operator operator)
{
    int last = t->detail->arm64.op_count - 1;

    if (last == 1 || last == 2)
        add_operator(t, operator, size_of(t, 0), operand(t, 0),
                     operand(t, last - 1), operand(t, last));
    else
        do_else(t);
}

/* To the fourth operand, or from it, goes the product of two. */
static void multiply(struct translation *t, enum mq_operator operator)
{
    const int size = size_of(t, 0);
    const struct mq_operand spare = a_register(mq_spare_register, size);

    if (t->detail->arm64.op_count != 4) {
        do_else(t);
        return;
    }
    add_operator(t, mq_times, size, spare, operand(t, 1), operand(t, 2));
    add_operator(t, operator, size, operand(t, 0), operand(t, 3), spare);
}

/* Sixteen bits become a number, and the others stay. */
static void set_bits(struct translation *t)
{
    const cs_arm64_op *of = &t->detail->arm64.operands[1];
    const struct mq_operand one = operand(t, 0);
    const unsigned shift = of->shift.type == ARM64_SFT_LSL ? of->shift.value
                                                           : 0;
    const int size = size_of(t, 0);

    if (t->detail->arm64.op_count != 2 || of->type != ARM64_OP_IMM
        || shift > 48) {
        do_else(t);
        return;
    }
    add_operator(t, mq_and, size, one, one,
                 number((int64_t)~((uint64_t)0xffff << shift)));
    add_operator(t, mq_or, size, one, one, operand(t, 1));
}

/* A load relative to the instruction has the address as a number. */
static void load(struct translation *t, bool is_pair)
{
    const cs_arm64 *detail = &t->detail->arm64;

    if (detail->op_count == 2 && detail->operands[1].type == ARM64_OP_IMM)
        add(t, mq_copies, size_of(t, 0), operand(t, 0),
            here(detail->operands[1].imm));
    else
        transfer(t, false, is_pair);
}

static void translate_plain(struct translation *t)
{
    switch (t->from->id) {
    case ARM64_INS_NOP: case ARM64_INS_HINT: case ARM64_INS_PRFM:
    case ARM64_INS_CMP: case ARM64_INS_CMN: case ARM64_INS_TST:
    case ARM64_INS_CCMP: case ARM64_INS_CCMN: case ARM64_INS_FCMP:
    case ARM64_INS_FCMPE: case ARM64_INS_DMB: case ARM64_INS_DSB:
    case ARM64_INS_ISB:
        break;
    case ARM64_INS_MOV: case ARM64_INS_MOVZ: case ARM64_INS_FMOV:
        if (t->detail->arm64.op_count == 2)
            add(t, mq_copies, size_of(t, 0), operand(t, 0), operand(t, 1));
        else
            do_else(t);
        break;
    case ARM64_INS_MOVK: set_bits(t); break;
    case ARM64_INS_ADR: case ARM64_INS_ADRP:
        add(t, mq_points, 8, operand(t, 0),
            here(t->detail->arm64.operands[1].imm));
        break;
    case ARM64_INS_LDR: case ARM64_INS_LDUR: load(t, false); break;
    case ARM64_INS_LDP: case ARM64_INS_LDNP: load(t, true); break;
    case ARM64_INS_STR: case ARM64_INS_STUR: transfer(t, true, false); break;
    case ARM64_INS_STP: case ARM64_INS_STNP: transfer(t, true, true); break;
    case ARM64_INS_LDRSW: case ARM64_INS_LDURSW:
        if (find_memory(t) == 1 && !t->detail->arm64.writeback)
            add(t, mq_extends, 4, operand(t, 0), operand(t, 1));
        else
            do_else(t);
        break;
    case ARM64_INS_ADD: compute(t, mq_plus); break;
    case ARM64_INS_SUB: compute(t, mq_minus); break;
    case ARM64_INS_AND: compute(t, mq_and); break;
    case ARM64_INS_ORR: compute(t, mq_or); break;
    case ARM64_INS_EOR: compute(t, mq_xor); break;
    case ARM64_INS_MUL: compute(t, mq_times); break;
    case ARM64_INS_SDIV: compute(t, mq_quotient); break;
    case ARM64_INS_LSL: compute(t, mq_shifted_left); break;
    case ARM64_INS_LSR: compute(t, mq_shifted_down); break;
    case ARM64_INS_ASR: compute(t, mq_shifted_right); break;
    case ARM64_INS_MADD: multiply(t, mq_plus); break;
    case ARM64_INS_MSUB: multiply(t, mq_minus); break;
    case ARM64_INS_NEG:
        add_operator(t, mq_minus, size_of(t, 0), operand(t, 0), number(0),
                     operand(t, 1));
        break;
    case ARM64_INS_SXTW:
        add(t, mq_extends, 4, operand(t, 0), operand(t, 1));
        break;
    case ARM64_INS_CSEL:
        add(t, mq_chooses, size_of(t, 0), operand(t, 0), operand(t, 1))
            ->other = operand(t, 2);
        break;
    default: do_else(t);
    }
}

/* ---- Control flow ------------------------------------------------------- */

/* Whether it is about where the program goes on, and nothing else. */
static bool translate_course(struct translation *t)
{
    const arm64_cc condition = t->detail->arm64.cc;

    switch (t->from->id) {
    case ARM64_INS_BL: case ARM64_INS_BLR:
        t->to->course = mq_calls;
        add(t, mq_leaves, 8, number(0), number(0));
        break;
    case ARM64_INS_B:
        t->to->course = condition == ARM64_CC_INVALID
                        || condition == ARM64_CC_AL ? mq_jumps : mq_may_jump;
        break;
    case ARM64_INS_BR:
        t->to->course = mq_jumps;
        break;
    case ARM64_INS_CBZ: case ARM64_INS_CBNZ: case ARM64_INS_TBZ:
    case ARM64_INS_TBNZ:
        t->to->course = mq_may_jump;
        break;
    case ARM64_INS_RET: case ARM64_INS_BRK: case ARM64_INS_HLT:
    case ARM64_INS_ERET:
        t->to->course = mq_ends;
        return true;
    default:
        return false;
    }
    t->to->goal = operand(t, t->detail->arm64.op_count - 1);
    if (t->to->goal.kind == mq_a_number)
        t->to->goal.is_here = true;
    return true;
}

void mq_aarch64_translate(const struct mq_decoder *decoder,
                          const cs_insn *from, struct mq_instruction *to,
                          struct mq_effect *effects)
{
    static const unsigned char marks[] = { 0x20, 0x03, 0xd5 }; /* hint #n */
    struct translation t = {
        decoder, from, from->detail, to, effects
    };

    to->is_mark = from->id == ARM64_INS_HINT
        && (from->bytes[0] & 0x1f) == 0x1f
        && (from->bytes[1] & 0xf0) == marks[0]
        && from->bytes[2] == marks[1] && from->bytes[3] == marks[2];
    if (t.detail->arm64.op_count == 0 || !translate_course(&t)) {
        if (from->id == ARM64_INS_RET || from->id == ARM64_INS_ERET)
            to->course = mq_ends;
        else
            translate_plain(&t);
    }
}
