/* unwind.c - stack unwinding */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/unwind.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* Sets what FRAME is of; IS_CALLER if its pc is behind a call. */
static void place(const struct mq_unwinder *unwinder,
                  struct mq_machine_frame *frame, bool is_caller)
{
    const struct mq_frame_state *state = &frame->state;

    frame->pc = state->registers.value[state->machine->pc];
    frame->at = frame->pc - is_caller;
    frame->file = mq_objects_at(unwinder->loaded, frame->at);
    frame->module = frame->file == NULL ? NULL
        : mq_object_module(unwinder->loaded, frame->file, unwinder->modules,
                           unwinder->memory);
    frame->state.bias = frame->module != NULL ? frame->file->bias : 0;
}

void mq_unwind_begin(const struct mq_unwinder *unwinder,
                     const struct mq_machine *machine,
                     const struct mq_registers *registers,
                     struct mq_machine_frame *frame)
{
    memset(frame, 0, sizeof *frame);
    frame->state.machine = machine;
    frame->state.memory = unwinder->memory;
    frame->state.registers = *registers;
    place(unwinder, frame, false);
}

static bool find_cfa(Dwarf_Frame *rules, struct mq_frame_state *state)
{
    struct mq_location found;
    Dwarf_Op *ops;
    size_t count;

    if (dwarf_frame_cfa(rules, &ops, &count) != 0
        || mq_expression(ops, count, state, NULL, false, &found) != mq_ok
        || found.kind == mq_in_register)
        return false;
    state->cfa = found.number;
    return true;
}

/* Whether functions give register NUMBER back as it was: a table of libdw's has
 * another of them than the standard.
 */
static bool is_kept(const struct mq_machine *machine, int number)
{
    const int *kept = machine->kept;

    while (*kept >= 0 && *kept != number)
        kept++;
    return *kept >= 0 && number != machine->pc && number != machine->sp;
}

/* The value of register NUMBER in the caller. */
static void restore(Dwarf_Frame *rules, const struct mq_frame_state *state,
                    int number, struct mq_registers *caller)
{
    struct mq_location found;
    Dwarf_Op memory[3], *ops;
    uint64_t value;
    size_t count;

    if (dwarf_frame_register(rules, number, memory, &ops, &count) != 0)
        return;
    if (count == 0) {
        if (is_kept(state->machine, number)
            && mq_register_is_known(&state->registers, number))
            mq_register_set(caller, number, state->registers.value[number]);
        return;
    }
    if (mq_expression(ops, count, state, NULL, true, &found) != mq_ok)
        return;
    if (found.kind == mq_is_value)
        mq_register_set(caller, number, found.number);
    else if (found.kind == mq_in_register) {
        if (mq_register_is_known(&state->registers, (int)found.number))
            mq_register_set(caller, number,
                            state->registers.value[found.number]);
    } else if (mq_target_read_unsigned(state->memory, found.number,
                                       state->machine->word, NULL, &value)
               == mq_ok)
        mq_register_set(caller, number, value);
}

static enum mq_result follow(const struct mq_unwinder *unwinder,
                             Dwarf_Frame *rules,
                             struct mq_machine_frame *frame,
                             struct mq_machine_frame *caller,
                             enum mq_unwinding *how)
{
    const struct mq_machine *machine = frame->state.machine;
    const uint64_t top = frame->state.registers.value[machine->sp];
    struct mq_registers *registers = &caller->state.registers;
    int address = dwarf_frame_info(rules, NULL, NULL, &frame->is_signals), i;
    Dwarf_Op memory[3], *ops;
    size_t count;

