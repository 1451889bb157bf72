/* test_distrust.c - what Open MPI's message-queue DLL is known to say wrongly,
 * fault by fault. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/distrust.h"
#include "tests/kit/harness.h"

#include <stdio.h>
#include <string.h>

static const struct mq_distrust *faults;

/* What becomes of an operation of that class and status that got what ACTUAL
 * is, a rank and a tag.
 */
static int status_of(mqs_op_class queue, int status, mqs_tword_t actual)
{
    mqs_pending_operation operation;

    memset(&operation, 0, sizeof operation);
    operation.status = status;
    operation.actual_local_rank = actual;
    operation.actual_tag = actual;
    return faults->mend(queue, &operation) ? (int)operation.status : -1;
}

static const char *datatype_line(const char *said)
{
    static mqs_pending_operation operation;

    memset(&operation, 0, sizeof operation);
    snprintf(operation.extra_text[2], sizeof operation.extra_text[2], "%s",
             said);
    faults->mend(mqs_pending_receives, &operation);
    return operation.extra_text[2];
}

/* ---- Inter-communicators --------------------------------------------------
 */

/* A process in which communicator 0 has one group, and communicator 1 two. */
enum { base = 0x1000, places_at = 4, first_at = 8, second_at = 12 };

static const uint64_t words[] = {
    [0] = 0, [1] = base + 8 * places_at,        /* the table: addr is 8 in */
    [places_at] = base + 8 * first_at, [places_at + 1] = base + 8 * second_at,
    [first_at] = 0x9000, [first_at + 1] = 0x9000,
    [second_at] = 0x9000, [second_at + 1] = 0xa000
};

static enum mq_result read_words(struct mq_target *target, uint64_t address,
                                 size_t length, struct mq_error *error,
                                 void *bytes)
{
    (void)target;
    if (address < base || address + length > base + sizeof words)
        return mq_fail(error, "nothing is there");
    memcpy(bytes, (const char *)words + (address - base), length);
    return mq_ok;
}

static enum mq_result find_name(struct mq_target *target, const char *name,
                                bool is_function, struct mq_error *error,
                                uint64_t *address)
{
    (void)target, (void)is_function, (void)error;
    if (strcmp(name, "ompi_mpi_communicators") != 0)
        return mq_absent;
    *address = base;
    return mq_ok;
}

static bool has_types;

static enum mq_result find_type(struct mq_target *target, const char *name,
                                struct mq_error *error,
                                const struct mq_target_type **type)
{
    (void)target, (void)name, (void)error;
    *type = NULL;
    return has_types ? mq_ok : mq_absent;
}

static enum mq_result find_member(struct mq_target *target,
                                  const struct mq_target_type *type,
                                  const char *name, struct mq_error *error,
                                  uint64_t *offset)
{
    (void)target, (void)type, (void)error;
    *offset = strcmp(name, "c_local_group") == 0 ? 0 : 8;
    return mq_ok;
}

static void check_groups(void)
{
    static const struct mq_target_ops ops = {
        .read = read_words, .find_name = find_name,
        .find_type = find_type, .find_member = find_member
    };
    struct mq_target target = { .ops = &ops, .byte_order = mq_little_endian,
                                .sizes = { 2, 4, 8, 8, 8 } };

    has_types = true;
    test("the group of a communicator with one is believed");
    CHECK(!faults->is_wrong_group(&target, 0));
    test("that of one with two is not");
    CHECK(faults->is_wrong_group(&target, 1));
    test("a communicator that is nowhere");
    CHECK(!faults->is_wrong_group(&target, 2));
    CHECK(!faults->is_wrong_group(&target, 1000));
    CHECK(!faults->is_wrong_group(&target, UINT64_MAX));
    test("without types nothing is known");
    has_types = false;
    CHECK(!faults->is_wrong_group(&target, 1));
}

int main(void)
{
    test("which DLL");
    CHECK(mq_distrust_of("/usr/lib/libtvmpich.so") == NULL);
    CHECK(mq_distrust_of("/libompi_dbg_msgq/libtvmpich.so") == NULL);
    CHECK(mq_distrust_of("libompi_dbg_msgq.so") != NULL);
    faults = mq_distrust_of("/usr/lib/openmpi/libompi_dbg_msgq.so");
    if (!CHECK(faults != NULL))
        return tests_end();

    test("a receive that is complete without source and tag is pending");
    CHECK_INT(status_of(mqs_pending_receives, mqs_st_complete, -1),
              mqs_st_pending);
    test("one that has them is complete");
    CHECK_INT(status_of(mqs_pending_receives, mqs_st_complete, 3),
              mqs_st_complete);
    test("a send that is complete is not told");
    CHECK_INT(status_of(mqs_pending_sends, mqs_st_complete, 3), -1);
    test("a send that is pending is");
    CHECK_INT(status_of(mqs_pending_sends, mqs_st_pending, 3),
              mqs_st_pending);
    test("the queue of unexpected messages is not told");
    CHECK_INT(faults->untold, mqs_unexpected_messages);
    test("MPI_COMM_NULL is no communicator");
    CHECK_STRING(faults->no_communicator, "MPI_COMM_NULL");
    test("the name of a datatype that was cut is left out");
    CHECK_STRING(datatype_line("MPI_"), "");
    test("one that was not stays");
    CHECK_STRING(datatype_line("MPI_INT"), "MPI_INT");
    check_groups();
    return tests_end();
}
