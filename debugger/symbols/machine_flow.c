/* machine_flow.c - data-flow analysis of a function */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/machine_flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum {
    most_instructions = 20000,  /* of one function */
    most_parts = 64,
    most_steps = 200000,        /* through one function, with repetitions */
    most_steps_in_all = 400000, /* for one question */
    most_cases = 1024,          /* of one switch */
    most_size = 1 << 27         /* of the states */
};

/* One instruction of a part. */
struct spot {
    bool is_join;               /* more than one path may lead there, by jumps
                                   of other parts and of tables */
    bool is_queued;             /* it is in the worklist */
    struct mq_state *arrived;   /* the state there; null: not visited */
};

/* Code that is not interrupted by another function's. */
struct mq_function_part {
    const struct mq_code *code;
    uint64_t low, high, bias;   /* in the process */
    struct spot *spots;         /* of each instruction */
};

/* An instruction, and where it is in the process. */
struct at {
    struct mq_function_part *part;
    size_t index;
};

struct flow {
    struct mq_function *function;
    struct mq_machine_context *context;
    uint64_t goal;              /* the function that it shall become */
    struct at *worklist;        /* a heap: most paths lead to higher
                                   addresses */
    size_t worklist_count, worklist_room;
};

/* ---- Parts -------------------------------------------------------------- */

void mq_function_init(struct mq_function *function,
                      struct mq_decoder *decoder, struct mq_code_map *map)
{
    memset(function, 0, sizeof *function);
    function->decoder = decoder;
    function->map = map;
}

static void forget_states(struct mq_function *function)
{
    for (size_t i = 0; i < function->part_count; i++) {
        struct mq_function_part *part = &function->parts[i];

        for (size_t j = 0; j < part->code->count; j++) {
            struct spot *spot = &part->spots[j];

            if (spot->arrived != NULL)
                mq_state_deinit(spot->arrived);
            free(spot->arrived);
            spot->arrived = NULL;
            spot->is_queued = false;
        }
    }
    function->size = 0;
}

void mq_function_deinit(struct mq_function *function)
{
    forget_states(function);
    while (function->part_count > 0)
        free(function->parts[--function->part_count].spots);
    free(function->parts);
}

static struct mq_function_part *find_part(const struct mq_function *function,
                                          uint64_t address)
{
    for (size_t i = 0; i < function->part_count; i++) {
        struct mq_function_part *part = &function->parts[i];

        if (address >= part->low && address < part->high)
            return part;
    }
    return NULL;
}

static enum mq_result find_spot(const struct mq_function *function,
                                uint64_t address, struct at *at)
{
    at->part = find_part(function, address);
    return at->part == NULL ? mq_absent
           : mq_code_find(at->part->code, address - at->part->bias,
                          &at->index);
}

static const struct mq_instruction *instruction_at(struct at at)
{
    return &at.part->code->instructions[at.index];
}

static uint64_t address_of(struct at at)
{
    return instruction_at(at)->address + at.part->bias;
}

static struct spot *spot_at(struct at at)
{
    return &at.part->spots[at.index];
}

static bool is_join(struct at at)
{
    return spot_at(at)->is_join || instruction_at(at)->is_goal;
}

/* More than one path may lead to AT. */
static void add_meeting(struct mq_function *function, struct at at)
{
    function->has_new_joins |= !is_join(at);
    spot_at(at)->is_join = true;
}

static enum mq_result add_part(struct mq_function *function, uint64_t address)
{
    const struct mq_function_part *last;
    struct mq_function_part part;
    struct mq_code_place place;

    if (function->parts == NULL)
        function->parts = calloc(most_parts, sizeof part);
    if (function->parts == NULL || function->part_count == most_parts
        || function->map->find(function->map, address, &place) != mq_ok
        || place.high - place.low
           > 4 * (most_instructions - function->instruction_count)
        || mq_decode(function->decoder, function->map, &place, &part.code)
           != mq_ok)
        return mq_absent;
    part.low = place.low;
    part.high = place.high;
    part.bias = place.bias;
    part.spots = calloc(part.code->count + 1, sizeof *part.spots);
    if (part.spots == NULL)
        return mq_failed;
    function->instruction_count += part.code->count;
    function->parts[function->part_count++] = part;
    last = &function->parts[function->part_count - 1];
    /* The targets of jumps in this part, which were not visited yet, and of its
     * own in others.
     */
    for (size_t i = 0; i < function->part_count; i++) {
        const struct mq_function_part *from = &function->parts[i];

        for (size_t j = 0; j < from->code->goal_count; j++) {
            struct at at;

            if (find_spot(function, from->code->goals[j] + from->bias, &at)
                != mq_ok)
                continue;
            if (at.part == last)
                spot_at(at)->is_join = true;
            else
                add_meeting(function, at);
        }
    }
    return mq_ok;
}

