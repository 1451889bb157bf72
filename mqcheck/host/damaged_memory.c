/* damaged_memory.c - answers to memory reads, with planted damage */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/host/damaged_memory.h"

#include <stdint.h>
#include <string.h>

enum {
    STEP = 1 << 20,             /* from one copy to the next; the element is in
                                   the middle of it */
    PAGE = 4096
};

static struct {
    struct memory_damage damage;
    unsigned long copies_read;
    void (*note)(void *context, uint64_t address, size_t length);
    void *context;
} memory;

void memory_set_damage(const struct memory_damage *damage)
{
    static const struct memory_damage none;

    memory.damage = damage != NULL ? *damage : none;
}

void memory_set_note(void (*note)(void *context, uint64_t address,
                                  size_t length), void *context)
{
    memory.note = note;
    memory.context = context;
}

/* ---- Words --------------------------------------------------------------- */

static void put_word(const struct mq_target *target, uint64_t value,
                     unsigned char *bytes)
{
    int last = target->sizes.pointer_size - 1;

    for (int i = 0; i <= last; i++)
        bytes[target->byte_order == mq_little_endian ? i : last - i] =
            (unsigned char)(value >> (8 * i));
}

/* Makes the word AT another one where it is whole in what was read. */
static void change_word(const struct mq_target *target, uint64_t at,
                        uint64_t value, uint64_t address, size_t length,
                        unsigned char *bytes)
{
    size_t size = (size_t)target->sizes.pointer_size;

    if (at >= address && length >= size && at - address <= length - size)
        put_word(target, value, bytes + (at - address));
}

/* ---- Copies -------------------------------------------------------------- */

/* Where what is copied begins: copies keep a byte's place in its page. */
static uint64_t begin_of(uint64_t element)
{
    return (element & ~(uint64_t)(PAGE - 1)) - STEP / 2;
}

unsigned long memory_copies_read(void)
{
    return memory.copies_read;
}

uint64_t memory_copy(uint64_t element, uint64_t number)
{
    return MEMORY_BEYOND + number * STEP + (element - begin_of(element));
}

static enum mq_result read_copy(struct mq_target *target, uint64_t address,
                                size_t length, void *bytes)
{
    const struct memory_damage *damage = &memory.damage;
    uint64_t number = (address - MEMORY_BEYOND) / STEP;
    uint64_t offset = (address - MEMORY_BEYOND) % STEP;
    uint64_t from = begin_of(damage->element) + offset;

    memory.copies_read++;
    if (length > STEP - offset
        || target->ops->read(target, from, length, NULL, bytes) != mq_ok)
        return mq_failed;
    change_word(target, damage->element + (uint64_t)damage->link,
                memory_copy(damage->element, number + 1), from, length, bytes);
    return mq_ok;
}

enum mq_result memory_read(struct mq_target *target, uint64_t address,
                           size_t length, void *bytes)
{
    const struct memory_damage *damage = &memory.damage;
    enum mq_result result;

    if (memory.note != NULL)
        memory.note(memory.context, address, length);
    if (damage->link != 0 && address >= MEMORY_BEYOND)
        return read_copy(target, address, length, bytes);
    result = target->ops->read(target, address, length, NULL, bytes);
    if (result == mq_ok && damage->at != 0)
        change_word(target, damage->at, damage->value, address, length, bytes);
    return result;
}
