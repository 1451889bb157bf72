/* recorded_code.c - what a recording of machine code has instead of a process.
 * */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/kit/recorded_code.h"

#include <elf.h>

/* ---- The process --------------------------------------------------------- */

static struct recorded_code *code_of(struct mq_target *target)
{
    return (struct recorded_code *)((char *)target
        - offsetof(struct recorded_code, memory));
}

static enum mq_result read_region(const struct recorded_region *region,
                                  uint64_t address, size_t length, void *bytes)
{
    if (address < region->address
        || address - region->address > region->length
        || length > region->length - (address - region->address))
        return mq_absent;
    memcpy(bytes, region->bytes + (address - region->address), length);
    return mq_ok;
}

static enum mq_result read_memory(struct mq_target *target, uint64_t address,
                                  size_t length, struct mq_error *error,
                                  void *bytes)
{
    const struct recorded_code *code = code_of(target);

    return read_region(&code->code, address, length, bytes) == mq_ok
           || read_region(&code->stack, address, length, bytes) == mq_ok
           ? mq_ok : mq_fail(error, "there is nothing at %#llx",
                             (unsigned long long)address);
}

static const struct mq_target_ops ops = { .read = read_memory };

static enum mq_result find(struct mq_code_map *map, uint64_t address,
                           struct mq_code_place *place)
{
    const struct recorded_code *code = (struct recorded_code *)map;
    size_t i;

    for (i = 0; i < code->function_count; i++) {
        if (address < code->bounds[i][0] || address >= code->bounds[i][1])
            continue;
        *place = (struct mq_code_place){
            code->bounds[i][0], code->bounds[i][1], code->code.address, code
        };
        return mq_ok;
    }
    return mq_absent;
}

static bool is_final(struct mq_code_map *map, uint64_t address, bool is_slot)
{
    (void)map, (void)address, (void)is_slot;
    return false;
}

/* ---- The file ------------------------------------------------------------ */

static uint64_t take(struct fuzz_input *input, int size)
{
    unsigned char bytes[8];

    fuzz_bytes(input, bytes, (size_t)size);
    return mq_decode_unsigned(mq_little_endian, bytes, size);
}

static void read_frame(struct fuzz_input *input, struct mq_code_frame *frame)
{
    int i;

    frame->pc = take(input, 8);
    frame->at = take(input, 8);
    frame->cfa = take(input, 8);
    for (i = 0; i < recorded_registers; i++)
        mq_register_set(&frame->registers, i, take(input, 8));
}

static void read_bytes(struct fuzz_input *input,
                       struct recorded_region *region)
{
    region->address = take(input, 8);
    region->length = fuzz_two_bytes(input);
    if (region->length > input->length)
        region->length = input->length;
    fuzz_bytes(input, region->bytes, region->length);
}

void recorded_code_read(struct fuzz_input *input, struct recorded_code *code)
{
    size_t i;

    memset(code, 0, offsetof(struct recorded_code, code));
    code->map = (struct mq_code_map){
        &code->memory, &code->memory, find, is_final
    };
    code->memory = (struct mq_target){
        .ops = &ops, .name = "recorded", .sizes = { 2, 4, 8, 8, 8 }
    };
    code->machine = fuzz_byte(input) == 0 ? EM_X86_64 : EM_AARCH64;
    code->frame_count = fuzz_byte(input) % (recorded_frames + 1);
    code->which = fuzz_byte(input);
    code->argument_count = fuzz_byte(input) % (recorded_arguments + 1);
    for (i = 0; i < code->argument_count; i++)
        code->sizes[i] = fuzz_byte(input) == 4 ? 4 : 8;
    for (i = 0; i < code->frame_count; i++)
        read_frame(input, &code->frames[i]);
    code->function_count = fuzz_byte(input) % (recorded_functions + 1);
    for (i = 0; i < code->function_count; i++) {
        code->bounds[i][0] = take(input, 4);
        code->bounds[i][1] = take(input, 4);
    }
    read_bytes(input, &code->code);
    read_bytes(input, &code->stack);
    for (i = 0; i < code->function_count; i++) {
        code->bounds[i][0] += code->code.address;
        code->bounds[i][1] += code->code.address;
    }
}
