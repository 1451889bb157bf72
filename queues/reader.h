/* reader.h - bounded reading of a process
 *
 * Every byte comes through here.  Pages that were read are kept until the next
 * reset, so that adjacent data cost one fetch; how many fetches there may be
 * between two resets is bounded.  Targets are those of 64 bits that have the
 * lowest byte first, on any host.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef QUEUES_READER_H
#define QUEUES_READER_H

#include <stdint.h>

#include "mpi_interface.h"

enum {
    PAGE = 4096,                /* no target has smaller pages */
    PAGES = 64,                 /* that are kept */
    PIECE = 1 << 16,            /* the longest fetch */
    FETCHES_LIMIT = 2000        /* from one reset to the next */
};

struct page {
    uint64_t address;        /* 0: holds nothing */
    unsigned char *bytes;    /* null: was never needed */
};

struct reader {
    mqs_process *process;
    const mqs_process_callbacks *callbacks;
    int fetches_left;
    int status;                 /* of the latest read that failed */
    struct page pages[PAGES];
};

/* mqs_ok, or why this target cannot be read.  The reader was all zero. */
int reader_start(struct reader *, mqs_process *, const mqs_process_callbacks *,
                 const mqs_image_callbacks *);
void reader_end(struct reader *);

/* Forgets what was read. */
void reader_reset(struct reader *);

/* Copies LENGTH bytes at ADDRESS, in the target's order: mqs_ok or an error. */
int reader_take(struct reader *, uint64_t address, size_t length,
                void *bytes);

/* The same without keeping pages, for what is large and read once. */
int reader_take_large(struct reader *, uint64_t address, size_t length,
                      void *bytes);

/* Numbers among bytes that were taken. */
static inline uint32_t reader_half(const void *bytes)
{
    const unsigned char *from = bytes;

    return (uint32_t)from[0] | (uint32_t)from[1] << 8
           | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static inline uint64_t reader_word(const void *bytes)
{
    const unsigned char *from = bytes;

    return reader_half(from) | (uint64_t)reader_half(from + 4) << 32;
}

/* Reads one; mqs_ok or an error, and nothing is written. */
int reader_take_word(struct reader *, uint64_t address, uint64_t *word);
int reader_take_half(struct reader *, uint64_t address, uint32_t *half);

/* Reads the COUNT words, which are few, at ADDRESS. */
int reader_take_words(struct reader *, uint64_t address, int count,
                      uint64_t *words);

/* Whether ADDRESS may be that of a struct: aligned, and not in the first page.
 */
static inline int reader_is_place(uint64_t address)
{
    return address >= PAGE && address % 8 == 0
           && address <= UINT64_MAX - (1u << 20);
}

#endif
