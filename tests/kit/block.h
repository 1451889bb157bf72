/* block.h - typed memory blocks in the layout of a target
 *
 * A test writes pointers and integers one after the other and puts the whole
 * into the process.  sim_target is where byte order and sizes come from.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef TESTS_BLOCK_H
#define TESTS_BLOCK_H

#include "base/log.h"
#include "mqcheck/simulation/sim.h"

struct block {
    struct sim *sim;
    size_t length;
    unsigned char bytes[8192];
};

/* An empty block for SIM. */
void block_begin(struct block *, struct sim *);

void block_pointer(struct block *, uint64_t address);
void block_integer(struct block *, int size, int64_t value);
void block_bytes(struct block *, const void *bytes, size_t length);

/* Puts the block at a new address with nothing readable behind it, or into the
 * variable NAME, which may not exist yet.
 */
uint64_t block_place(const struct block *);
uint64_t block_symbol(const struct block *, const char *name);

/* A string at a new address with nothing readable behind it; 0 for null. */
uint64_t block_text(struct sim *, const char *text);

/* Variables of one pointer and of one int. */
uint64_t block_pointer_symbol(struct sim *, const char *name,
                              uint64_t address);
uint64_t block_int_symbol(struct sim *, const char *name, int64_t value);

/* A logger that keeps what it is told, a line a sentence, those of the story
 * beginning with "- ", notices with "* " and warnings with "! ".
 */
struct listener {
    struct mq_logger logger;
    size_t length;
    char text[65536];
};

void listener_begin(struct listener *);

#endif
