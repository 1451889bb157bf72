/* test_snapshot.c - parsing of mqsnap files
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target/snapshot.h"
#include "tests/kit/harness.h"

/* A small good snapshot.  Tests replace a line, by its number, with others. */
static const char *const good[] = {
    "mqsnap 1",                                             /* 1 */
    "# a comment",
    "endian big",
    "size short 2",
    "size int 4",                                           /* 5 */
    "size long 8",
    "size longlong 8",
    "size pointer 8",
    "image solver",
    "rank 3",                                               /* 10 */
    "call MPI_Recv",
    "type struct_a 16",
    "field struct_a first 0 8",
    "field struct_a second 8 4",
    "type int 4",                                           /* 15 */
    "symbol MPIR_all_communicators 0x10000",
    "function MPIR_Breakpoint 0x20000",
    "symbol MPIR_Breakpoint 0x10008",
    "range 0x10000 4096",
    "range 0x11000 16",                                     /* 20 */
    "data 0x10000 000000000001000a",
    "data 0x10ffe fffe0102",
    "data 0x10100 68656c6C6F",
    "end",                                                  /* 24 */
};

enum { good_lines = sizeof good / sizeof good[0] };

/* The good snapshot with LINE (from 1) replaced by TEXT, null to leave it out;
 * in a static buffer.
 */
static const char *changed(int line, const char *text)
{
    static char all[8192];
    size_t used = 0;
    int i;

    all[0] = '\0';
    for (i = 1; i <= good_lines; i++) {
        const char *shown = i == line ? text : good[i - 1];

        if (shown != NULL)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s\n",
                                     shown);
    }
    return all;
}

static int parse(const char *text, size_t length, struct mq_error *error,
                 struct mq_target **target)
{
    return mq_snapshot_parse("job.3", text, length, error, target);
}

static struct mq_target *open_good(void)
{
    const char *text = changed(0, NULL);
    struct mq_target *target = NULL;
    struct mq_error error;

    if (parse(text, strlen(text), &error, &target) != mq_ok) {
        printf("%s\n", error.text);
        exit(2);
    }
    return target;
}

/* ---- Reading ------------------------------------------------------------- */

static void check_facts(void)
{
    struct mq_target *target = open_good();

    test("what a snapshot says of its process");
    CHECK_STRING(target->name, "job.3");
    CHECK_STRING(target->image, "solver");
    CHECK_STRING(target->call, "MPI_Recv");
    CHECK_INT(target->rank, 3);
    CHECK_INT(target->byte_order, mq_big_endian);
    CHECK_INT(target->sizes.short_size, 2);
    CHECK_INT(target->sizes.int_size, 4);
    CHECK_INT(target->sizes.long_size, 8);
    CHECK_INT(target->sizes.long_long_size, 8);
    CHECK_INT(target->sizes.pointer_size, 8);
    mq_target_destroy(target);
}

static void check_names(void)
{
    struct mq_target *target = open_good();
    const struct mq_target_ops *ops = target->ops;
    const struct mq_target_type *type = NULL;
    uint64_t value = 77;

    test("symbols and functions are apart");
    CHECK_INT(mq_target_find_symbol(target, "MPIR_Breakpoint", NULL, &value),
              mq_ok);
    CHECK_INT(value, 0x10008);
    CHECK_INT(mq_target_find_function(target, "MPIR_Breakpoint", NULL, &value),
              mq_ok);
    CHECK_INT(value, 0x20000);
    CHECK_INT(mq_target_find_function(target, "MPIR_all_communicators", NULL,
                                      &value), mq_absent);
    CHECK_INT(mq_target_find_symbol(target, "MPIR_", NULL, &value),
              mq_absent);
    CHECK_INT(value, 0x20000);

    test("types, their members and sizes");
    CHECK_INT(ops->find_type(target, "struct_b", NULL, &type), mq_absent);
    CHECK(type == NULL);
    CHECK_INT(ops->find_type(target, "struct_a", NULL, &type), mq_ok);
    CHECK_INT(mq_target_type_size(target, type, NULL, &value), mq_ok);
    CHECK_INT(value, 16);
    CHECK_INT(mq_target_find_member(target, type, "second", NULL, &value),
              mq_ok);
    CHECK_INT(value, 8);
    CHECK_INT(mq_target_find_member(target, type, "third", NULL, &value),
              mq_absent);
    CHECK_INT(value, 8);
    mq_target_destroy(target);
}

