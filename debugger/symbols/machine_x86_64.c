/* machine_x86_64.c - semantics of x86-64 instructions
 *
 * What is not known here overwrites its first operand, as nearly all
 * instructions do.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/machine_code.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/machine_translation.h"

enum {                          /* by DWARF's numbers */
    rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8, r9, r10, r11, r12, r13, r14, r15
};

static const unsigned char arguments[] = { rdi, rsi, rdx, rcx, r8, r9 };

const struct mq_code_machine mq_x86_64_machine = {
    .sp = rsp, .frame = rbp, .arguments = arguments,
    .argument_count = sizeof arguments,
    .saved = 1 << rbx | 1 << rbp | 1 << r12 | 1 << r13 | 1 << r14 | 1 << r15,
    .linkers = 1 << r11, .return_address = 8, .longest = 15
};

/* ---- Registers ---------------------------------------------------------- */

/* "al", "ax", "eax", "rax", "sil", "ah" */
static struct mq_operand old_register(const char *name)
{
    static const char stems[][3] = {
        "ax", "dx", "cx", "bx", "si", "di", "bp", "sp"
    };
    int size = *name == 'r' ? 8 : *name == 'e' ? 4 : 2, i;
    const char *stem = name + (size > 2);

    for (i = 0; i < 8; i++) {
        if (strcmp(stem, stems[i]) == 0)
            return a_register(i, size);
        if (size == 2 && strlen(name) == (i < 4 ? 2 : 3)
            && strncmp(name, stems[i], i < 4 ? 1 : 2) == 0
            && (strchr("lh", name[1]) != NULL || i >= 4))
            return a_register(i, 1);
    }
    return (struct mq_operand){ .kind = mq_not_known };
}

struct mq_operand mq_x86_64_register(const char *name)
{
    static const char vectors[] = "xyz";
    const struct mq_operand not_known = { .kind = mq_not_known };
    const char *kind = strchr(vectors, name[0]);
    long number;
    char *end;

    if (name[0] == 'r' && name[1] >= '0' && name[1] <= '9') {
        number = strtol(name + 1, &end, 10);
        return number < 8 || number > 15 ? not_known
               : a_register((int)number, *end == 'd' ? 4 : *end == 'w' ? 2
                                         : *end == 'b' ? 1 : 8);
    }
    if (kind == NULL || strncmp(name + 1, "mm", 2) != 0)
        return old_register(name);
    number = strtol(name + 3, &end, 10);
    return number < 0 || number >= mq_spare_register - mq_first_vector
           ? not_known : a_register(mq_first_vector + (int)number,
                        16 << (kind - vectors));
}

/* ---- Operands ----------------------------------------------------------- */

static struct mq_operand memory_at(int base, int64_t offset)
{
    return (struct mq_operand){
        .kind = mq_in_memory, .number = (unsigned char)base, .offset = offset
    };
}

/* A segment of its own begins where nobody knows. */
static struct mq_operand memory_of(const struct translation *t,
                                   const x86_op_mem *memory)
{
    struct mq_operand base = register_of(t, memory->base);
    struct mq_operand found = memory_at(mq_no_register, memory->disp);

    found.has_index = memory->index != X86_REG_INVALID
                      && memory->index != X86_REG_RIZ;
    if (memory->base == X86_REG_RIP) {
        found.is_here = true;
        found.offset += (int64_t)(t->from->address + t->from->size);
    } else if (base.kind == mq_in_a_register && base.offset == 8) {
        found.number = base.number;
    } else if (memory->base != X86_REG_INVALID) {
        found.has_index = true;
    }
    if (memory->segment == X86_REG_FS || memory->segment == X86_REG_GS)
        found = (struct mq_operand){
            .kind = mq_in_memory, .number = mq_no_register, .has_index = true
        };
    return found;
}

static struct mq_operand operand(const struct translation *t, int index)
{
    const cs_x86_op *one = &t->detail->x86.operands[index];

