/* interned.h - interned blocks of bytes
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_INTERNED_H
#define MQ_INTERNED_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct mq_interned_block;

/* All zero is an empty table. */
struct mq_interned {
    struct mq_interned_block **slots;   /* a power of two, half empty */
    size_t slot_count;
    size_t used;
    size_t size;                /* bytes that are kept in all */
    uint64_t seed;
};

/* COPY is the table's own copy of LENGTH bytes, the same for equal ones,
 * aligned for any struct, and there until the table is given back.
 */
enum mq_result mq_intern(struct mq_interned *, const void *bytes, size_t length,
                         struct mq_error *, const void **copy);

void mq_interned_deinit(struct mq_interned *);

#endif
