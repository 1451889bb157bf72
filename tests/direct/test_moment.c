/* test_moment.c - memory copies: consistent, torn and repeated */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "direct/moment.h"
#include "tests/kit/harness.h"

enum { begin = 0x10000, pages = 16, hole = 9 };

static const size_t page = 4096;

/* A process of some pages, one of which cannot be read. */
static struct process {
    struct mq_target target;
    unsigned char bytes[pages * 4096];
    int reads;
} process;

static enum mq_result read_process(struct mq_target *target, uint64_t address,
                                   size_t length, struct mq_error *error,
                                   void *bytes)
{
    uint64_t offset = address - begin;

    (void)target;
    process.reads++;
    if (offset > sizeof process.bytes
        || length > sizeof process.bytes - offset
        || (offset / page <= hole && (offset + length - 1) / page >= hole))
        return mq_fail(error, "nothing is there");
    memcpy(bytes, process.bytes + offset, length);
    return mq_ok;
}

static enum mq_result write_process(struct mq_target *target, uint64_t address,
                                    size_t length, const void *bytes,
                                    struct mq_error *error)
{
    (void)target, (void)error;
    memcpy(process.bytes + (address - begin), bytes, length);
    return mq_ok;
}

static const struct mq_target_ops ops = {
    .read = read_process, .write = write_process
};

static struct mq_moment_pool pool;

static struct mq_moment fresh(void)
{
    const struct mq_moment moment = {
        .memory = &process.target, .pool = &pool
    };

    memset(&process, 0, sizeof process);
    process.target.ops = &ops;
    process.target.name = "it";
    return moment;
}

/* The byte at OFFSET, or -1. */
static int read_at(struct mq_moment *moment, size_t offset)
{
    unsigned char byte;

    return mq_moment_read(moment, begin + offset, 1, false, NULL, &byte)
           == mq_ok ? byte : -1;
}

static void test_no_moment(void)
{
    struct mq_moment moment = fresh();

    test("before the first moment memory is as it is");
    CHECK_INT(read_at(&moment, 5), 0);
    process.bytes[5] = 1;
    CHECK_INT(read_at(&moment, 5), 1);
    CHECK(!moment.is_torn);
    mq_moment_deinit(&moment);
}

static void test_copied(void)
{
    struct mq_moment moment = fresh();

    test("what was copied stays");
    mq_moment_begin(&moment, NULL, 0);
    CHECK_INT(read_at(&moment, 5), 0);
    mq_moment_end(&moment);
    process.bytes[5] = 1;
    CHECK_INT(read_at(&moment, 5), 0);
    CHECK(!moment.is_torn);
    test("the next moment has what was used of it");
    mq_moment_begin(&moment, NULL, 0);
    mq_moment_end(&moment);
    process.bytes[5] = 2;
    CHECK_INT(read_at(&moment, 5), 1);
    CHECK(!moment.is_torn);
    CHECK(!moment.is_repeated);
    test("nothing is different");
    process.bytes[5] = 1;
    process.bytes[3 * page] = 7;
    mq_moment_begin(&moment, NULL, 0);
    mq_moment_end(&moment);
    CHECK(moment.is_repeated);
    test("what was not read anew is still compared");
    process.bytes[5 + 8] = 1;
    mq_moment_begin(&moment, NULL, 0);
    mq_moment_end(&moment);
    CHECK(moment.is_repeated);
    process.bytes[5] = 2;
    mq_moment_begin(&moment, NULL, 0);
    mq_moment_end(&moment);
    CHECK(!moment.is_repeated);
    mq_moment_deinit(&moment);
}

static void test_holds(void)
{
    const struct mq_moment_range some = { begin + 8, begin + 16 };
    struct mq_moment moment = fresh();

    test("before the first moment nothing is known");
    CHECK(!mq_moment_holds(&moment, NULL, 0));
    mq_moment_begin(&moment, NULL, 0);
    CHECK_INT(read_at(&moment, 8), 0);
    CHECK_INT(read_at(&moment, 3 * page + 8), 0);
    mq_moment_end(&moment);
    test("all that was read is as it was");
    process.bytes[16] = 1;
    CHECK(mq_moment_holds(&moment, NULL, 0));
    test("something is not");
    process.bytes[8] = 1;
    CHECK(!mq_moment_holds(&moment, NULL, 0));
    test("but it does not count");
    CHECK(mq_moment_holds(&moment, &some, 1));
    test("something else does");
    process.bytes[3 * page + 8] = 1;
    CHECK(!mq_moment_holds(&moment, &some, 1));
    mq_moment_deinit(&moment);
}

