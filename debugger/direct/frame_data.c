/* frame_data.c - local data of a thread's functions, for comparison */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/frame_data.h"

#include "base/hash.h"
#include "direct/moment.h"

/* The contents of the stack between FRAME's end and its caller's, as far as
 * that was copied when the thread, whose stack ends at TOP, was stopped.
 */
static bool hash_stack(struct mq_target *memory, uint64_t top,
                       const struct mq_machine_frame *frame, uint64_t *hash)
{
    const int sp = frame->state.machine->sp;
    const uint64_t begin = frame->state.registers.value[sp],
                   room = mq_moment_stack / 2;
    unsigned char bytes[mq_moment_stack / 2];
    uint64_t length;

    if (begin < top || begin - top >= room || frame->state.cfa < begin)
        return false;
    length = room - (begin - top);
    if (length > frame->state.cfa - begin)
        length = frame->state.cfa - begin;
    if (memory->ops->read(memory, begin, length, NULL, bytes) != mq_ok)
        return false;
    *hash = mq_hash_bytes(*hash, bytes, length);
    return true;
}

static uint64_t hash_registers(const struct mq_frame_state *state)
{
    uint64_t hash = mq_hash_number(MQ_HASH_BEGIN, state->registers.numbers);

    for (int i = 0; i < state->machine->count; i++)
        if (i != state->machine->pc && i != state->machine->sp
            && mq_register_is_known(&state->registers, i))
            hash = mq_hash_number(hash, state->registers.value[i]);
    return hash;
}

/* Whether a frame is of a function of the program's. */
static bool is_own(const struct mq_machine_frame *frame)
{
    return frame->file != NULL && frame->file->is_program
           && !frame->is_signals;
}

size_t mq_frame_data_find(struct mq_target *memory,
                          const struct mq_call_stack *stack,
                          struct mq_frame_data *data, size_t room)
{
    const struct mq_frame_state *state;
    size_t count = 0;

    if (stack->has_outermost || stack->frame_count == 0
        || mq_call_stack_interpreter(stack) < stack->place_count)
        return 0;
    state = &stack->frames[0].state;
    if (is_own(&stack->frames[0]) && room > 0)
        data[count++] = (struct mq_frame_data){
            mq_hash_number(state->cfa, 0), hash_registers(state)
        };
    for (size_t i = 0; i < stack->frame_count && count < room; i++) {
        const struct mq_machine_frame *frame = &stack->frames[i];
        uint64_t hash = MQ_HASH_BEGIN;

        if (is_own(frame)
            && hash_stack(memory, state->registers.value[state->machine->sp],
                          frame, &hash))
            data[count++] = (struct mq_frame_data){ frame->state.cfa, hash };
    }
    return count;
}
