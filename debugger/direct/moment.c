/* moment.c - consistent copy of a process's memory */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/moment.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "base/array.h"

enum {
    block_size = 4096,          /* no page is smaller, so a block is readable
                                   or not as a whole */
    words = block_size / 8,     /* of it */
    most_blocks = 1 << 13,
    most_unused = 4,            /* moments, until a block is forgotten */
    most_copied = 256,          /* blocks at a time */
    most_at_once = 1 << 20,     /* bytes of a read that is made of blocks */
    below_stack = 128,          /* bytes that a function may use there */
    stack_blocks = mq_moment_stack / block_size         /* more where more was
                                                           used before */
};

static struct mq_moment_block *find(const struct mq_moment *moment,
                                    uint64_t address)
{
    const struct mq_key key = { address, 0 };
    const uint32_t *place = mq_map_find(&moment->place_of, key);

    return place != NULL ? &moment->blocks[*place] : NULL;
}

/* ---- The pool ---------------------------------------------------------- */

static void give_back(struct mq_moment *moment, unsigned char *bytes)
{
    struct mq_moment_pool *pool = moment->pool;

    if (bytes == NULL)
        return;
    if (pool->count < most_blocks
        && mq_array_add(&pool->blocks, sizeof bytes, &pool->count, &pool->room,
                        &bytes, "for memory", NULL) == mq_ok)
        return;
    free(bytes);
}

void mq_moment_prepare(struct mq_moment *moment, size_t threads)
{
    size_t wanted = stack_blocks * (threads + 1), i;

    for (i = 0; i < moment->count; i++)
        wanted += moment->blocks[i].unused < most_unused;
    for (i = moment->pool->count; i < wanted; i++) {
        unsigned char *bytes = malloc(block_size);

        if (bytes != NULL)
            give_back(moment, memset(bytes, 0, block_size));
    }
}

void mq_moment_pool_deinit(struct mq_moment_pool *pool)
{
    while (pool->count > 0)
        free(pool->blocks[--pool->count]);
    free(pool->blocks);
    memset(pool, 0, sizeof *pool);
}

/* ---- Reading blocks ---------------------------------------------------- */

/* Keeps BLOCK, whose bytes are given back if that fails. */
static struct mq_moment_block *keep(struct mq_moment *moment,
                                    struct mq_moment_block block)
{
    const struct mq_key key = { block.address, 0 };
    uint32_t *place;

    if (mq_array_reserve(&moment->blocks, sizeof block, moment->count + 1,
                         &moment->room, "for memory", NULL) != mq_ok
        || mq_map_add(&moment->place_of, key, (uint32_t)moment->count, NULL,
                      &place) != mq_ok) {
        give_back(moment, block.bytes);
        return NULL;
    }
    moment->blocks[moment->count] = block;
    return &moment->blocks[moment->count++];
}

static unsigned char *take_room(struct mq_moment *moment)
{
    struct mq_moment_pool *pool = moment->pool;

    return pool->count > 0 ? pool->blocks[--pool->count] : malloc(block_size);
}

/* The bytes of a block as they are now, or null. */
static unsigned char *read_block(struct mq_moment *moment, uint64_t address)
{
    unsigned char *bytes = take_room(moment);

    if (bytes == NULL
        || moment->memory->ops->read(moment->memory, address, block_size, NULL,
                                     bytes) == mq_ok)
        return bytes;
    give_back(moment, bytes);
    return NULL;
}

/* The block at ADDRESS, read if need be; null if there is no room for it. */
static struct mq_moment_block *block_at(struct mq_moment *moment,
                                        uint64_t address, bool is_fixed)
{
    struct mq_moment_block *known = find(moment, address);
    struct mq_moment_block fresh = { .address = address, .unused = 1 };

    if (known != NULL || moment->count == most_blocks)
        return known;
    fresh.bytes = read_block(moment, address);
    moment->is_torn |= fresh.bytes != NULL && !is_fixed
                       && moment->state == mq_moment_over;
    return keep(moment, fresh);
}

/* ---- Copying ----------------------------------------------------------- */

/* Adds room for the block at ADDRESS. */
static void plan(struct mq_moment *moment, uint64_t address, int unused)
{
    const struct mq_moment_block block = {
        .address = address, .unused = unused
    };
    struct mq_moment_block *kept = find(moment, address) != NULL
        || moment->count == most_blocks ? NULL : keep(moment, block);

    if (kept != NULL)
        kept->bytes = take_room(moment);
}

/* Copies blocks from FIRST on, and gives how many; the one behind them cannot
 * be read unless these are all, or as many as the kernel copies at a time.
 */
