/* machine_outline.c - calls and address constants of a function */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/machine_outline.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "symbols/machine_code.h"

enum {
    most_arguments = 6          /* that are followed */
};

/* The outline of one function in progress. */
struct sketch {
    struct mq_decoder *decoder;
    struct mq_code_map *map;
    const struct mq_code *code;
    uint64_t bias;
    struct mq_outline *made;
    bool has_number[2];         /* the first two arguments, where they are the
                                   same on the only way to here */
    uint64_t numbers[2];
    size_t handed[most_arguments];      /* by argument: the pointer that is
                                   nowhere but in its register, on the only way
                                   to here: its index and one; 0: there is
                                   none */
};

static enum mq_result add_exit(struct sketch *s,
                               const struct mq_instruction *one)
{
    struct mq_outline *made = s->made;
    struct mq_exit leads = { .kind = mq_exit_unknown };

    for (int i = 0; i < 2; i++) {
        leads.has_number[i] = s->has_number[i];
        leads.numbers[i] = s->numbers[i];
    }
    if (one->goal.kind == mq_a_number) {
        leads.kind = mq_exit_function;
        leads.address = (uint64_t)one->goal.offset + s->bias;
        if (mq_stub_slot(s->decoder, s->map, leads.address, &leads.slot)
            == mq_ok)
            leads.kind = mq_exit_slot;
    } else if (one->goal.kind == mq_in_memory && one->goal.is_here
               && !one->goal.has_index) {
        leads.kind = mq_exit_slot;
        leads.slot = leads.address = (uint64_t)one->goal.offset + s->bias;
    }
    return mq_array_add(&made->exits, sizeof leads, &made->exit_count,
                        &made->exit_room, &leads, "for machine code", NULL);
}

static bool is_fixed(const struct mq_operand *from)
{
    return from->kind == mq_in_memory && from->is_here && !from->has_index;
}

/* The argument that an operand's register is for; most_arguments: it is none.
 */
static int argument_of(const struct sketch *s, const struct mq_operand *it)
{
    const struct mq_code_machine *machine = s->decoder->machine;

    for (int i = 0; i < most_arguments
                    && (size_t)i < machine->argument_count; i++)
        if ((it->kind == mq_in_a_register || it->kind == mq_in_memory)
            && it->number == machine->arguments[i])
            return i;
    return most_arguments;
}

static enum mq_result add_pointer(struct sketch *s,
                                  const struct mq_effect *effect,
                                  uint64_t address)
{
    struct mq_outline *made = s->made;
    struct mq_pointer pointer = { address, 0 };
    int argument = effect->to.kind == mq_in_a_register
                   ? argument_of(s, &effect->to) : most_arguments;
    enum mq_result result =
        mq_array_add(&made->pointers, sizeof pointer, &made->pointer_count,
                     &made->pointer_room, &pointer, "for machine code", NULL);

    if (result == mq_ok && argument < most_arguments)
        s->handed[argument] = made->pointer_count;
    return result;
}

/* A register that an effect reads may be kept elsewhere; one that it writes has
 * lost what it had.
 */
static void follow_pointers(struct sketch *s, const struct mq_effect *effect)
{
    const struct mq_operand *operands[] = { &effect->from, &effect->other,
                                            &effect->to };

    for (size_t i = 0; i < sizeof operands / sizeof operands[0]; i++) {
        int argument = argument_of(s, operands[i]);

        if (argument < most_arguments)
            s->handed[argument] = 0;
    }
}

/* The addresses that an effect makes or reads. */
static enum mq_result add_addresses(struct sketch *s,
                                    const struct mq_effect *effect)
{
    const struct mq_operand *from = &effect->from;
    struct mq_outline *made = s->made;
    enum mq_result result = mq_ok;

    if (effect->kind == mq_points && is_fixed(from))
        return add_pointer(s, effect, (uint64_t)from->offset + s->bias);
    if (effect->kind == mq_copies && from->kind == mq_a_number)
        return add_pointer(s, effect, (uint64_t)from->offset);
    if ((effect->kind == mq_copies || effect->kind == mq_reads)
        && is_fixed(from))
        for (int i = 0; i == 0 || i + 8 <= effect->size; i += 8)
            if (result == mq_ok) {
                uint64_t address = (uint64_t)from->offset + s->bias
                                   + (uint64_t)i;

                result = mq_array_add(&made->cells, sizeof address,
                                      &made->cell_count, &made->cell_room,
                                      &address, "for machine code", NULL);
            }
    return result;
}

static void forget_arguments(struct sketch *s)
{
    s->has_number[0] = s->has_number[1] = false;
    memset(s->handed, 0, sizeof s->handed);
}

static void follow_numbers(struct sketch *s, const struct mq_effect *effect)
{
    const unsigned char *arguments = s->decoder->machine->arguments;

    for (int i = 0; i < 2; i++) {
        if (effect->kind == mq_swaps)
            s->has_number[i] = false;
        if (effect->to.kind != mq_in_a_register
            || effect->to.number != arguments[i])
            continue;
        s->has_number[i] = effect->kind == mq_copies
                           && effect->from.kind == mq_a_number;
        s->numbers[i] = (uint64_t)effect->from.offset;
    }
}

static enum mq_result add_instruction(struct sketch *s,
                                      const struct mq_instruction *one)
{
    const struct mq_effect *effects = &s->code->effects[one->first_effect];
    bool leaves = one->course == mq_calls
                  || ((one->course == mq_jumps || one->course == mq_may_jump)
                      && one->leads_to == mq_elsewhere);
    enum mq_result result = mq_ok;

    if (one->is_goal || one->is_mark)
        forget_arguments(s);
    s->made->is_strange |= one->course == mq_is_strange;
    for (int i = 0; i < one->effect_count && result == mq_ok; i++) {
        follow_numbers(s, &effects[i]);
        follow_pointers(s, &effects[i]);
        result = add_addresses(s, &effects[i]);
    }
    if (result == mq_ok && leaves)
        result = add_exit(s, one);
    if (one->course == mq_calls) {
        /* The call gets what is only in registers of arguments. */
        for (int i = 0; i < most_arguments && result == mq_ok; i++)
            if (s->handed[i] != 0)
                s->made->pointers[s->handed[i] - 1].exit = s->made->exit_count;
        forget_arguments(s);
    }
    return result;
}

enum mq_result mq_code_outline(struct mq_decoder *decoder,
                               struct mq_code_map *map, uint64_t address,
                               struct mq_outline *outline)
{
    struct mq_outline made = { 0 };
    struct sketch s = { .decoder = decoder, .map = map, .made = &made };
    struct mq_code_place place;
    enum mq_result result = map->find(map, address, &place);

    if (result == mq_ok)
        result = mq_decode(decoder, map, &place, &s.code);
    if (result != mq_ok)
        return result;
    s.bias = place.bias;
    made.low = place.low;
    made.instructions = s.code->count;
    for (size_t i = 0; i < s.code->count && result == mq_ok; i++)
        result = add_instruction(&s, &s.code->instructions[i]);
    if (result == mq_ok)
        *outline = made;
    else
        mq_outline_deinit(&made);
    return result;
}

void mq_outline_deinit(struct mq_outline *outline)
{
    free(outline->exits);
    free(outline->pointers);
    free(outline->cells);
    memset(outline, 0, sizeof *outline);
}
