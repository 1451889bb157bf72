/* machine.c - interprocedural recovery of call arguments
 *
 * An interprocedural analysis, from two sides.  Inside: the function has stored
 * its arguments in places or passed them to its callees, and these again, as
 * far inwards as each activation can be computed from the one before.  Outside:
 * its caller may still have the values that it passed, or those from which they
 * were computed.  The results of both are combined at the end (believe).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "symbols/machine.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/machine_flow.h"

enum {
    most_frames = 16,           /* that arguments are followed into */
    most_findings = 64,         /* of one argument */
    most_values = 128           /* that one is computed of */
};

/* ---- Findings ----------------------------------------------------------- */

/* Where a value was read. */
struct spot {
    enum { nowhere, in_register, in_memory } kind;
    uint64_t number;
};

struct finding {
    uint64_t value;
    bool is_certain;
    struct spot where;
};

struct findings {
    struct finding all[most_findings];
    size_t count;
};

/* Findings about all arguments. */
struct question {
    const int *sizes;
    size_t count;
    struct findings inside[mq_most_sizes];      /* in the function */
    struct findings outside[mq_most_sizes];     /* in its caller */
};

static void add_finding(struct findings *findings, uint64_t value,
                        bool is_certain, struct spot where)
{
    if (findings->count < most_findings)
        findings->all[findings->count++] = (struct finding){
            value, is_certain, where
        };
}

/* One value, or several that differ. */
struct choice {
    uint64_t value;
    bool is_any, is_one;
};

static void choose(struct choice *choice, uint64_t value)
{
    if (!choice->is_any)
        *choice = (struct choice){ value, true, true };
    else if (choice->value != value)
        choice->is_one = false;
}

static void choose_certain(struct choice *choice,
                           const struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->all[i].is_certain)
            choose(choice, findings->all[i].value);
}

/* The accepted value. */
static struct mq_recovered believe(const struct findings *inside,
                                   const struct findings *outside)
{
    const struct findings *first = inside->count > 0 ? inside : outside;
    const struct mq_recovered nothing = { .is_known = false };
    struct choice choice = { .is_any = false };

    choose_certain(&choice, inside);
    choose_certain(&choice, outside);
    if (!choice.is_any)         /* then what was found at two places */
        for (size_t i = 0; i < inside->count; i++)
            for (size_t j = 0; j < outside->count; j++) {
                const struct finding *one = &inside->all[i];
                const struct finding *other = &outside->all[j];

                if (one->value == other->value
                    && (one->where.kind != other->where.kind
                        || one->where.number != other->where.number))
                    choose(&choice, one->value);
            }
    if (choice.is_any && choice.is_one)
        return (struct mq_recovered){ true, true, choice.value };
    if (first->count == 0)
        return nothing;
    return (struct mq_recovered){ true, false, first->all[0].value };
}

/* Whether each argument is certain, by whatever else might be found. */
static bool is_enough(const struct question *question)
{
    for (size_t i = 0; i < question->count; i++) {
        struct choice choice = { .is_any = false };

        choose_certain(&choice, &question->inside[i]);
        choose_certain(&choice, &question->outside[i]);
        if (!choice.is_any || !choice.is_one)
            return false;
    }
    return true;
}

/* ---- Activations -------------------------------------------------------- */

/* A frame, and the contents of its places at the current instruction. */
struct activation {
    const struct mq_code_frame *frame;
    struct mq_function function;
    struct mq_machine_context context;
    const struct mq_instruction *call;  /* null: it was interrupted */
    uint64_t bias;              /* of the call */
    uint64_t entry, until;
    struct mq_state entered, state, certain;
};

static void deinit_activation(struct activation *activation)
{
    mq_function_deinit(&activation->function);
    mq_map_deinit(&activation->context.reads);
    mq_state_deinit(&activation->entered);
    mq_state_deinit(&activation->state);
    mq_state_deinit(&activation->certain);
}