static void check_memory(void)
{
    static const struct {
        uint64_t address;
        int size, result;
        uint64_t value;
    } cases[] = {
        {0x10000, 8, mq_ok, 0x1000a},
        {0x10006, 2, mq_ok, 0xa},
        {0x10006, 4, mq_ok, 0xa0000},
        {0x10200, 8, mq_ok, 0},
        {0x10ffe, 4, mq_ok, 0xfffe0102},
        {0x10ffc, 8, mq_ok, 0xfffe01020000},
        {0x1100c, 4, mq_ok, 0},
        {0x1100d, 4, mq_failed, 0},
        {0x11010, 1, mq_failed, 0},
        {0xffff, 1, mq_failed, 0},
        {0xffff, 2, mq_failed, 0},
        {0, 1, mq_failed, 0},
        {UINT64_MAX, 2, mq_failed, 0},
        {0x10000, 3, mq_failed, 0},
    };
    struct mq_target *target = open_good();
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t value = 77;
        struct mq_error error = {""};

        test("%d bytes at 0x%llx", cases[i].size,
             (unsigned long long)cases[i].address);
        CHECK_INT(mq_target_read_unsigned(target, cases[i].address,
                                          cases[i].size, &error, &value),
                  cases[i].result);
        CHECK_INT(value, cases[i].result == mq_ok ? cases[i].value : 77);
        CHECK_INT(error.text[0] != '\0', cases[i].result != mq_ok);
        if (cases[i].result != mq_ok)
            CHECK_CONTAINS(error.text, "job.3: ");
    }
    mq_target_destroy(target);
}

static void check_values(void)
{
    struct mq_target *target = open_good();
    uint64_t pointer = 0;
    int64_t number = 0;
    char text[6];

    test("signed numbers, pointers and strings");
    CHECK_INT(mq_target_read_signed(target, 0x10ffe, 2, NULL, &number), mq_ok);
    CHECK_INT(number, -2);
    CHECK_INT(mq_target_read_signed(target, 0x11000, 2, NULL, &number), mq_ok);
    CHECK_INT(number, 0x102);
    CHECK_INT(mq_target_read_pointer(target, 0x10000, NULL, &pointer), mq_ok);
    CHECK_INT(pointer, 0x1000a);
    CHECK_INT(mq_target_read_string(target, 0x10100, sizeof text, NULL, text),
              mq_ok);
    CHECK_STRING(text, "hello");
    CHECK_INT(mq_target_read_string(target, 0x10100, 3, NULL, text), mq_ok);
    CHECK_STRING(text, "he");
    CHECK_INT(mq_target_read_string(target, 0x10100, 1, NULL, text), mq_ok);
    CHECK_STRING(text, "");
    CHECK_INT(mq_target_read_string(target, 0x1100f, sizeof text, NULL, text),
              mq_failed);
    mq_target_destroy(target);
}

/* ---- What else is good --------------------------------------------------- */

static void check_accepted(void)
{
    static const struct {
        const char *what;
        int line;
        const char *text;
    } cases[] = {
        {"no call line", 11, NULL},
        {"in no MPI call", 11, "call -"},
        {"no comment", 2, NULL},
        {"a rank that is not known", 10, "rank -1"},
        {"a range at the end of memory", 20,
         "range 0x11000 16\nrange 0xffffffffffffff00 256\n"
         "data 0xffffffffffffffff 01"},
        {"data over two ranges that touch", 22,
         "data 0x10fff 0102"},
        {"a member before its type", 12,
         "field late only 4 4\ntype late 8\ntype struct_a 16"},
        {"header lines behind others", 3, "symbol early 0x10000\nendian big"},
        {"a type of no bytes", 15, "type empty 0"},
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = changed(cases[i].line, cases[i].text);
        struct mq_target *target = NULL;
        struct mq_error error = {""};

        test("a good snapshot: %s", cases[i].what);
        CHECK_INT(parse(text, strlen(text), &error, &target), mq_ok);
        CHECK_STRING(error.text, "");
        mq_target_destroy(target);
    }
}

