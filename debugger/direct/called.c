/* called.c - target function of a call instruction */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/called.h"

#include <elf.h>

/* The function that begins at ADDRESS, or null, and the file that it is in. */
static const struct mq_symbol *function_at(const struct mq_unwinder *unwinder,
                                           uint64_t address,
                                           struct mq_object **file)
{
    struct mq_module *module;
    const struct mq_symbol *symbol;

    *file = mq_objects_at(unwinder->loaded, address);
    module = *file == NULL ? NULL
        : mq_object_module(unwinder->loaded, *file, unwinder->modules,
                           unwinder->memory);
    symbol = module == NULL ? NULL
        : mq_module_symbol_at(module, address - (*file)->bias);
    return symbol != NULL && symbol->address == address - (*file)->bias
           ? symbol : NULL;
}

static bool read_code(const struct mq_unwinder *unwinder, uint64_t address,
                      size_t length, unsigned char *code)
{
    return unwinder->memory->ops->read(unwinder->memory, address, length, NULL,
                                       code) == mq_ok;
}

/* The address that is in memory at PLACE; 0: it cannot be read. */
static uint64_t pointer_at(const struct mq_unwinder *unwinder, uint64_t place)
{
    uint64_t value;

    return mq_target_read_pointer(unwinder->memory, place, NULL, &value)
           == mq_ok ? value : 0;
}

/* ---- x86 --------------------------------------------------------------- */

/* Through 32 bits of CODE, as "jmp *x(%rip)" has them. */
static uint64_t through_pointer(const struct mq_unwinder *unwinder,
                                const unsigned char *code, uint64_t behind)
{
    return pointer_at(unwinder, behind
                      + (uint64_t)mq_decode_signed(mq_little_endian, code, 4));
}

/* Where a linker's stub at ADDRESS leads to, or ADDRESS if it is none. */
static uint64_t behind_stub(const struct mq_unwinder *unwinder,
                            uint64_t address)
{
    unsigned char code[16];

    if (!read_code(unwinder, address, sizeof code, code))
        return address;
    for (size_t i = 0; i <= 5; i++) {          /* behind endbr64 and bnd */
        if (code[i] == 0xff && code[i + 1] == 0x25)
            return through_pointer(unwinder, code + i + 2, address + i + 6);
    }
    return address;
}

static const struct mq_symbol *x86_called_by(
    const struct mq_unwinder *unwinder, const struct mq_machine_frame *frame,
    struct mq_object **file)
{
    bool is_narrow = frame->state.machine->word != 8;
    const struct mq_symbol *function = NULL;
    unsigned char code[6];

    if (!read_code(unwinder, frame->pc - sizeof code, sizeof code, code))
        return NULL;
    if (code[1] == 0xe8) {
        uint64_t address = frame->pc
            + (uint64_t)mq_decode_signed(mq_little_endian, code + 2, 4);

        address = is_narrow ? address & UINT32_MAX
                  : behind_stub(unwinder, address);
        function = function_at(unwinder, address, file);
    }
    if (function == NULL && !is_narrow && code[0] == 0xff && code[1] == 0x15)
        function = function_at(unwinder, through_pointer(unwinder, code + 2,
                                                         frame->pc), file);
    return function;
}

/* ---- aarch64 ----------------------------------------------------------- */

/* The lowest BITS of NUMBER, as one with a sign. */
static uint64_t with_sign(uint64_t number, int bits)
{
    const uint64_t sign = (uint64_t)1 << (bits - 1);

    return ((number & (2 * sign - 1)) ^ sign) - sign;
}

static uint64_t instruction_at(const unsigned char *code)
{
    return mq_decode_unsigned(mq_little_endian, code, 4);
}

/* "adrp x16, page; ldr x17, [x16, offset]" begin a linker's stub. */
static uint64_t behind_arm_stub(const struct mq_unwinder *unwinder,
                                uint64_t address)
{
    const uint64_t bti = 0xd503245f;
    const uint64_t page = 4096;
    unsigned char code[12];
    uint64_t adrp, ldr, place;
    size_t begin;

    if (!read_code(unwinder, address, sizeof code, code))
        return address;
    begin = instruction_at(code) == bti ? 4 : 0;
    adrp = instruction_at(code + begin);
    ldr = instruction_at(code + begin + 4);
    if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
        return address;
    place = (address + begin) & ~(page - 1);
    place += page * with_sign((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3),
                              21);
    return pointer_at(unwinder, place + 8 * (ldr >> 10 & 0xfff));
}

static const struct mq_symbol *arm_called_by(
    const struct mq_unwinder *unwinder, const struct mq_machine_frame *frame,
    struct mq_object **file)
{
    const uint64_t call = frame->pc - 4;
    unsigned char code[4];
    uint64_t instruction;

    if (!read_code(unwinder, call, sizeof code, code))
        return NULL;
    instruction = instruction_at(code);
    if ((instruction & 0xfc000000) != 0x94000000)       /* bl */
        return NULL;
    return function_at(unwinder,
                       behind_arm_stub(unwinder, call
                                       + 4 * with_sign(instruction, 26)),
                       file);
}

/* ---- Any --------------------------------------------------------------- */

const struct mq_symbol *mq_called_by(const struct mq_unwinder *unwinder,
                                     const struct mq_machine_frame *frame,
                                     struct mq_object **file)
{
    return frame->state.machine->elf_machine == EM_AARCH64
           ? arm_called_by(unwinder, frame, file)
           : x86_called_by(unwinder, frame, file);
}