/* Data needed of a process. */
struct place {
    struct mq_decoder *decoder;
    struct mq_code_map *map;
    struct mq_names names;
};

static void init_activation(struct place *place,
                            const struct mq_code_frame *frame,
                            bool names_values, struct activation *activation)
{
    memset(activation, 0, sizeof *activation);
    activation->frame = frame;
    mq_function_init(&activation->function, place->decoder, place->map);
    activation->context.machine = place->decoder->machine;
    activation->context.code = place->map->code;
    activation->context.names = &place->names;
    activation->context.names_values = names_values;
    activation->context.cfa = frame->cfa;
    mq_state_init(&activation->entered);
    mq_state_init(&activation->state);
    mq_state_init(&activation->certain);
}

/* mq_absent: no path leads there; mq_failed: that is not known. */
static enum mq_result follow_activation(struct activation *activation,
                                        uint64_t entry)
{
    const struct mq_code_frame *frame = activation->frame;

    activation->entry = entry;
    activation->until = frame->pc;
    if (frame->at != frame->pc) {
        if (mq_function_call_before(&activation->function, frame->pc,
                                    &activation->call,
                                    &activation->bias) != mq_ok)
            return mq_absent;
        activation->until = activation->call->address + activation->bias;
    }
    return mq_function_follow(&activation->function, &activation->context,
                              entry, &activation->entered, activation->until,
                              &activation->state);
}

/* The contents of a register at the current instruction of the frame. */
static enum mq_result read_register(const struct activation *activation,
                                    unsigned char number, uint64_t *value)
{
    const struct mq_registers *registers = &activation->frame->registers;

    if (!mq_register_is_known(registers, number))
        return mq_absent;
    *value = registers->value[number];
    return mq_ok;
}

static uint64_t top_of(const struct activation *activation)
{
    uint64_t top = 0;

    read_register(activation, activation->context.machine->sp, &top);
    return top;
}

/* The state that can be read: in a call, what that leaves. */
static void make_certain(struct activation *activation)
{
    const struct mq_code_machine *machine = activation->context.machine;
    struct mq_state *state = &activation->certain;
    int64_t top;

    mq_state_copy(state, &activation->state);
    if (activation->call == NULL)
        return;
    mq_state_keep_registers(state, machine->saved);
    mq_state_alias_escaped(state, -(int64_t)machine->return_address);
    if (!mq_on_stack(&activation->context, top_of(activation), &top))
        return;
    /* The function that is called now may change what was handed over to it on
     * the stack.
     */
    for (;; top += 4) {
        const struct mq_key key = { (uint64_t)top, 0 };
        mq_origin origin = mq_state_get(state, mq_no_register, top);

        if (origin == 0 || mq_map_find(&activation->context.reads, key) != NULL)
            return;
        mq_state_put(state, mq_no_register, top, origin | mq_aliased);
    }
}

/* ---- Places ------------------------------------------------------------- */

/* Two cells that follow each other, and where they are. */
struct pair {
    mq_origin lower, upper;
    struct spot where;
};

/* Calls TAKE with each place that can be read. */
static void for_places(struct activation *activation,
                       void (*take)(struct activation *, const struct pair *,
                                    void *), void *data)
{
    const struct mq_state *state = &activation->certain;
    uint64_t top = top_of(activation), value;
    struct pair pair;

    make_certain(activation);
    for (int i = 0; i < mq_first_vector; i++) {
        pair = (struct pair){ state->registers[i][0], state->registers[i][1],
                              { in_register, (uint64_t)i } };
        if (pair.lower != 0)
            take(activation, &pair, data);
    }
    for (size_t j = 0; j < state->count; j++) {
        const struct mq_cell *cell = &state->cells[j];
        uint64_t base = activation->context.cfa;

        if (cell->base != mq_no_register) {
            if (read_register(activation, cell->base, &value) != mq_ok)
                continue;
            base = value;
        }
        pair = (struct pair){
            cell->origin,
            mq_state_get(state, cell->base, cell->offset + 4),
            { in_memory, base + (uint64_t)cell->offset }
        };
        if (cell->base != mq_no_register || pair.where.number >= top)
            take(activation, &pair, data);
    }
}

