/* test_adapters.c - peculiarities of each MPI library */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mpi/adapters.h"
#include "tests/kit/harness.h"

static void check_tag(int64_t tag, bool blocking, bool nonblocking)
{
    CHECK_INT(mq_adapter_is_blocking_tag(tag), blocking);
    CHECK_INT(mq_adapter_is_nonblocking_tag(tag), nonblocking);
}

static void check_name(const char *name, const char *wanted)
{
    char got[80] = "";

    CHECK_INT(mq_adapter_says_name(name, got, sizeof got), wanted[0] != '\0');
    CHECK_STRING(got, wanted);
}

int main(void)
{
    test("tags of programs");
    check_tag(0, false, false);
    check_tag(-1, false, false);

    test("tags of blocking collective operations");
    check_tag(-2, true, false);     /* MPICH's */
    check_tag(-26, true, false);    /* the last of Open MPI's */

    test("tags that are blocking in one library only");
    check_tag(-27, false, true);
    check_tag(-32, false, true);
    check_tag(-1000, false, true);

    test("handles of predefined communicators");
    CHECK(mq_adapter_is_predefined(91, "MPI_COMM_WORLD"));
    CHECK(mq_adapter_is_predefined(0x44000001, "MPI_COMM_SELF"));
    CHECK(!mq_adapter_is_predefined(0x44000001, "MPI_COMM_WORLD"));
    CHECK(!mq_adapter_is_predefined(0, "MPI_COMM_WORLD"));
    CHECK(!mq_adapter_is_predefined(91, NULL));

    test("twins of communicators");
    CHECK(mq_adapter_is_twin("halo_collective", "halo", 63));
    CHECK(mq_adapter_is_twin("halo_coll", "halo", 9));
    CHECK(!mq_adapter_is_twin("halo_coll", "halo", 63));
    CHECK(!mq_adapter_is_twin("halo", "halo", 63));

    test("names that libraries give");
    check_name("MPI COMMUNICATOR 3 DUP FROM 0",
               "a duplicate of MPI_COMM_WORLD (communicator 3)");
    check_name("MPI COMMUNICATOR 12 SPLIT_TYPE FROM 3",
               "a part of communicator 3 (communicator 12)");
    check_name("MPICH context 496",
               "a communicator without name (context 496)");
    check_name("MPI COMMUNICATOR 3 DUP FROM 0 ", "");
    check_name("MPI COMMUNICATOR 3 MADE FROM 0", "");
    check_name("MPICH context 496a", "");
    check_name("MPICH contexts 464 and 480", "");
    check_name("MPI COMMUNICATOR 9999999999 DUP FROM 0", "");
    check_name("strips", "");
    CHECK(mq_adapter_is_hidden("internal context 2"));
    CHECK(!mq_adapter_is_hidden("strips"));

    test("memory");
    CHECK(mq_adapter_is_unset(0xfafafafafafafafau));
    CHECK(!mq_adapter_is_unset(0));
    CHECK_INT(mq_adapter_buffered(), 1024);
    return tests_end();
}