    switch (index < t->detail->x86.op_count ? one->type : X86_OP_INVALID) {
    case X86_OP_REG: return register_of(t, one->reg);
    case X86_OP_IMM: return number(one->imm);
    case X86_OP_MEM: return memory_of(t, &one->mem);
    default: return (struct mq_operand){ .kind = mq_not_known };
    }
}

static int size_of(const struct translation *t, int index)
{
    const int not_known = 64;
    const cs_x86 *detail = &t->detail->x86;
    int size = index < detail->op_count ? detail->operands[index].size : 0;

    return size > 0 ? size : not_known;
}

/* ---- Effects ------------------------------------------------------------ */

static void overwrite(struct translation *t, int register_number)
{
    add(t, mq_overwrites, 8, a_register(register_number, 8), number(0));
}

static void read_memory(struct translation *t, int from)
{
    for (int i = from; i < t->detail->x86.op_count && i < 3; i++)
        if (t->detail->x86.operands[i].type == X86_OP_MEM)
            add(t, mq_reads, size_of(t, i), number(0), operand(t, i));
}

/* Instructions with another effect on their first operand. */
static void do_else(struct translation *t)
{
    const cs_detail *detail = t->detail;

    read_memory(t, 0);
    if (detail->x86.op_count > 0)
        add(t, mq_overwrites, size_of(t, 0), operand(t, 0), number(0));
    for (int i = 0; i < detail->regs_write_count; i++) {    /* not named */
        struct mq_operand one = register_of(t, detail->regs_write[i]);

        if (one.kind == mq_in_a_register && one.number != rsp
            && t->to->effect_count < mq_most_effects - 2)
            add(t, mq_overwrites, 8, one, number(0));
    }
}

static void copy(struct translation *t)
{
    add(t, mq_copies, size_of(t, 0), operand(t, 0), operand(t, 1));
}

/* Of the last two operands. */
static void compute(struct translation *t, enum mq_operator operator)
{
    int last = t->detail->x86.op_count - 1;

    if (last == 1 || last == 2)
        add_operator(t, operator, size_of(t, 0), operand(t, 0),
                     operand(t, last - 1), operand(t, last));
    else
        do_else(t);
}

/* To an address that is not one a sum may lead, too. */
static void point(struct translation *t)
{
    const x86_op_mem *memory = &t->detail->x86.operands[1].mem;
    struct mq_effect *effect = add(t, mq_points, size_of(t, 0), operand(t, 0),
                                   operand(t, 1));

    if (memory->scale == 1)
        effect->other = register_of(t, memory->index);
}

/* The quotient of rdx and rax goes to rax, the remainder to rdx. */
static void divide(struct translation *t)
{
    const struct mq_operand spare = a_register(mq_spare_register, 4);
    const struct mq_operand eax = a_register(rax, 4), edx = a_register(rdx, 4);
    struct mq_operand by = operand(t, 0);

    if (size_of(t, 0) != 4 || by.number == rax || by.number == rdx) {
        read_memory(t, 0);
        overwrite(t, rax);
        overwrite(t, rdx);
        return;
    }
    add_operator(t, mq_wide, 4, spare, eax, edx);
    add_operator(t, mq_quotient, 4, eax, spare, by);
    add_operator(t, mq_remainder, 4, edx, spare, by);
}

static bool is_vector(const struct translation *t)
{
    for (int i = 0; i < t->detail->x86.op_count; i++) {
        struct mq_operand one = operand(t, i);

        if (one.kind == mq_in_a_register && one.number >= mq_first_vector)
            return true;
    }
    return false;
}

/* TO's cells as PICK has it, of the last operand and of the one before, which
 * is the first of two.
 */
static void pick(struct translation *t, const unsigned char *cells)
{
    int last = t->detail->x86.op_count - 1;
    struct mq_effect *effect = add(t, mq_picks, 16, operand(t, 0),
                                   operand(t, last));

    effect->other = operand(t, last - 1);
    memcpy(effect->pick, cells, sizeof effect->pick);
}