static enum mq_result read_memory(const struct activation *activation,
                                  uint64_t address, int size, uint64_t *value)
{
    return mq_target_read_unsigned(activation->function.map->memory, address,
                                   size, NULL, value);
}

/* The pointer to code that is at ADDRESS. */
static enum mq_result read_goal(const struct activation *activation,
                                uint64_t address, uint64_t *goal)
{
    return mq_target_read_unsigned(activation->context.code, address, 8, NULL,
                                   goal);
}

static enum mq_result read_spot(const struct activation *activation,
                                const struct spot *where, int size,
                                uint64_t *value)
{
    if (where->kind == in_memory)
        return read_memory(activation, where->number, size, value);
    if (read_register(activation, (unsigned char)where->number, value) != mq_ok)
        return mq_absent;
    if (size == 4)
        *value &= UINT32_MAX;
    return mq_ok;
}

/* Whether a pair holds WANTED, or did if nothing else was written there. */
static bool holds(const struct pair *pair, const mq_origin *wanted, int size,
                  bool *is_certain)
{
    mq_origin lower = pair->lower, upper = pair->upper;
    const mq_origin aliased = mq_aliased;

    if ((lower & ~aliased) != wanted[0]
        || (size == 8 && (upper & ~aliased) != wanted[1]))
        return false;
    *is_certain = lower == wanted[0] && (size == 4 || upper == wanted[1]);
    return true;
}

/* ---- In the function ---------------------------------------------------- */

/* Adds what is at a place that holds an argument. */
static void take_argument(struct activation *activation,
                          const struct pair *pair, void *data)
{
    struct question *question = data;
    const mq_origin plain = pair->lower & ~(mq_origin)mq_aliased;
    const struct mq_name *name = mq_only(activation->context.names, plain);
    mq_origin wanted[2];
    uint32_t number;
    bool is_certain;
    uint64_t value;
    int size;

    if (name == NULL || name->kind != mq_of_argument
        || name->a >= question->count)
        return;
    number = name->a;
    size = question->sizes[number];
    for (uint32_t i = 0; i < 2; i++)
        wanted[i] = mq_name(activation->context.names, mq_of_argument, number,
                            i, 0);
    if (holds(pair, wanted, size, &is_certain)
        && read_spot(activation, &pair->where, size, &value) == mq_ok)
        add_finding(&question->inside[number], value, is_certain,
                    pair->where);
}

/* The address that the frame's call leads to. */
static enum mq_result called(struct activation *activation, uint64_t *address)
{
    const struct mq_operand *goal = &activation->call->goal;
    const struct mq_state *state = &activation->state;
    struct mq_function *function = &activation->function;
    uint64_t base, slot;

    if (goal->kind == mq_a_number) {
        *address = (uint64_t)goal->offset + activation->bias;
        if (mq_stub_slot(function->decoder, function->map, *address, &slot)
            != mq_ok)
            return mq_ok;
        return read_goal(activation, slot, address);
    }
    if (goal->kind == mq_in_memory && goal->has_index)
        return mq_absent;
    if (goal->kind == mq_in_memory && goal->is_here)
        return read_goal(activation, (uint64_t)goal->offset + activation->bias,
                         address);
    if (mq_state_pointer(&activation->context, state, goal->number, &base)
        != mq_ok
        && mq_fact_get(&state->known, goal->number, &base) != mq_ok)
        return mq_absent;
    if (goal->kind == mq_in_a_register) {
        *address = base;
        return mq_ok;
    }
    return read_goal(activation, base + (uint64_t)goal->offset, address);
}

