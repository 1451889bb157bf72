/* machine_code.c - decoded instructions of functions */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/machine_code.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum {
    largest_code = 80000,       /* bytes of a function */
    most_kept = 1 << 18,        /* instructions that are kept */
    stub_length = 32,           /* bytes of one in a linker's table, at most */
    stub_steps = 5
};

/* ---- Begin and end ------------------------------------------------------ */

static const struct {
    int number;
    cs_arch arch;
    cs_mode mode;
    const struct mq_code_machine *machine;
    struct mq_operand (*find_register)(const char *name);
    void (*translate)(const struct mq_decoder *, const cs_insn *,
                      struct mq_instruction *, struct mq_effect *);
} machines[] = {
    { EM_X86_64, CS_ARCH_X86, CS_MODE_64, &mq_x86_64_machine,
      mq_x86_64_register, mq_x86_64_translate },
    { EM_AARCH64, CS_ARCH_ARM64, CS_MODE_ARM, &mq_aarch64_machine,
      mq_aarch64_register, mq_aarch64_translate }
};

enum { machine_count = sizeof machines / sizeof machines[0] };

enum mq_result mq_decoder_open(int machine, struct mq_error *error,
                               struct mq_decoder *decoder)
{
    const unsigned names = sizeof decoder->registers
                           / sizeof decoder->registers[0];
    unsigned i;

    memset(decoder, 0, sizeof *decoder);
    for (i = 0; i < machine_count && machines[i].number != machine; i++)
        continue;
    if (i == machine_count
        || cs_open(machines[i].arch, machines[i].mode, &decoder->handle)
           != CS_ERR_OK)
        return mq_absent;
    decoder->machine = machines[i].machine;
    decoder->translate = machines[i].translate;
    /* The block has room for details only if these are wanted already. */
    if (cs_option(decoder->handle, CS_OPT_DETAIL, CS_OPT_ON) == CS_ERR_OK)
        decoder->one = cs_malloc(decoder->handle);
    if (decoder->one == NULL) {
        mq_decoder_close(decoder);
        return mq_fail_memory(error, "for decoding machine code");
    }
    for (unsigned number = 1; number < names; number++) {
        const char *name = cs_reg_name(decoder->handle, number);

        if (name != NULL)
            decoder->registers[number] = machines[i].find_register(name);
    }
    return mq_ok;
}

static void forget_code(struct mq_code *code)
{
    free(code->goals);
    free(code->effects);
    free(code->instructions);
    free(code->bytes);
    free(code);
}

static void forget_all(struct mq_decoder *decoder)
{
    while (decoder->kept_count > 0)
        forget_code(decoder->kept[--decoder->kept_count]);
    mq_map_empty(&decoder->places);
    decoder->weight = 0;
}

void mq_decoder_thin(struct mq_decoder *decoder)
{
    if (decoder->weight > most_kept)
        forget_all(decoder);
}

void mq_decoder_close(struct mq_decoder *decoder)
{
    forget_all(decoder);
    free(decoder->kept);
    mq_map_deinit(&decoder->places);
    if (decoder->one != NULL)
        cs_free(decoder->one, 1);
    if (decoder->handle != 0)
        cs_close(&decoder->handle);
    memset(decoder, 0, sizeof *decoder);
}

/* ---- Decoding ----------------------------------------------------------- */

/* Makes INSTRUCTION of what BYTES begin with. */
static void decode_one(struct mq_decoder *decoder, const unsigned char *bytes,
                       size_t length, uint64_t address,
                       struct mq_instruction *instruction,
                       struct mq_effect *effects)
{
    uint64_t next = address;

    *instruction = (struct mq_instruction){
        .address = address, .leads_to = mq_elsewhere
    };
    if (cs_disasm_iter(decoder->handle, &bytes, &length, &next, decoder->one)
        && decoder->one->detail != NULL) {
        instruction->length = (unsigned char)(next - address);
        decoder->translate(decoder, decoder->one, instruction, effects);
    } else {
        instruction->length = decoder->machine->longest == 4 ? 4 : 1;
        instruction->course = mq_is_strange;
    }
}