static void shuffle(struct translation *t)
{
    unsigned order = (unsigned)t->detail->x86.operands[2].imm;
    struct mq_effect *effect = add(t, mq_picks, 16, operand(t, 0),
                                   operand(t, 1));

    for (int i = 0; i < 4; i++)
        effect->pick[i] = order >> 2 * i & 3;
}

/* The upper half of a vector: 8 bytes to or from memory. */
static void move_half(struct translation *t)
{
    static const unsigned char loads[] = { 4, 5, 0, 1 };
    static const unsigned char stores[] = { 2, 3, 2, 3 };
    struct mq_effect *effect;

    if (t->detail->x86.operands[0].type == X86_OP_MEM) {
        effect = add(t, mq_picks, 8, operand(t, 0), operand(t, 1));
        memcpy(effect->pick, stores, sizeof stores);
    } else {
        pick(t, loads);
    }
}

static void exclusive_or(struct translation *t)
{
    const cs_x86_op *one = t->detail->x86.operands;

    if (one[0].type == X86_OP_REG && one[1].type == X86_OP_REG
        && one[0].reg == one[1].reg)
        add(t, mq_copies, size_of(t, 0), operand(t, 0), number(0));
    else
        compute(t, mq_xor);
}

/* ---- Instructions ------------------------------------------------------- */

static void translate_vector(struct translation *t)
{
    static const unsigned char quads[] = { 4, 5, 0, 1 };
    static const unsigned char longs[] = { 4, 0, 5, 1 };

    switch (t->from->id) {
    case X86_INS_MOVD: case X86_INS_VMOVD:
        add(t, mq_copies, 4, operand(t, 0), operand(t, 1));
        break;
    case X86_INS_MOVQ: case X86_INS_VMOVQ:
        add(t, mq_copies, 8, operand(t, 0), operand(t, 1));
        break;
    case X86_INS_MOVAPS: case X86_INS_MOVUPS: case X86_INS_MOVAPD:
    case X86_INS_MOVUPD: case X86_INS_MOVDQA: case X86_INS_MOVDQU:
    case X86_INS_MOVNTDQ: case X86_INS_MOVNTPS: case X86_INS_VMOVAPS:
    case X86_INS_VMOVUPS: case X86_INS_VMOVAPD: case X86_INS_VMOVUPD:
    case X86_INS_VMOVDQA: case X86_INS_VMOVDQU:
        copy(t);
        break;
    case X86_INS_MOVHPS: case X86_INS_MOVHPD: case X86_INS_VMOVHPS:
    case X86_INS_VMOVHPD:
        move_half(t);
        break;
    case X86_INS_PUNPCKLQDQ: case X86_INS_MOVLHPS: case X86_INS_UNPCKLPD:
    case X86_INS_VPUNPCKLQDQ: case X86_INS_VMOVLHPS: case X86_INS_VUNPCKLPD:
        pick(t, quads);
        break;
    case X86_INS_PUNPCKLDQ: case X86_INS_UNPCKLPS: case X86_INS_VPUNPCKLDQ:
    case X86_INS_VUNPCKLPS:
        pick(t, longs);
        break;
    case X86_INS_PSHUFD: case X86_INS_VPSHUFD: shuffle(t); break;
    default: do_else(t);
    }
}

