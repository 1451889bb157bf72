/* machine_state.c - abstract state before an instruction */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/machine_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum {
    most_names = 1 << 18,
    most_cells = 512,           /* of a state */
    most_reads = 1 << 14,
    deepest = 6,                /* of what is computed of what was computed */
    largest_frame = 1 << 24,
    largest_operand = 512
};

/* ---- Names -------------------------------------------------------------- */

const struct mq_name *mq_only(const struct mq_names *names, mq_origin origin)
{
    return origin == 0 || (origin & mq_aliased) != 0 || origin == mq_mixed
           ? NULL : &names->all[(origin >> 1) - 1];
}

static unsigned depth_of(const struct mq_names *names, mq_origin origin)
{
    const struct mq_name *name = mq_only(names, origin);

    return name == NULL || name->kind != mq_of_computed ? 0 : name->depth;
}

/* A, B and the kind in one number, as long as names are few. */
mq_origin mq_name(struct mq_names *names, enum mq_name_kind kind, uint32_t a,
                  uint32_t b, uint64_t c)
{
    const struct mq_key key = {
        (uint64_t)kind << 60 | (uint64_t)a << 30 | b, c
    };
    uint32_t *known = mq_map_find(&names->known, key);
    struct mq_name *made;
    uint32_t *index;

    if (known != NULL)
        return (*known + 1) << 1;
    if (names->count == most_names
        || mq_array_reserve(&names->all, sizeof *names->all, names->count + 1,
                            &names->room, "for values", NULL) != mq_ok
        || mq_map_add(&names->known, key, (uint32_t)names->count, NULL, &index)
           != mq_ok)
        return 0;
    made = &names->all[names->count++];
    *made = (struct mq_name){ .kind = kind, .a = a, .b = b, .c = c };
    if (kind == mq_of_computed) {
        unsigned one = depth_of(names, a), other = depth_of(names, b);

        made->depth = 1 + (one > other ? one : other);
        made->rests_on = names->all[(a >> 1) - 1].rests_on
                         | names->all[(b >> 1) - 1].rests_on;
    } else if (kind != mq_of_constant) {
        made->rests_on = (uint64_t)1 << names->count % 64;
    }
    return (mq_origin)names->count << 1;
}

void mq_names_deinit(struct mq_names *names)
{
    free(names->all);
    mq_map_deinit(&names->known);
    memset(names, 0, sizeof *names);
}

/* ---- Cells -------------------------------------------------------------- */

void mq_state_init(struct mq_state *state)
{
    memset(state, 0, sizeof *state);
    state->escaped[0] = state->escaped[1] = mq_not_escaped;
}

void mq_state_deinit(struct mq_state *state)
{
    free(state->cells);
    mq_state_init(state);
}

void mq_state_copy(struct mq_state *to, const struct mq_state *from)
{
    struct mq_cell *cells = to->cells;
    size_t room = to->room;

    if (mq_array_reserve(&cells, sizeof *cells, from->count, &room,
                         "for values", NULL) == mq_ok) {
        *to = *from;
        if (from->count > 0)
            memcpy(cells, from->cells, from->count * sizeof *cells);
    } else {
        to->is_lost = true;
    }
    to->cells = cells;
    to->room = room;
}

static bool comes_before(const struct mq_cell *cell, unsigned char base,
                         int64_t offset)
{
    return cell->base != base ? cell->base < base : cell->offset < offset;
}