/* Follows pointers that are arguments, too: now their values are known. */
static enum mq_result learn(struct activation *activation,
                            const struct question *question)
{
    struct mq_machine_context *context = &activation->context;
    struct question own = *question;

    memset(own.inside, 0, sizeof own.inside);
    for_places(activation, take_argument, &own);
    for (size_t i = 0; i < own.count; i++) {
        for (size_t j = 0; j < own.inside[i].count && own.sizes[i] == 8; j++) {
            if (!own.inside[i].all[j].is_certain)
                continue;
            context->has_value[i] = true;
            context->values[i] = own.inside[i].all[j].value;
        }
    }
    return follow_activation(activation, activation->entry);
}

/* The state in which a function with these arguments is called. */
static void enter(const struct question *question,
                  struct activation *activation)
{
    const struct mq_code_machine *machine = activation->context.machine;
    struct mq_state *state = &activation->entered;

    mq_state_know(state, machine->sp, activation->context.cfa
                  - (uint64_t)machine->return_address);
    for (size_t i = 0; i < question->count; i++) {
        size_t cells = (size_t)question->sizes[i] / 4, j;
        mq_origin halves[2];

        for (j = 0; j < cells; j++)
            halves[j] = mq_name(activation->context.names, mq_of_argument,
                                (uint32_t)i, (uint32_t)j, 0);
        if (i < machine->argument_count) {
            mq_state_set_register(state, machine->arguments[i], halves, cells);
            continue;
        }
        for (j = 0; j < cells; j++)
            mq_state_put(state, mq_no_register,
                         8 * (int64_t)(i - machine->argument_count)
                         + 4 * (int64_t)j, halves[j]);
    }
}

/* The state in which a function was called by CALLER, and whether that
 * IS_PROVEN to be the one that is asked for.
 */
static void pass_on(const struct activation *caller, bool is_proven,
                    struct activation *activation)
{
    const struct mq_code_machine *machine = activation->context.machine;
    const mq_origin mark = is_proven ? 0 : mq_aliased;
    const struct mq_state *from = &caller->state;
    struct mq_state *to = &activation->entered;
    uint64_t top = top_of(caller);

    activation->context.cfa = top;
    memcpy(activation->context.has_value, caller->context.has_value,
           sizeof activation->context.has_value);
    memcpy(activation->context.values, caller->context.values,
           sizeof activation->context.values);
    mq_state_deinit(to);
    for (int i = 0; i < mq_machine_registers; i++) {
        for (size_t j = 0; j < mq_register_cells; j++)
            if (from->registers[i][j] != 0)
                to->registers[i][j] = from->registers[i][j] | mark;
    }
    for (size_t j = 0; j < from->count; j++) {
        const struct mq_cell *cell = &from->cells[j];
        uint64_t address = caller->context.cfa + (uint64_t)cell->offset;

        if (cell->base == mq_no_register && address >= top)
            mq_state_put(to, mq_no_register, (int64_t)(address - top),
                         cell->origin | mark);
    }
    mq_state_know(to, machine->sp, top - (uint64_t)machine->return_address);
}

/* The places of the function that CALLER called.  If its frame is of another
 * one than was called, that has become it: what its arguments are is not known
 * then.
 */
static enum mq_result enter_callee(struct place *place,
                                   struct activation *caller,
                                   struct activation *activation)
{
    const struct mq_code_frame *frame = activation->frame;
    enum mq_result result = mq_absent;
    struct mq_code_place own;
    uint64_t address;

    if (place->map->find(place->map, frame->at, &own) != mq_ok)
        return mq_absent;
    if (called(caller, &address) == mq_ok) {
        pass_on(caller, true, activation);
        result = follow_activation(activation, address);
    }
    if (result != mq_absent)
        return result;
    deinit_activation(activation);
    init_activation(place, frame, false, activation);
    pass_on(caller, false, activation);
    return follow_activation(activation, own.low);
}