static enum mq_result add_instruction(struct mq_code *code,
                                      const struct mq_instruction *instruction,
                                      const struct mq_effect *effects)
{
    size_t many = instruction->effect_count;

    if (mq_array_reserve(&code->instructions, sizeof *instruction,
                         code->count + 1, &code->room, "for machine code",
                         NULL) != mq_ok
        || mq_array_reserve(&code->effects, sizeof *effects,
                            code->effect_count + many, &code->effect_room,
                            "for machine code", NULL) != mq_ok)
        return mq_failed;
    code->instructions[code->count] = *instruction;
    code->instructions[code->count++].first_effect =
        (uint32_t)code->effect_count;
    if (many > 0)
        memcpy(code->effects + code->effect_count, effects,
               many * sizeof *effects);
    code->effect_count += many;
    return mq_ok;
}

static bool is_final(struct mq_decoder *decoder, struct mq_code_map *map,
                     const struct mq_operand *goal, uint64_t bias)
{
    uint64_t target = (uint64_t)goal->offset + bias, slot;

    if (!goal->is_here)
        return false;
    if (goal->kind == mq_in_memory)
        return !goal->has_index && map->is_final(map, target, true);
    return mq_stub_slot(decoder, map, target, &slot) == mq_ok
           ? map->is_final(map, slot, true)
           : map->is_final(map, target, false);
}

static enum mq_result note_goals(struct mq_code *code)
{
    for (size_t i = 0; i < code->count; i++) {
        struct mq_instruction *one = &code->instructions[i];
        uint64_t goal = (uint64_t)one->goal.offset;
        size_t index;

        if ((one->course != mq_jumps && one->course != mq_may_jump)
            || one->goal.kind != mq_a_number)
            continue;
        if (mq_code_find(code, goal, &index) == mq_ok) {
            one->leads_to = (uint32_t)index;
            code->instructions[index].is_goal = true;
        } else if (mq_array_add(&code->goals, sizeof goal, &code->goal_count,
                                &code->goal_room, &goal, "for machine code",
                                NULL) != mq_ok) {
            return mq_failed;
        }
    }
    return mq_ok;
}

static enum mq_result decode_all(struct mq_decoder *decoder,
                                 struct mq_code_map *map, uint64_t bias,
                                 struct mq_code *code)
{
    size_t length = (size_t)(code->high - code->low), at = 0;

    while (at < length) {
        struct mq_effect effects[mq_most_effects];
        struct mq_instruction one;

        decode_one(decoder, code->bytes + at, length - at, code->low + at,
                   &one, effects);
        at += one.length;
        one.is_final = one.course == mq_calls
                       && is_final(decoder, map, &one.goal, bias);
        if (add_instruction(code, &one, effects) != mq_ok)
            return mq_failed;
    }
    return note_goals(code);
}

/* ---- Kept code ---------------------------------------------------------- */

/* The later one of two that differ at a place is found. */
enum mq_result mq_decode(struct mq_decoder *decoder, struct mq_code_map *map,
                         const struct mq_code_place *place,
                         const struct mq_code **result)
{
    struct mq_key key = { (uint64_t)(uintptr_t)place->owner,
                          place->low - place->bias };
    uint32_t *known = mq_map_find(&decoder->places, key), index;
    const size_t length = (size_t)(place->high - place->low);
    struct mq_code *code, *same;

    if (place->high <= place->low || place->high - place->low > largest_code)
        return mq_absent;
    code = calloc(1, sizeof *code);
    if (code == NULL)
        return mq_absent;
    code->low = place->low - place->bias;
    code->high = place->high - place->bias;
    code->owner = place->owner;
    code->bytes = malloc(length);
    if (code->bytes == NULL
        || map->code->ops->read(map->code, place->low, length, NULL,
                                code->bytes) != mq_ok) {
        forget_code(code);
        return mq_absent;
    }
    same = known != NULL ? decoder->kept[*known] : NULL;
    if (same != NULL && same->owner == code->owner && same->low == code->low
        && same->high == code->high
        && memcmp(same->bytes, code->bytes, length) == 0) {
        forget_code(code);
        *result = same;
        return mq_ok;
    }
    if (decode_all(decoder, map, place->bias, code) != mq_ok
        || mq_array_add(&decoder->kept, sizeof code, &decoder->kept_count,
                        &decoder->kept_room, &code, "for machine code", NULL)
           != mq_ok) {
        forget_code(code);
        return mq_failed;
    }
    index = (uint32_t)decoder->kept_count - 1;
    decoder->weight += code->count;
    *result = code;
    if (mq_map_add(&decoder->places, key, index, NULL, &known) == mq_ok)
        *known = index;
    return mq_ok;
}