/* ---- What is refused ----------------------------------------------------- */

static const struct {
    int line;
    const char *text;
    const char *sentence;
} bad[] = {
    /* the version */
    {1, "mqsnap 6", ":1: version 6 of the format is not known"},
    {1, "mqsnap 10", ":1: version 10 of the format is not known"},
    {1, "mqsnap", ":1: this is not a snapshot"},
    {1, "# comment\nmqsnap 1", ":1: this is not a snapshot"},
    {1, "\177ELF", ":1: byte 0x7f is not text"},
    {1, NULL, ":1: this is not a snapshot"},
    /* unknown keywords */
    {2, "comment", ":2: unknown keyword 'comment'"},
    {2, "", ":2: unknown keyword ''"},
    {2, " endian big", ":2: unknown keyword ''"},
    {16, "symbols x 0x1", ":16: unknown keyword 'symbols'"},
    {16, "mqsnap 1", ":16: unknown keyword 'mqsnap'"},
    /* missing header lines */
    {3, NULL, ":23: there is no 'endian' line"},
    {4, NULL, ":23: there is no 'size short' line"},
    {5, NULL, ":23: there is no 'size int' line"},
    {6, NULL, ":23: there is no 'size long' line"},
    {7, NULL, ":23: there is no 'size longlong' line"},
    {8, NULL, ":23: there is no 'size pointer' line"},
    {9, NULL, ":23: there is no 'image' line"},
    {10, NULL, ":23: there is no 'rank' line"},
    /* repeated ones */
    {2, "endian big", ":3: a second 'endian' line"},
    {2, "size short 2", ":4: a second 'size short' line"},
    {2, "size int 4", ":5: a second 'size int' line"},
    {2, "size long 8", ":6: a second 'size long' line"},
    {2, "size longlong 8", ":7: a second 'size longlong' line"},
    {2, "size pointer 8", ":8: a second 'size pointer' line"},
    {2, "image solver", ":9: a second 'image' line"},
    {2, "rank 3", ":10: a second 'rank' line"},
    {2, "call -", ":11: a second 'call' line"},
    /* data outside a range */
    {21, "data 0x20000 00", ":21: the data are outside every range"},
    {21, "data 0xffff 0000", ":21: the data are outside every range"},
    {22, "data 0x1100f 0102", ":22: the data are outside every range"},
    {19, NULL, ":20: the data are outside every range"},
    /* overlapping ranges, in whatever order */
    {20, "range 0x10fff 2", ":20: the range overlaps that of line 19"},
    {20, "range 0x10010 1", ":20: the range overlaps that of line 19"},
    {20, "range 0xf000 65536", ":20: the range overlaps that of line 19"},
    {20, "range 0x10000 4096", ":20: the range overlaps that of line 19"},
    {20, "range 0x11000 16\nrange 0x1100f 1",
     ":21: the range overlaps that of line 20"},
    {20, "range 0xffffffffffffff00 257", ":20: it runs past the last address"},
    {20, "range 0x11000 0", ":20: it has no bytes"},
    {23, "data 0x10004 00", ":23: the data overlaps that of line 21"},
    /* hex digits */
    {23, "data 0x10100 000", ":23: an odd number of hex digits"},
    {23, "data 0x10100 0", ":23: an odd number of hex digits"},
    {23, "data 0x10100 0g", ":23: '0g' is not a byte in hex"},
    {23, "data 0x10100 00 00", ":23: 'data' has too many values"},
    {23, "data 0x10100", ":23: 'data' lacks a value"},
    {23, "data 0x10100 ", ":23: 'data' lacks a value"},
    /* the end */
    {24, NULL, ":24: the snapshot is truncated"},
    {24, "en", ":24: unknown keyword 'en'"},
    {24, "end of it", ":24: unknown keyword 'end'"},
    {24, "end\n# more", ":25: there is more after the 'end' line"},
    {2, "end", ":3: there is more after the 'end' line"},
    /* values */
    {3, "endian middle", ":3: endian is 'little' or 'big', not 'middle'"},
    {3, "endian", ":3: 'endian' lacks a value"},
    {3, "endian big little", ":3: 'endian' has too many values"},
    {4, "size short 3", ":4: a short has 1, 2, 4 or 8 bytes, not 3"},
    {4, "size short 0", ":4: a short has 1, 2, 4 or 8 bytes, not 0"},
    {4, "size short 16", ":4: 16 is too large"},
    {4, "size short -2", ":4: '-2' is not a decimal number"},
    {4, "size short 0x2", ":4: '0x2' is not a decimal number"},
    {4, "size short", ":4: 'size' lacks a value"},
    {4, "size char 1", ":4: there is no basic type 'char'"},
    {9, "image my solver", ":9: 'image' has too many values"},
    {10, "rank -2", ":10: '-2' is not a decimal number"},
    {10, "rank 4294967296", ":10: 4294967296 is too large"},
    {10, "rank three", ":10: 'three' is not a decimal number"},
    {12, "type struct_a 18446744073709551616",
     ":12: 18446744073709551616 is too large"},
    {12, "type struct_a", ":12: 'type' lacks a value"},
    {12, NULL, ":12: no 'type' line names 'struct_a'"},
    {13, "field struct_a first 8 9", ":13: the member ends at byte 17 of a "
     "type of 16 bytes"},
    {13, "field struct_a first 0", ":13: 'field' lacks a value"},
    {15, "type struct_a 16", "the type 'struct_a' is given twice"},
    {16, "symbol MPIR_all_communicators 10000",
     ":16: '10000' is not an address like 0x1f0"},
    {16, "symbol MPIR_all_communicators 0x",
     ":16: '0x' is not an address like 0x1f0"},
    {16, "symbol MPIR_all_communicators 0x10000000000000000",
     ":16: 0x10000000000000000 is too large for an address"},
    {18, "symbol MPIR_all_communicators 0x10008",
     "the symbol 'MPIR_all_communicators' is given twice"},
    {2, "# caf\351", ":2: byte 0xe9 is not text"},
    {2, "\tendian big", ":2: byte 0x09 is not text"},
    {3, "endian big\r", ":3: byte 0x0d is not text"},
};