/* The instruction at ADDRESS: mq_absent if it is none of a function. */
static enum mq_result get(struct mq_function *function, uint64_t address,
                          struct at *at)
{
    if (find_part(function, address) == NULL
        && add_part(function, address) != mq_ok)
        return mq_absent;
    return find_spot(function, address, at);
}

enum mq_result mq_function_call_before(struct mq_function *function,
                                       uint64_t address,
                                       const struct mq_instruction **call,
                                       uint64_t *bias)
{
    if (find_part(function, address - 1) == NULL
        && add_part(function, address - 1) != mq_ok)
        return mq_absent;
    for (int size = 1; size <= function->decoder->machine->longest; size++) {
        const struct mq_instruction *one;
        struct at at;

        if (find_spot(function, address - (uint64_t)size, &at) != mq_ok)
            continue;
        one = instruction_at(at);
        if (one->length != size)
            continue;
        *call = one;
        *bias = at.part->bias;
        return one->course == mq_calls ? mq_ok : mq_absent;
    }
    return mq_absent;
}

/* ---- Worklist ----------------------------------------------------------- */

static enum mq_result add_waiting(struct flow *flow, struct at new)
{
    const uint64_t address = address_of(new);
    size_t at = flow->worklist_count;

    if (mq_array_reserve(&flow->worklist, sizeof *flow->worklist, at + 1,
                         &flow->worklist_room, "for machine code", NULL)
        != mq_ok)
        return mq_failed;
    flow->worklist_count++;
    while (at > 0 && address_of(flow->worklist[(at - 1) / 2]) > address) {
        flow->worklist[at] = flow->worklist[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    flow->worklist[at] = new;
    return mq_ok;
}

static struct at take_lowest(struct flow *flow)
{
    struct at lowest = flow->worklist[0];
    struct at last = flow->worklist[--flow->worklist_count];
    const uint64_t address = address_of(last);
    size_t at = 0, child;

    for (; (child = 2 * at + 1) < flow->worklist_count; at = child) {
        if (child + 1 < flow->worklist_count
            && address_of(flow->worklist[child + 1])
               < address_of(flow->worklist[child]))
            child++;
        if (address_of(flow->worklist[child]) >= address)
            break;
        flow->worklist[at] = flow->worklist[child];
    }
    flow->worklist[at] = last;
    return lowest;
}

/* A path leads to AT, in STATE. */
static enum mq_result arrive_at(struct flow *flow, struct at at,
                                const struct mq_state *state)
{
    struct mq_function *function = flow->function;
    struct spot *spot = spot_at(at);

    if (state->is_lost)
        return mq_failed;
    if (spot->arrived == NULL) {
        function->size += sizeof *state + state->count * sizeof *state->cells;
        if (function->size > most_size)
            return mq_failed;
        spot->arrived = malloc(sizeof *spot->arrived);
        if (spot->arrived == NULL)
            return mq_failed;
        mq_state_init(spot->arrived);
        mq_state_copy(spot->arrived, state);
    } else if (!mq_state_join(spot->arrived, state)) {
        return spot->arrived->is_lost ? mq_failed : mq_ok;
    }
    if (spot->arrived->is_lost)
        return mq_failed;
    if (spot->is_queued)
        return mq_ok;
    spot->is_queued = true;
    return add_waiting(flow, at);
}

/* A path leads to ADDRESS, perhaps to no known function. */
static enum mq_result arrive(struct flow *flow, uint64_t address,
                             const struct mq_state *state)
{
    struct at at;

    return state->is_lost ? mq_failed
           : get(flow->function, address, &at) == mq_ok
             ? arrive_at(flow, at, state) : mq_ok;
}

/* ---- Jumps -------------------------------------------------------------- */

/* The places of a table of distances, and perhaps others: where it ends is not
 * written anywhere.
 */
static enum mq_result follow_table(struct flow *flow,
                                   const struct mq_function_part *part,
                                   uint64_t table,
                                   const struct mq_state *state)
{
    uint64_t target;
    int64_t distance;
    struct at at;
    int i;

    for (i = 0; i < most_cases; i++) {
        if (mq_target_read_signed(flow->context->code, table + 4 * (uint64_t)i,
                                  4, NULL, &distance) != mq_ok)
            break;
        target = table + (uint64_t)distance;
        if (target < part->low || target >= part->high
            || find_spot(flow->function, target, &at) != mq_ok)
            break;
        add_meeting(flow->function, at);
        if (arrive_at(flow, at, state) != mq_ok)
            return mq_failed;
    }
    return i > 0 ? mq_ok : mq_failed;
}

static enum mq_result follow_jump(struct flow *flow, struct at from,
                                  const struct mq_state *state)
{
    const struct mq_instruction *one = instruction_at(from);
    const struct mq_function_part *part = from.part;
    const struct mq_operand *goal = &one->goal;
    const struct mq_code_machine *machine = flow->context->machine;
    uint64_t target, top;

    if (one->leads_to != mq_elsewhere)
        return arrive_at(flow, (struct at){ from.part, one->leads_to }, state);
    if (goal->kind == mq_a_number)
        return arrive(flow, (uint64_t)goal->offset + part->bias, state);
    if (goal->kind == mq_in_a_register
        && mq_fact_get(&state->tables, goal->number, &target) == mq_ok)
        return follow_table(flow, part, target, state);
    if (goal->kind == mq_in_memory && goal->is_here
        && mq_target_read_unsigned(flow->context->code,
                                   (uint64_t)goal->offset + part->bias, 8,
                                   NULL, &target) == mq_ok
        && target == flow->goal)
        return arrive(flow, target, state);
    /* Or the function may have become another one. */
    return mq_fact_get(&state->known, machine->sp, &top) == mq_ok
           && top == flow->context->cfa - (uint64_t)machine->return_address
           ? mq_ok : mq_failed;
}

/* ---- Paths -------------------------------------------------------------- */

/* Follows the path from AT, in STATE, to the next join points. */
static enum mq_result follow_way(struct flow *flow, struct at at,
                                 struct mq_state *state)
{
    for (;;) {
        const struct mq_instruction *one = instruction_at(at);
        bool jumps = one->course == mq_jumps || one->course == mq_may_jump;

        if (++flow->function->steps > most_steps
            || ++flow->function->decoder->steps > most_steps_in_all
            || one->course == mq_is_strange)
            return mq_failed;
        if (jumps) {
            if (follow_jump(flow, at, state) != mq_ok)
                return mq_failed;
        } else if (one->effect_count > 0) {
            mq_state_step(flow->context, state,
                          at.part->code->effects + one->first_effect,
                          one->effect_count, at.part->bias);
        }
        if (one->course == mq_jumps || one->course == mq_ends
            || (one->course == mq_calls && one->is_final))
            return mq_ok;
        if (at.index + 1 < at.part->code->count)
            at.index++;
        else if (get(flow->function, one->address + one->length + at.part->bias,
                     &at) != mq_ok)
            return mq_ok;
        if (jumps || is_join(at))
            return arrive_at(flow, at, state);
    }
}

enum mq_result mq_function_follow(struct mq_function *function,
                                  struct mq_machine_context *context,
                                  uint64_t entry, const struct mq_state *start,
                                  uint64_t until, struct mq_state *result)
{
    struct flow flow = { .function = function, .context = context };
    enum mq_result followed = mq_ok;
    struct mq_code_place place;
    struct mq_state state;
    struct at at;

    if (function->map->find(function->map, until, &place) != mq_ok)
        return mq_failed;
    flow.goal = place.low;
    get(function, entry, &at);
    if (get(function, until, &at) == mq_ok)
        add_meeting(function, at);
    mq_state_init(&state);
    do {                        /* until no more join points are found */
        function->has_new_joins = false;
        flow.worklist_count = 0;
        forget_states(function);
        followed = arrive(&flow, entry, start);
        while (followed == mq_ok && flow.worklist_count > 0) {
            at = take_lowest(&flow);
            spot_at(at)->is_queued = false;
            mq_state_copy(&state, spot_at(at)->arrived);
            followed = follow_way(&flow, at, &state);
        }
    } while (followed == mq_ok && function->has_new_joins);
    mq_state_deinit(&state);
    free(flow.worklist);
    if (followed != mq_ok)
        return mq_failed;
    if (find_spot(function, until, &at) != mq_ok
        || spot_at(at)->arrived == NULL)
        return mq_absent;
    mq_state_copy(result, spot_at(at)->arrived);
    return result->is_lost ? mq_failed : mq_ok;
}