/* The first activation, of the function that is asked about. */
static enum mq_result stand_first(struct place *place,
                                  const struct question *question,
                                  struct activation *activation)
{
    enum mq_result result;
    struct mq_code_place own;
    uint64_t ignored;

    if (place->map->find(place->map, activation->frame->at, &own) != mq_ok)
        return mq_absent;
    enter(question, activation);
    result = follow_activation(activation, own.low);
    if (result == mq_ok && activation->call != NULL
        && called(activation, &ignored) != mq_ok)
        result = learn(activation, question);
    return result;
}

/* ---- In its caller ------------------------------------------------------ */

/* Values searched for in the places. */
struct wanted {
    mq_origin halves[2];
    int size;
    uint64_t passed;            /* bytes on the stack that are the called
                                   function's */
    struct findings *found;
};

static void take_equal(struct activation *activation, const struct pair *pair,
                       void *data)
{
    const struct wanted *wanted = data;
    const struct spot *where = &pair->where;
    /* Arguments that were handed over are not the caller's any more. */
    const bool is_passed = where->kind == in_memory
        && where->number - top_of(activation) < wanted->passed;
    bool is_certain;
    uint64_t value;

    if (!is_passed
        && holds(pair, wanted->halves, wanted->size, &is_certain)
        && read_spot(activation, where, wanted->size, &value) == mq_ok)
        add_finding(wanted->found, value, is_certain, pair->where);
}

/* Adds what equals HALVES. */
static void find_equal(struct activation *activation, const mq_origin *halves,
                       int size, uint64_t passed, struct findings *found)
{
    struct wanted wanted = { { halves[0], size == 8 ? halves[1] : 0 }, size,
                             passed, found };

    for_places(activation, take_equal, &wanted);
}

/* Adds what is where the value with this name may have been read. */
static void find_source(struct activation *activation,
                        const struct mq_name *name, int size, uint64_t passed,
                        struct findings *found)
{
    struct findings pointers = { .count = 0 };
    const mq_origin halves[2] = { name->a, name->b };
    uint64_t value;

    if (name->kind == mq_of_memory
        && read_memory(activation, name->c, size, &value) == mq_ok)
        add_finding(found, value, false,
                    (struct spot){ in_memory, name->c });
    if (name->kind != mq_of_pointed)
        return;
    find_equal(activation, halves, 8, passed, &pointers);
    for (size_t i = 0; i < pointers.count; i++) {
        uint64_t place = pointers.all[i].value + name->c;

        if (read_memory(activation, place, size, &value) == mq_ok)
            add_finding(found, value, false,
                        (struct spot){ in_memory, place });
    }
}

/* An int, and whether that is certain. */
struct number {
    uint32_t value;
    bool is_known, is_certain;
};

static int32_t with_sign(uint32_t value)
{
    return value > INT32_MAX ? -1 - (int32_t)(UINT32_MAX - value)
           : (int32_t)value;
}

/* mq_absent: it has no value. */
static enum mq_result divide(uint32_t one, uint32_t other, bool is_remainder,
                             uint32_t *value)
{
    int64_t by = with_sign(other), of = with_sign(one);

    if (by == 0)
        return mq_absent;
    *value = (uint32_t)(is_remainder ? of % by : of / by);
    return mq_ok;
}

static enum mq_result calculate(enum mq_operator operator, uint32_t one,
                                uint32_t other, uint32_t *value)
{
    const uint32_t sign = one >> 31 != 0 ? UINT32_MAX : 0;
    unsigned shift = other & 31;

    switch (operator) {
    case mq_plus: *value = one + other; return mq_ok;
    case mq_minus: *value = one - other; return mq_ok;
    case mq_and: *value = one & other; return mq_ok;
    case mq_or: *value = one | other; return mq_ok;
    case mq_xor: *value = one ^ other; return mq_ok;
    case mq_times: *value = one * other; return mq_ok;
    case mq_quotient: return divide(one, other, false, value);
    case mq_remainder: return divide(one, other, true, value);
    case mq_shifted_left: *value = one << shift; return mq_ok;
    case mq_shifted_down: *value = one >> shift; return mq_ok;
    case mq_shifted_right:
        *value = one >> shift | (shift > 0 ? sign << (32 - shift) : 0);
        return mq_ok;
    case mq_sign: *value = sign; return mq_ok;
    default: return mq_absent;
    }
}

