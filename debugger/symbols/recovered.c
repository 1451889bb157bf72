/* recovered.c - arguments of a call without debug information */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/recovered.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "mpi/call.h"
#include "symbols/functions.h"
#include "symbols/machine.h"

enum {
    most_elements = 4096,
    most_frames = 18            /* that machine code is asked about */
};

/* A function that is nothing but a jump to another one of its module. */
struct jump {
    uint64_t target;            /* as the module counts */
    const char *name;
};

struct jumps {
    const struct mq_module *module;
    struct jump *all;
    size_t count, room;
};

struct mq_recovery {
    struct mq_functions *functions;
    struct jumps *jumps;
    size_t jumps_count, jumps_room;
};

const char *mq_recovery_library(void)
{
    return mq_machine_library();
}

enum mq_result mq_recovery_create(struct mq_error *error,
                                  struct mq_recovery **result)
{
    struct mq_recovery *recovery = calloc(1, sizeof *recovery);
    enum mq_result made;

    if (recovery == NULL)
        return mq_fail_memory(error, "for machine code");
    made = mq_functions_create(error, &recovery->functions);
    if (made == mq_ok)
        *result = recovery;
    else
        free(recovery);
    return made;
}

struct mq_functions *mq_recovery_functions(struct mq_recovery *recovery)
{
    return recovery != NULL ? recovery->functions : NULL;
}

void mq_recovery_destroy(struct mq_recovery *recovery)
{
    if (recovery == NULL)
        return;
    while (recovery->jumps_count > 0)
        free(recovery->jumps[--recovery->jumps_count].all);
    free(recovery->jumps);
    mq_functions_destroy(recovery->functions);
    free(recovery);
}

/* ---- Results ------------------------------------------------------------- */

struct answer {
    const struct mq_mpi_function *function;
    struct mq_target *process;
    int handle_size;
    int sizes[mq_most_parameters];
    struct mq_recovered found[mq_most_parameters];
    struct mq_known_arguments *known;
    struct mq_stack *stack;
};

static enum mq_result add(const struct answer *answer, size_t i, int64_t value,
                          struct mq_error *error)
{
    const struct mq_argument argument = {
        .name = answer->function->plain[i], .value = value,
        .doubtful = !answer->found[i].is_certain
    };

    return mq_stack_add_argument(answer->stack, &argument, error);
}

/* The handles that an argument points to: all or none. */
static enum mq_result add_handles(const struct answer *answer, size_t i,
                                  size_t count, struct mq_error *error)
{
    const size_t size = (size_t)answer->handle_size;
    unsigned char bytes[8 * most_elements];
    enum mq_result result = mq_ok;

    if (count == 0
        || answer->process->ops->read(answer->process, answer->found[i].value,
                                      count * size, NULL, bytes) != mq_ok)
        return mq_ok;
    for (size_t j = 0; j < count && result == mq_ok; j++)
        result = add(answer, i, (int64_t)mq_decode_unsigned(
                         answer->process->byte_order, bytes + j * size,
                         answer->handle_size), error);
    answer->known->is_known[i] = true;
    return result;
}

static enum mq_result add_found(const struct answer *answer, size_t i,
                                struct mq_error *error)
{
    const char *parameter = answer->function->parameters[i];
    const size_t named = mq_array_length(answer->function, i);
    uint64_t value = answer->found[i].value;

    if (!answer->found[i].is_known || parameter[0] == '&'
        || answer->known->is_known[i])
        return mq_ok;
    if (parameter[0] == '*')
        return add_handles(answer, i, 1, error);
    if (strchr(parameter, '[') != NULL) {
        const struct mq_recovered *length = &answer->found[named];
        uint64_t count = named == i || !length->is_known
                         || length->value > INT32_MAX ? 0 : length->value;

        return add_handles(answer, i, count < most_elements ? (size_t)count
                                                            : most_elements,
                           error);
    }
    answer->known->is_known[i] = true;
    if (mq_parameter_type(parameter) == mq_type_int && value > INT32_MAX)
        value |= (uint64_t)UINT32_MAX << 32;
    return add(answer, i, (int64_t)value, error);
}

