#include "store.h"

#include <stdlib.h>
#include <string.h>

#include "finding.h"

enum {
    GUARD = 32,                 /* bytes on both sides, a multiple of what
                                   malloc aligns to */
    FRESH = 0xa5, FENCE = 0xfd, GONE = 0xdd
};

struct block {
    struct block *next;
    size_t size;
    int is_free, is_told;
    unsigned char *bytes;       /* the front guard, then the caller's part */
};

static struct block *blocks;
static unsigned long fail_in;
static int has_failed;

static unsigned char *inside(const struct block *block)
{
    return block->bytes + GUARD;
}

static int is_filled(const unsigned char *bytes, size_t length, int with)
{
    return length == 0
           || (bytes[0] == with && memcmp(bytes, bytes + 1, length - 1) == 0);
}

void *store_allocate(size_t size)
{
    struct block *block;

    if (fail_in > 0 && --fail_in == 0) {
        has_failed = 1;
        return NULL;
    }
    if (size > (size_t)1 << 30)
        return NULL;
    block = malloc(sizeof *block);
    if (block == NULL)
        return NULL;
    block->bytes = malloc(size + 2 * GUARD);
    if (block->bytes == NULL) {
        free(block);
        return NULL;
    }
    memset(block->bytes, FENCE, size + 2 * GUARD);
    memset(inside(block), FRESH, size);
    block->size = size;
    block->is_free = block->is_told = 0;
    block->next = blocks;
    blocks = block;
    return inside(block);
}

void store_free(void *place)
{
    struct block *block = blocks;

    tested(rule_free);
    if (place == NULL) {
        broken(rule_free, "mqs_free got a null pointer");
        return;
    }
    while (block != NULL && inside(block) != (unsigned char *)place)
        block = block->next;
    if (block == NULL)
        broken(rule_free, "mqs_free got a block that mqs_malloc did not give");
    else if (block->is_free)
        broken(rule_free, "mqs_free got a block of %zu bytes a second time",
               block->size);
    else {
        block->is_free = 1;
        memset(inside(block), GONE, block->size);
    }
}

void store_inspect(const char *where)
{
    struct block *block;

    tested(rule_overrun);
    for (block = blocks; block != NULL; block = block->next) {
        const char *what = NULL;

        if (!is_filled(block->bytes, GUARD, FENCE))
            what = "in front of";
        else if (!is_filled(inside(block) + block->size, GUARD, FENCE))
            what = "behind";
        else if (block->is_free
                 && !is_filled(inside(block), block->size, GONE))
            what = "after it was given back to";
        if (what == NULL || block->is_told)
            continue;
        block->is_told = 1;
        broken(rule_overrun, "%s wrote %s a block of %zu bytes", where, what,
               block->size);
    }
}

int store_has_room(const void *place, size_t length)
{
    const unsigned char *start = place;
    const struct block *block;

    for (block = blocks; block != NULL; block = block->next) {
        const unsigned char *end = inside(block) + block->size;

        if (start < block->bytes || start >= end + GUARD)
            continue;
        return !block->is_free && start >= inside(block) && start <= end
               && length <= (size_t)(end - start);
    }
    return 1;
}

size_t store_reset(void)
{
    struct block *next;
    size_t kept = 0;

    for (; blocks != NULL; blocks = next) {
        next = blocks->next;
        kept += !blocks->is_free;
        free(blocks->bytes);
        free(blocks);
    }
    return kept;
}

void store_fail(unsigned long nth)
{
    fail_in = nth;
    has_failed = 0;
}

int store_has_failed(void)
{
    return has_failed;
}