static void check_refused(void)
{
    size_t i;

    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char *text = changed(bad[i].line, bad[i].text);
        struct mq_target *target = NULL;
        struct mq_error error = {""};

        test("refused: line %d is '%s'", bad[i].line,
             bad[i].text != NULL ? bad[i].text : "missing");
        CHECK_INT(parse(text, strlen(text), &error, &target), mq_failed);
        CHECK(target == NULL);
        CHECK_CONTAINS(error.text, bad[i].sentence);
        CHECK_INT(strncmp(error.text, "job.3:", 6), 0);
    }
}

/* ---- Stacks ---------------------------------------------------------------
 */

/* The good snapshot as one of VERSION, with LINES in front of its end. */
static const char *with_lines(const char *version, const char *lines)
{
    static char text[1 << 14];
    const char *whole = changed(1, version);
    const char *end = strstr(whole, "\nend\n");

    snprintf(text, sizeof text, "%.*s\n%s\nend\n", (int)(end - whole), whole,
             lines);
    return text;
}

static void check_activity(void)
{
    static const char line[] = "activity asleep 3 1795393696 openat";
    const char *text = with_lines("mqsnap 3", line);
    struct mq_target *target = NULL;
    struct mq_error error = { "" };

    test("what a process did before it was stopped");
    CHECK_INT(parse(text, strlen(text), &error, &target), mq_ok);
    CHECK_STRING(error.text, "");
    if (target != NULL) {
        CHECK_INT(target->activity.doing, mq_asleep);
        CHECK_STRING(target->activity.system_call, "openat");
        CHECK_INT(target->activity.share, 3);
    }
    mq_target_destroy(target);
    text = with_lines("mqsnap 2", line);
    CHECK_INT(parse(text, strlen(text), &error, &target), mq_failed);
    CHECK_CONTAINS(error.text, "unknown keyword 'activity'");
}

