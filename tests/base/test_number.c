/* test_number.c - parsing and comparison of numbers */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "tests/kit/harness.h"

static void test_decimal(const char *text, uint64_t largest,
                         enum mq_number wanted, uint64_t value,
                         const char *rest)
{
    uint64_t number = 4711;

    test("'%s' as a decimal number of at most %" PRIu64, text, largest);
    CHECK_INT(mq_number_read(&text, largest, &number), wanted);
    CHECK_INT(number == value, 1);
    CHECK_STRING(text, rest);
}

static void test_signed(const char *text, enum mq_number wanted,
                        int64_t value, const char *rest)
{
    int64_t number = 4711;

    test("'%s' as a number with a sign", text);
    CHECK_INT(mq_number_read_signed(&text, &number), wanted);
    CHECK_INT(number, value);
    CHECK_STRING(text, rest);
}

static void test_hex(const char *text, enum mq_number wanted, uint64_t value,
                     const char *rest)
{
    uint64_t number = 4711;

    test("'%s' as a hexadecimal number", text);
    CHECK_INT(mq_number_read_hex(&text, &number), wanted);
    CHECK_INT(number == value, 1);
    CHECK_STRING(text, rest);
}

static void test_bytes(const char *digits, size_t wanted, const char *bytes)
{
    char text[16];

    test("'%s' as bytes, written over the digits", digits);
    strcpy(text, digits);
    CHECK_INT(mq_hex_decode(text, strlen(text) / 2, text), wanted);
    CHECK_INT(memcmp(text, bytes, wanted), 0);
}

static void test_whole(const char *text, int low, int high, int is_number)
{
    int number = -1;

    test("'%s' as a whole number from %d to %d", text, low, high);
    CHECK_INT(mq_number_is(text, low, high, &number), is_number);
    CHECK_INT(number >= 0, is_number);
}

int main(void)
{
    test_decimal("17,", 100, mq_number_ok, 17, ",");
    test_decimal("0", 0, mq_number_ok, 0, "");
    test_decimal("7", 5, mq_number_large, 4711, "");
    test_decimal("18446744073709551615", UINT64_MAX, mq_number_ok, UINT64_MAX,
                 "");
    test_decimal("18446744073709551616", UINT64_MAX, mq_number_large, 4711,
                 "");
    test_decimal("", 9, mq_number_none, 4711, "");
    test_decimal("+1", 9, mq_number_none, 4711, "+1");
    test_decimal(" 1", 9, mq_number_none, 4711, " 1");
    test_signed("-9223372036854775808", mq_number_ok, INT64_MIN, "");
    test_signed("9223372036854775807/", mq_number_ok, INT64_MAX, "/");
    test_signed("9223372036854775808", mq_number_large, 4711, "");
    test_signed("-", mq_number_none, 4711, "-");
    test_hex("0x1fF g", mq_number_ok, 0x1ff, " g");
    test_hex("0xffffffffffffffff", mq_number_ok, UINT64_MAX, "");
    test_hex("0x10000000000000000", mq_number_large, 4711, "");
    test_hex("0x", mq_number_none, 4711, "0x");
    test_hex("ff", mq_number_none, 4711, "ff");
    test_bytes("00fFa1", 3, "\x00\xff\xa1");
    test_bytes("41g1", 1, "A");
    test_bytes("4", 0, "");
    test_whole("1", 1, 9, 1);
    test_whole("0", 1, 9, 0);
    test_whole("10", 1, 9, 0);
    test_whole("5x", 1, 9, 0);
    return tests_end();
}
