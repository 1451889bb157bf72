/* What Open MPI's message-queue DLL is known to say wrongly, fault by fault. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/harness.h"
#include "dll/distrust.h"

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
    return tests_end();
}
