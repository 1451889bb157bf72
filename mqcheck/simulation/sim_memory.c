/* sim_memory.c - memory of the simulation, at invented addresses
 *
 * All addresses have their top bit set, which a careless DLL sign-extends.  The
 * wide ones are no addresses at all on the hosts we know; the narrow ones are
 * far below where a 64-bit host puts anything.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "mqcheck/simulation/sim_parts.h"

static size_t round_up(size_t value, size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

void sim_memory_init(struct sim_memory *memory, enum sim_placement placement,
                     int pointer_size)
{
    bool wide = pointer_size > 4;

    memory->placement = placement;
    memory->base = wide ? 0xa5a5000000000000 : 0x80000000;
    memory->spacing = wide ? 0x1000000000 : 0x0b000000;
    memory->count = area_count;
    memory->areas = sim_allocate(area_count * sizeof memory->areas[0]);
    for (size_t i = 0; i < area_count; i++)
        memory->areas[i].address = memory->base + i * memory->spacing;
}

void sim_memory_clear(struct sim_memory *memory)
{
    for (size_t i = 0; i < memory->count; i++) {
        free(memory->areas[i].bytes);
        free(memory->areas[i].freed);
    }
    free(memory->areas);
}

/* Makes the area USED bytes large. */
static void grow(const struct sim_memory *memory, struct sim_area *area,
                 size_t used)
{
    size_t capacity = area->capacity;
    unsigned char *bytes;

    if (used <= area->used)
        return;
    if (used >= memory->spacing - SIM_PAGE)
        sim_die("the address space is full");
    area->used = used;
    area->length = round_up(used, SIM_PAGE);
    if (area->length <= capacity)
        return;
    while (capacity < area->length)
        capacity = capacity > 0 ? 2 * capacity : SIM_PAGE;
    bytes = sim_allocate(capacity);
    if (area->capacity > 0)
        memcpy(bytes, area->bytes, area->capacity);
    free(area->bytes);
    area->bytes = bytes;
    area->capacity = capacity;
}

uint64_t sim_memory_append(struct sim_memory *memory, enum sim_area_name name,
                           size_t length)
{
    struct sim_area *area = &memory->areas[name];
    size_t offset = round_up(area->used, 16);

    grow(memory, area, offset + length);
    return area->address + offset;
}

uint64_t sim_memory_edge(struct sim_memory *memory, size_t length)
{
    struct sim_area *areas = memory->areas, *area, *last;
    size_t count = memory->count, size = round_up(length, SIM_PAGE);

    areas = realloc(areas, (count + 1) * sizeof areas[0]);
    if (areas == NULL)
        sim_die("out of memory");
    memory->areas = areas;
    area = &areas[memory->count++];
    memset(area, 0, sizeof *area);
    last = area - 1;
    area->address = count == area_count
                        ? memory->base + area_count * memory->spacing
                        : last->address + last->length + SIM_PAGE;
    grow(memory, area, size);
    return area->address + size - length;
}

/* A number below 4096 that looks random, different for each INDEX below. */
static size_t shuffled(size_t index)
{
    index ^= index >> 5;
    index = (index * 2741 + 1331) & 4095;
    index ^= index >> 7;
    return (index * 1613) & 4095;
}

/* The address of element number INDEX in its area. */
static size_t element_offset(enum sim_placement placement, size_t index,
                             size_t size)
{
    size_t slot = (index & ~(size_t)4095) + shuffled(index & 4095);

    size = round_up(size, 8);
    if (placement == sim_contiguous)
        return index / 100 * 16 + 16 + index * size;
    return slot * (2 * size + 64) + slot % 7 * 8;
}

uint64_t sim_memory_element(struct sim_memory *memory,
                            enum sim_area_name name, size_t size)
{
    struct sim_area *area = &memory->areas[name];
    size_t offset;

    if (area->freed_count > 0)
        return area->freed[--area->freed_count];
    offset = element_offset(memory->placement, area->element_count++, size);
    grow(memory, area, offset + size);
    memset(area->bytes + offset, SIM_GARBAGE, size);
    return area->address + offset;
}

void sim_memory_free_element(struct sim_memory *memory,
                             enum sim_area_name name, uint64_t address,
                             size_t size)
{
    struct sim_area *area = &memory->areas[name];

    if (mq_array_add(&area->freed, sizeof address, &area->freed_count,
                     &area->freed_room, &address, "", NULL) != mq_ok)
        sim_die("out of memory");
    memset(sim_memory_bytes(memory, address, size), SIM_GARBAGE, size);
}

static struct sim_area *area_of(const struct sim_memory *memory,
                                uint64_t address)
{
    size_t count = mq_array_upto(memory->areas, memory->count,
                                 sizeof *memory->areas,
                                 offsetof(struct sim_area, address), address);

    return count > 0 ? &memory->areas[count - 1] : NULL;
}

unsigned char *sim_memory_bytes(const struct sim_memory *memory,
                                uint64_t address, size_t length)
{
    struct sim_area *area = area_of(memory, address);

    if (area == NULL || address - area->address > area->length ||
        length > area->length - (address - area->address))
        return NULL;
    return area->bytes + (address - area->address);
}

bool sim_memory_is_readable(const struct sim_memory *memory, uint64_t address,
                            size_t length)
{
    for (size_t i = 0; i < memory->hole_count; i++) {
        const struct sim_hole *hole = &memory->holes[i];

        if (address < hole->address + hole->length &&
            hole->address < address + length)
            return false;
    }
    return sim_memory_bytes(memory, address, length) != NULL;
}
