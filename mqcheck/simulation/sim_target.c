/* sim_target.c - the simulation as a target */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "mqcheck/simulation/sim_parts.h"

static bool is_refused(uint64_t number, uint64_t first, uint64_t last)
{
    return first > 0 && number >= first && number <= last;
}

static int refuse_lookup(struct sim *sim, const char *name,
                         struct mq_error *error)
{
    struct sim_counts *counts = &sim->counts;

    if (!is_refused(++counts->lookups, counts->first_refused_lookup,
                    counts->last_refused_lookup))
        return mq_ok;
    return mq_fail(error, "%s: looking up %s is refused", sim->target.name,
                   name);
}

static int sim_read(struct mq_target *target, uint64_t address,
                    size_t length, struct mq_error *error, void *bytes)
{
    struct sim *sim = (struct sim *)target;
    struct sim_counts *counts = &sim->counts;

    counts->reads++;
    if (is_refused(counts->reads, counts->first_refused_read,
                   counts->last_refused_read)
        || !sim_memory_is_readable(&sim->memory, address, length)) {
        /* Garbage, as a debugger that reads in pieces leaves it. */
        memset(bytes, SIM_GARBAGE, length);
        return mq_fail(error, "%s: %zu bytes at 0x%llx cannot be read",
                       sim->target.name, length, (unsigned long long)address);
    }
    counts->bytes += length;
    memcpy(bytes, sim_memory_bytes(&sim->memory, address, length), length);
    return mq_ok;
}

static int sim_write_memory(struct mq_target *target, uint64_t address,
                            size_t length, const void *bytes,
                            struct mq_error *error)
{
    struct sim *sim = (struct sim *)target;

    if (!sim_memory_is_readable(&sim->memory, address, length))
        return mq_fail(error, "%s: %zu bytes at 0x%llx cannot be written",
                       target->name, length, (unsigned long long)address);
    sim_write(sim, address, bytes, length);
    return mq_ok;
}

static int sim_find_name(struct mq_target *target, const char *name,
                         bool function, struct mq_error *error,
                         uint64_t *address)
{
    struct sim *sim = (struct sim *)target;
    const struct sim_name *found = sim_name_find(sim, name);

    if (refuse_lookup(sim, name, error) != mq_ok)
        return mq_failed;
    if (found == NULL || found->hidden || found->function != function)
        return mq_absent;
    *address = found->address;
    return mq_ok;
}

static int sim_find_type(struct mq_target *target, const char *name,
                         struct mq_error *error,
                         const struct mq_target_type **type)
{
    struct sim *sim = (struct sim *)target;
    const struct sim_struct *found = sim_type_find(sim->types, name);

    if (refuse_lookup(sim, name, error) != mq_ok)
        return mq_failed;
    if (found == NULL || found->hidden)
        return mq_absent;
    *type = &found->type;
    return mq_ok;
}

static const struct sim_struct *struct_of(const struct mq_target_type *type)
{
    return (const struct sim_struct *)type;
}

static int sim_find_member(struct mq_target *target,
                           const struct mq_target_type *type,
                           const char *name, struct mq_error *error,
                           uint64_t *offset)
{
    const struct sim_member *found = sim_member_find(struct_of(type), name);

    if (refuse_lookup((struct sim *)target, name, error) != mq_ok)
        return mq_failed;
    if (found == NULL || found->hidden)
        return mq_absent;
    *offset = found->offset;
    return mq_ok;
}

static int sim_type_size(struct mq_target *target,
                         const struct mq_target_type *type,
                         struct mq_error *error, uint64_t *size)
{
    const struct sim_struct *it = struct_of(type);

    if (refuse_lookup((struct sim *)target, it->name, error) != mq_ok)
        return mq_failed;
    *size = it->size;
    return mq_ok;
}

static void sim_destroy_target(struct mq_target *target)
{
    sim_destroy((struct sim *)target);
}

const struct mq_target_ops sim_target_ops = {
    .read = sim_read,
    .write = sim_write_memory,
    .find_name = sim_find_name,
    .find_type = sim_find_type,
    .find_member = sim_find_member,
    .type_size = sim_type_size,
    .destroy = sim_destroy_target,
};
