/* mpich_rows.h - object tables of MPICH
 *
 * Those of one kind have one size, and each begins with its handle: eight that
 * are allocated with the library, and blocks of more, to which the allocator's
 * own structure leads.  Handles in a row at equal distances are found by what
 * they are.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef QUEUES_MPICH_ROWS_H
#define QUEUES_MPICH_ROWS_H

#include <stddef.h>

#include "queues/reader.h"

enum {
    MPICH_DIRECT = 8,           /* objects allocated with the library */
    MPICH_STRIDE_MOST = 0x2000
};

/* The variables of the library, read at once. */
struct mpich_data {
    uint64_t begin;
    size_t count;
    uint64_t *words;
};

/* Where the objects of one kind are. */
struct mpich_row {
    uint64_t direct;            /* array; 0: they were not found */
    uint64_t stride;
    uint64_t allocator;         /* the word that leads it to the direct ones */
};

/* What the allocator has of one kind, as far as it is known. */
struct mpich_blocks {
    uint64_t at;                /* address of the addresses of the blocks */
    uint32_t count;             /* of them */
    uint32_t all, available;    /* objects, with the direct ones */
};

/* Whether COUNT objects with handles from HANDLE on begin at word AT. */
int mpich_is_row(const struct mpich_data *, size_t at, uint64_t stride,
                 uint32_t handle, int count);

/* Finds the one row whose direct objects have handles from HANDLE on: mqs_ok,
 * or an error, and then *ROW is as it was.
 */
int mpich_row_find(const struct mpich_data *, uint32_t handle,
                   struct mpich_row *row);

int mpich_row_blocks(struct reader *, const struct mpich_row *,
                     struct mpich_blocks *blocks);

/* The address of the object HANDLE, one of this row, in use or not; or 0. */
uint64_t mpich_row_object(struct reader *, const struct mpich_row *,
                          uint32_t handle);

#endif
