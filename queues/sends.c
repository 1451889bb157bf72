/* sends.c - send requests of UCX
 *
 * Requests are in a row in the worker's pool, which is called ucp_requests.
 * Before each that is in use is the address of that pool, and of nothing else.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "queues/sends.h"

#include <string.h>

#include "queues/errors.h"

enum {
    LINE = 64,                  /* requests begin at multiples of it */
    BEFORE = 0x400,             /* bytes before the MPI library's own part */
    LARGEST = 0x800,            /* bytes with that */
    WORKER = 0x1000,            /* that a worker has at most */
    POOL_DATA = 12,             /* words of what a pool points to */
    OBJECT = 0x400              /* bytes that are looked through at most */
};

static const char pool_name[] = "ucp_requests";

static int is_name(struct reader *reader, uint64_t address)
{
    char text[sizeof pool_name];

    return address >= PAGE
           && reader_take(reader, address, sizeof text, text) == mqs_ok
           && memcmp(text, pool_name, sizeof text) == 0;
}

/* The bytes from one request of the pool at ADDRESS to the next, as far as they
 * are used; 0 if that is no such pool.
 */
static uint64_t pool_size(struct reader *reader, uint64_t address)
{
    uint64_t head[2], data[POOL_DATA];
    int i;

    if (reader_take_words(reader, address, 2, head) != mqs_ok
        || !reader_is_place(head[1])
        || reader_take_words(reader, head[1], POOL_DATA, data) != mqs_ok)
        return 0;
    for (i = 1; i < POOL_DATA; i++)
        if (is_name(reader, data[i]))
            return data[0] & UINT32_MAX;
    return 0;
}

/* The request in use that PART is in, and as *END where its own bytes end; or
 * 0.
 */
static uint64_t request_of(struct reader *reader, uint64_t matching,
                           uint64_t part, uint64_t *end)
{
    uint64_t at = part & ~(uint64_t)(LINE - 1), pool, size;

    if (!reader_is_place(part) || part < PAGE + BEFORE)
        return 0;
    for (; part - at < BEFORE; at -= LINE) {
        if (reader_take_word(reader, at - 8, &pool) != mqs_ok)
            return 0;
        if (!reader_is_place(pool)
            || (pool < matching ? matching - pool : pool - matching) >= WORKER)
            continue;           /* not of the same worker */
        size = pool_size(reader, pool);
        *end = at - 8 + size;
        return size <= LARGEST && part < *end ? at : 0;
    }
    return 0;
}

/* The request whose part at PART leads back to OBJECT, or 0. */
static uint64_t request_for(struct reader *reader, uint64_t matching,
                            uint64_t part, uint64_t object)
{
    uint64_t end = 0, word, at = request_of(reader, matching, part, &end);

    for (; at != 0 && part + 8 <= end; part += 8)
        if (reader_take_word(reader, part, &word) == mqs_ok && word == object)
            return at;
    return 0;
}

uint64_t sends_mark(struct reader *reader, uint64_t matching, uint64_t object,
                    size_t length)
{
    uint64_t words[OBJECT / 8], end, mark = 0;
    uint64_t own = request_of(reader, matching, object, &end);
    size_t i, count = (length < OBJECT ? length : OBJECT) / 8;

    if (own != 0)
        return own;
    if (reader_take_words(reader, object, (int)count, words) != mqs_ok)
        return 0;
    for (i = 0; i < count; i++) {
        uint64_t one = request_for(reader, matching, words[i], object);

        if (one != 0 && mark != 0 && one != mark)
            return 0;
        if (one != 0)
            mark = one;
    }
    return mark;
}
