/* opal.c - objects and lists of Open MPI's OPAL
 *
 * These offsets are the same from 4.0 to 5.0, where nothing is built for Open
 * MPI's own debugging; a build that is has classes of other sizes.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "queues/opal.h"

#include <string.h>

#include "queues/errors.h"
#include "queues/store.h"

enum {
    CLASS_NAME = 0, CLASS_SIZE = 56, CLASS = 64,
    LONGEST_NAME = 40,
    ITEM_NEXT = 16, ITEM_PREVIOUS = 24, ITEM = 32,
    LIST_SENTINEL = 16, LIST_LENGTH = 56, LIST = 64,
    FREE_COUNT = 88, FREE_STEP = 96, FREE_SIZE = 112, FREE_ALIGNMENT = 120,
    FREE_CLASS = 144, FREE_BLOCKS = 256, FREE = FREE_BLOCKS + LIST,
    BLOCK = 56                  /* in front of the objects of a block */
};

/* ---- Classes ------------------------------------------------------------- */

static int has_name(struct reader *reader, uint64_t address, const char *name)
{
    char text[LONGEST_NAME];
    size_t length = strlen(name) + 1;

    return length <= sizeof text
           && reader_take(reader, address, length, text) == mqs_ok
           && memcmp(text, name, length) == 0;
}

int opal_is_of(struct reader *reader, uint64_t word, struct opal_class *class)
{
    unsigned char bytes[CLASS];

    if (class->at != 0)
        return word == class->at;
    if (!reader_is_place(word)
        || reader_take(reader, word, sizeof bytes, bytes) != mqs_ok
        || reader_word(bytes + CLASS_SIZE) != class->size
        || !has_name(reader, reader_word(bytes + CLASS_NAME), class->name))
        return 0;
    class->at = word;
    return 1;
}

/* ---- Lists --------------------------------------------------------------- */

int opal_list_walk(struct reader *reader, uint64_t address, opal_take *take,
                   void *context)
{
    unsigned char bytes[LIST];
    uint64_t end = address + LIST_SENTINEL, previous = end, item, last, left;
    int status = reader_take(reader, address, sizeof bytes, bytes);

    if (status != mqs_ok)
        return status;
    item = reader_word(bytes + LIST_SENTINEL + ITEM_NEXT);
    last = reader_word(bytes + LIST_SENTINEL + ITEM_PREVIOUS);
    left = reader_word(bytes + LIST_LENGTH);
    for (; item != end; left--) {
        unsigned char links[ITEM];

        if (left == 0 || !reader_is_place(item))
            return err_torn;
        status = reader_take(reader, item, sizeof links, links);
        if (status == mqs_ok && reader_word(links + ITEM_PREVIOUS) != previous)
            status = err_torn;
        if (status == mqs_ok)
            status = take(context, item);
        if (status != mqs_ok)
            return status;
        previous = item;
        item = reader_word(links + ITEM_NEXT);
    }
    return left == 0 && last == previous ? mqs_ok : err_torn;
}

/* ---- Free lists ---------------------------------------------------------- */

/* The objects are adjacent in blocks; the first block has what the others,
 * which are equal, leave of the count.
 */
struct blocks {
    struct reader *reader;
    struct opal_class *class;
    opal_take_object *take;
    void *context;
    uint64_t stride, alignment;
    uint64_t count, step;       /* of the next block, and of those behind */
    unsigned char *room;        /* PIECE bytes */
};

/* Takes COUNT objects at ADDRESS, which fit into the room. */
static int take_piece(struct blocks *blocks, uint64_t address, size_t count)
{
    size_t i;
    int status = reader_take_large(blocks->reader, address,
                                   count * (size_t)blocks->stride,
                                   blocks->room);

    for (i = 0; i < count && status == mqs_ok; i++) {
        const unsigned char *bytes = blocks->room + i * blocks->stride;

        status = opal_is_of(blocks->reader, reader_word(bytes), blocks->class)
                 ? blocks->take(blocks->context, address + i * blocks->stride,
                                bytes) : err_torn;
    }
    return status;
}

static int take_block(void *context, uint64_t block)
{
    struct blocks *blocks = context;
    uint64_t most = PIECE / blocks->stride, count = blocks->count;
    uint64_t at = (block + BLOCK + blocks->alignment - 1)
                  & ~(blocks->alignment - 1);
    int status = mqs_ok;

    blocks->count = blocks->step;
    while (count > 0 && status == mqs_ok) {
        uint64_t some = count < most ? count : most;

        status = take_piece(blocks, at, (size_t)some);
        at += some * blocks->stride;
        count -= some;
    }
    return status;
}

/* Fills in what the list's own BYTES say: mqs_ok or an error. */
static int measure(struct blocks *blocks, const unsigned char *bytes)
{
    uint64_t size = reader_word(bytes + FREE_SIZE);
    uint64_t alignment = reader_word(bytes + FREE_ALIGNMENT);
    uint64_t count = reader_word(bytes + FREE_COUNT);
    uint64_t step = reader_word(bytes + FREE_STEP);
    uint64_t more = reader_word(bytes + FREE_BLOCKS + LIST_LENGTH);

    if (more == 0)
        return count == 0 ? mqs_ok : err_torn;
    more--;
    if (!opal_is_of(blocks->reader, reader_word(bytes + FREE_CLASS),
                    blocks->class)
        || size < blocks->class->size || size > PIECE / 2 || alignment < 8
        || alignment > PAGE || (alignment & (alignment - 1)) != 0)
        return err_unknown_version;
    if (count > UINT32_MAX || step > UINT32_MAX || more > UINT32_MAX
        || count < more * step)
        return err_torn;
    blocks->alignment = alignment;
    blocks->stride = (size + alignment - 1) & ~(alignment - 1);
    blocks->count = count - more * step;
    blocks->step = step;
    return mqs_ok;
}

int opal_objects_walk(struct reader *reader, uint64_t address,
                      struct opal_class *class, opal_take_object *take,
                      void *context)
{
    struct blocks blocks = { reader, class, take, context, 8, 8, 0, 0, NULL };
    unsigned char bytes[FREE];
    int status = reader_take(reader, address, sizeof bytes, bytes);

    if (status == mqs_ok)
        status = measure(&blocks, bytes);
    if (status != mqs_ok)
        return status;
    blocks.room = store_take(PIECE);
    if (blocks.room == NULL)
        return err_no_store;
    status = opal_list_walk(reader, address + FREE_BLOCKS, take_block,
                            &blocks);
    store_give(blocks.room);
    return status;
}
