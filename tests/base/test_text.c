/* test_text.c - escaping, measuring and wrapping of untrusted text */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/kit/harness.h"

static char *shown;
static size_t shown_size;

static FILE *begin(void)
{
    FILE *stream;

    free(shown);
    shown = NULL;
    stream = open_memstream(&shown, &shown_size);
    if (stream == NULL)
        exit(2);
    return stream;
}

static void check_write(void)
{
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"", ""},
        {"dup of \"world\" \\ %s", "dup of \"world\" \\ %s"},
        {"a\033[2Jb\n\t\177", "a\\x1b[2Jb\\x0a\\x09\\x7f"},
        {"Gr\303\266\303\237e", "Gr\303\266\303\237e"},
        {"\342\202\254 \360\235\204\236", "\342\202\254 \360\235\204\236"},
        {"\302\233H", "\\xc2\\x9bH"},        /* CSI as U+009B */
        {"\233H", "\\x9bH"},                 /* the same in ISO 8859 */
        {"caf\351 \303", "caf\\xe9 \\xc3"}, /* not UTF-8 */
        {"\342\202\033", "\\xe2\\x82\\x1b"},
        {"\365\200\200\200", "\\xf5\\x80\\x80\\x80"},
        {"\370\377", "\\xf8\\xff"},
        {"\300\233", "\\xc0\\x9b"},          /* overlong */
        {"\340\202\233", "\\xe0\\x82\\x9b"},
        {"\360\200\202\233", "\\xf0\\x80\\x82\\x9b"},
        {"\301\201", "\\xc1\\x81"},          /* an overlong A */
        {"\340\201\201", "\\xe0\\x81\\x81"},
        {"\360\200\201\201", "\\xf0\\x80\\x81\\x81"},
        {"\355\240\200", "\\xed\\xa0\\x80"},    /* a surrogate */
        {"\355\237\277", "\355\237\277"},
        {"\364\217\277\277", "\364\217\277\277"},    /* U+10FFFF */
        {"\364\220\200\200", "\\xf4\\x90\\x80\\x80"},
        {"\357\277\277", "\\xef\\xbf\\xbf"},    /* no character */
        /* NOLINTBEGIN(misc-misleading-bidirectional): this is the test */
        {"\342\200\256a", "\\xe2\\x80\\xaea"},   /* U+202E */
        {"\342\201\246", "\\xe2\\x81\\xa6"},     /* U+2066 */
        /* NOLINTEND(misc-misleading-bidirectional) */
        {"\330\234", "\\xd8\\x9c"},               /* U+061C */
        {"\342\200\223", "\342\200\223"},         /* a dash */
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FILE *stream = begin();

        test("text %zu", i);
        mq_text_write(stream, cases[i].text);
        fclose(stream);
        CHECK_STRING(shown, cases[i].shown);
    }
}

static const char *double_quotes(char c)
{
    return c == '"' ? "\"\"" : NULL;
}

static void check_quoted(void)
{
    static const struct {
        const char *text, *(*quote)(char), *written;
    } cases[] = {
        {"", double_quotes, ""},
        {"a\"b\"", double_quotes, "a\"\"b\"\""},
        {"<a b='\"&amp;'>", mq_text_xml,
         "&lt;a b=&#39;&quot;&amp;amp;&#39;&gt;"},
        {"\033<\233", mq_text_xml, "\\x1b&lt;\\x9b"},
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FILE *stream = begin();
        size_t length = mq_text_write_quoted(stream, cases[i].text,
                                             cases[i].quote);

        test("quoting '%s'", cases[i].text);
        fclose(stream);
        CHECK_STRING(shown, cases[i].written);
        CHECK_INT(length, strlen(cases[i].written));
    }
}

static void check_wrap(void)
{
    static const struct {
        const char *text;
        size_t column, indent, width;
        const char *shown;
    } cases[] = {
        {"", 0, 2, 10, "\n"},
        {"  ", 0, 2, 10, "\n"},
        {"one two three", 0, 2, 13, "one two three\n"},
        {"one two three", 0, 2, 12, "one two\n  three\n"},
        {"one two three", 5, 0, 12, "one two\nthree\n"},
        {"one  two", 0, 2, 20, "one  two\n"},
        {"one  two", 0, 2, 7, "one\n  two\n"},
        {"incomprehensibility", 4, 2, 10, "incomprehensibility\n"},
        {"an incomprehensibility", 4, 2, 10, "an\n  incomprehensibility\n"},
        {"gr\303\266\303\237er kl", 0, 0, 9, "gr\303\266\303\237er kl\n"},
        {"a\nb c", 0, 1, 6, "a\\x0ab\n c\n"},
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FILE *stream = begin();

        test("wrapping '%s' to %zu columns", cases[i].text, cases[i].width);
        mq_text_wrap(stream, cases[i].text, cases[i].column, cases[i].indent,
                     cases[i].width);
        fclose(stream);
        CHECK_STRING(shown, cases[i].shown);
    }
}

static void check_names(void)
{
    char name[] = "ring\t1\303\244";

    test("the last name of a path");
    CHECK_STRING(mq_text_last_name("/opt/mpi/libmpi.so"), "libmpi.so");
    CHECK_STRING(mq_text_last_name("ring"), "ring");
    CHECK_STRING(mq_text_last_name("folder/"), "");

    test("visible characters only");
    mq_text_tame(name);
    CHECK_STRING(name, "ring_1__");

    test("the same text, or none");
    CHECK(!mq_text_is_same("a", name));
    CHECK(mq_text_is_same("ring_1__", name));
    CHECK(mq_text_is_same(NULL, NULL));
    CHECK(!mq_text_is_same(NULL, "a"));
    CHECK(!mq_text_is_same("a", NULL));
}

static void check_columns(void)
{
    static const struct {
        const char *setting;
        size_t columns;
    } cases[] = {
        {"60", 60}, {"0", 80}, {"-1", 80}, {"wide", 80}, {"1000000000", 80},
    };
    FILE *stream = tmpfile();
    size_t i;

    if (stream == NULL)
        exit(2);
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test("the columns of a file where COLUMNS is %s", cases[i].setting);
        setenv("COLUMNS", cases[i].setting, 1);
        CHECK_INT(mq_text_columns(stream), cases[i].columns);
    }
    fclose(stream);
}

static void check_more(void)
{
    static const struct {
        size_t count;
        const char *shown;
    } cases[] = {
        {0, ""}, {1, "  ... and 1 more way; --all shows it\n"},
        {2, "  ... and 2 more ways; --all shows them\n"}
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FILE *stream = begin();

        test("%zu are left out", cases[i].count);
        mq_text_more(stream, 2, cases[i].count, "way", "ways");
        fclose(stream);
        CHECK_STRING(shown, cases[i].shown);
    }
}

int main(void)
{
    check_write();
    check_quoted();
    check_wrap();
    check_names();
    check_columns();
    check_more();
    free(shown);
    return tests_end();
}
