/* moment.h - consistent copy of a process's memory
 *
 * While the process is stopped, recently used blocks of its memory and the tops
 * of its stacks are copied; then it may be resumed, and is read from the copy.
 * A block that the copy lacks is read from the process when it is needed: if
 * that has been resumed, the moment is torn (inconsistent), and the next one
 * includes the block.  Blocks that cannot be read even later are absent.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MOMENT_H
#define MQ_MOMENT_H

#include <stdbool.h>

#include "base/map.h"
#include "target/target.h"

struct mq_moment_block {
    uint64_t address;
    unsigned char *bytes;       /* null: cannot be read */
    uint64_t used[8];           /* which of its words of 8 bytes were, since
                                   what they have was read: a bit each */
    int unused;                 /* moments in a row, up to this one */
};

/* Blocks that nobody needs now, of all moments that share them: to take new
 * memory from the kernel lasts longer than to copy.  All zero: none.
 */
struct mq_moment_pool {
    unsigned char **blocks;
    size_t count, room;
};

/* All zero but the memory and the pool: there was no moment yet, and memory is
 * read as it is.
 */
struct mq_moment {
    struct mq_target *memory;   /* of the process; its creator ends it */
    struct mq_moment_pool *pool;        /* outlives it */
    struct mq_map place_of;     /* of blocks, by their addresses */
    struct mq_moment_block *blocks;
    size_t count, room;
    struct mq_moment_block *other;      /* room for those of the next moment */
    size_t other_room;
    enum { mq_moment_none, mq_moment_lasts, mq_moment_over } state;
    bool is_torn;               /* some of it was read later */
    bool is_partial;            /* some that was read is in no block */
    bool is_repeated;           /* what was used of the moment before is as it
                                   was then, so that what was read of that, torn
                                   or not, is of this one, too; until something
                                   of this one is read */
};

/* The process is about to be stopped, with so many THREADS. */
void mq_moment_prepare(struct mq_moment *, size_t threads);

/* It is stopped from here on, with its COUNT threads' stacks at STACKS, whose
 * tops are copied; and goes on.
 */
void mq_moment_begin(struct mq_moment *, const uint64_t *stacks, size_t count);
void mq_moment_end(struct mq_moment *);

struct mq_moment_range {
    uint64_t begin, end;
};

/* Whether all that was used of the latest moment, but what is in COUNT ranges,
 * is in the memory now as it was then; the process may run.
 */
bool mq_moment_holds(const struct mq_moment *,
                     const struct mq_moment_range *ranges, size_t count);

/* Bytes copied of a stack, from its top on. */
enum { mq_moment_stack = 4 << 12 };

/* As in struct mq_target_ops.  IS_FIXED: nobody writes there, so that it is of
 * any moment.  Writes change the copy, too.
 */
enum mq_result mq_moment_read(struct mq_moment *, uint64_t address,
                              size_t length, bool is_fixed, struct mq_error *,
                              void *bytes);
enum mq_result mq_moment_write(struct mq_moment *, uint64_t address,
                               size_t length, const void *bytes,
                               struct mq_error *);

void mq_moment_deinit(struct mq_moment *);
void mq_moment_pool_deinit(struct mq_moment_pool *);

#endif
