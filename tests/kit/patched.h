/* patched.h - target with modified memory words */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_PATCHED_H
#define TESTS_PATCHED_H

#include "target/target.h"

enum { patched_words = 64, patched_reads = 4096 };

struct patched {
    struct mq_target target;    /* first */
    struct mq_target *subject;  /* that is asked; stays the caller's */
    size_t count;
    struct patched_word {
        uint64_t address;
        unsigned char bytes[8];
    } words[patched_words];
    size_t read_count;          /* what was read, as far as there is room */
    struct patched_read {
        uint64_t address;
        size_t length;
    } reads[patched_reads];
};

void patched_init(struct patched *, struct mq_target *subject);

/* The word at ADDRESS is VALUE, unless there are too many. */
void patched_set(struct patched *, uint64_t address, uint64_t value);

#endif