/* A value, and those that it is computed of. */
struct values {
    mq_origin origins[most_values];     /* what is computed of others comes
                                           behind them, once sorted */
    struct number numbers[most_values];
    size_t count;
};

static void add_value(struct values *values, mq_origin origin)
{
    size_t i;

    for (i = 0; i < values->count && values->origins[i] != origin; i++)
        continue;
    if (i == values->count && i < most_values)
        values->origins[values->count++] = origin;
}

static int compare_origins(const void *left, const void *right)
{
    mq_origin a = *(const mq_origin *)left, b = *(const mq_origin *)right;

    return a < b ? -1 : a > b;
}

/* A name is made behind those that it is made of. */
static void gather_values(const struct mq_names *names, mq_origin origin,
                          struct values *values)
{
    add_value(values, origin);
    for (size_t i = 0; i < values->count; i++) {
        const struct mq_name *name = mq_only(names, values->origins[i]);

        if (name != NULL && name->kind == mq_of_computed) {
            add_value(values, name->a);
            add_value(values, name->b);
        }
    }
    qsort(values->origins, values->count, sizeof values->origins[0],
          compare_origins);
}

static struct number number_of(const struct values *values, mq_origin origin)
{
    const struct number not_known = { .is_known = false };
    size_t i = 0;

    while (i < values->count && values->origins[i] != origin)
        i++;
    return i < values->count ? values->numbers[i] : not_known;
}

/* The contents of a place. */
static struct number evaluate_place(struct activation *activation,
                                    mq_origin origin, uint64_t passed)
{
    const struct findings nothing = { .count = 0 };
    struct findings found = nothing;
    struct mq_recovered best;

    find_equal(activation, &origin, 4, passed, &found);
    find_source(activation, mq_only(activation->context.names, origin), 4,
                passed, &found);
    best = believe(&found, &nothing);
    return (struct number){ (uint32_t)best.value, best.is_known,
                            best.is_certain };
}

static struct number evaluate(struct activation *activation, mq_origin origin,
                              uint64_t passed)
{
    const struct number not_known = { .is_known = false };
    struct values values = { .count = 0 };

    gather_values(activation->context.names, origin, &values);
    for (size_t i = 0; i < values.count; i++) {
        const struct mq_name *name = mq_only(activation->context.names,
                                             values.origins[i]);

        if (name == NULL)
            values.numbers[i] = not_known;
        else if (name->kind == mq_of_constant)
            values.numbers[i] = (struct number){ (uint32_t)name->c, true,
                                                 true };
        else if (name->kind == mq_of_computed) {
            struct number one = number_of(&values, name->a);
            struct number other = number_of(&values, name->b);

            one.is_known = one.is_known && other.is_known
                && calculate((enum mq_operator)name->c, one.value, other.value,
                             &one.value) == mq_ok;
            one.is_certain &= other.is_certain;
            values.numbers[i] = one;
        } else
            values.numbers[i] = evaluate_place(activation, values.origins[i],
                                               passed);
    }
    return number_of(&values, origin);
}

static mq_origin passed_cell(const struct activation *activation, size_t number,
                             int index)
{
    const struct mq_code_machine *machine = activation->context.machine;
    const struct mq_state *state = &activation->state;
    int64_t top;

    if (number < machine->argument_count)
        return state->registers[machine->arguments[number]][index];
    return !mq_on_stack(&activation->context, top_of(activation), &top) ? 0
           : mq_state_get(state, mq_no_register, top
                          + 8 * (int64_t)(number - machine->argument_count)
                          + 4 * (int64_t)index);
}

