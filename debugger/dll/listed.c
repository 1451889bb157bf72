/* listed.c - handles that the message-queue DLL lists */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/listed.h"

#include <string.h>

#include "dll/predefined.h"

static enum mq_result find_communicator(struct mq_resolver *base,
                                        const struct mq_process *process,
                                        uint64_t handle,
                                        struct mq_error *error, size_t *index)
{
    const struct mq_listed *listed = (struct mq_listed *)base;

    (void)error;
    if (listed->has_numbers)
        handle &= UINT32_MAX;
    for (size_t i = 0; handle != 0 && i < process->communicator_count; i++) {
        if (process->communicators[i].handle == handle) {
            *index = i;
            return mq_ok;
        }
    }
    return mq_absent;
}

static enum mq_result find_request(struct mq_resolver *base,
                                   const struct mq_process *process,
                                   uint64_t handle, struct mq_error *error,
                                   uint32_t *operation)
{
    const struct mq_listed *listed = (struct mq_listed *)base;

    (void)error;
    if (listed->has_numbers)
        handle &= UINT32_MAX;
    for (size_t i = 0; handle != 0 && i < process->operation_count; i++) {
        if (process->operations[i].handle == handle) {
            *operation = (uint32_t)i;
            return mq_ok;
        }
    }
    return mq_absent;
}

static enum mq_result find_size(struct mq_resolver *base, uint64_t handle,
                                struct mq_error *error, uint64_t *size)
{
    const struct mq_listed *listed = (struct mq_listed *)base;
    const char *name;

    return mq_predefined_datatype(listed->target, listed->has_numbers, handle,
                                  error, &name, size);
}

enum mq_result mq_listed_init(struct mq_listed *listed,
                              struct mq_target *target,
                              const struct mq_process *process,
                              struct mq_error *error)
{
    uint64_t world;

    if (process->communicator_count == 0
        || process->communicators[0].handle == 0)
        return mq_absent;
    memset(listed, 0, sizeof *listed);
    listed->target = target;
    if (mq_predefined_world(target, error, &listed->has_numbers, &world)
        != mq_ok)
        return mq_failed;
    listed->resolver.communicator = find_communicator;
    listed->resolver.request = find_request;
    listed->resolver.datatype_size = find_size;
    listed->resolver.proc_null = mq_predefined_proc_null(process,
                                                         listed->has_numbers);
    listed->resolver.may_lack = true;
    return mq_ok;
}