static void translate_general(struct translation *t)
{
    const struct mq_operand top = a_register(rsp, 8);

    switch (t->from->id) {
    case X86_INS_MOV: case X86_INS_MOVABS: copy(t); break;
    case X86_INS_LEA: point(t); break;
    case X86_INS_ADD: compute(t, mq_plus); break;
    case X86_INS_SUB: compute(t, mq_minus); break;
    case X86_INS_AND: compute(t, mq_and); break;
    case X86_INS_OR: compute(t, mq_or); break;
    case X86_INS_SHL: case X86_INS_SAL: compute(t, mq_shifted_left); break;
    case X86_INS_SAR: compute(t, mq_shifted_right); break;
    case X86_INS_SHR: compute(t, mq_shifted_down); break;
    case X86_INS_NEG:
        add_operator(t, mq_minus, size_of(t, 0), operand(t, 0), number(0),
                     operand(t, 0));
        break;
    case X86_INS_INC: case X86_INS_DEC:
        add_operator(t, t->from->id == X86_INS_INC ? mq_plus : mq_minus,
                     size_of(t, 0), operand(t, 0), operand(t, 0), number(1));
        break;
    case X86_INS_XOR: exclusive_or(t); break;
    case X86_INS_MOVSXD:
        add(t, mq_extends, 4, operand(t, 0), operand(t, 1));
        break;
    case X86_INS_CDQE:
        add(t, mq_extends, 4, a_register(rax, 8), a_register(rax, 4));
        break;
    case X86_INS_CDQ:
        add_operator(t, mq_sign, 4, a_register(rdx, 4), a_register(rax, 4),
                     number(0));
        break;
    case X86_INS_IDIV: divide(t); break;
    case X86_INS_XCHG:
        add(t, mq_swaps, size_of(t, 0), operand(t, 0), operand(t, 1));
        break;
    case X86_INS_XADD:
        add(t, mq_overwrites, size_of(t, 0), operand(t, 0), number(0));
        add(t, mq_overwrites, size_of(t, 1), operand(t, 1), number(0));
        break;
    case X86_INS_CMPXCHG:
        do_else(t);
        overwrite(t, rax);
        break;
    case X86_INS_CMPXCHG8B: case X86_INS_CMPXCHG16B:
        do_else(t);
        overwrite(t, rdx);
        overwrite(t, rax);
        break;
    case X86_INS_PUSH:
        add(t, mq_copies, 8, memory_at(rsp, -8), operand(t, 0));
        add_operator(t, mq_minus, 8, top, top, number(8));
        break;
    case X86_INS_POP:
        add(t, mq_restores, 8, operand(t, 0), memory_at(rsp, 0));
        add_operator(t, mq_plus, 8, top, top, number(8));
        break;
    case X86_INS_LEAVE:
        add_operator(t, mq_plus, 8, top, a_register(rbp, 8), number(8));
        overwrite(t, rbp);
        break;
    case X86_INS_DIV: case X86_INS_MUL:
        read_memory(t, 0);
        overwrite(t, rax);
        overwrite(t, rdx);
        break;
    case X86_INS_IMUL:
        if (t->detail->x86.op_count > 1) {
            compute(t, mq_times);
            break;
        }
        read_memory(t, 0);
        overwrite(t, rax);
        overwrite(t, rdx);
        break;
    case X86_INS_CPUID: case X86_INS_RDTSC: case X86_INS_RDTSCP:
    case X86_INS_XGETBV:
        overwrite(t, rax);
        overwrite(t, rbx);
        overwrite(t, rcx);
        overwrite(t, rdx);
        break;
    case X86_INS_SYSCALL:
        overwrite(t, rax);
        overwrite(t, rcx);
        overwrite(t, r11);
        break;
    case X86_INS_CMP: case X86_INS_TEST: case X86_INS_BT:
        read_memory(t, 0);
        break;
    default: do_else(t);
    }
}

