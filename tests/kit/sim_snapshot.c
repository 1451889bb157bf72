/* sim_snapshot.c - a simulated process as an mqsnap file */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/kit/sim_snapshot.h"

#include "mqcheck/simulation/sim_parts.h"

static void write_types(const struct sim_struct *types, FILE *file)
{
    for (; types != NULL; types = types->next) {
        if (types->hidden)
            continue;
        fprintf(file, "type %s %zu\n", types->name, types->size);
        for (size_t i = 0; i < types->member_count; i++) {
            const struct sim_member *member = &types->members[i];

            if (!member->hidden)
                fprintf(file, "field %s %s %zu %zu\n", types->name,
                        member->name, member->offset, member->size);
        }
    }
}

static void write_names(const struct sim *sim, FILE *file)
{
    for (size_t i = 0; i < sim->name_count; i++) {
        const struct sim_name *name = &sim->names[i];

        if (!name->hidden)
            fprintf(file, "%s %s 0x%llx\n",
                    name->function ? "function" : "symbol", name->name,
                    (unsigned long long)name->address);
    }
}

static void write_data(const struct sim_area *area, size_t start, size_t end,
                       FILE *file)
{
    for (; start < end; start += 32) {
        size_t count = end - start < 32 ? end - start : 32, used = 0;

        for (size_t i = 0; i < count; i++)
            if (area->bytes[start + i] != 0)
                used = i + 1;
        if (used == 0)
            continue;
        fprintf(file, "data 0x%llx ",
                (unsigned long long)area->address + start);
        for (size_t i = 0; i < used; i++)
            fprintf(file, "%02x", area->bytes[start + i]);
        fputc('\n', file);
    }
}

/* Where the first hole at or after START begins and ends in the area. */
static void next_hole(const struct sim_memory *memory,
                      const struct sim_area *area, size_t start,
                      size_t *begin, size_t *end)
{
    uint64_t from = area->address + start;

    *begin = *end = area->length;
    for (size_t i = 0; i < memory->hole_count; i++) {
        const struct sim_hole *hole = &memory->holes[i];
        uint64_t first = hole->address > from ? hole->address : from;

        if (hole->address + hole->length > from &&
            first < area->address + *begin) {
            *begin = (size_t)(first - area->address);
            *end = (size_t)(hole->address + hole->length - area->address);
        }
    }
}

static void write_memory(const struct sim_memory *memory, FILE *file)
{
    for (size_t i = 0; i < memory->count; i++) {
        const struct sim_area *area = &memory->areas[i];
        size_t start = 0, end, next;

        for (; start < area->length; start = next) {
            next_hole(memory, area, start, &end, &next);
            if (end == start)
                continue;
            fprintf(file, "range 0x%llx %zu\n",
                    (unsigned long long)area->address + start, end - start);
            write_data(area, start, end, file);
        }
    }
}

void sim_write_snapshot(struct sim *sim, FILE *file)
{
    const struct mq_target *target = &sim->target;
    const struct mq_type_sizes *sizes = &target->sizes;

    fprintf(file, "mqsnap 1\nendian %s\n",
            target->byte_order == mq_little_endian ? "little" : "big");
    fprintf(file, "size short %d\nsize int %d\nsize long %d\n",
            sizes->short_size, sizes->int_size, sizes->long_size);
    fprintf(file, "size longlong %d\nsize pointer %d\n",
            sizes->long_long_size, sizes->pointer_size);
    fprintf(file, "image %s\nrank %d\n", target->image, target->rank);
    if (target->call != NULL)
        fprintf(file, "call %s\n", target->call);
    write_types(sim->types, file);
    write_names(sim, file);
    write_memory(&sim->memory, file);
    fprintf(file, "end\n");
}