enum mq_result mq_recovered_add(struct mq_recovery *recovery,
                                const struct mq_unwinder *unwinder,
                                const struct mq_mpi_function *function,
                                const struct mq_machine_frame *frames,
                                size_t frame_count, size_t which,
                                struct mq_known_arguments *known,
                                struct mq_stack *stack, struct mq_error *error)
{
    const int machine = frames[which].state.machine->elf_machine;
    struct answer answer = {
        .function = function, .process = unwinder->memory, .known = known,
        .stack = stack
    };
    struct mq_code_frame taken[most_frames];
    enum mq_result result = mq_ok;
    struct mq_process_code code;
    uint64_t address;
    size_t first, end;

    if (recovery == NULL || mq_arguments_are_known(function, known))
        return mq_ok;
    mq_process_code_init(&code, recovery->functions, unwinder);
    /* Open MPI's handles are addresses, and those of MPICH are ints. */
    answer.handle_size = mq_target_find_symbol(unwinder->memory,
                                               "ompi_mpi_comm_world", NULL,
                                               &address) == mq_ok ? 8 : 4;
    for (size_t i = 0; i < function->count; i++) {
        enum mq_type type = mq_parameter_type(function->parameters[i]);

        answer.sizes[i] = type == mq_type_int ? 4
                          : type == mq_type_other ? 8 : answer.handle_size;
    }
    end = which + 2 < frame_count ? which + 2 : frame_count;
    first = end > most_frames ? end - most_frames : 0;
    for (size_t i = first; i < end; i++)        /* up to the caller's */
        taken[i - first] = (struct mq_code_frame){
            frames[i].pc, frames[i].at, frames[i].state.cfa,
            frames[i].state.registers
        };
    if (mq_machine_recover(code.decoders, &code.map, machine, taken,
                           end - first, which - first, answer.sizes,
                           function->count, answer.found) != mq_ok)
        return mq_ok;
    for (size_t i = 0; i < function->count && result == mq_ok; i++)
        result = add_found(&answer, i, error);
    return result;
}

/* ---- Names --------------------------------------------------------------- */

static const struct jumps *jumps_of(struct mq_recovery *recovery,
                                    struct mq_process_code *code,
                                    const struct mq_mpi_functions *functions,
                                    const struct mq_machine_frame *frame)
{
    struct jumps fresh = { .module = frame->module };
    const uint64_t bias = frame->file->bias;

    for (size_t i = 0; i < recovery->jumps_count; i++)
        if (recovery->jumps[i].module == frame->module)
            return &recovery->jumps[i];
    if (mq_array_reserve(&recovery->jumps, sizeof fresh,
                         recovery->jumps_count + 1, &recovery->jumps_room,
                         "for machine code", NULL) != mq_ok)
        return NULL;
    for (size_t i = 0; i < functions->count; i++) {
        struct jump jump = { .name = functions->all[i].name };
        const struct mq_symbol *symbol = mq_module_symbol(frame->module,
                                                          jump.name, false);

        if (symbol == NULL
            || mq_machine_becomes(code->decoders, &code->map,
                                  frame->state.machine->elf_machine,
                                  symbol->address + bias, &jump.target)
               != mq_ok)
            continue;
        jump.target -= bias;
        mq_array_add(&fresh.all, sizeof jump, &fresh.count, &fresh.room, &jump,
                     "for machine code", NULL);
    }
    recovery->jumps[recovery->jumps_count] = fresh;
    return &recovery->jumps[recovery->jumps_count++];
}

const char *mq_recovered_name(struct mq_recovery *recovery,
                              const struct mq_unwinder *unwinder,
                              const struct mq_mpi_functions *functions,
                              const struct mq_machine_frame *frame)
{
    struct mq_process_code code;
    struct mq_code_place place;
    const struct jumps *jumps;

    if (recovery == NULL || frame->module == NULL)
        return NULL;
    mq_process_code_init(&code, recovery->functions, unwinder);
    if (code.map.find(&code.map, frame->at, &place) != mq_ok)
        return NULL;
    jumps = jumps_of(recovery, &code, functions, frame);
    for (size_t i = 0; jumps != NULL && i < jumps->count; i++)
        if (jumps->all[i].target == place.low - place.bias)
            return jumps->all[i].name;
    return NULL;
}
