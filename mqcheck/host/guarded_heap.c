/* guarded_heap.c - heap with guard zones around its blocks */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/host/guarded_heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "mqcheck/findings/finding.h"

enum {
    GUARD = 256,                /* bytes between blocks, and around them */
    ALIGNMENT = 16,             /* what malloc aligns to */
    FRESH = 0xa5, FENCE = 0xfd, GONE = 0xdd,
    MOST_INSPECTED = 1 << 15    /* bytes, after one call */
};

/* What all blocks of one exercise fit into; pages that are not used cost
 * nothing.
 */
static const size_t region_size =
    sizeof(void *) == 8 ? (size_t)1 << 36 : (size_t)1 << 29;

struct block {
    unsigned char *bytes;
    size_t size;
    int is_free, is_reported;
};

/* Blocks are in ascending order in one region, each with a guard behind it and
 * the first, at START, with one before it, too.  No place is used twice unless
 * the region gets scarce, so that a block of an earlier exercise is known.
 */
static struct {
    unsigned char *region, *start, *end;
    struct block *blocks;
    size_t count, room;
    size_t next_inspected;
    unsigned long allocations, bad_allocation;
} store;

static int is_filled(const unsigned char *bytes, size_t length, int with)
{
    return length == 0
           || (bytes[0] == with && memcmp(bytes, bytes + 1, length - 1) == 0);
}

static void begin_at(unsigned char *place)
{
    store.start = place;
    store.end = place + GUARD;
    memset(place, FENCE, GUARD);
}

static void reserve_region(void)
{
    void *region = mmap(NULL, region_size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (region == MAP_FAILED)
        give_up("out of memory");
    store.region = region;
    begin_at(region);
}

static struct block *add_block(void)
{
    if (store.count == store.room) {
        store.room = 2 * store.room + 64;
        store.blocks = realloc(store.blocks,
                               store.room * sizeof store.blocks[0]);
        if (store.blocks == NULL)
            give_up("out of memory");
    }
    return &store.blocks[store.count++];
}

void *store_allocate(size_t size)
{
    struct block *block;

    if (++store.allocations == store.bad_allocation)
        return NULL;
    if (size > (size_t)1 << 30)
        return NULL;
    if (store.region == NULL)
        reserve_region();
    if (size + (size_t)2 * GUARD
        > region_size - (size_t)(store.end - store.region))
        give_up("the DLL allocates more than %zu bytes", region_size);
    block = add_block();
    *block = (struct block){ store.end, size, 0, 0 };
    store.end += (size + GUARD + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memset(block->bytes, FRESH, size);
    memset(block->bytes + size, FENCE,
           (size_t)(store.end - block->bytes) - size);
    return block->bytes;
}

/* The last block that starts at PLACE or before it, or null. */
static struct block *block_at(const void *place)
{
    const unsigned char *wanted = place;
    size_t low = 0, high = store.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (store.blocks[middle].bytes <= wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? NULL : &store.blocks[low - 1];
}

void store_free(void *place)
{
    struct block *block = block_at(place);

    tested(rule_free);
    if (place == NULL)
        broken(rule_free, "mqs_free got a null pointer");
    else if (block == NULL || block->bytes != place)
        broken(rule_free, "mqs_free got a block that mqs_malloc did not give");
    else if (block->is_free)
        broken(rule_free, "mqs_free got a block of %zu bytes a second time",
               block->size);
    else {
        block->is_free = 1;
        memset(block->bytes, GONE, block->size);
    }
}

static void report_damage(struct block *block, const char *where,
                          const char *what)
{
    if (!block->is_reported)
        broken(rule_overrun, "%s wrote %s a block of %zu bytes", where, what,
               block->size);
    block->is_reported = 1;
}

/* Looks at a block that was given back, and at the fence behind each; a write
 * into a fence is attributed to the nearer block.
 */
static void inspect_block(struct block *block, const char *where)
{
    const int is_last = block == &store.blocks[store.count - 1];
    const unsigned char *fence = block->bytes + block->size;
    size_t length = (size_t)((is_last ? store.end : block[1].bytes) - fence);

    if (block->is_free && !is_filled(block->bytes, block->size, GONE))
        report_damage(block, where, "after it was given back to");
    if (is_filled(fence, length, FENCE))
        return;
    if (is_last || !is_filled(fence, length / 2, FENCE))
        report_damage(block, where, "behind");
    else
        report_damage(block + 1, where, "in front of");
}

/* The latest blocks, and then others in turn. */
void store_inspect(const char *where)
{
    size_t i, inspected = 0;

    tested(rule_overrun);
    if (store.count > 0 && !is_filled(store.start, GUARD, FENCE))
        report_damage(&store.blocks[0], where, "in front of");
    for (i = 0; i < store.count && inspected < MOST_INSPECTED; i++) {
        size_t at = store.count - 1 - i;

        if (inspected >= MOST_INSPECTED / 2)
            at = store.next_inspected++ % store.count;
        inspect_block(&store.blocks[at], where);
        inspected += store.blocks[at].size + GUARD;
    }
}

int store_has_room(const void *place, size_t length)
{
    const unsigned char *start = place;
    const struct block *block = block_at(place);

    if (start < store.start || start >= store.end)
        return 1;
    return block != NULL && !block->is_free
           && start <= block->bytes + block->size
           && length <= (size_t)(block->bytes + block->size - start);
}

/* Gives the memory back, but not the places. */
static void leave_places(void)
{
    const size_t page = 4096;
    size_t used = (size_t)(store.end - store.start) / page * page + page;
    unsigned char *next = store.start + used;

    madvise(store.start, used, MADV_DONTNEED);
    begin_at((size_t)(next - store.region) < region_size / 2 ? next
                                                            : store.region);
}

size_t store_reset(const char *where)
{
    size_t i, kept = 0;

    for (i = 0; i < store.count; i++) {
        inspect_block(&store.blocks[i], where);
        kept += !store.blocks[i].is_free;
    }
    store.count = 0;
    if (store.region != NULL)
        leave_places();
    return kept;
}

void store_fail(unsigned long nth)
{
    store.allocations = 0;
    store.bad_allocation = nth;
}

int store_has_failed(void)
{
    return store.bad_allocation > 0
           && store.allocations >= store.bad_allocation;
}

unsigned long store_allocations(void)
{
    return store.allocations;
}

/* ---- Results ------------------------------------------------------------- */

void *guarded_make(struct guarded_result *result, size_t size, int garbage)
{
    result->bytes = malloc(size + (size_t)2 * GUARD);
    if (result->bytes == NULL)
        give_up("out of memory");
    memset(result->bytes, garbage, size + (size_t)2 * GUARD);
    result->size = size;
    result->garbage = garbage;
    return result->bytes + GUARD;
}

void guarded_take(struct guarded_result *result, enum rule rule,
                  const char *where, void *copy)
{
    keeps(rule, is_filled(result->bytes, GUARD, result->garbage), "%s wrote in "
          "front of its result of %zu bytes", where, result->size);
    keeps(rule, is_filled(result->bytes + GUARD + result->size, GUARD,
                          result->garbage), "%s wrote behind its result of %zu "
          "bytes", where, result->size);
    memcpy(copy, result->bytes + GUARD, result->size);
    free(result->bytes);
    result->bytes = NULL;
}
