/* arguments.c - arguments of a call, from DWARF */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/arguments.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum { most_elements = 4096 };

struct asked {
    const struct mq_mpi_function *function;
    const struct mq_machine_frame *frame;
    Dwarf_Die parameters[mq_most_parameters];   /* in their order */
    bool has_parameter[mq_most_parameters];
    int64_t values[mq_most_parameters];         /* that were found */
    bool has_value[mq_most_parameters];
    uint64_t frame_base;
    bool has_frame_base;
    uint64_t pc;                /* as the debug information counts */
};

/* ---- Values ------------------------------------------------------------ */

struct kind {
    int size;                   /* bytes */
    bool is_signed;
    bool is_pointer;
    Dwarf_Die target;           /* of a pointer */
    bool has_target;
};

/* mq_absent: it is no number. */
static enum mq_result kind_of(Dwarf_Die *type, struct kind *kind)
{
    Dwarf_Attribute attribute;
    Dwarf_Word size, encoding;
    int tag;

    memset(kind, 0, sizeof *kind);
    if (dwarf_peel_type(type, type) != 0)
        return mq_absent;
    /* An enumeration is signed if an enumerator is: its base type says so. */
    if (dwarf_tag(type) == DW_TAG_enumeration_type
        && (dwarf_formref_die(dwarf_attr(type, DW_AT_type, &attribute), type)
            == NULL || dwarf_peel_type(type, type) != 0))
        return mq_absent;
    if (dwarf_aggregate_size(type, &size) != 0
        || (size != 1 && size != 2 && size != 4 && size != 8))
        return mq_absent;
    kind->size = (int)size;
    tag = dwarf_tag(type);
    if (tag == DW_TAG_pointer_type) {
        kind->is_pointer = true;
        kind->has_target = dwarf_formref_die(
            dwarf_attr(type, DW_AT_type, &attribute), &kind->target) != NULL;
        return mq_ok;
    }
    if (tag != DW_TAG_base_type
        || dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &attribute),
                           &encoding) != 0)
        return mq_absent;
    kind->is_signed = encoding == DW_ATE_signed
                      || encoding == DW_ATE_signed_char;
    return kind->is_signed || encoding == DW_ATE_unsigned
           || encoding == DW_ATE_unsigned_char || encoding == DW_ATE_boolean
           ? mq_ok : mq_absent;
}

static int64_t number_of(const struct kind *kind, uint64_t bits)
{
    int unused = 64 - 8 * kind->size;

    bits <<= unused;
    return kind->is_signed ? (int64_t)bits >> unused
                           : (int64_t)(bits >> unused);
}

static enum mq_result read_number(const struct asked *asked,
                                  const struct kind *kind, uint64_t address,
                                  int64_t *number)
{
    uint64_t bits;

    if (mq_target_read_unsigned(asked->frame->state.memory, address,
                                kind->size, NULL, &bits) != mq_ok)
        return mq_absent;
    *number = number_of(kind, bits);
    return mq_ok;
}

/* ---- Locations --------------------------------------------------------- */

/* Whether it is the value that the function was entered with, which the
 * compiler has not kept.
 */
static bool is_entry_value(const Dwarf_Op *ops, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ops[i].atom == DW_OP_entry_value
            || ops[i].atom == DW_OP_GNU_entry_value)
            return true;
    return false;
}

/* mq_absent: it is nowhere; mq_failed: where it is is not understood. */
static enum mq_result find_number(const struct asked *asked,
                                  Dwarf_Die *parameter,
                                  const struct kind *kind, int64_t *number)
{
    const struct mq_frame_state *state = &asked->frame->state;
    struct mq_location found;
    Dwarf_Attribute attribute;
    Dwarf_Word constant;
    Dwarf_Op *ops;
    size_t count;

    if (dwarf_attr_integrate(parameter, DW_AT_const_value, &attribute) != NULL)
    {
        if (dwarf_formudata(&attribute, &constant) != 0)
            return mq_failed;
        *number = number_of(kind, constant);
        return mq_ok;
    }
    if (dwarf_attr_integrate(parameter, DW_AT_location, &attribute) == NULL
        || dwarf_getlocation_addr(&attribute, asked->pc, &ops, &count, 1) != 1
        || count == 0 || is_entry_value(ops, count))
        return mq_absent;
    if (mq_expression(ops, count, state,
                      asked->has_frame_base ? &asked->frame_base : NULL,
                      false, &found) != mq_ok)
        return mq_failed;
    if (found.kind == mq_is_value) {
        *number = number_of(kind, found.number);
        return mq_ok;
    }
    if (found.kind == mq_at_address)
        return read_number(asked, kind, found.number, number);
    if (!mq_register_is_known(&state->registers, (int)found.number))
        return mq_absent;
    *number = number_of(kind, state->registers.value[found.number]);
    return mq_ok;
}

/* What the variables of the function are counted from. */
static void find_frame_base(struct asked *asked, const struct mq_place *place)
{
    Dwarf_Die function = place->outer;
    const struct mq_registers *registers = &asked->frame->state.registers;
    struct mq_location found;
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    size_t length;

    if (dwarf_attr(&function, DW_AT_frame_base, &attribute) == NULL
        || dwarf_getlocation_addr(&attribute, asked->pc, &ops, &length, 1) != 1
        || mq_expression(ops, length, &asked->frame->state, NULL, false,
                         &found) != mq_ok)
        return;
    if (found.kind != mq_in_register) {
        asked->has_frame_base = true;
        asked->frame_base = found.number;
    } else if (mq_register_is_known(registers, (int)found.number)) {
        asked->has_frame_base = true;
        asked->frame_base = registers->value[found.number];
    }
}