/* The index of the first cell that does not come before this one. */
static size_t find_cell(const struct mq_state *state, unsigned char base,
                        int64_t offset)
{
    size_t low = 0, high = state->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (comes_before(&state->cells[middle], base, offset))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_cell(const struct mq_state *state, size_t index,
                    unsigned char base, int64_t offset)
{
    return index < state->count && state->cells[index].base == base
           && state->cells[index].offset == offset;
}

mq_origin mq_state_get(const struct mq_state *state, unsigned char base,
                       int64_t offset)
{
    size_t index = find_cell(state, base, offset);

    return is_cell(state, index, base, offset) ? state->cells[index].origin
           : 0;
}

/* The stack's cells have no register. */
static uint64_t bit_of(unsigned char base)
{
    return base < mq_machine_registers ? (uint64_t)1 << base : 0;
}

static void drop_cells(struct mq_state *state, size_t index, size_t count)
{
    state->count -= count;
    memmove(state->cells + index, state->cells + index + count,
            (state->count - index) * sizeof *state->cells);
}

void mq_state_put(struct mq_state *state, unsigned char base, int64_t offset,
                  mq_origin origin)
{
    size_t index = find_cell(state, base, offset);

    if (is_cell(state, index, base, offset)) {
        if (origin != 0)
            state->cells[index].origin = origin;
        else
            drop_cells(state, index, 1);
        return;
    }
    if (origin == 0)
        return;
    if (state->count == most_cells
        || mq_array_reserve(&state->cells, sizeof *state->cells,
                            state->count + 1, &state->room, "for values", NULL)
           != mq_ok) {
        state->is_lost = true;
        return;
    }
    memmove(state->cells + index + 1, state->cells + index,
            (state->count - index) * sizeof *state->cells);
    state->cells[index] = (struct mq_cell){ base, offset, origin };
    state->count++;
    state->bases |= bit_of(base);
}

/* ---- Facts -------------------------------------------------------------- */

enum mq_result mq_fact_get(const struct mq_facts *facts, unsigned char number,
                           uint64_t *value)
{
    if (number >= mq_first_vector || (facts->are >> number & 1) == 0)
        return mq_absent;
    *value = facts->of[number];
    return mq_ok;
}

static void set_fact(struct mq_facts *facts, unsigned char number,
                     uint64_t value)
{
    if (number < mq_first_vector) {
        facts->of[number] = value;
        facts->are |= (uint32_t)1 << number;
    }
}

static void drop_facts(struct mq_state *state, unsigned char number)
{
    const uint32_t others = number < mq_first_vector
                            ? ~((uint32_t)1 << number) : ~(uint32_t)0;

    state->known.are &= others;
    state->loaded.are &= others;
    state->tables.are &= others;
}

void mq_state_know(struct mq_state *state, unsigned char number,
                   uint64_t address)
{
    drop_facts(state, number);
    set_fact(&state->known, number, address);
}

/* Keeps what both say. */
static bool join_facts(struct mq_facts *facts, const struct mq_facts *other)
{
    uint32_t before = facts->are, left;

    facts->are &= other->are;
    for (left = facts->are; left != 0; left &= left - 1) {
        int i = __builtin_ctz(left);

        if (facts->of[i] != other->of[i])
            facts->are &= ~((uint32_t)1 << i);
    }
    return facts->are != before;
}

/* ---- Join --------------------------------------------------------------- */

static mq_origin both(mq_origin one, mq_origin other)
{
    mq_origin name = one >> 1 == other >> 1 ? one & ~(mq_origin)mq_aliased
                     : mq_mixed;

    return name | ((one | other) & mq_aliased);
}

static bool join_registers(struct mq_state *state,
                           const struct mq_state *other)
{
    bool is_new = false;

    if (memcmp(state->registers, other->registers, sizeof state->registers)
        == 0)
        return false;
    for (int i = 0; i < mq_machine_registers; i++) {
        mq_origin *mine = state->registers[i];
        const mq_origin *theirs = other->registers[i];

        if (memcmp(mine, theirs, sizeof state->registers[i]) == 0)
            continue;                   /* as in most of them */
        for (int j = 0; j < mq_register_cells; j++) {
            mq_origin now = both(mine[j], theirs[j]);

            is_new |= now != mine[j];
            mine[j] = now;
        }
    }
    return is_new;
}

/* Below 0 if ONE comes first, 0 if they are of one place. */
static int compare_cells(const struct mq_cell *one, const struct mq_cell *other)
{
    return comes_before(one, other->base, other->offset) ? -1
           : comes_before(other, one->base, one->offset);
}

/* Joins the cells that STATE has; how many it lacks. */
static size_t join_own_cells(struct mq_state *state,
                             const struct mq_state *other, bool *is_new)
{
    size_t lacks = other->count, j = 0;

    for (size_t i = 0; i < state->count; i++) {
        struct mq_cell *mine = &state->cells[i];
        mq_origin theirs = 0, now;

        while (j < other->count && compare_cells(&other->cells[j], mine) < 0)
            j++;
        if (j < other->count && compare_cells(&other->cells[j], mine) == 0) {
            theirs = other->cells[j++].origin;
            lacks--;
        }
        now = both(mine->origin, theirs);
        *is_new |= now != mine->origin;
        mine->origin = now;
    }
    return lacks;
}

/* Adds the cells that STATE lacks, so many, from the last one on. */
static void add_cells(struct mq_state *state, const struct mq_state *other,
                      size_t lacks)
{
    size_t i = state->count, j = other->count;

    if (state->count + lacks > most_cells
        || mq_array_reserve(&state->cells, sizeof *state->cells,
                            state->count + lacks, &state->room, "for values",
                            NULL) != mq_ok) {
        state->is_lost = true;
        return;
    }
    state->count += lacks;
    state->bases |= other->bases;
    while (lacks > 0) {
        const struct mq_cell *theirs = &other->cells[j - 1];
        int order = i == 0 ? -1 : compare_cells(&state->cells[i - 1], theirs);

        if (order >= 0) {
            i--;
            state->cells[i + lacks] = state->cells[i];
        } else {
            lacks--;
            state->cells[i + lacks] = *theirs;
            state->cells[i + lacks].origin = both(0, theirs->origin);
        }
        if (order <= 0)
            j--;
    }
}

bool mq_state_join(struct mq_state *state, const struct mq_state *other)
{
    bool is_new = join_registers(state, other);
    size_t lacks;

    for (size_t i = 0; i < 2; i++) {
        if (other->escaped[i] < state->escaped[i]) {
            state->escaped[i] = other->escaped[i];
            is_new = true;
        }
    }
    lacks = join_own_cells(state, other, &is_new);
    if (lacks > 0)
        add_cells(state, other, lacks);
    is_new |= lacks > 0;
    is_new |= join_facts(&state->known, &other->known);
    is_new |= join_facts(&state->loaded, &other->loaded);
    is_new |= join_facts(&state->tables, &other->tables);
    state->is_lost |= other->is_lost;
    return is_new;
}

/* ---- The stack ---------------------------------------------------------- */

bool mq_on_stack(const struct mq_machine_context *context, uint64_t address,
                 int64_t *offset)
{
    int64_t distance = (int64_t)(address - context->cfa);

    if (distance <= -largest_frame || distance >= largest_frame)
        return false;
    *offset = distance;
    return true;
}

static int64_t return_address(const struct mq_machine_context *context)
{
    return -(int64_t)context->machine->return_address;
}

static void expose(const struct mq_machine_context *context,
                   struct mq_state *state, uint64_t address)
{
    int64_t offset, *lowest;

    if (!mq_on_stack(context, address, &offset))
        return;
    lowest = &state->escaped[offset >= return_address(context)];
    if (offset < *lowest)
        *lowest = offset;
}

/* Marks the stack's cells that are not below these. */
static void mark_cells(struct mq_state *state, int64_t end, int64_t below,
                       int64_t above)
{
    size_t i;

    for (i = find_cell(state, mq_no_register, INT64_MIN); i < state->count;
         i++) {
        struct mq_cell *cell = &state->cells[i];

        if (cell->offset >= (cell->offset < end ? below : above))
            cell->origin |= mq_aliased;
    }
}

void mq_state_alias_escaped(struct mq_state *state, int64_t end)
{
    int64_t lowest[2];

    for (int i = 0; i < 2; i++)
        lowest[i] = state->escaped[i] == mq_not_escaped ? mq_not_escaped
                    : state->escaped[i] - 3;
    mark_cells(state, end, lowest[0], lowest[1]);
}

/* Something was written somewhere in what BASE points to or, if that is not
 * known, where any address points to.
 */
static void store_somewhere(const struct mq_machine_context *context,
                            struct mq_state *state, unsigned char base)
{
    int64_t end = return_address(context), offset;
    uint64_t address;

    if (mq_fact_get(&state->known, base, &address) != mq_ok)
        mq_state_alias_escaped(state, end);
    else if (mq_on_stack(context, address, &offset))
        mark_cells(state, end, offset, offset);
}

static void drop_below(const struct mq_machine_context *context,
                       struct mq_state *state)
{
    size_t first = find_cell(state, mq_no_register, INT64_MIN);
    size_t end = state->count;
    uint64_t top;

    if (mq_fact_get(&state->known, context->machine->sp, &top) == mq_ok)
        end = find_cell(state, mq_no_register, (int64_t)(top - context->cfa));
    if (end > first)
        drop_cells(state, first, end - first);
}

/* ---- Reading ------------------------------------------------------------ */

/* Possible contents of an operand, up to four cells. */
struct cells {
    mq_origin all[mq_register_cells];
    size_t count;
};

/* One step, and the code that it is of. */
struct step {
    struct mq_machine_context *context;
    struct mq_state *state;
    uint64_t bias;
};

/* Whether what has ORIGIN is NAME, or may be computed of that. */
static bool rests_on(const struct mq_names *names, mq_origin origin,
                     mq_origin name)
{
    const mq_origin plain = origin & ~(mq_origin)mq_aliased;
    const struct mq_name *what = mq_only(names, plain);

    return plain == name
           || (what != NULL && what->kind == mq_of_computed
               && (what->rests_on & mq_only(names, name)->rests_on) != 0);
}

/* Names what is somewhere now; nothing else has the name any more. */
static mq_origin rename_value(struct step *step, enum mq_name_kind kind,
                              uint32_t a, uint32_t b, uint64_t c)
{
    const struct mq_names *names = step->context->names;
    struct mq_state *state = step->state;
    mq_origin name = mq_name(step->context->names, kind, a, b, c);
    size_t i, kept = 0;

    if (name == 0)
        return 0;
    for (i = 0; i < mq_machine_registers; i++) {
        for (int j = 0; j < mq_register_cells; j++)
            if (rests_on(names, state->registers[i][j], name))
                state->registers[i][j] = 0;
    }
    for (i = 0; i < state->count; i++)
        if (!rests_on(names, state->cells[i].origin, name))
            state->cells[kept++] = state->cells[i];
    state->count = kept;
    return name;
}

static enum mq_result address_of(const struct step *step,
                                 const struct mq_operand *memory,
                                 uint64_t *address)
{
    uint64_t base = memory->is_here ? step->bias : 0;

    if (memory->has_index
        || (memory->number != mq_no_register
            && mq_fact_get(&step->state->known, memory->number, &base)
               != mq_ok))
        return mq_absent;
    *address = base + (uint64_t)memory->offset;
    return mq_ok;
}

/* The offset of the cell that has ADDRESS, as those are aligned. */
static int64_t cell_at(int64_t offset, uint64_t address)
{
    return offset - (int64_t)(address % 4);
}

static void load(struct step *step, uint64_t address, struct cells *found)
{
    bool is_stacks, names_values = step->context->names_values;
    int64_t offset = 0;

    is_stacks = mq_on_stack(step->context, address, &offset);
    if (address % 4 != 0)
        return;
    for (size_t i = 0; i < found->count && is_stacks; i++)
        found->all[i] = mq_state_get(step->state, mq_no_register,
                                     offset + 4 * (int64_t)i);
    for (size_t i = 0; i < found->count && names_values; i++) {
        if (is_stacks && found->all[i] != 0 && found->all[i] != mq_mixed)
            continue;
        found->all[i] = rename_value(step, mq_of_memory, 0, 0,
                                     address + 4 * i);
        if (is_stacks)
            mq_state_put(step->state, mq_no_register,
                         offset + 4 * (int64_t)i, found->all[i]);
    }
}

static void note_read(struct mq_machine_context *context, uint64_t address)
{
    struct mq_key key = { 0, 0 };
    uint32_t *value;
    int64_t offset;

    if (!mq_on_stack(context, address, &offset)
        || context->reads.count >= most_reads)
        return;
    key.a = (uint64_t)cell_at(offset, address);
    mq_map_add(&context->reads, key, 1, NULL, &value);
}

/* The contents at OFFSET from the register's target. */
static void load_pointed(struct step *step, const struct mq_operand *memory,
                         struct cells *found)
{
    const mq_origin *halves = step->state->registers[memory->number];
    mq_origin lower = halves[0], upper = halves[1];
    const struct mq_names *names = step->context->names;

    if (!step->context->names_values || mq_only(names, lower) == NULL
        || mq_only(names, upper) == NULL)
        return;
    for (size_t i = 0; i < found->count; i++)
        found->all[i] = rename_value(step, mq_of_pointed, lower, upper,
                                     (uint64_t)memory->offset + 4 * i);
}

static void name_number(const struct step *step, uint64_t number,
                        struct cells *found)
{
    for (size_t i = 0; i < found->count && step->context->names_values; i++)
        found->all[i] = mq_name(step->context->names, mq_of_constant, 0, 0,
                                i < 2 ? number >> 32 * i & UINT32_MAX : 0);
}

static struct cells read_operand(struct step *step,
                                 const struct mq_operand *from, size_t size)
{
    struct cells found = { { 0 }, size < 16 ? size / 4 : 4 };
    uint64_t address;

    if (from->kind == mq_in_a_register) {
        memcpy(found.all, step->state->registers[from->number],
               found.count * sizeof found.all[0]);
    } else if (from->kind == mq_a_number) {
        if (!from->is_here)
            name_number(step, (uint64_t)from->offset, &found);
    } else if (from->kind == mq_in_memory) {
        if (address_of(step, from, &address) == mq_ok) {
            note_read(step->context, address);
            load(step, address, &found);
        } else if (!from->has_index) {
            load_pointed(step, from, &found);
        }
    }
    return found;
}

/* ---- Writing ------------------------------------------------------------ */

/* Takes the cells out that a register points to, which may be none. */
static void drop_pointed(struct mq_state *state, unsigned char number)
{
    size_t first = find_cell(state, number, INT64_MIN), end = first;

    while (end < state->count && state->cells[end].base == number)
        end++;
    if (end > first)
        drop_cells(state, first, end - first);
    state->bases &= ~bit_of(number);
}

void mq_state_set_register(struct mq_state *state, unsigned char number,
                           const mq_origin *cells, size_t count)
{
    if ((state->bases & bit_of(number)) != 0)
        drop_pointed(state, number);
    for (size_t i = 0; i < mq_register_cells; i++)
        state->registers[number][i] = i < count && cells != NULL ? cells[i]
                                      : 0;
    drop_facts(state, number);
}

void mq_state_keep_registers(struct mq_state *state, uint64_t kept)
{
    for (int i = 0; i < mq_machine_registers; i++) {
        if ((kept >> i & 1) != 0)
            continue;
        if ((state->bases >> i & 1) != 0)
            drop_pointed(state, (unsigned char)i);
        memset(state->registers[i], 0, sizeof state->registers[i]);
    }
    state->known.are &= (uint32_t)kept;
    state->loaded.are &= (uint32_t)kept;
    state->tables.are &= (uint32_t)kept;
}

static void store(const struct step *step, uint64_t address,
                  const struct cells *values, size_t size)
{
    int64_t offset;
    size_t i;

    if (!mq_on_stack(step->context, address, &offset))
        return;
    for (int64_t cell = cell_at(offset, address); cell < offset + (int64_t)size;
         cell += 4)
        mq_state_put(step->state, mq_no_register, cell, 0);
    for (i = 0; address % 4 == 0 && i < values->count && i < size / 4; i++)
        mq_state_put(step->state, mq_no_register, offset + 4 * (int64_t)i,
                     values->all[i]);
}

/* Anybody may know a place that is not on the stack. */
static void store_pointed(const struct step *step,
                          const struct mq_operand *memory,
                          const struct cells *values, size_t size)
{
    int64_t offset = memory->offset, cell;
    int64_t over = (offset % 4 + 4) % 4;

    for (cell = offset - over; cell < offset + (int64_t)size; cell += 4)
        mq_state_put(step->state, memory->number, cell, 0);
    for (size_t i = 0; i < values->count && i < size / 4; i++)
        if (values->all[i] != 0)
            mq_state_put(step->state, memory->number, offset + 4 * (int64_t)i,
                         values->all[i] | mq_aliased);
}

static void write_operand(struct step *step, const struct mq_operand *to,
                          struct cells values, size_t size)
{
    uint64_t address;

    if (size > largest_operand)
        size = largest_operand;
    if (to->kind == mq_in_a_register) {
        if (size <= 8 && values.count > size / 4)
            values.count = size / 4;
        if (size == 4) {                /* the upper half becomes zero */
            struct cells zero = { { 0 }, 1 };

            name_number(step, 0, &zero);
            values.all[1] = zero.all[0];
            values.all[0] = values.count > 0 ? values.all[0] : 0;
            values.count = 2;
        }
        mq_state_set_register(step->state, to->number, values.all,
                              values.count);
    } else if (to->kind == mq_in_memory) {
        if (address_of(step, to, &address) == mq_ok) {
            store(step, address, &values, size);
            return;
        }
        store_somewhere(step->context, step->state, to->number);
        if (!to->has_index)
            store_pointed(step, to, &values, size);
    }
}

static const struct cells nothing = { { 0 }, 0 };

/* ---- Addresses ---------------------------------------------------------- */

enum mq_result mq_state_pointer(const struct mq_machine_context *context,
                                const struct mq_state *state,
                                unsigned char number, uint64_t *value)
{
    const struct mq_name *lower, *upper;

    if (number >= mq_machine_registers)
        return mq_absent;
    lower = mq_only(context->names, state->registers[number][0]);
    upper = mq_only(context->names, state->registers[number][1]);
    if (lower == NULL || upper == NULL || lower->kind != mq_of_argument
        || upper->kind != mq_of_argument || lower->a != upper->a
        || upper->b != 1)
        return mq_fact_get(&state->loaded, number, value);
    if (lower->a >= mq_most_sizes || !context->has_value[lower->a])
        return mq_absent;
    *value = context->values[lower->a];
    return mq_ok;
}

static bool is_register(const struct mq_operand *operand)
{
    return operand->kind == mq_in_a_register;
}

/* Whether a pointer is on its way to where the stack's own are. */
static bool is_stacks(const struct mq_code_machine *machine,
                      const struct mq_operand *to)
{
    return is_register(to) && (to->number == machine->sp
                               || to->number == machine->frame);
}

/* TO got the pointer at ADDRESS, which is not on the stack. */
static void note_loaded(struct step *step, const struct mq_operand *to,
                        uint64_t address)
{
    int64_t offset;
    uint64_t value;

    if (!mq_on_stack(step->context, address, &offset)
        && mq_target_read_unsigned(step->context->code, address, 8, NULL,
                                   &value) == mq_ok)
        set_fact(&step->state->loaded, to->number, value);
}

/* ---- Effects ------------------------------------------------------------ */

static void copy(struct step *step, const struct mq_effect *effect)
{
    const struct mq_operand *from = &effect->from, *to = &effect->to;
    const bool is_pointer = effect->size == 8 && is_register(to)
                            && to->number < mq_first_vector
                            && from->kind == mq_in_memory && !from->has_index;
    uint64_t known = 0, base = 0;
    bool is_known, has_base;

    is_known = effect->size == 8 && is_register(from)
               && mq_fact_get(&step->state->known, from->number, &known)
                  == mq_ok;
    has_base = from->kind == mq_in_memory
               && mq_state_pointer(step->context, step->state, from->number,
                                   &base) == mq_ok;
    if (is_known && !is_stacks(step->context->machine, to))
        expose(step->context, step->state, known);
    write_operand(step, to, read_operand(step, from, effect->size),
                  effect->size);
    if (is_known && is_register(to))
        mq_state_know(step->state, to->number, known);
    if (is_pointer && from->is_here)
        note_loaded(step, to, (uint64_t)from->offset + step->bias);
    else if (is_pointer && has_base)
        note_loaded(step, to, base + (uint64_t)from->offset);
}

/* Off the top of the stack. */
static void restore(struct step *step, const struct mq_effect *effect)
{
    struct cells found = { { 0 }, effect->size < 16 ? effect->size / 4 : 4 };
    uint64_t address;

    if (address_of(step, &effect->from, &address) == mq_ok)
        load(step, address, &found);
    write_operand(step, &effect->to, found, effect->size);
}

/* The value of a memory operand's address, as an int: lea computes, too. */
static mq_origin name_sum(struct step *step, const struct mq_effect *effect);

static void point(struct step *step, const struct mq_effect *effect)
{
    const struct mq_operand *to = &effect->to;
    uint64_t address = 0, base = 0;
    bool is_known = address_of(step, &effect->from, &address) == mq_ok;
    bool has_base = !is_known
        && mq_fact_get(&step->state->known, effect->from.number, &base)
           == mq_ok;
    struct cells sum = { { 0 }, 0 };

    if (effect->size == 4) {
        sum.all[0] = name_sum(step, effect);
        sum.count = 1;
    }
    write_operand(step, to, sum, effect->size == 4 ? 4 : 8);
    if (is_known && effect->size == 8)
        mq_state_know(step->state, to->number, address);
    if (to->number != step->context->machine->sp && (is_known || has_base))
        expose(step->context, step->state, is_known ? address : base);
}

/* The name of what is computed of two ints. */
static mq_origin name_computed(struct step *step, enum mq_operator operator,
                               mq_origin one, mq_origin other)
{
    struct mq_names *names = step->context->names;
    const struct mq_name *first = mq_only(names, one);
    const struct mq_name *second = mq_only(names, other);

    if (!step->context->names_values || first == NULL || second == NULL)
        return 0;
    if (operator == mq_wide)
        return second->kind == mq_of_computed && second->c == mq_sign
               && second->a == one ? one : 0;
    if (depth_of(names, one) >= deepest || depth_of(names, other) >= deepest)
        return 0;
    return mq_name(names, mq_of_computed, one, other, operator);
}

static mq_origin name_sum(struct step *step, const struct mq_effect *effect)
{
    const struct mq_operand *from = &effect->from, *index = &effect->other;
    struct cells offset = { { 0 }, 1 };
    mq_origin sum;

    if (from->kind != mq_in_memory || from->is_here
        || from->number >= mq_machine_registers
        || (from->has_index && !is_register(index)))
        return 0;
    sum = step->state->registers[from->number][0];
    if (from->has_index)
        sum = name_computed(step, mq_plus, sum,
                            step->state->registers[index->number][0]);
    if (from->offset == 0)
        return sum;
    name_number(step, (uint64_t)from->offset, &offset);
    return name_computed(step, mq_plus, sum, offset.all[0]);
}

/* An address that becomes another one. */
static bool is_address(const struct step *step,
                       const struct mq_effect *effect, uint64_t *address)
{
    uint64_t known, number = (uint64_t)effect->other.offset;

    if (effect->size != 8 || !is_register(&effect->to)
        || !is_register(&effect->from) || effect->other.kind != mq_a_number
        || mq_fact_get(&step->state->known, effect->from.number, &known)
           != mq_ok)
        return false;
    switch (effect->operator) {
    case mq_plus: *address = known + number; return true;
    case mq_minus: *address = known - number; return true;
    case mq_and: *address = known & number; return true;
    default: return false;
    }
}

/* Of an address: what is added to a distance in a table of jumps, or is one. */
static bool is_case(const struct step *step, const struct mq_effect *effect,
                    uint64_t *table)
{
    return effect->size == 8 && effect->operator == mq_plus
           && is_register(&effect->to) && is_register(&effect->from)
           && is_register(&effect->other)
           && (mq_fact_get(&step->state->tables, effect->from.number, table)
               == mq_ok
               || mq_fact_get(&step->state->tables, effect->other.number,
                              table) == mq_ok);
}

static void compute(struct step *step, const struct mq_effect *effect)
{
    const struct mq_operand *to = &effect->to;
    uint64_t address = 0, table = 0;
    bool has_address = is_address(step, effect, &address);
    bool has_table = is_case(step, effect, &table);
    struct cells one = read_operand(step, &effect->from, effect->size);
    struct cells other = read_operand(step, &effect->other, effect->size);
    struct cells sum = { { 0 }, 0 };

    if (effect->size == 4) {
        sum.all[0] = name_computed(step, effect->operator, one.all[0],
                                   other.all[0]);
        sum.count = 1;
    }
    write_operand(step, to, sum, effect->size);
    if (has_address) {
        mq_state_know(step->state, to->number, address);
        if (!is_stacks(step->context->machine, to))
            expose(step->context, step->state, address);
    }
    if (has_table)
        set_fact(&step->state->tables, to->number, table);
}

static void extend(struct step *step, const struct mq_effect *effect)
{
    uint64_t table = 0;
    bool has_table = effect->from.kind == mq_in_memory
        && effect->from.has_index
        && mq_fact_get(&step->state->known, effect->from.number, &table)
           == mq_ok;
    struct cells found = read_operand(step, &effect->from, 4);

    found.count = 2;
    found.all[1] = 0;
    write_operand(step, &effect->to, found, 8);
    if (has_table)
        set_fact(&step->state->tables, effect->to.number, table);
}

static void choose(struct step *step, const struct mq_effect *effect)
{
    struct cells one = read_operand(step, &effect->from, effect->size);
    struct cells other = read_operand(step, &effect->other, effect->size);

    for (size_t i = 0; i < one.count; i++)
        one.all[i] = both(one.all[i], other.all[i]);
    write_operand(step, &effect->to, one, effect->size);
}

static void swap(struct step *step, const struct mq_effect *effect)
{
    struct cells one = read_operand(step, &effect->from, effect->size);
    struct cells other = read_operand(step, &effect->to, effect->size);

    write_operand(step, &effect->to, one, effect->size);
    write_operand(step, &effect->from, other, effect->size);
}

static void pick(struct step *step, const struct mq_effect *effect)
{
    struct cells one = read_operand(step, &effect->from, 16);
    struct cells other = read_operand(step, &effect->other, 16), made;

    made.count = effect->size < 16 ? effect->size / 4 : mq_register_cells;
    for (size_t i = 0; i < mq_register_cells; i++)
        made.all[i] = effect->pick[i] < mq_register_cells
                      ? one.all[effect->pick[i]]
                      : other.all[effect->pick[i] % mq_register_cells];
    write_operand(step, &effect->to, made, effect->size);
}

static void leave(struct step *step)
{
    const struct mq_code_machine *machine = step->context->machine;

    mq_state_alias_escaped(step->state, return_address(step->context));
    drop_below(step->context, step->state);
    mq_state_keep_registers(step->state, machine->saved
                                         | bit_of(machine->sp));
}

void mq_state_step(struct mq_machine_context *context, struct mq_state *state,
                   const struct mq_effect *effects, size_t count,
                   uint64_t bias)
{
    struct step step = { context, state, bias };

    for (size_t i = 0; i < count; i++) {
        const struct mq_effect *effect = &effects[i];

        switch (effect->kind) {
        case mq_copies: copy(&step, effect); break;
        case mq_restores: restore(&step, effect); break;
        case mq_points: point(&step, effect); break;
        case mq_computes: compute(&step, effect); break;
        case mq_extends: extend(&step, effect); break;
        case mq_chooses: choose(&step, effect); break;
        case mq_swaps: swap(&step, effect); break;
        case mq_picks: pick(&step, effect); break;
        case mq_reads: read_operand(&step, &effect->from, effect->size); break;
        case mq_fills:
            store_somewhere(context, state, effect->to.number);
            break;
        case mq_leaves: leave(&step); break;
        default: write_operand(&step, &effect->to, nothing, effect->size);
        }
    }
}