static void check_site(void)
{
    static const char line[] = "site 0x4011d3 main 59 ring.c 20 % -";
    const char *text = with_lines("mqsnap 4", line);
    struct mq_target *target = NULL;
    struct mq_error error = { "" };
    struct mq_frame site;

    test("where a call was made");
    CHECK_INT(parse(text, strlen(text), &error, &target), mq_ok);
    CHECK_STRING(error.text, "");
    if (target != NULL) {
        CHECK_INT(target->ops->find_site(target, 0x4011d3, &error, &site),
                  mq_ok);
        CHECK_STRING(site.function, "main");
        CHECK_STRING(site.file, "ring.c");
        CHECK_INT(site.line, 20);
        CHECK_INT(target->ops->find_site(target, 0x4011d4, &error, &site),
                  mq_absent);
    }
    mq_target_destroy(target);
    text = with_lines("mqsnap 3", line);
    CHECK_INT(parse(text, strlen(text), &error, &target), mq_failed);
    CHECK_CONTAINS(error.text, "unknown keyword 'site'");
    text = with_lines("mqsnap 4", "site main 59 ring.c 20 % -");
    CHECK_INT(parse(text, strlen(text), &error, &target), mq_failed);
    text = with_lines("mqsnap 4", "site 0x1 main 59");
    CHECK_INT(parse(text, strlen(text), &error, &target), mq_failed);
    text = with_lines("mqsnap 4", "site");
    CHECK_INT(parse(text, strlen(text), &error, &target), mq_failed);
    text = with_lines("mqsnap 4", "site 0x1 main 59 ring.c 20 % - more");
    CHECK_INT(parse(text, strlen(text), &error, &target), mq_failed);
    CHECK_CONTAINS(error.text, "too many values");
}

/* It is in libc, as it sleeps between two polls. */
static void check_polling(void)
{
    static const char frames[] = "frame nanosleep 0 % 0 libc.so.6 -\n"
                                 "frame usleep 0 % 0 libc.so.6 -\n"
                                 "frame poll 0 % 0 % -\nframe main 0 % 0 % -";
    struct mq_target *target = NULL;
    struct mq_error error = { "" };
    struct mq_thread thread;
    char lines[512];

    test("where a rank polls");
    snprintf(lines, sizeof lines, "thread MPI_Test\n%s", frames);
    CHECK_INT(parse(with_lines("mqsnap 2", lines), strlen(with_lines(
        "mqsnap 2", lines)), &error, &target), mq_ok);
    CHECK_INT(target->threads->site, 2);
    mq_target_destroy(target);
    snprintf(lines, sizeof lines, "thread -\n%s", frames);
    CHECK_INT(parse(with_lines("mqsnap 2", lines), strlen(with_lines(
        "mqsnap 2", lines)), &error, &target), mq_ok);
    thread = *target->threads;
    CHECK_INT(thread.site, 0);
    mq_thread_put_in(&thread, "MPI_Test");
    CHECK_INT(thread.site, 2);
    CHECK_INT(thread.frame_count, 4);
    mq_target_destroy(target);
}