/* Instructions without effect on places, or not only by their first operand. */
static bool translate_odd(struct translation *t)
{
    switch (t->from->id) {
    case X86_INS_NOP: case X86_INS_ENDBR32: case X86_INS_ENDBR64:
    case X86_INS_PAUSE: case X86_INS_PREFETCH: case X86_INS_PREFETCHNTA:
    case X86_INS_PREFETCHT0: case X86_INS_PREFETCHT1: case X86_INS_PREFETCHT2:
    case X86_INS_PREFETCHW: case X86_INS_LFENCE: case X86_INS_MFENCE:
    case X86_INS_SFENCE: case X86_INS_VZEROUPPER: case X86_INS_FNOP:
    case X86_INS_FLDCW: case X86_INS_LDMXCSR:
        return true;
    case X86_INS_MOVSB: case X86_INS_MOVSW: case X86_INS_MOVSD:
    case X86_INS_MOVSQ: case X86_INS_STOSB: case X86_INS_STOSW:
    case X86_INS_STOSD: case X86_INS_STOSQ: case X86_INS_LODSB:
    case X86_INS_LODSW: case X86_INS_LODSD: case X86_INS_LODSQ:
    case X86_INS_CMPSB: case X86_INS_CMPSW: case X86_INS_CMPSD:
    case X86_INS_CMPSQ: case X86_INS_SCASB: case X86_INS_SCASW:
    case X86_INS_SCASD: case X86_INS_SCASQ:
        if (is_vector(t) || t->detail->x86.op_count == 0)
            return false;       /* movsd and cmpsd are vectors', too */
        add(t, mq_fills, 8, a_register(rdi, 8), number(0));
        overwrite(t, rdi);
        overwrite(t, rsi);
        overwrite(t, rcx);
        overwrite(t, rax);
        return true;
    case X86_INS_COMISS: case X86_INS_COMISD: case X86_INS_UCOMISS:
    case X86_INS_UCOMISD: case X86_INS_VCOMISS: case X86_INS_VCOMISD:
    case X86_INS_VUCOMISS: case X86_INS_VUCOMISD: case X86_INS_PTEST:
    case X86_INS_VPTEST:
        read_memory(t, 0);
        return true;
    case X86_INS_CMOVA: case X86_INS_CMOVAE: case X86_INS_CMOVB:
    case X86_INS_CMOVBE: case X86_INS_CMOVE: case X86_INS_CMOVG:
    case X86_INS_CMOVGE: case X86_INS_CMOVL: case X86_INS_CMOVLE:
    case X86_INS_CMOVNE: case X86_INS_CMOVNO: case X86_INS_CMOVNP:
    case X86_INS_CMOVNS: case X86_INS_CMOVO: case X86_INS_CMOVP:
    case X86_INS_CMOVS:
        add(t, mq_chooses, size_of(t, 0), operand(t, 0), operand(t, 0))
            ->other = operand(t, 1);
        return true;
    default:
        return false;
    }
}

/* ---- Control flow ------------------------------------------------------- */

/* Whether it is about where the program goes on, and nothing else. */
static bool translate_course(struct translation *t)
{
    const unsigned id = t->from->id;

    if (id == X86_INS_CALL || id == X86_INS_LCALL) {
        t->to->course = mq_calls;
        add(t, mq_leaves, 8, number(0), number(0));
    } else if (id == X86_INS_JMP || id == X86_INS_LJMP) {
        t->to->course = mq_jumps;
    } else if (id == X86_INS_RET || id == X86_INS_RETF || id == X86_INS_RETFQ
               || id == X86_INS_IRET || id == X86_INS_IRETD
               || id == X86_INS_IRETQ || id == X86_INS_UD2
               || id == X86_INS_HLT) {
        t->to->course = mq_ends;
    } else if (cs_insn_group(t->decoder->handle, t->from, CS_GRP_JUMP)
               || id == X86_INS_LOOP || id == X86_INS_LOOPE
               || id == X86_INS_LOOPNE) {
        t->to->course = mq_may_jump;
    } else {
        return false;
    }
    t->to->goal = operand(t, 0);
    if (t->to->goal.kind == mq_a_number)
        t->to->goal.is_here = true;
    return true;
}

void mq_x86_64_translate(const struct mq_decoder *decoder, const cs_insn *from,
                         struct mq_instruction *to, struct mq_effect *effects)
{
    struct translation t = {
        decoder, from, from->detail, to, effects
    };

    to->is_mark = from->id == X86_INS_ENDBR64 || from->id == X86_INS_ENDBR32;
    if (translate_course(&t) || translate_odd(&t))
        return;
    if (is_vector(&t))
        translate_vector(&t);
    else
        translate_general(&t);
}
