/* number.c - parsing and comparison of numbers */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/number.h"

#include <limits.h>

/* The digits of *TEXT in BASE. */
static enum mq_number read_digits(const char **text, unsigned base,
                                  uint64_t largest, uint64_t *number)
{
    const uint64_t most = largest / base;       /* one digit may follow, */
    const unsigned last = (unsigned)(largest % base);   /* up to this */
    uint64_t value = 0;
    bool is_large = false;
    const char *at = *text;
    int digit;

    while ((digit = mq_hex_digit(*at)) >= 0 && (unsigned)digit < base) {
        if (value > most || (value == most && (unsigned)digit > last))
            is_large = true;
        else
            value = value * base + (uint64_t)digit;
        at++;
    }
    if (at == *text)
        return mq_number_none;
    *text = at;
    if (is_large)
        return mq_number_large;
    *number = value;
    return mq_number_ok;
}

enum mq_number mq_number_read(const char **text, uint64_t largest,
                              uint64_t *number)
{
    return read_digits(text, 10, largest, number);
}

enum mq_number mq_number_read_signed(const char **text, int64_t *number)
{
    bool is_negative = **text == '-';
    const char *digits = *text + is_negative;
    uint64_t magnitude = 0;
    enum mq_number result = read_digits(
        &digits, 10, (uint64_t)INT64_MAX + is_negative, &magnitude);

    if (result != mq_number_none)
        *text = digits;
    if (result == mq_number_ok)
        *number = is_negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return result;
}

enum mq_number mq_number_read_hex(const char **text, uint64_t *number)
{
    const char *digits = *text + 2;
    enum mq_number result;

    if ((*text)[0] != '0' || (*text)[1] != 'x')
        return mq_number_none;
    result = read_digits(&digits, 16, UINT64_MAX, number);
    if (result != mq_number_none)
        *text = digits;
    return result;
}

bool mq_number_is(const char *text, int low, int high, int *number)
{
    uint64_t value = 0;

    if (mq_number_read(&text, (uint64_t)high, &value) != mq_number_ok
        || *text != '\0' || value < (uint64_t)low)
        return false;
    *number = (int)value;
    return true;
}

/* What a recording consists of, nearly: looked up, since it is read so often.
 */
static const unsigned char hex_values[UCHAR_MAX + 1] = {        /* plus 1 */
    ['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6,
    ['6'] = 7, ['7'] = 8, ['8'] = 9, ['9'] = 10,
    ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16
};

int mq_hex_digit(char digit)
{
    return hex_values[(unsigned char)digit] - 1;
}

size_t mq_hex_decode(const char *digits, size_t length, void *bytes)
{
    unsigned char *to = bytes;

    for (size_t i = 0; i < length; i++) {
        int high = hex_values[(unsigned char)digits[2 * i]];
        int low = high == 0 ? 0
                  : hex_values[(unsigned char)digits[2 * i + 1]];

        if (low == 0)
            return i;
        to[i] = (unsigned char)((high - 1) << 4 | (low - 1));
    }
    return length;
}

int mq_compare_ints(const void *left, const void *right)
{
    const int *l = left, *r = right;

    return (*l > *r) - (*l < *r);
}