static void check_stack(void)
{
    const char *text = with_lines("mqsnap 2",
        "thread MPI_Waitall\n"
        "frame poll 79 % 0 libc.so.6 mpi\n"
        "left-out 7\n"
        "frame PMPI_Waitall 18446744073709551 wait%20all.c 2147483647 % mpi\n"
        "frame exchange%28int%29 0 halo.c 12 % -\n"
        "argument requests -9223372036854775808 sure\n"
        "argument requests 9223372036854775807 doubtful\n"
        "thread ?");
    struct mq_target *target = NULL;
    struct mq_error error = { "" };
    const struct mq_thread *thread;

    test("what a snapshot says of stacks");
    CHECK_INT(parse(text, strlen(text), &error, &target), mq_ok);
    CHECK_STRING(error.text, "");
    if (target == NULL)
        return;
    thread = target->threads;
    CHECK_INT(target->thread_count, 2);
    CHECK_STRING(target->call, "MPI_Waitall");
    CHECK_INT(thread->frame_count, 3);
    CHECK_INT(thread->left_out, 7);
    CHECK_INT(thread->left_out_at, 1);
    CHECK_STRING(thread->frames[1].file, "wait all.c");
    CHECK_INT(thread->frames[1].line, INT32_MAX);
    CHECK_STRING(thread->frames[2].function, "exchange(int)");
    CHECK_STRING(thread->frames[2].object, NULL);
    CHECK_INT(thread->site, 2);
    CHECK_INT(thread->argument_count, 2);
    CHECK(thread->arguments[0].value == INT64_MIN);
    CHECK(thread->arguments[1].doubtful);
    CHECK(thread[1].call == NULL && thread[1].site == -1);
    mq_target_destroy(target);
}

/* Where a call was made, and where a thread in none is. */
static void check_sites(void)
{
    static const struct {
        const char *lines;
        int site;
    } cases[] = {
        { "thread -\nframe relax 0 a.c 9 % -", 0 },
        { "thread -\nframe pause 0 % 0 c -\nframe f 0 a.c 9 % -\n"
          "frame main 0 a.c 20 % -", 1 },
        { "thread -\nframe pause 0 % 0 c -\nframe f 0 % 0 % -", 0 },
        { "thread MPI_Recv\nframe MPI_Recv 0 % 0 % mpi\n"
          "frame f 0 % 0 % -\nframe main 0 a.c 9 % -", 1 },
        { "thread MPI_Reduce\nframe my_sum 0 a.c 3 % -\n"
          "frame MPI_Reduce 0 % 0 m mpi\nframe main 0 a.c 9 % -", 2 },
        { "thread MPI_Recv\nframe MPI_Recv 0 % 0 % mpi\nleft-out 2\n"
          "frame main 0 a.c 9 % -", -1 },
        { "thread MPI_Recv\nframe MPI_Recv 0 % 0 % mpi", -1 },
        { "thread -", -1 },
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = with_lines("mqsnap 2", cases[i].lines);
        struct mq_target *target = NULL;

        test("the site of %zu", i);
        if (!CHECK_INT(parse(text, strlen(text), NULL, &target), mq_ok))
            continue;
        CHECK_INT(target->threads[0].site, cases[i].site);
        mq_target_destroy(target);
    }
}

static void check_wrong_stacks(void)
{
    static const struct {
        const char *lines, *sentence;
    } cases[] = {
        { "frame f 0 a.c 9 % -", "no thread precedes" },
        { "argument tag 1 sure", "no thread precedes" },
        { "left-out 3", "no thread precedes" },
        { "thread", "a thread lacks its call" },
        { "thread %", "a thread lacks its call" },
        { "thread - -", "'thread' has too many values" },
        { "thread -\nframe f", "the frame's offset is not a number" },
        { "thread -\nframe f -1 a.c 9 % -", "offset is not a number" },
        { "thread -\nframe f 0 a.c 2147483648 % -", "line is not a number" },
        { "thread -\nframe f 0 a.c 9 % yes", "neither 'mpi' nor '-'" },
        { "thread -\nframe f 0 a.c 9 % - -", "too many values" },
        { "thread -\nargument tag x sure", "a value that is not a number" },
        { "thread -\nargument % 1 sure", "has no name" },
        { "thread -\nargument tag 1", "neither 'sure' nor 'doubtful'" },
        { "thread -\nleft-out 0", "missing frames is not a number" },
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = with_lines("mqsnap 2", cases[i].lines);
        struct mq_target *target = NULL;
        struct mq_error error = { "" };

        test("a wrong stack: %s", cases[i].lines);
        CHECK_INT(parse(text, strlen(text), &error, &target), mq_failed);
        CHECK_CONTAINS(error.text, cases[i].sentence);
    }
    test("a stack in version 1");
    {
        const char *text = changed(2, "thread -");
        struct mq_target *target = NULL;
        struct mq_error error = { "" };

        CHECK_INT(parse(text, strlen(text), &error, &target), mq_failed);
        CHECK_CONTAINS(error.text, ":2: unknown keyword 'thread'");
    }
}