static size_t copy_some(struct mq_moment *moment, size_t first, size_t *asked)
{
    struct iovec here[most_copied], there[most_copied];
    size_t count = 0;
    ssize_t got;

    while (count < most_copied && first + count < moment->count
           && moment->blocks[first + count].bytes != NULL
           && moment->blocks[first + count].address <= UINTPTR_MAX) {
        const struct mq_moment_block *it = &moment->blocks[first + count];

        const uintptr_t address = (uintptr_t)it->address;

        here[count] = there[count] = (struct iovec){ it->bytes, block_size };
        memcpy(&there[count++].iov_base, &address, sizeof address);
    }
    *asked = count;
    got = count == 0 ? 0
        : process_vm_readv(moment->memory->pid, here, count, there, count, 0);
    return got < 0 ? 0 : (size_t)got / block_size;
}

/* Copies all blocks, for which room has been reserved.  The process is stopped,
 * so that its id cannot be reused.
 */
static void copy_all(struct mq_moment *moment)
{
    size_t done = 0, asked;

    while (done < moment->count) {
        size_t copied = copy_some(moment, done, &asked);
        struct mq_moment_block *next;

        done += copied;
        if (copied == asked && asked > 0)
            continue;
        next = &moment->blocks[done++];
        give_back(moment, next->bytes);
        next->bytes = read_block(moment, next->address);
    }
}

/* ---- A moment ---------------------------------------------------------- */

static bool is_used(const struct mq_moment_block *block, size_t word)
{
    return (block->used[word / 64] >> word % 64 & 1) != 0;
}

/* Whether the words that were used BEFORE are as they were. */
static bool is_same(struct mq_moment *moment,
                    const struct mq_moment_block *before)
{
    const struct mq_moment_block *now = find(moment, before->address);

    for (size_t i = 0; i < words; i++) {
        if (!is_used(before, i))
            continue;
        if (now == NULL || now->bytes == NULL || before->bytes == NULL)
            return now != NULL && now->bytes == before->bytes;
        if (memcmp(now->bytes + 8 * i, before->bytes + 8 * i, 8) != 0)
            return false;
    }
    return true;
}

void mq_moment_begin(struct mq_moment *moment, const uint64_t *stacks,
                     size_t stack_count)
{
    struct mq_moment_block *before = moment->blocks;
    size_t count = moment->count, room = moment->room, i;

    moment->is_repeated = moment->state != mq_moment_none
                          && !moment->is_partial;
    moment->is_torn = moment->is_partial = false;
    moment->state = mq_moment_lasts;
    moment->blocks = moment->other;
    moment->room = moment->other_room;
    moment->other = before;
    moment->other_room = room;
    moment->count = 0;
    mq_map_empty(&moment->place_of);
    for (i = 0; i < count; i++)
        if (before[i].unused < most_unused)
            plan(moment, before[i].address, before[i].unused + 1);
    for (i = 0; i < stack_count; i++) {
        uint64_t address = stacks[i] - below_stack;

        if (stacks[i] < below_stack || stacks[i] > UINT64_MAX - most_at_once)
            continue;
        address -= address % block_size;
        for (int j = 0; j < stack_blocks; j++, address += block_size)
            plan(moment, address, 1);
    }
    copy_all(moment);
    for (i = 0; i < count; i++)
        moment->is_repeated = moment->is_repeated
                              && is_same(moment, &before[i]);
    for (i = 0; i < count; i++) {
        struct mq_moment_block *now = find(moment, before[i].address);

        if (moment->is_repeated && now != NULL) {
            memcpy(now->used, before[i].used, sizeof now->used);
            now->unused = before[i].unused;
        }
        give_back(moment, before[i].bytes);
    }
}

void mq_moment_end(struct mq_moment *moment)
{
    if (moment->state == mq_moment_lasts)
        moment->state = mq_moment_over;
}

/* ---- Whether it lasts ---------------------------------------------------- */

/* The ranges that do not count. */
struct skipped {
    const struct mq_moment_range *all;
    size_t count;
};

static bool matters(const struct mq_moment_block *block, size_t word,
                    const struct skipped *skipped)
{
    const uint64_t address = block->address + 8 * word;

    if (!is_used(block, word))
        return false;
    for (size_t i = 0; i < skipped->count; i++)
        if (address >= skipped->all[i].begin && address < skipped->all[i].end)
            return false;
    return true;
}