/* ---- Parameters -------------------------------------------------------- */

/* By place or, in a binding of its own, by name. */
static void find_parameters(struct asked *asked, const struct mq_place *place)
{
    const struct mq_mpi_function *function = asked->function;
    Dwarf_Die list[mq_most_parameters], scope = place->scope, child;
    int more = dwarf_child(&scope, &child);
    size_t count = 0, i, j;

    while (more == 0 && count < mq_most_parameters) {
        if (dwarf_tag(&child) == DW_TAG_formal_parameter)
            list[count++] = child;
        more = dwarf_siblingof(&child, &child);
    }
    for (i = 0; i < function->count; i++) {
        for (j = 0; j < count; j++) {
            const char *name = dwarf_diename(&list[j]);

            if (count == function->count
                ? i == j
                : name != NULL && strcmp(name, function->plain[i]) == 0) {
                asked->parameters[i] = list[j];
                asked->has_parameter[i] = true;
                break;
            }
        }
    }
}

static enum mq_result add_argument(const struct asked *asked, size_t i,
                                   int64_t value,
                                   struct mq_known_arguments *known,
                                   struct mq_stack *stack,
                                   struct mq_error *error)
{
    const struct mq_argument argument = {
        .name = asked->function->plain[i], .value = value
    };

    if (known->is_known[i])
        return mq_ok;
    return mq_stack_add_argument(stack, &argument, error);
}

/* The target of NUMBER, the address of parameter I: all of it or nothing. */
static enum mq_result add_pointed(const struct asked *asked, size_t i,
                                  struct kind *kind, int64_t number,
                                  struct mq_known_arguments *known,
                                  struct mq_stack *stack,
                                  struct mq_error *error, bool *is_read)
{
    bool is_array = strchr(asked->function->parameters[i], '[') != NULL;
    const size_t named = mq_array_length(asked->function, i);
    int64_t count = !is_array ? 1 : named == i || !asked->has_value[named] ? 0
                    : asked->values[named], j;
    int64_t values[most_elements];
    enum mq_result result = mq_ok;
    struct kind target;

    count = count < most_elements ? count : most_elements;
    *is_read = kind->is_pointer && kind->has_target
               && kind_of(&kind->target, &target) == mq_ok;
    for (j = 0; *is_read && j < count; j++)
        *is_read = read_number(asked, &target, (uint64_t)number
                               + (uint64_t)(j * target.size), &values[j])
                   == mq_ok;
    for (j = 0; *is_read && result == mq_ok && j < count; j++)
        result = add_argument(asked, i, values[j], known, stack, error);
    return result;
}

static enum mq_result add_parameter(struct asked *asked, size_t i,
                                    struct mq_known_arguments *known,
                                    struct mq_stack *stack,
                                    struct mq_error *error, bool *is_less)
{
    const char *parameter = asked->function->parameters[i];
    Dwarf_Attribute attribute;
    enum mq_result result;
    bool is_read = true;
    int64_t number;
    struct kind kind;
    Dwarf_Die type;

    if (parameter[0] == '&' || !asked->has_parameter[i])
        return mq_ok;
    if (dwarf_formref_die(dwarf_attr_integrate(&asked->parameters[i],
                                               DW_AT_type, &attribute), &type)
        == NULL || kind_of(&type, &kind) != mq_ok)
        return mq_ok;
    result = find_number(asked, &asked->parameters[i], &kind, &number);
    if (result != mq_ok) {
        *is_less |= result == mq_failed && !known->is_known[i];
        return mq_ok;
    }
    if (parameter[0] == '*' || strchr(parameter, '[') != NULL) {
        result = add_pointed(asked, i, &kind, number, known, stack, error,
                             &is_read);
    } else {
        asked->values[i] = number;
        asked->has_value[i] = true;
        result = add_argument(asked, i, number, known, stack, error);
    }
    known->is_known[i] |= is_read;
    return result;
}

enum mq_result mq_arguments_add(const struct mq_mpi_function *function,
                                const struct mq_place *place,
                                const struct mq_machine_frame *frame,
                                struct mq_known_arguments *known,
                                struct mq_stack *stack, struct mq_error *error,
                                bool *is_less)
{
    struct asked asked = { .function = function, .frame = frame };
    enum mq_result result = mq_ok;
    Dwarf_Addr bias = 0;

    if (!place->has_scope || mq_module_dwarf(frame->module, &bias) == NULL)
        return mq_ok;
    asked.pc = frame->at - frame->state.bias - bias;
    find_frame_base(&asked, place);
    find_parameters(&asked, place);
    for (size_t i = 0; i < function->count && result == mq_ok; i++)
        result = add_parameter(&asked, i, known, stack, error, is_less);
    return result;
}

bool mq_arguments_are_known(const struct mq_mpi_function *function,
                            const struct mq_known_arguments *known)
{
    for (size_t i = 0; i < function->count; i++)
        if (function->parameters[i][0] != '&' && !known->is_known[i])
            return false;
    return true;
}
