/* test_python.c - recorded Python stacks, and inconsistent ones */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/python.h"
#include "symbols/python_lines.h"
#include "target/snapshot.h"
#include "tests/kit/harness.h"
#include "tests/kit/patched.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A recording of tests/programs/scripts/stack.py. */
struct recorded {
    unsigned minor;             /* of its version, 3.MINOR */
    int thread;
    struct mq_target *snapshot;
    struct patched patched;
    uint64_t addresses[mq_python_symbols];
};

static bool open_recorded(const char *path, struct recorded *it)
{
    const char *name = strrchr(path, '/') + 1;
    struct mq_error error = { "" };

    if (sscanf(name, "3.%u-%d.", &it->minor, &it->thread) != 2
        || !CHECK_INT(mq_snapshot_open(path, &error, &it->snapshot), mq_ok))
        return false;
    patched_init(&it->patched, it->snapshot);
    memset(it->addresses, 0, sizeof it->addresses);
    for (int i = 0; i < mq_python_symbols; i++)
        mq_target_find_symbol(it->snapshot, mq_python_names[i], &error,
                              &it->addresses[i]);
    return true;
}

/* The file's name without its folders. */
static const char *name_of(const struct mq_frame *frame)
{
    const char *file = frame->file != NULL ? frame->file : "?";
    const char *slash = strrchr(file, '/');

    return slash != NULL ? slash + 1 : file;
}

/* What the thread executes, a line for each function, into TEXT; or the error.
 */
static void tell(struct recorded *it, int thread, char *text, size_t room)
{
    struct mq_python *python = NULL;
    struct mq_frame *frames = NULL;
    struct mq_error error = { "nothing" };
    size_t count = 0, left_out, used = 0;

    if (mq_python_create(&it->patched.target, it->addresses, &error, &python)
        != mq_ok
        || mq_python_frames(python, thread, &error, &frames, &count,
                            &left_out) != mq_ok)
        used = (size_t)snprintf(text, room, "%s", error.text);
    for (size_t i = 0; i < count && used < room; i++) {
        used += (size_t)snprintf(text + used, room - used, "%s %s:%d\n",
                                 frames[i].function, name_of(&frames[i]),
                                 (int)frames[i].line);
    }
    free(frames);
    mq_python_destroy(python);
}

static const char *stack_of(unsigned minor)
{
    return minor < 11 ? "stack.ruhe stack.py:33\n"
                        "stack.generate stack.py:40\n"
                        "stack.deep stack.py:45\nstack.deep stack.py:45\n"
                        "stack.deep stack.py:45\nstack.deep stack.py:45\n"
                        "stack.deep stack.py:45\nstack.deep stack.py:45\n"
                        "<module> stack.py:48\n"
                      : "stack.Gr\303\266\303\237e.ruhe stack.py:33\n"
                        "stack.generate stack.py:40\n"
                        "stack.deep stack.py:45\nstack.deep stack.py:45\n"
                        "stack.deep stack.py:45\nstack.deep stack.py:45\n"
                        "stack.deep stack.py:45\nstack.deep stack.py:45\n"
                        "<module> stack.py:48\n";
}

static void test_as_recorded(struct recorded *it)
{
    char text[2048];

    test("3.%u: its stack", it->minor);
    tell(it, it->thread, text, sizeof text);
    CHECK_STRING(text, stack_of(it->minor));
    test("3.%u: another thread", it->minor);
    tell(it, 1, text, sizeof text);
    CHECK_STRING(text, "nothing");
}

/* Each word that was read as nothing at all, and as a place in the middle of
 * nowhere: the truth, or what is a part of it, or a sentence.
 */
static void test_damaged(struct recorded *it, uint64_t value)
{
    static struct patched_read reads[patched_reads];
    size_t count = it->patched.read_count;
    char text[2048], line[256];

    test("3.%u: each word as 0x%llx", it->minor, (unsigned long long)value);
    memcpy(reads, it->patched.reads, sizeof reads);
    for (size_t i = 0; i < count; i++)
        for (uint64_t at = 0; at < reads[i].length; at += 8) {
            patched_init(&it->patched, it->snapshot);
            patched_set(&it->patched, reads[i].address + at, value);
            tell(it, it->thread, text, sizeof text);
            snprintf(line, sizeof line, "%.200s", text);
            CHECK(line[0] != '\0');
        }
    patched_init(&it->patched, it->snapshot);
}

/* A type that is none of the exported ones. */
static void test_types(struct recorded *it)
{
    static const enum mq_python_symbol types[] = {
        mq_python_code_type, mq_python_str_type, mq_python_bytes_type
    };
    char text[2048];

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        uint64_t before = it->addresses[types[i]];

        test("3.%u: another %s", it->minor, mq_python_names[types[i]]);
        it->addresses[types[i]] += 8;
        tell(it, it->thread, text, sizeof text);
        CHECK_STRING(text, "unexpected type of a Python object");
        it->addresses[types[i]] = 0;
        tell(it, it->thread, text, sizeof text);
        CHECK_STRING(text, "its Python does not export its types");
        it->addresses[types[i]] = before;
    }
}

/* ---- Versions ----------------------------------------------------------- */