/* Recordings that list an object of the stack without its range are let pass;
 * what they list cannot be read.
 */
static void check_stray(void)
{
    const char *text = changed(23, "data 0x7ff0 0000000000000001\n"
                                   "data 0x7ff8 0000000000000002");
    struct mq_target *target = NULL;
    uint64_t value;

    test("a whole object outside every range is let pass, not read");
    if (CHECK_INT(parse(text, strlen(text), NULL, &target), mq_ok))
        CHECK_INT(mq_target_read_unsigned(target, 0x7ff0, 8, NULL, &value),
                  mq_failed);
    mq_target_destroy(target);
}

static void check_null_byte(void)
{
    const char *text = changed(0, NULL);
    size_t length = strlen(text);
    char *copy = malloc(length);
    struct mq_error error;
    struct mq_target *target = NULL;

    test("a null byte is refused");
    if (copy == NULL)
        exit(2);
    memcpy(copy, text, length);
    copy[10] = '\0';
    CHECK_INT(parse(copy, length, &error, &target), mq_failed);
    CHECK_CONTAINS(error.text, "job.3:2: byte 0x00 is not text");
    free(copy);
}

static void check_every_cut(void)
{
    const char *text = changed(0, NULL);
    size_t whole = strlen(text), length;

    test("whatever is cut off the end, the rest is refused with a line");
    for (length = 0; length < whole; length++) {
        struct mq_target *target = NULL;
        struct mq_error error = {""};
        char *copy = malloc(length + 1);    /* so that overruns are seen */

        if (copy == NULL)
            exit(2);
        memcpy(copy, text, length);
        if (!CHECK_INT(parse(copy, length, &error, &target), mq_failed))
            printf("after %zu bytes\n", length);
        CHECK(strncmp(error.text, "job.3:", 6) == 0 && error.text[6] >= '1'
              && error.text[6] <= '9');
        mq_target_destroy(target);
        free(copy);
    }
}

/* Every byte in turn becomes each of some others: whether that is still a
 * snapshot or not, an answer comes, with a sentence if it is a refusal.
 */
static void check_every_byte(void)
{
    static const char replacements[] = "0 9af\nx-\377";
    char *text = strdup(changed(0, NULL));
    size_t length = text != NULL ? strlen(text) : 0, i, j;

    test("any byte may be damaged");
    for (i = 0; i < length; i++) {
        char original = text[i];

        for (j = 0; j < sizeof replacements; j++) {
            struct mq_target *target = NULL;
            struct mq_error error = {""};
            int result;

            text[i] = replacements[j];
            result = parse(text, length, &error, &target);
            CHECK(result == mq_ok ? target != NULL
                                  : result == mq_failed
                                    && strncmp(error.text, "job.3:", 6) == 0);
            mq_target_destroy(target);
        }
        text[i] = original;
    }
    free(text);
}

static void check_files(void)
{
    struct mq_target *target = NULL;
    struct mq_error error;

    test("a file that cannot be read");
    CHECK_INT(mq_snapshot_open("no/such\033file", &error, &target), mq_failed);
    CHECK_STRING(error.text, "no/such?file: No such file or directory");
    CHECK_INT(mq_snapshot_open("/", &error, &target), mq_failed);
    CHECK_CONTAINS(error.text, "Is a directory");
    CHECK(target == NULL);
}

int main(void)
{
    check_facts();
    check_activity();
    check_site();
    check_polling();
    check_stack();
    check_sites();
    check_wrong_stacks();
    check_names();
    check_memory();
    check_values();
    check_accepted();
    check_refused();
    check_stray();
    check_null_byte();
    check_every_cut();
    check_every_byte();
    check_files();
    return tests_end();
}