    *how = mq_unwinding_lost;
    if (address < 0 || address >= machine->count)
        return mq_absent;
    if (dwarf_frame_register(rules, address, memory, &ops, &count) == 0
        && count == 0 && ops != NULL) {         /* the outermost has none */
        *how = mq_unwound;
        return mq_absent;
    }
    if (!find_cfa(rules, &frame->state))
        return mq_absent;
    memset(caller, 0, sizeof *caller);
    caller->state.machine = machine;
    caller->state.memory = frame->state.memory;
    for (i = 0; i < machine->count; i++)
        restore(rules, &frame->state, i, registers);
    if (!mq_register_is_known(registers, address))
        return mq_absent;
    mq_register_set(registers, machine->pc,
                    registers->value[address] & machine->code);
    if (!frame->is_signals)
        mq_register_set(registers, machine->sp, frame->state.cfa);
    if (registers->value[machine->pc] == 0) {
        *how = mq_unwound;
        return mq_absent;
    }
    /* A stack only shrinks towards the caller.  A function that has called no
     * other, and was stopped so, may use none where calls leave nothing there.
     */
    if (!frame->is_signals
        && (registers->value[machine->sp] < top
            || (registers->value[machine->sp] == top
                && frame->at != frame->pc)))
        return mq_absent;
    place(unwinder, caller, !frame->is_signals);
    return mq_ok;
}

/* Whether FRAME, which has called no other function, is in a linker's stub of
 * aarch64, for which there are no rules:
 *
 *     adrp x16, page; ldr x17, [x16, offset]; add x16, x16, offset; br x17
 */
static bool is_in_stub(const struct mq_unwinder *unwinder,
                       const struct mq_machine_frame *frame)
{
    static const struct {
        uint32_t mask, code;
    } stub[] = {
        { 0x9f00001f, 0x90000010 }, { 0xffc003ff, 0xf9400211 },
        { 0xffc003ff, 0x91000210 }, { 0xffffffff, 0xd61f0220 }
    };
    enum { count = sizeof stub / sizeof stub[0] };
    unsigned char bytes[4 * count];
    size_t i = 0;

    if (frame->state.machine->elf_machine != EM_AARCH64
        || frame->at != frame->pc)
        return false;
    for (uint64_t before = 0; before < count && i < count; before++) {
        if (unwinder->memory->ops->read(unwinder->memory,
                                        frame->pc - 4 * before, sizeof bytes,
                                        NULL, bytes) != mq_ok)
            return false;
        for (i = 0; i < count; i++)
            if ((mq_decode_unsigned(mq_little_endian, bytes + 4 * i, 4)
                 & stub[i].mask) != stub[i].code)
                break;
    }
    return i == count;
}

/* A stub leaves all as it was called, but for two registers. */
static enum mq_result leave_stub(const struct mq_unwinder *unwinder,
                                 struct mq_machine_frame *frame,
                                 struct mq_machine_frame *caller)
{
    enum { x16 = 16, x17 = 17, x30 = 30 };
    const struct mq_machine *machine = frame->state.machine;
    struct mq_registers *registers = &caller->state.registers;

    frame->state.cfa = frame->state.registers.value[machine->sp];
    *caller = *frame;
    registers->known &= ~((uint64_t)1 << x16 | (uint64_t)1 << x17);
    mq_register_set(registers, machine->pc,
                    registers->value[x30] & machine->code);
    caller->state.cfa = 0;
    place(unwinder, caller, true);
    return mq_ok;
}

enum mq_result mq_unwind_step(const struct mq_unwinder *unwinder,
                              struct mq_machine_frame *frame,
                              struct mq_machine_frame *caller,
                              enum mq_unwinding *how)
{
    const struct mq_module_rules *all = frame->module == NULL ? NULL
                                        : mq_module_rules(frame->module);
    Dwarf_Frame *rules = NULL;
    enum mq_result result;

    for (int i = 0; all != NULL && i < 2 && rules == NULL; i++)
        if (all->cfi[i] != NULL
            && dwarf_cfi_addrframe(all->cfi[i], frame->at - frame->file->bias
                                   - all->bias[i], &rules) != 0)
            rules = NULL;
    *how = mq_unwinding_lost;
    if (rules == NULL)
        return is_in_stub(unwinder, frame)
               ? leave_stub(unwinder, frame, caller) : mq_absent;
    result = follow(unwinder, rules, frame, caller, how);
    free(rules);
    return result;
}