/* Adds what is known of the argument of that number of the call. */
static void find_passed(struct activation *activation, size_t number, int size,
                        uint64_t passed, struct findings *found)
{
    const struct mq_code_machine *machine = activation->context.machine;
    const struct mq_names *names = activation->context.names;
    mq_origin halves[2] = { 0, 0 };
    const struct mq_name *lower, *upper;
    uint64_t address;

    for (int i = 0; i < size / 4; i++)
        halves[i] = passed_cell(activation, number, i);
    lower = mq_only(names, halves[0]);
    upper = size == 4 ? lower : mq_only(names, halves[1]);
    if (lower == NULL || upper == NULL) {
        if (size == 8 && number < machine->argument_count
            && mq_fact_get(&activation->state.known, machine->arguments[number],
                           &address) == mq_ok)
            add_finding(found, address, true, (struct spot){ nowhere, 0 });
        return;
    }
    if (lower->kind == mq_of_constant && upper->kind == mq_of_constant) {
        add_finding(found, size == 4 ? lower->c : upper->c << 32 | lower->c,
                    true, (struct spot){ nowhere, 0 });
        return;
    }
    find_equal(activation, halves, size, passed, found);
    if (lower->kind == mq_of_computed && size == 4) {
        struct number value = evaluate(activation, halves[0], passed);

        if (value.is_known)
            add_finding(found, value.value, value.is_certain,
                        (struct spot){ nowhere, 0 });
        return;
    }
    find_source(activation, lower, size, passed, found);
}

/* The state in which the caller is entered: names of what registers hold. */
static void enter_caller(struct activation *activation)
{
    const struct mq_code_machine *machine = activation->context.machine;
    struct mq_names *names = activation->context.names;
    uint64_t named = machine->saved;

    mq_state_know(&activation->entered, machine->sp, activation->context.cfa
                  - (uint64_t)machine->return_address);
    for (size_t j = 0; j < machine->argument_count; j++)
        named |= (uint64_t)1 << machine->arguments[j];
    for (int i = 0; i < mq_first_vector; i++) {
        const mq_origin halves[2] = {
            mq_name(names, mq_of_register, (uint32_t)i, 0, 0),
            mq_name(names, mq_of_register, (uint32_t)i, 1, 0)
        };

        if ((named >> i & 1) != 0)
            mq_state_set_register(&activation->entered, (unsigned char)i,
                                  halves, 2);
    }
}

static void ask_caller(struct place *place, const struct mq_code_frame *frames,
                       size_t which, struct question *question)
{
    const struct mq_code_frame *frame = &frames[which + 1];
    struct mq_code_place own, callers;
    struct activation activation;
    uint64_t passed, address, target;

    if (frame->cfa == 0
        || place->map->find(place->map, frame->at, &callers) != mq_ok
        || place->map->find(place->map, frames[which].at, &own) != mq_ok)
        return;
    init_activation(place, frame, true, &activation);
    enter_caller(&activation);
    /* Its call must have led to the function. */
    if (follow_activation(&activation, callers.low) == mq_ok
        && activation.call != NULL && called(&activation, &address) == mq_ok
        && (address == own.low
            || (mq_code_becomes(place->decoder, place->map, address, &target)
                == mq_ok && target == own.low))) {
        size_t registers = activation.context.machine->argument_count;

        passed = question->count <= registers ? 0
                 : 8 * (question->count - registers);
        for (size_t i = 0; i < question->count; i++)
            find_passed(&activation, i, question->sizes[i], passed,
                        &question->outside[i]);
    }
    deinit_activation(&activation);
}

/* ---- Asking ------------------------------------------------------------- */

/* One for each kind of machine that was met. */
struct mq_decoders {
    struct mq_decoder wide, arm;
    bool has_wide, has_arm;
};

const char *mq_machine_library(void)
{
    return "capstone";
}