static void test_versions(struct recorded *it)
{
    char text[2048];

    if (it->minor < 11)
        return;
    test("3.%u: as 3.15", it->minor);
    patched_init(&it->patched, it->snapshot);
    patched_set(&it->patched, it->addresses[mq_python_version], 0x030f00f0);
    tell(it, it->thread, text, sizeof text);
    CHECK_STRING(text, "its Python is of version 3.15, which is not "
                       "supported");
    test("3.%u: no release", it->minor);
    patched_init(&it->patched, it->snapshot);
    patched_set(&it->patched, it->addresses[mq_python_version],
                (uint64_t)it->minor << 16 | 0x030000a3);
    tell(it, it->thread, text, sizeof text);
    CHECK_STRING(text, "its Python is a pre-release");
    patched_init(&it->patched, it->snapshot);
}

/* One that is taken for the version before or after it is not believed. */
static void test_other_version(struct recorded *it, unsigned minor)
{
    char text[2048];

    if (it->minor < 11 || minor < 11 || minor > 14)
        return;
    test("3.%u: as 3.%u", it->minor, minor);
    patched_init(&it->patched, it->snapshot);
    patched_set(&it->patched, it->addresses[mq_python_version],
                (uint64_t)minor << 16 | 0x030001f0);
    tell(it, it->thread, text, sizeof text);
    CHECK(strstr(text, "stack.py") == NULL);
    patched_init(&it->patched, it->snapshot);
}

static void test_without_lock(struct recorded *it)
{
    uint64_t runtime = it->addresses[mq_python_runtime];
    char text[2048];

    if (it->minor < 13)
        return;
    test("3.%u: without a global lock", it->minor);
    patched_set(&it->patched, runtime + 16, 1);
    tell(it, it->thread, text, sizeof text);
    CHECK_STRING(text, "its Python has no global lock, which is not "
                       "supported");
    test("3.%u: without a cookie", it->minor);
    patched_init(&it->patched, it->snapshot);
    patched_set(&it->patched, runtime, 0);
    tell(it, it->thread, text, sizeof text);
    CHECK_STRING(text, "_PyRuntime has no debug offsets");
    patched_init(&it->patched, it->snapshot);
}

/* ---- Tables of lines ------------------------------------------------------
 */

static int line_in(enum mq_python_lines kind, const char *table,
                   size_t length, uint32_t offset)
{
    int32_t line = -1;

    return mq_python_line(kind, (const unsigned char *)table, length, 10,
                          offset, &line) == mq_ok ? (int)line : -1;
}

static void test_lines(void)
{
    static const char pairs[] = { 0, 1, 6, 1, 4, -3 };
    static const char ranges[] = { 4, 1, 6, -128, 2, 2 };
    static const char locations[] = {
        (char)0x81, 0x00,               /* 2 units, this line */
        (char)0xd8, 0x01, 0x02,         /* 1 unit, one line on */
        (char)0xf8,                     /* 1 unit, no line */
        (char)0xe8, 0x05                /* 1 unit, two lines back */
    };

    test("lines up to 3.9");
    CHECK_INT(line_in(mq_python_pairs, pairs, 6, 0), 11);
    CHECK_INT(line_in(mq_python_pairs, pairs, 6, 6), 12);
    CHECK_INT(line_in(mq_python_pairs, pairs, 6, 100), 9);
    CHECK_INT(line_in(mq_python_pairs, pairs, 5, 0), -1);
    test("lines of 3.10");
    CHECK_INT(line_in(mq_python_ranges, ranges, 6, 2), 11);
    CHECK_INT(line_in(mq_python_ranges, ranges, 6, 4), 0);
    CHECK_INT(line_in(mq_python_ranges, ranges, 6, 10), 13);
    CHECK_INT(line_in(mq_python_ranges, ranges, 6, 12), -1);
    test("lines since 3.11");
    CHECK_INT(line_in(mq_python_locations, locations, 8, 2), 10);
    CHECK_INT(line_in(mq_python_locations, locations, 8, 4), 11);
    CHECK_INT(line_in(mq_python_locations, locations, 8, 6), 0);
    CHECK_INT(line_in(mq_python_locations, locations, 8, 8), 9);
    CHECK_INT(line_in(mq_python_locations, locations, 8, 10), -1);
    CHECK_INT(line_in(mq_python_locations, locations, 7, 8), -1);
    CHECK_INT(line_in(mq_python_locations, locations, 4, 4), -1);
}

int main(void)
{
    static struct recorded it;
    glob_t found;

    test_lines();
    test("recordings");
    CHECK_INT(glob("tests/data/python/*.mqsnap", 0, NULL, &found), 0);
    CHECK_INT(found.gl_pathc, 7);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        if (!open_recorded(found.gl_pathv[i], &it))
            continue;
        test_as_recorded(&it);
        test_damaged(&it, 0);
        tell(&it, it.thread, (char[16]){ 0 }, 16);
        test_damaged(&it, 0x7f0000000008);
        test_types(&it);
        test_versions(&it);
        test_other_version(&it, it.minor - 1);
        test_other_version(&it, it.minor + 1);
        test_without_lock(&it);
        mq_target_destroy(it.snapshot);
    }
    globfree(&found);
    return tests_end();
}
