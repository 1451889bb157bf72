/* python_lines.c - line tables of CPython */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/python_lines.h"

/* A line that moves by steps, within what a line can be. */
static bool move(int64_t *line, int64_t by)
{
    *line += by;
    return *line >= 0 && *line <= INT32_MAX;
}

/* ---- Up to 3.9: so many bytes on, so many lines on --------------------- */

/* The last entry's line goes on to the end of the code. */
static enum mq_result in_pairs(const unsigned char *table, size_t length,
                               int32_t first, uint32_t offset, int32_t *line)
{
    int64_t now = first;
    uint32_t at = 0;

    if (length % 2 != 0)
        return mq_failed;
    for (size_t i = 0; i < length; i += 2) {
        at += table[i];
        if (at > offset)
            break;
        if (!move(&now, mq_decode_signed(mq_little_endian,
                                         &table[i + 1], 1)))
            return mq_failed;
    }
    *line = (int32_t)now;
    return mq_ok;
}

/* ---- 3.10: so many lines on, for so many bytes ------------------------- */

static enum mq_result in_ranges(const unsigned char *table, size_t length,
                                int32_t first, uint32_t offset, int32_t *line)
{
    enum { no_line = -128 };
    int64_t now = first;
    uint32_t end = 0;

    for (size_t i = 0; i + 1 < length; i += 2) {
        int64_t by = mq_decode_signed(mq_little_endian, &table[i + 1], 1);

        if (by != no_line && !move(&now, by))
            return mq_failed;
        end += table[i];
        if (offset < end) {
            *line = by == no_line ? 0 : (int32_t)now;
            return mq_ok;
        }
    }
    return mq_failed;
}

/* ---- Since 3.11: entries with columns, too ------------------------------- */

struct cursor {
    const unsigned char *table;
    size_t at, length;
};

/* Six bits a byte, the lowest first; the seventh says that more follow. */
static bool take_number(struct cursor *cursor, uint64_t *number)
{
    uint64_t all = 0;

    for (unsigned shift = 0; shift <= 30; shift += 6) {
        unsigned byte;

        if (cursor->at == cursor->length)
            return false;
        byte = cursor->table[cursor->at++];
        if (byte >= 0x80)
            return false;
        all |= (uint64_t)(byte & 0x3f) << shift;
        if ((byte & 0x40) == 0) {
            *number = all;
            return true;
        }
    }
    return false;
}

/* Takes what follows the first byte of an entry of that CODE, and says by how
 * many lines it is on; *HAS_LINE if it is of one.
 */
static bool take_entry(struct cursor *cursor, unsigned code, int64_t *by,
                       bool *has_line)
{
    const size_t bytes = code < 10 ? 1 : code < 13 ? 2 : 0;
    const int numbers = code == 14 ? 3 : 0;     /* columns */
    uint64_t number;

    *has_line = code != 15;
    *by = code == 11 || code == 12 ? code - 10 : 0;
    if (cursor->length - cursor->at < bytes)
        return false;
    cursor->at += bytes;
    if (code < 13 || code == 15)
        return true;
    if (!take_number(cursor, &number))
        return false;
    *by = (int64_t)(number >> 1);
    if ((number & 1) != 0)      /* the sign */
        *by = -*by;
    for (int i = 0; i < numbers; i++)
        if (!take_number(cursor, &number))
            return false;
    return true;
}

static enum mq_result in_locations(const unsigned char *table, size_t length,
                                   int32_t first, uint32_t offset,
                                   int32_t *line)
{
    struct cursor cursor = { table, 0, length };
    int64_t now = first, by;
    uint32_t end = 0;
    bool has_line;

    while (cursor.at < cursor.length) {
        unsigned byte = table[cursor.at++];

        if (byte < 0x80
            || !take_entry(&cursor, byte >> 3 & 15, &by, &has_line)
            || !move(&now, by))
            return mq_failed;
        end += 2 * ((byte & 7) + 1);    /* units of two bytes */
        if (offset < end) {
            *line = has_line ? (int32_t)now : 0;
            return mq_ok;
        }
    }
    return mq_failed;
}

enum mq_result mq_python_line(enum mq_python_lines kind,
                              const unsigned char *table, size_t length,
                              int32_t first, uint32_t offset, int32_t *line)
{
    return (kind == mq_python_pairs ? in_pairs
            : kind == mq_python_ranges ? in_ranges : in_locations)(
        table, length, first, offset, line);
}
