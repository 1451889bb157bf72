/* machine_translation.h - common parts of the instruction decoders
 *
 * An instruction on its way to what it does, which both have in common:
 * registers and numbers become operands, and each effect is added.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MACHINE_TRANSLATION_H
#define MQ_MACHINE_TRANSLATION_H

#include "symbols/machine_code.h"

struct translation {
    const struct mq_decoder *decoder;
    const cs_insn *from;
    const cs_detail *detail;
    struct mq_instruction *to;
    struct mq_effect *effects;  /* room for mq_most_effects */
};

static inline struct mq_operand a_register(int number, int size)
{
    return (struct mq_operand){
        .kind = mq_in_a_register, .number = (unsigned char)number,
        .offset = size
    };
}

static inline struct mq_operand number(int64_t value)
{
    return (struct mq_operand){ .kind = mq_a_number, .offset = value };
}

/* The register that capstone numbers ID. */
static inline struct mq_operand register_of(const struct translation *t,
                                            unsigned id)
{
    size_t known = sizeof t->decoder->registers
                   / sizeof t->decoder->registers[0];

    return id < known ? t->decoder->registers[id]
           : (struct mq_operand){ .kind = mq_not_known };
}

static inline struct mq_effect *add(struct translation *t,
                                    enum mq_effect_kind kind, int size,
                                    struct mq_operand to,
                                    struct mq_operand from)
{
    struct mq_effect *effect = &t->effects[t->to->effect_count];

    *effect = (struct mq_effect){
        .kind = (unsigned char)kind, .size = (uint16_t)size, .to = to,
        .from = from
    };
    t->to->effect_count++;
    return effect;
}

/* TO becomes FROM OPERATOR OTHER. */
static inline void add_operator(struct translation *t,
                                enum mq_operator operator, int size,
                                struct mq_operand to, struct mq_operand from,
                                struct mq_operand other)
{
    struct mq_effect *effect = add(t, mq_computes, size, to, from);

    effect->operator = (unsigned char)operator;
    effect->other = other;
}

#endif