enum mq_result mq_decoders_create(struct mq_error *error,
                                  struct mq_decoders **result)
{
    struct mq_decoders *decoders = calloc(1, sizeof *decoders);

    if (decoders == NULL)
        return mq_fail_memory(error, "for machine code");
    *result = decoders;
    return mq_ok;
}

void mq_decoders_destroy(struct mq_decoders *decoders)
{
    if (decoders == NULL)
        return;
    mq_decoder_close(&decoders->wide);
    mq_decoder_close(&decoders->arm);
    free(decoders);
}

static struct mq_decoder *decoder_of(struct mq_decoders *decoders,
                                     int machine)
{
    bool is_arm = machine == EM_AARCH64;
    struct mq_decoder *one = is_arm ? &decoders->arm : &decoders->wide;
    bool *has = is_arm ? &decoders->has_arm : &decoders->has_wide;

    if ((!is_arm && machine != EM_X86_64)
        || (!*has && mq_decoder_open(machine, NULL, one) != mq_ok))
        return NULL;
    *has = true;
    mq_decoder_thin(one);
    return one;
}

enum mq_result mq_machine_recover(struct mq_decoders *decoders,
                                  struct mq_code_map *map, int machine,
                                  const struct mq_code_frame *frames,
                                  size_t frame_count, size_t which,
                                  const int *sizes, size_t count,
                                  struct mq_recovered *arguments)
{
    struct place place = { decoder_of(decoders, machine), map, { 0 } };
    struct activation both[2], *caller = NULL;
    enum mq_result result = mq_ok;
    struct question *question;

    if (place.decoder == NULL || count > mq_most_sizes || frame_count < 2
        || which >= frame_count - 1)
        return mq_absent;
    question = calloc(1, sizeof *question);
    if (question == NULL)
        return mq_failed;
    place.decoder->steps = 0;
    question->sizes = sizes;
    question->count = count;
    /* Examines the function, its caller, and then those that it called, from
     * the outside in, as far as that can be followed and until all is certain.
     */
    for (size_t i = 0; i < most_frames && i <= which && result == mq_ok; i++) {
        struct activation *now = &both[i % 2];

        init_activation(&place, &frames[which - i], false, now);
        result = caller == NULL ? stand_first(&place, question, now)
                 : enter_callee(&place, caller, now);
        if (caller != NULL)
            deinit_activation(caller);
        caller = now;
        if (result == mq_ok)
            for_places(now, take_argument, question);
        if (i == 0 && !is_enough(question))
            ask_caller(&place, frames, which, question);
        if (now->call == NULL || is_enough(question))
            break;
    }
    if (caller != NULL)
        deinit_activation(caller);
    for (size_t i = 0; i < count; i++)
        arguments[i] = believe(&question->inside[i], &question->outside[i]);
    free(question);
    mq_names_deinit(&place.names);
    return mq_ok;
}

enum mq_result mq_machine_becomes(struct mq_decoders *decoders,
                                  struct mq_code_map *map, int machine,
                                  uint64_t address, uint64_t *target)
{
    struct mq_decoder *decoder = decoder_of(decoders, machine);

    return decoder == NULL ? mq_absent
           : mq_code_becomes(decoder, map, address, target);
}

enum mq_result mq_machine_outline(struct mq_decoders *decoders,
                                  struct mq_code_map *map, int machine,
                                  uint64_t address, struct mq_outline *outline)
{
    struct mq_decoder *decoder = decoder_of(decoders, machine);

    return decoder == NULL ? mq_absent
           : mq_code_outline(decoder, map, address, outline);
}

enum mq_result mq_machine_slot(struct mq_decoders *decoders,
                               struct mq_code_map *map, int machine,
                               uint64_t address, uint64_t *slot)
{
    struct mq_decoder *decoder = decoder_of(decoders, machine);

    return decoder == NULL ? mq_absent
           : mq_stub_slot(decoder, map, address, slot);
}
