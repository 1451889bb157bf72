/* mpich_rows.c - object tables of MPICH */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "queues/mpich_rows.h"

#include "queues/errors.h"

enum {
    STRIDE_LEAST = 0x100,
    BLOCKS_LIMIT = 64,
    OBJECTS_LIMIT = 1 << 16,
    ALLOCATOR = 6               /* words of the allocator's structure */
};

/* The bits of a handle: how the object is allocated, block and place. */
static const uint32_t way_bits = 0xc0000000, indirect_way = 0xc0000000,
                      direct_way = 0x80000000, block_bits = 0x3fff,
                      place_bits = 0xfff;

/* ---- The direct objects ---------------------------------------------------
 */

int mpich_is_row(const struct mpich_data *data, size_t at, uint64_t stride,
                 uint32_t handle, int count)
{
    int i;

    for (i = 0; i < count; i++) {
        size_t place = at + (size_t)i * (size_t)stride / 8;

        if (place >= data->count
            || (uint32_t)data->words[place] != handle + (uint32_t)i)
            return 0;
    }
    return 1;
}

/* The distance at which a row of direct objects begins at word AT, or 0. */
static uint64_t stride_of(const struct mpich_data *data, size_t at,
                          uint32_t handle)
{
    uint64_t stride;

    for (stride = STRIDE_LEAST; stride <= MPICH_STRIDE_MOST; stride += 8)
        if (mpich_is_row(data, at, stride, handle, MPICH_DIRECT))
            return stride;
    return 0;
}

static int find_direct(const struct mpich_data *data, uint32_t handle,
                       struct mpich_row *row)
{
    size_t at;
    int rows = 0;

    for (at = 0; at < data->count; at++) {
        uint64_t stride = (uint32_t)data->words[at] == handle
                          ? stride_of(data, at, handle) : 0;

        if (stride == 0)
            continue;
        rows++;
        row->stride = stride;
        row->direct = data->begin + at * 8;
    }
    return rows == 1 ? mqs_ok : err_no_communicators;
}

/* ---- Blocks of more --------------------------------------------------------
 */

/* Takes the structure that WORDS are if the fifth of them has the address of
 * the direct objects: the blocks, how many there are, how many objects there
 * are and how many of these are free, what they are, their size.  Newer
 * versions have one number more.
 */
static int take_allocator(const uint64_t *words, const struct mpich_row *row,
                          struct mpich_blocks *blocks)
{
    int is_late = words[3] >> 32 == row->stride;

    if (words[4] != row->direct || (uint32_t)words[5] != MPICH_DIRECT
        || (!is_late && words[3] != row->stride))
        return 0;
    blocks->at = words[0];
    blocks->count = (uint32_t)words[1];
    blocks->all = is_late ? (uint32_t)words[2] : (uint32_t)(words[1] >> 32);
    blocks->available = is_late ? (uint32_t)(words[2] >> 32)
                                : (uint32_t)words[2];
    return blocks->available <= blocks->all
           && blocks->count <= BLOCKS_LIMIT && blocks->all <= OBJECTS_LIMIT;
}

static int find_allocator(const struct mpich_data *data, struct mpich_row *row)
{
    struct mpich_blocks ignored;
    size_t at;
    int count = 0;

    for (at = 0; at + ALLOCATOR <= data->count; at++) {
        if (!take_allocator(data->words + at, row, &ignored))
            continue;
        count++;
        row->allocator = data->begin + at * 8;
    }
    return count == 1 ? mqs_ok : err_no_communicators;
}

int mpich_row_find(const struct mpich_data *data, uint32_t handle,
                   struct mpich_row *row)
{
    struct mpich_row made = { 0, 0, 0 };
    int status = find_direct(data, handle, &made);

    if (status == mqs_ok)
        status = find_allocator(data, &made);
    if (status == mqs_ok)
        *row = made;
    return status;
}

int mpich_row_blocks(struct reader *reader, const struct mpich_row *row,
                     struct mpich_blocks *blocks)
{
    uint64_t words[ALLOCATOR];
    int status = reader_take_words(reader, row->allocator, ALLOCATOR, words);

    return status != mqs_ok ? status
           : take_allocator(words, row, blocks) ? mqs_ok
           : err_no_communicators;
}

/* ---- One object ------------------------------------------------------------
 */

/* Where the objects are that HANDLE is one of, or 0. */
static uint64_t array_of(struct reader *reader, const struct mpich_row *row,
                         uint32_t handle)
{
    uint32_t block = handle >> 12 & block_bits;
    struct mpich_blocks blocks = { 0, 0, 0, 0 };
    uint64_t array = 0;

    if ((handle & way_bits) == direct_way)
        return block == 0 && (handle & place_bits) < MPICH_DIRECT
               ? row->direct : 0;
    if ((handle & way_bits) != indirect_way
        || mpich_row_blocks(reader, row, &blocks) != mqs_ok
        || block >= blocks.count
        || reader_take_word(reader, blocks.at + (uint64_t)block * 8, &array)
           != mqs_ok)
        return 0;
    return array;
}

uint64_t mpich_row_object(struct reader *reader, const struct mpich_row *row,
                          uint32_t handle)
{
    uint64_t at = row->direct == 0 ? 0 : array_of(reader, row, handle);
    uint32_t said;

    at = at == 0 ? 0 : at + (handle & place_bits) * row->stride;
    return reader_is_place(at) && reader_take_half(reader, at, &said) == mqs_ok
           && said == handle ? at : 0;
}