enum mq_result mq_code_find(const struct mq_code *code, uint64_t address,
                            size_t *index)
{
    size_t count = mq_array_upto(code->instructions, code->count,
                                 sizeof *code->instructions,
                                 offsetof(struct mq_instruction, address),
                                 address);

    if (count == 0 || code->instructions[count - 1].address != address)
        return mq_absent;
    *index = count - 1;
    return mq_ok;
}

/* ---- Stubs -------------------------------------------------------------- */

/* Effect of a stub's first instructions on registers. */
struct stub {
    uint64_t points[mq_machine_registers];
    bool is_pointer[mq_machine_registers];
    uint64_t slots[mq_machine_registers];
    bool has_slot[mq_machine_registers];
};

static enum mq_result place_of(const struct stub *stub,
                               const struct mq_operand *memory,
                               uint64_t *place)
{
    bool is_counted = memory->number < mq_machine_registers;

    if (memory->kind != mq_in_memory || memory->has_index
        || (is_counted ? !stub->is_pointer[memory->number] : !memory->is_here))
        return mq_absent;
    *place = (uint64_t)memory->offset
             + (is_counted ? stub->points[memory->number] : 0);
    return mq_ok;
}

/* Whether EFFECT is one that a stub may have. */
static bool do_effect(const struct mq_code_machine *machine, struct stub *stub,
                      const struct mq_effect *effect)
{
    unsigned char to = effect->to.number;

    if (effect->to.kind != mq_in_a_register || to >= mq_machine_registers
        || (machine->linkers >> to & 1) == 0)
        return false;
    stub->is_pointer[to] = effect->kind == mq_points
        && place_of(stub, &effect->from, &stub->points[to]) == mq_ok;
    stub->has_slot[to] = effect->kind == mq_copies
        && place_of(stub, &effect->from, &stub->slots[to]) == mq_ok;
    return true;
}

enum mq_result mq_stub_slot(struct mq_decoder *decoder,
                            struct mq_code_map *map, uint64_t address,
                            uint64_t *slot)
{
    struct mq_effect effects[mq_most_effects];
    struct stub stub = { .points = { 0 } };
    unsigned char bytes[stub_length];
    struct mq_instruction one;
    size_t at = 0;

    if (map->code->ops->read(map->code, address, sizeof bytes, NULL,
                               bytes) != mq_ok)
        return mq_absent;
    for (int step = 0; step < stub_steps && at < sizeof bytes; step++) {
        decode_one(decoder, bytes + at, sizeof bytes - at, address + at, &one,
                   effects);
        at += one.length;
        if (one.course == mq_jumps)
            break;
        if (one.course != mq_goes_on)
            return mq_absent;
        for (int i = 0; i < one.effect_count; i++)
            if (!do_effect(decoder->machine, &stub, &effects[i]))
                return mq_absent;
    }
    if (one.course != mq_jumps)
        return mq_absent;
    if (one.goal.kind == mq_in_a_register && stub.has_slot[one.goal.number]) {
        *slot = stub.slots[one.goal.number];
        return mq_ok;
    }
    return place_of(&stub, &one.goal, slot);
}

enum mq_result mq_code_becomes(struct mq_decoder *decoder,
                               struct mq_code_map *map, uint64_t address,
                               uint64_t *target)
{
    struct mq_effect effects[mq_most_effects];
    struct mq_instruction one = { .is_mark = true };
    unsigned char bytes[stub_length];
    size_t at = 0;

    if (map->code->ops->read(map->code, address, sizeof bytes, NULL,
                               bytes) != mq_ok)
        return mq_absent;
    while (one.is_mark && at < sizeof bytes) {
        decode_one(decoder, bytes + at, sizeof bytes - at, address + at, &one,
                   effects);
        at += one.length;
    }
    if (one.course != mq_jumps || one.goal.kind != mq_a_number)
        return mq_absent;
    *target = (uint64_t)one.goal.offset;
    return mq_ok;
}