/* Compares what of BLOCK matters, read at once. */
static bool holds_of(const struct mq_moment *moment,
                     const struct mq_moment_block *block,
                     const struct skipped *skipped)
{
    unsigned char bytes[block_size];
    size_t first = 0, end = words;

    while (first < end && !matters(block, first, skipped))
        first++;
    while (end > first && !matters(block, end - 1, skipped))
        end--;
    if (first == end)
        return true;
    if (moment->memory->ops->read(moment->memory, block->address + 8 * first,
                                  8 * (end - first), NULL, bytes) != mq_ok)
        return false;
    for (size_t i = first; i < end; i++)
        if (matters(block, i, skipped)
            && memcmp(bytes + 8 * (i - first), block->bytes + 8 * i, 8) != 0)
            return false;
    return true;
}

bool mq_moment_holds(const struct mq_moment *moment,
                     const struct mq_moment_range *ranges, size_t count)
{
    const struct skipped skipped = { ranges, count };

    if (moment->state == mq_moment_none || moment->is_partial)
        return false;
    for (size_t i = 0; i < moment->count; i++) {
        const struct mq_moment_block *block = &moment->blocks[i];

        if (block->bytes != NULL && block->unused == 0
            && !holds_of(moment, block, &skipped))
            return false;
    }
    return true;
}

/* ---- Reading and writing ----------------------------------------------- */

/* Notes that LENGTH bytes from OFFSET of a block on are used. */
static void note_used(struct mq_moment_block *block, size_t offset,
                      size_t length)
{
    size_t word, last = (offset + length - 1) / 8;

    block->unused = 0;
    for (word = offset / 8; word <= last; word++)
        block->used[word / 64] |= (uint64_t)1 << word % 64;
}

/* How much of LENGTH bytes from ADDRESS on is in its block. */
static size_t part_of(uint64_t address, size_t length)
{
    size_t rest = block_size - (size_t)(address % block_size);

    return rest < length ? rest : length;
}

static enum mq_result read_now(struct mq_moment *moment, uint64_t address,
                               size_t length, struct mq_error *error,
                               void *bytes)
{
    moment->is_torn |= moment->state == mq_moment_over;
    moment->is_partial = true;
    return moment->memory->ops->read(moment->memory, address, length, error,
                                     bytes);
}

enum mq_result mq_moment_read(struct mq_moment *moment, uint64_t address,
                              size_t length, bool is_fixed,
                              struct mq_error *error, void *bytes)
{
    size_t part;

    if (moment->state == mq_moment_none || length > most_at_once)
        return read_now(moment, address, length, error, bytes);
    if (!is_fixed && moment->is_repeated) {
        /* Blocks read from now on are all that is known of this moment. */
        for (size_t i = 0; i < moment->count; i++) {
            memset(moment->blocks[i].used, 0, sizeof moment->blocks[i].used);
            moment->blocks[i].unused++;
        }
        moment->is_repeated = false;
    }
    for (size_t done = 0; done < length; done += part, address += part) {
        size_t offset = (size_t)(address % block_size);
        struct mq_moment_block *block = block_at(moment, address - offset,
                                                 is_fixed);

        part = part_of(address, length - done);
        if (block == NULL)
            return read_now(moment, address, length - done, error,
                            (char *)bytes + done);
        if (!is_fixed)
            note_used(block, offset, part);
        if (block->bytes == NULL && moment->state == mq_moment_lasts)
            return read_now(moment, address, part, error, bytes);
        if (block->bytes == NULL)
            return mq_fail(error, "%s: cannot read its memory at 0x%" PRIx64
                           ": %s", moment->memory->name, address,
                           strerror(EIO));
        memcpy((char *)bytes + done, block->bytes + offset, part);
    }
    return mq_ok;
}

enum mq_result mq_moment_write(struct mq_moment *moment, uint64_t address,
                               size_t length, const void *bytes,
                               struct mq_error *error)
{
    enum mq_result result = moment->memory->ops->write(
        moment->memory, address, length, bytes, error);
    size_t part;

    for (size_t done = 0; done < length; done += part, address += part) {
        size_t offset = (size_t)(address % block_size);
        struct mq_moment_block *block = find(moment, address - offset);

        part = part_of(address, length - done);
        if (result == mq_ok && block != NULL && block->bytes != NULL)
            memcpy(block->bytes + offset, (const char *)bytes + done, part);
    }
    return result;
}

void mq_moment_deinit(struct mq_moment *moment)
{
    while (moment->count > 0)
        give_back(moment, moment->blocks[--moment->count].bytes);
    free(moment->blocks);
    free(moment->other);
    mq_map_deinit(&moment->place_of);
    memset(moment, 0, sizeof *moment);
}
