/* block.c - bytes for the simulated process, in its own shape. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/kit/block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *extend(struct block *block, size_t length)
{
    unsigned char *place = block->bytes + block->length;

    if (length > sizeof block->bytes - block->length) {
        fprintf(stderr, "block: too long\n");
        abort();
    }
    block->length += length;
    return place;
}

void block_begin(struct block *block, struct sim *sim)
{
    block->sim = sim;
    block->length = 0;
}

void block_integer(struct block *block, int size, int64_t value)
{
    unsigned char *place = extend(block, (size_t)size);
    bool little = sim_target(block->sim)->byte_order == mq_little_endian;
    int i;

    for (i = 0; i < size; i++)
        place[little ? i : size - 1 - i] =
            (unsigned char)((uint64_t)value >> 8 * i);
}

void block_pointer(struct block *block, uint64_t address)
{
    block_integer(block, sim_target(block->sim)->sizes.pointer_size,
                  (int64_t)address);
}

void block_bytes(struct block *block, const void *bytes, size_t length)
{
    memcpy(extend(block, length), bytes, length);
}

uint64_t block_place(const struct block *block)
{
    return sim_add_bytes(block->sim, block->bytes, block->length);
}

uint64_t block_symbol(const struct block *block, const char *name)
{
    return sim_add_symbol(block->sim, name, block->bytes, block->length);
}

uint64_t block_text(struct sim *sim, const char *text)
{
    return text == NULL ? 0 : sim_add_bytes(sim, text, strlen(text) + 1);
}

uint64_t block_pointer_symbol(struct sim *sim, const char *name,
                              uint64_t address)
{
    struct block block;

    block_begin(&block, sim);
    block_pointer(&block, address);
    return block_symbol(&block, name);
}

uint64_t block_int_symbol(struct sim *sim, const char *name, int64_t value)
{
    struct block block;

    block_begin(&block, sim);
    block_integer(&block, sim_target(sim)->sizes.int_size, value);
    return block_symbol(&block, name);
}

static void hear(struct mq_logger *logger, enum mq_log_level kind,
                 const char *text)
{
    struct listener *listener = (struct listener *)logger;
    size_t room = sizeof listener->text - listener->length;
    int length = snprintf(listener->text + listener->length, room,
                          "%c %s\n", "-*!"[kind], text);

    if (length < 0 || (size_t)length >= room) {
        fprintf(stderr, "listener: too much was told\n");
        abort();
    }
    listener->length += (size_t)length;
}

void listener_begin(struct listener *listener)
{
    listener->logger.log = hear;
    listener->length = 0;
    listener->text[0] = '\0';
}