static void test_torn(void)
{
    struct mq_moment moment = fresh();

    test("what is read later tears the moment");
    mq_moment_begin(&moment, NULL, 0);
    mq_moment_end(&moment);
    process.bytes[2 * page] = 3;
    CHECK_INT(read_at(&moment, 2 * page), 3);
    CHECK(moment.is_torn);
    test("which does not matter if it is the same at the next one");
    mq_moment_begin(&moment, NULL, 0);
    mq_moment_end(&moment);
    CHECK(!moment.is_torn);
    CHECK(moment.is_repeated);
    test("the next one has it");
    process.bytes[2 * page] = 3;
    mq_moment_begin(&moment, NULL, 0);
    mq_moment_end(&moment);
    process.bytes[2 * page] = 4;
    CHECK_INT(read_at(&moment, 2 * page), 3);
    CHECK(!moment.is_torn);
    CHECK(!moment.is_repeated);
    mq_moment_deinit(&moment);
}

static void test_fixed(void)
{
    struct mq_moment moment = fresh();
    unsigned char byte;

    test("what is fixed is of any moment");
    mq_moment_begin(&moment, NULL, 0);
    mq_moment_end(&moment);
    CHECK_INT(mq_moment_read(&moment, begin, 1, true, NULL, &byte), mq_ok);
    CHECK(!moment.is_torn);
    mq_moment_deinit(&moment);
}

static void test_unreadable(void)
{
    struct mq_moment moment = fresh();
    struct mq_error error = { "" };
    unsigned char bytes[2 * 4096];

    test("what cannot be read is an error, and not torn");
    mq_moment_begin(&moment, NULL, 0);
    CHECK_INT(read_at(&moment, hole * page), -1);
    mq_moment_end(&moment);
    CHECK_INT(mq_moment_read(&moment, begin + (hole - 1) * page, sizeof bytes,
                             true, &error, bytes), mq_failed);
    CHECK_CONTAINS(error.text, "it: cannot read its memory at 0x19000");
    CHECK(!moment.is_torn);
    mq_moment_deinit(&moment);
}

static void test_stack(void)
{
    const uint64_t stacks[] = {
        begin + 2 * page + 100, begin + (hole - 1) * page, 0, UINT64_MAX
    };
    struct mq_moment moment = fresh();

    test("the top of a stack is copied, up to its end");
    mq_moment_prepare(&moment, 1);
    mq_moment_begin(&moment, stacks, sizeof stacks / sizeof stacks[0]);
    mq_moment_end(&moment);
    memset(process.bytes, 1, sizeof process.bytes);
    CHECK_INT(read_at(&moment, page + page - 1), 0);
    CHECK_INT(read_at(&moment, 3 * page), 0);
    CHECK_INT(read_at(&moment, (hole - 1) * page), 0);
    CHECK(!moment.is_torn);
    mq_moment_deinit(&moment);
}

static void test_written(void)
{
    struct mq_moment moment = fresh();
    const unsigned char bytes[] = { 1, 2 };

    test("what is written is in the copy");
    mq_moment_begin(&moment, NULL, 0);
    CHECK_INT(read_at(&moment, page), 0);
    mq_moment_end(&moment);
    CHECK_INT(mq_moment_write(&moment, begin + page - 1, sizeof bytes, bytes,
                              NULL), mq_ok);
    CHECK_INT(read_at(&moment, page), 2);
    CHECK_INT(process.bytes[page - 1], 1);
    CHECK(!moment.is_torn);
    mq_moment_deinit(&moment);
}

int main(void)
{
    test_no_moment();
    test_copied();
    test_holds();
    test_torn();
    test_fixed();
    test_unreadable();
    test_stack();
    test_written();
    mq_moment_pool_deinit(&pool);
    return tests_end();
}
