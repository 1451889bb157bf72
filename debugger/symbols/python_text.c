/* python_text.c - str and bytes objects of CPython */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/python_text.h"

#include <stdlib.h>

/* Offsets that all versions have. */
enum {
    at_type = 8, at_size = 16, at_bytes = 32,
    at_length = 16, at_state = 32
};

enum { most_bytes = 1 << 20 };

enum mq_result mq_python_check_type(struct mq_target *target,
                                    uint64_t address, uint64_t type,
                                    struct mq_error *error)
{
    uint64_t found = 0;

    if (address == 0 || address % 8 != 0)
        return mq_fail(error, "expected a Python object");
    if (mq_target_read_pointer(target, address + at_type, error, &found)
        != mq_ok)
        return mq_failed;
    return found == type ? mq_ok
           : mq_fail(error, "unexpected type of a Python object");
}

/* ---- Text ---------------------------------------------------------------- */

/* Characters that change the direction of text. */
static bool is_harmful(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0xd800 && c < 0xe000)
           || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e)
           || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff || c > 0x10ffff;
}

static char *put_character(char *to, uint32_t c)
{
    if (is_harmful(c))
        c = '?';
    if (c < 0x80) {
        *to++ = (char)c;
    } else if (c < 0x800) {
        *to++ = (char)(0xc0 | c >> 6);
        *to++ = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *to++ = (char)(0xe0 | c >> 12);
        *to++ = (char)(0x80 | (c >> 6 & 0x3f));
        *to++ = (char)(0x80 | (c & 0x3f));
    } else {
        *to++ = (char)(0xf0 | c >> 18);
        *to++ = (char)(0x80 | (c >> 12 & 0x3f));
        *to++ = (char)(0x80 | (c >> 6 & 0x3f));
        *to++ = (char)(0x80 | (c & 0x3f));
    }
    return to;
}

/* Where LENGTH characters are, of how many bytes each: of a compact str. */
static enum mq_result find_characters(struct mq_target *target,
                                      const struct mq_python_layout *layout,
                                      uint64_t address, size_t limit,
                                      struct mq_error *error, uint64_t *place,
                                      unsigned *width, size_t *length)
{
    uint64_t size = 0, state = 0;
    bool is_compact, is_ascii;

    if (mq_target_read_unsigned(target, address + at_length, 8, error, &size)
        != mq_ok
        || mq_target_read_unsigned(target, address + at_state, 4, error,
                                   &state) != mq_ok)
        return mq_failed;
    *width = (unsigned)(state >> 2) & 7;
    is_compact = (state >> 5 & 1) != 0;
    is_ascii = (state >> 6 & 1) != 0;
    if (!is_compact || (*width != 1 && *width != 2 && *width != 4)
        || (is_ascii && *width != 1) || size == 0 || size > limit)
        return mq_fail(error, "invalid Python string");
    *place = address + (is_ascii ? layout->ascii : layout->compact);
    *length = (size_t)size;
    return mq_ok;
}

enum mq_result mq_python_text(struct mq_target *target,
                              const struct mq_python_layout *layout,
                              uint64_t address, size_t limit,
                              struct mq_error *error, char **text)
{
    unsigned char *bytes;
    char *made, *end;
    uint64_t place = 0;
    unsigned width = 0;
    size_t length = 0;

    if (find_characters(target, layout, address, limit, error, &place, &width,
                        &length) != mq_ok)
        return mq_failed;
    bytes = malloc(length * width);
    made = malloc(4 * length + 1);
    if (bytes == NULL || made == NULL
        || target->ops->read(target, place, length * width, error, bytes)
           != mq_ok) {
        bool is_full = bytes == NULL || made == NULL;

        free(bytes);
        free(made);
        return is_full ? mq_fail_memory(error, "for a name") : mq_failed;
    }
    end = made;
    for (size_t i = 0; i < length; i++)
        end = put_character(end, (uint32_t)mq_decode_unsigned(
            target->byte_order, bytes + i * width, (int)width));
    *end = '\0';
    free(bytes);
    *text = made;
    return mq_ok;
}

/* ---- Bytes --------------------------------------------------------------- */

enum mq_result mq_python_bytes(struct mq_target *target, uint64_t address,
                               struct mq_error *error, unsigned char **bytes,
                               size_t *length)
{
    unsigned char *made;
    uint64_t size = 0;

    if (mq_target_read_unsigned(target, address + at_size, 8, error, &size)
        != mq_ok)
        return mq_failed;
    if (size > most_bytes)
        return mq_fail(error, "Python line table too large");
    made = malloc((size_t)size + 1);
    if (made == NULL)
        return mq_fail_memory(error, "for a table of lines");
    if (size > 0 && target->ops->read(target, address + at_bytes, (size_t)size,
                                      error, made) != mq_ok) {
        free(made);
        return mq_failed;
    }
    *bytes = made;
    *length = (size_t)size;
    return mq_ok;
}
