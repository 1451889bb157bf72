/* number.h - parsing and comparison of numbers */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_NUMBER_H
#define MQ_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number at the beginning of a text. */
enum mq_number {
    mq_number_ok,
    mq_number_none,             /* no digit */
    mq_number_large             /* larger than it may be */
};

/* Reads the decimal number at *TEXT, which has no sign and no blanks in front,
 * and moves *TEXT behind its last digit.  *NUMBER changes on mq_number_ok only,
 * *TEXT also on mq_number_large.
 */
enum mq_number mq_number_read(const char **text, uint64_t largest,
                              uint64_t *number);

/* The same with a '-' in front or none, within int64_t. */
enum mq_number mq_number_read_signed(const char **text, int64_t *number);

/* The same of hexadecimal digits behind "0x", within 64 bits. */
enum mq_number mq_number_read_hex(const char **text, uint64_t *number);

/* Whether all of TEXT is a decimal number from LOW to HIGH, neither of which is
 * negative.
 */
bool mq_number_is(const char *text, int low, int high, int *number);

/* The value of a hexadecimal digit of either case; -1 for anything else. */
int mq_hex_digit(char digit);

/* Turns LENGTH pairs of hexadecimal digits into as many bytes, which may be
 * written over the digits.  Returns how many pairs were such: LENGTH if all
 * went well.
 */
size_t mq_hex_decode(const char *digits, size_t length, void *bytes);

/* The order of two int, for qsort. */
int mq_compare_ints(const void *left, const void *right);

#endif
